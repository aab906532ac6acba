# objects.awk: turns tables of misses into the data of objects.p; it follows table.awk.
#
# Writes the title, the number of `bars`, the largest value, `most`, and whether it is `by_seconds`, and rows: place,
# name, value. The first ten rows of the first table are drawn.

{
    need("misses")
    if (tables > 1 || bars == 10) next
    if (bars == 0) by_seconds = number("seconds") != ""
    value = by_seconds ? number("seconds") : number("misses")
    if (value == "") next
    names[++bars] = legend(trim($1))
    values[bars] = value
    if (value > most) most = value
}

END {
    if (broken) exit 2
    if (!bars) bad("no rows")
    put_title(by_seconds ? "Seconds that misses take" : "Misses")
    put("bars", bars)
    put("most", most)
    put("longest", longest)
    put("by_seconds", by_seconds)
    print "place\tname\tvalue"
    for (k = 1; k <= bars; k++) printf "%d\t%s\t%.9g\n", k, names[k], values[k]
}
