# bandwidth.awk: turns rates into the data of bandwidth.p; it follows table.awk.
#
# Writes the title, ranges (bytes, GB/s), `claim`, what is claimed of the memory or 0, `by_threads`, 1 where
# threads are on the axis, and `styles`, the line types of the curves, by which curves of one op have one colour; and
# blocks with two blank lines between them: for each curve bytes, the median of the samples, the 10th and the
# 90th percentile. Where all rows have one working set, a curve is by the number of threads. Rows of loaded
# latency are skipped.

{
    need("op")
    need("bytes")
    need("gb_per_s")
    note_machine()
    if (meta["memory_peak_gb_per_s"] > 0) claim = meta["memory_peak_gb_per_s"] + 0
    if (number("delay_ns") == "") add_row()
}

END {
    if (!rows) bad("no rates (loaded latency: tlblab plot loaded)")
    by_threads = counts > 1 && largest < 1.01 * smallest # arrays have whole lines
    for (k = 1; k <= rows; k++) sort_row(k)
    for (c = 1; c <= curves; c++) {
        finish_curve(c)
        style[c] = counts == 1 || (ops <= 6 && counts <= 5) ? op_of[c] + 6 * (threads_of[c] - 1) : c
    }
    put_title("Bandwidth by " (by_threads ? "threads" : "working set"))
    if (!of_memory) claim = 0
    if (claim > most) most = claim
    put_ranges()
    put("claim", claim)
    put("by_threads", by_threads)
    put("styles", list_of(style, curves))
    for (c = 1; c <= curves; c++) write_block("bytes\t" title[c] "\tlow\thigh", c)
}

function add_row(   rate, bytes, op, threads, spacing) {
    rate = number("gb_per_s")
    bytes = number("bytes")
    if (rate == "" || bytes == "") return
    if (rate <= 0) bad("column 'gb_per_s': not above 0")
    if (bytes < 1) bad("column 'bytes': less than 1")
    op = text("op")
    threads = has("threads") ? number("threads") : 1
    spacing = number("spacing_bytes")
    if (op !~ /_device/) of_memory = 1
    if (spacing > 8) op = op " every " size(spacing)
    if (!(op in op_number)) op_number[op] = ++ops
    if (!(threads in threads_number)) threads_number[threads] = ++counts
    if (!rows || bytes < smallest) smallest = bytes
    if (bytes > largest) largest = bytes
    row_op[++rows] = op
    row_threads[rows] = threads
    row_bytes[rows] = bytes
    row_rate[rows] = rate
}

# Rows that differ only in what is on the x axis are one curve.
function sort_row(k,   op, threads, key) {
    op = row_op[k]
    threads = row_threads[k]
    if (by_threads && threads == "") return # one item for each element
    key = op SUBSEP (by_threads ? "" : threads)
    if (!(key in curve)) {
        curve[key] = ++curves
        op_of[curves] = op_number[op]
        threads_of[curves] = by_threads ? 1 : threads_number[threads]
        title[curves] = legend(op (by_threads ? " of " size(row_bytes[k]) : threads == "" ? "" \
                : ", " threads (threads == 1 ? " thread" : " threads")))
    }
    collect(curve[key], by_threads ? threads : row_bytes[k], row_rate[k])
}
