# loaded.awk: turns rates of a loaded latency into the data of loaded.p; it follows table.awk.
#
# Writes the title, the number of curves, and the most GB/s, `last`, and ns, and blocks with two blank lines between
# them: for each curve GB/s, ns, and the delay, medians of the samples, in the order of the delays. The chase alone is
# the point at 0 GB/s of every curve.

{
    need("op")
    need("delay_ns", "bandwidth --latency")
    need("ns")
    need("gb_per_s")
    note_machine()
    add_row()
}

END {
    if (!curves) bad("no loaded latency (bandwidth --latency)")
    put_title("Latency of a load beside traffic")
    for (c = 1; c <= curves; c++) summarize(c)
    put_ranges()
    for (c = 1; c <= curves; c++) write_curve(c)
}

# The row after a chase is the stream that ran at the same time.
function add_row(   delay, threads, key, c, n) {
    delay = number("delay_ns")
    threads = number("threads")
    if (text("op") == "chase") {
        chase = number("ns")
        if (chase != "" && chase <= 0) bad("column 'ns': not above 0")
        if (delay == "" && chase != "") alone[++alones] = chase
        return
    }
    if (delay == "" || number("gb_per_s") == "" || chase == "") return
    key = text("op") SUBSEP threads
    if (!(key in curve)) {
        curve[key] = ++curves
        title[curves] = legend(text("op") ", " threads - 1 (threads == 2 ? " thread" : " threads"))
    }
    c = curve[key]
    if (!((c, delay) in count)) point[c, ++points[c]] = delay
    n = ++count[c, delay]
    rate[c, delay, n] = number("gb_per_s")
    ns[c, delay, n] = chase
}

function median(from, c, delay,   values, i, n) {
    n = count[c, delay]
    for (i = 1; i <= n; i++) values[i] = from[c, delay, i]
    sort(values, n)
    return quantile(values, n, 0.5)
}

function summarize(c,   list, k, x, y) {
    for (k = 1; k <= points[c]; k++) list[k] = point[c, k]
    sort(list, points[c])
    if (alones) {
        sort(alone, alones)
        lines[c] = "0\t" quantile(alone, alones, 0.5) "\talone\n"
        most = larger(most, quantile(alone, alones, 0.5))
    }
    for (k = points[c]; k >= 1; k--) {
        x = median(rate, c, list[k])
        y = median(ns, c, list[k])
        lines[c] = lines[c] x "\t" y "\t" list[k] " ns\n"
        last = larger(last, x)
        most = larger(most, y)
    }
}

function larger(a, b) { return a > b ? a : b }

# A point too near to the last that has a label has none.
function write_curve(c,   row, n, k, cell, at) {
    print "gb_per_s\t" title[c] "\tdelay"
    n = split(lines[c], row, "\n") - 1
    for (k = 1; k <= n; k++) {
        split(row[k], cell, "\t")
        if (k > 1 && cell[1] - at < 0.07 * last && at - cell[1] < 0.07 * last) cell[3] = " "
        else at = cell[1]
        print cell[1] "\t" cell[2] "\t" cell[3]
    }
    print "\n"
}
