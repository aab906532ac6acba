# studies.awk: turns tables of tests/bench/figures into the data of studies.p; it follows table.awk.
#
# Writes the title and the largest number, `most`, and rows: quantity, the
# paper's number, ours. Rows without any are left out.

{
    need("quantity", "tests/bench/figures")
    need("paper")
    need("ours")
    theirs = shown(text("paper"))
    ours = shown(text("ours"))
    if (theirs == "-" && ours == "-") next
    rows[++bars] = text("quantity") "\t" theirs "\t" ours
}

END {
    if (broken) exit 2
    if (!bars) bad("no numbers")
    put_title("Numbers of the paper and ours")
    put("most", most)
    print "quantity\tpaper\tours"
    for (k = 1; k <= bars; k++) print rows[k]
}

# A number, or "-" for words such as `> 50`.
function shown(value) {
    if (value !~ /^[0-9.]+$/) return "-"
    if (value + 0 > most) most = value + 0
    return value
}
