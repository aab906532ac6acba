# studies.awk: turns tables of tests/bench/figures into the data of studies.p; it follows table.awk.
#
# Writes the title, the number of `bars` and the largest number, `most`, and rows: place, quantity, the paper's number,
# ours, the larger of both, a text with both. Rows without any are left out.

BEGIN { ROWS = 40 }

{
    need("quantity", "tests/bench/figures")
    need("paper")
    need("ours")
    theirs = shown(text("paper"))
    ours = shown(text("ours"))
    if (theirs == "-" && ours == "-") next
    larger = theirs + 0 > ours + 0 ? theirs + 0 : ours + 0
    if (larger > most) most = larger
    rows[++bars] = legend(text("quantity")) "\t" theirs "\t" ours "\t" larger "\t" \
        (theirs == "-" ? "" : "paper " theirs (ours == "-" ? "" : ", ")) (ours == "-" ? "" : "ours " ours)
}

END {
    if (broken) exit 2
    if (!bars) bad("no numbers")
    if (bars > ROWS) bad(bars " rows are more than a picture has space for (" ROWS "): select a figure")
    put_title("Numbers of the paper and ours")
    put("bars", bars)
    put("most", most)
    put("longest", longest)
    print "place\tquantity\tpaper\tours\tlarger\ttext"
    for (k = 1; k <= bars; k++) print k "\t" rows[k]
}

# A number, or "-" for words such as `> 50`.
function shown(value) { return value ~ /^[0-9.]+$/ ? value : "-" }
