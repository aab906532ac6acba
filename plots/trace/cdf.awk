# cdf.awk: turns tables of misses --cdf into the data of cdf.p; it follows table.awk.
#
# Writes the title and the number of curves, and a block for each table with two blank
# lines between them: per cent of the pages, cumulative share, average.

{
    need("pages_percent", "misses --cdf")
    need("cumulative_percent")
    if (tables != current) {
        current = tables
        name[++curves] = meta["page_bytes"] == "" ? source_title : size(meta["page_bytes"]) " pages"
        if (meta["huge"] != "") name[curves] = name[curves] ", some huge"
        if (meta["label"] != "") name[curves] = meta["label"]
        legend(name[curves])
        rows[curves] = "0\t0\t-"
    }
    x = number("pages_percent")
    y = number("cumulative_percent")
    average = text("average_misses")
    if (x == "" || y == "") next
    rows[curves] = rows[curves] "\n" x "\t" y "\t" (average == "" ? "-" : average)
}

END {
    if (broken) exit 2
    if (!curves) bad("no rows")
    put_title("Misses by page, the pages with the fewest misses first")
    put_ranges()
    for (c = 1; c <= curves; c++) printf "pages_percent\t%s\taverage\n%s\n\n\n", name[c], rows[c]
}
