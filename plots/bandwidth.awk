# bandwidth.awk: turns rates into the data of bandwidth.p; it follows table.awk.
#
# Writes two `#` lines, the title, then counts and ranges (curves, least and most bytes, least and
# most GB/s, what is claimed of the memory or 0), a line `# op threads` for each curve, the indices of
# its op and of its number of threads, and blocks with two blank lines between them: for each curve
# bytes, the median of the samples, the 10th and the 90th percentile. Rows of loaded latency are
# skipped.

{
    if (!has("op")) bad("no column 'op'")
    if (!has("bytes")) bad("no column 'bytes'")
    if (!has("gb_per_s")) bad("no column 'gb_per_s'")
    if (meta["cpu"] != "") cpu = meta["cpu"]
    if (meta["memory_peak_gb_per_s"] > 0) claim = meta["memory_peak_gb_per_s"] + 0
    if (number("delay_ns") == "") add_row()
}

END {
    if (!curves) bad("no rates (loaded latency: scripts/plot loaded)")
    for (c = 1; c <= curves; c++) finish_curve(c)
    printf "# Bandwidth by working set%s\n", cpu == "" ? "" : ": " cpu
    if (claim > most) most = claim
    print "#", curves, first, last, least, most, claim + 0
    for (c = 1; c <= curves; c++) print "#", op_of[c], threads_of[c]
    for (c = 1; c <= curves; c++) write_curve(c)
}

# Rows that differ only in bytes are one curve.
function add_row(   rate, bytes, op, threads, spacing, key, c) {
    rate = number("gb_per_s")
    bytes = number("bytes")
    if (rate == "" || bytes == "") return
    if (rate <= 0) bad("column 'gb_per_s': not above 0")
    if (bytes < 1) bad("column 'bytes': less than 1")
    op = text("op")
    threads = number("threads") == "" ? 1 : number("threads")
    spacing = number("spacing_bytes")
    if (spacing > 8) op = op " every " size(spacing)
    key = op SUBSEP threads
    if (!(key in curve)) {
        curve[key] = ++curves
        if (!(op in op_number)) op_number[op] = ++ops
        if (!(threads in threads_number)) threads_number[threads] = ++counts
        op_of[curves] = op_number[op]
        threads_of[curves] = threads_number[threads]
        title[curves] = op (has("threads") && number("threads") == "" ? "" \
                : ", " threads (threads == 1 ? " thread" : " threads"))
    }
    c = curve[key]
    # Threads and arrays get equal parts, so three arrays of 1 MiB together have a little less.
    collect(c, bytes, rate)
}

function write_curve(c,   k, bytes) {
    print "bytes\t" title[c] "\tlow\thigh"
    for (k = 1; k <= points[c]; k++) {
        bytes = point[c, k]
        print bytes "\t" middle[c, bytes] "\t" low[c, bytes] "\t" high[c, bytes]
    }
    print "\n"
}
