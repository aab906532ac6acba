# studies.awk: turns tables of tests/bench/studies into the data of studies.p; it follows table.awk.
#
# Writes two `#` lines, the title, then the number of rows and the largest value, and rows: workload
# and size, misses on huge pages against those on base pages, speed of the untraced program.

{
    need("workload", "tests/bench/studies")
    need("misses_ratio")
    ratio = number("misses_ratio")
    speed = number("speedup")
    if (text("pages") != "2M" || ratio == "") next
    names[++bars] = text("workload") " " text("size")
    ratios[bars] = ratio
    speeds[bars] = speed == "" ? "-" : speed
    if (ratio > most) most = ratio
    if (speed != "" && speed > most) most = speed
}

END {
    if (broken) exit 2
    if (!bars) bad("no rows of pages of 2M")
    print "# Huge pages: misses and speed"
    printf "# %d %.6f\n", bars, most
    print "workload\tmisses\tspeed"
    for (k = 1; k <= bars; k++) print names[k] "\t" ratios[k] "\t" speeds[k]
}
