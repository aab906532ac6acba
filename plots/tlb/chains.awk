# chains.awk: turns samples with several chains into the data of chains.p; it follows table.awk.
#
# Writes the title and ranges (chains, ns), and blocks with two blank lines between them: for each curve chains, the
# median of the samples, the 10th percentile, the 90th, and the time of a load if chains overlapped perfectly: the time
# with the fewest chains, divided by the number of chains.

{
    need("pages")
    need("chains", "chase --chains 1:16:+1")
    need("ns")
    note_machine()
    add_sample()
}

END {
    if (!curves) bad("no samples")
    for (c = 1; c <= curves; c++) summarize(c)
    if (least == "") bad("no time above 0")
    put_title("Time of a load by the number of chains")
    put_ranges()
    for (c = 1; c <= curves; c++) write_curve(c)
}

function add_sample(   spacing, key) {
    if (!read_sample() || number("chains") == "") return
    spacing = number("spacing_bytes")
    key = layout SUBSEP nodes SUBSEP spacing SUBSEP kernel SUBSEP text("backing")
    if (!(key in curve)) {
        curve[key] = ++curves
        title[curves] = legend((spacing == "" ? nodes " nodes" : size(nodes * spacing)) ", layout " layout)
    }
    collect(curve[key], chains, took)
}

function summarize(c,   k, at) {
    finish_curve(c)
    for (k = 1; k <= points[c]; k++) {
        at = point[c, k]
        ideal[c, at] = middle[c, point[c, 1]] * point[c, 1] / at
        note_ranges(at, ideal[c, at], ideal[c, at])
    }
}

function write_curve(c,   k, at) {
    print "chains\t" title[c] "\tlow\thigh\tideal"
    for (k = 1; k <= points[c]; k++) {
        at = point[c, k]
        print at "\t" middle[c, at] "\t" low[c, at] "\t" high[c, at] "\t" ideal[c, at]
    }
    print "\n"
}
