# latency.awk: turns samples of reads and writes, and boundaries of caches, into the data of
# latency.p; it follows table.awk.
#
# Writes the title, ranges (bytes, ns), and the numbers of `levels` and of disturbed samples, `marks`, and blocks with
# two blank lines between them: for each curve bytes, median of the samples, 10th percentile, 90th; the levels: from,
# to, middle, label, size of the cache; the disturbed samples: bytes, ns.

BEGIN { SMALL_L1 = 16384 }

has("structure") && has("bytes_min") { note_machine(); add_boundary(); next }

{
    need("pages")
    need("ns")
    note_machine()
    add_sample()
}

END {
    if (!curves) bad("no samples of kernel read or write")
    for (c = 1; c <= curves; c++) finish_curve(c)
    if (least == "") bad("no time above 0")
    put_title("Latency by working set")
    make_levels()
    for (c = 1; c <= curves; c++)
        title[c] = legend(kernel_of[c] (of_kernel[kernel_of[c]] > 1 ? ": " detail[c] : ""))
    put_ranges()
    put("levels", levels)
    put("marks", marks)
    for (c = 1; c <= curves; c++)
        write_block("bytes\t" title[c] "\tlow\thigh", c)
    write_levels()
    write_marks()
}

# The last row of a level is its boundary. A rise at the end of the samples has only a beginning.
function add_boundary(   level, line_bytes) {
    level = number("level")
    if (text("structure") != "cache" || level < 1 || number("bytes_min") == "") return
    line_bytes = meta["line_bytes"] > 0 ? meta["line_bytes"] : 64
    if (level > caches) caches = level
    begins[level] = number("bytes_min")
    ends[level] = number("bytes_max")
    l1d = meta["l1d_bytes"] > 0 ? meta["l1d_bytes"] : SMALL_L1
    holds[level] = number("entries") != "" ? "to " size(number("entries") * line_bytes) : short_range(begins[level], ends[level])
}

# The unit once, where both ends have the same.
function short_range(low, high,   both, word) {
    both = range_text(low, high, 1)
    return split(both, word, " ") == 5 && word[2] == word[5] ? word[1] " to " word[4] " " word[5] : both
}

# Layouts page and set use a line of each page, the other layouts all bytes that they span.
function add_sample(   spacing, key, c, bytes, line_bytes) {
    if (!read_sample() || (kernel != "read" && kernel != "write")) return
    line_bytes = meta["line_bytes"] > 0 ? meta["line_bytes"] : 64
    claimed = meta["l3_bytes"] > 0 ? 3 : meta["l2_bytes"] > 0 ? 2 : 0
    spacing = number("spacing_bytes") != "" ? number("spacing_bytes") : line_bytes
    key = layout SUBSEP kernel SUBSEP chains SUBSEP spacing SUBSEP text("backing")
    if (!(key in curve)) {
        curve[key] = ++curves
        of_kernel[kernel]++
        kernel_of[curves] = kernel
        detail[curves] = "layout " layout ", every " size(spacing) (chains > 1 ? ", " chains " chains" : "")
    }
    c = curve[key]
    bytes = nodes * (layout == "page" || layout == "set" ? line_bytes : spacing)
    collect(c, bytes, took)
    if (disturbed() && took > 0) mark[++marks] = bytes "\t" took
}

# A level lies between two boundaries; without boundaries no level is shown. Of samples that begin beyond a first
# level nobody knows which level they find first.
function make_levels(   k, from) {
    from = first
    for (k = 1; k <= caches && from != ""; k++) {
        if (!(k in begins)) continue
        add_level(from, begins[k], (first <= l1d ? "L" k : "cache"), holds[k])
        from = ends[k]
    }
    if (caches && from != "") add_level(from, last, (caches < claimed ? "L" caches + 1 " or beyond" : "memory"), "")
}

function add_level(from, to, label, holds) {
    if (from < first) from = first
    if (to > last) to = last
    if (from < to)
        level[++levels] = from "\t" to "\t" sqrt(from) * sqrt(to) "\t" label "\t" (holds == "" ? " " : holds)
}

function write_levels(   k) {
    print "from\tto\tmiddle\tlabel\tholds"
    for (k = 1; k <= levels; k++) print level[k]
    print "\n"
}

function write_marks(   k) {
    print "bytes\tns"
    for (k = 1; k <= marks; k++) print mark[k]
}
