# watch.awk: turns a table of tlbcost --watch into the data of watch.p; it follows table.awk.
#
# Writes the title and ranges (hours, ns), and blocks with two blank lines between them: for each number of pages hours
# and what a translation cost then.

{
    need("t_s", "tlbcost --watch")
    need("pages")
    need("cost_ns")
    add_row()
}

END {
    if (!curves) bad("nothing was measured yet")
    put_title("What a translation costs")
    put_ranges()
    for (c = 1; c <= curves; c++) print "hours\t" name[c] "\n" text_of[c] "\n"
}

function add_row(   pages, cost, hours) {
    pages = number("pages")
    cost = number("cost_ns")
    if (pages == "" || cost == "" || cost <= 0) return
    if (!(pages in curve)) { curve[pages] = ++curves; name[curves] = legend(pages " pages") }
    hours = number("t_s") / 3600
    text_of[curve[pages]] = text_of[curve[pages]] hours "\t" cost "\n"
    note_ranges(hours, cost, cost)
}
