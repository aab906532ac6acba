# devices.awk: turns samples of several devices into the data of devices.p; it follows table.awk.
#
# Writes the title and ranges (bytes, ns), and blocks with two blank lines between them: for each device bytes, median
# of the samples, 10th percentile, 90th.

{
    need("pages")
    need("ns")
    add_sample()
}

END {
    if (!curves) bad("no samples of kernel read with one chain")
    for (c = 1; c <= curves; c++) finish_curve(c)
    if (least == "") bad("no time above 0")
    put_title("Latency by working set, device by device")
    put_ranges()
    for (c = 1; c <= curves; c++) write_block("bytes\t" title[c] "\tlow\thigh", c)
}

# A device is told by its processor, its driver and the layout of the nodes. Layout page uses a line of
# each page, the other layouts all bytes that they span.
function add_sample(   spacing, name, key) {
    if (!read_sample() || kernel != "read" || chains > 1) return
    spacing = number("spacing_bytes") != "" && layout != "page" ? number("spacing_bytes") \
            : meta["line_bytes"] > 0 ? meta["line_bytes"] : 64
    name = meta["cpu"] == "" ? "a device without a name" : meta["cpu"]
    name = name (text("backing") == "device" && meta["device_type"] != "gpu" ? ", by OpenCL" : "")
    key = name SUBSEP layout
    if (!(key in curve)) {
        curve[key] = ++curves
        title[curves] = legend(name ": layout " layout)
    }
    collect(curve[key], nodes * spacing, took)
}
