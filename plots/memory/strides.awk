# strides.awk: turns rates at several spacings into the data of strides.p; it follows table.awk.
#
# Writes the title and ranges (bytes from read to read, GB/s), and blocks with two blank lines between them: for each
# curve the spacing, the median of the samples, the 10th and the 90th percentile.

{
    need("op")
    need("spacing_bytes")
    need("gb_per_s")
    if (meta["cpu"] != "" && meta["cpu"] != cpu) {
        cpu = meta["cpu"]
        if (!(cpu in known)) devices++
        known[cpu]
    }
    if (number("delay_ns") == "" && number("spacing_bytes") != "") add_row()
}

END {
    for (c = 1; c <= curves; c++) if (points[c] > 1) several = 1
    if (!several) bad("no rates of two spacings or more (bandwidth --op read --spacing 8:512:x2)")
    for (c = 1; c <= curves; c++) finish_curve(c)
    if (devices > 1) cpu = ""
    for (c = 1; c <= curves; c++) title[c] = legend((devices > 1 ? device[c] ": " : "") title[c])
    put_title("Bandwidth by stride")
    put_ranges()
    for (c = 1; c <= curves; c++)
        write_block("spacing\t" title[c] "\tlow\thigh", c)
}

# Rows that differ only in their spacing are one curve.
function add_row(   rate, key, threads) {
    rate = number("gb_per_s")
    threads = number("threads")
    if (rate == "") return
    if (rate <= 0) bad("column 'gb_per_s': not above 0")
    if (number("spacing_bytes") < 1) bad("column 'spacing_bytes': less than 1")
    key = cpu SUBSEP text("op") SUBSEP text("bytes") SUBSEP threads
    if (!(key in curve)) {
        curve[key] = ++curves
        device[curves] = cpu
        title[curves] = text("op") (number("bytes") == "" ? "" : " of " size(number("bytes"))) \
                (threads == "" ? "" : ", " threads (threads == 1 ? " thread" : " threads"))
    }
    collect(curve[key], number("spacing_bytes"), rate)
}
