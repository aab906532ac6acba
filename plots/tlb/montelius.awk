# montelius.awk: turns the printed lab's tables, and samples with proc_s, into the data of
# montelius.p; it follows table.awk.
#
# Writes the title, the number of curves and the `unit` of time, and a block for
# each curve with two blank lines between them: pages, the median of the times. A curve has the rows
# of one table with the same kernel and page size. Times are seconds (s), as in the lab; if tables
# made different numbers of references, and all name them, times are ns per reference (ns).

{
    time = has("proc_s") ? "proc_s" : "proc"
    need("pages")
    if (!has(time)) bad("no column 'proc' or 'proc_s' (samples of other kernels: tlblab plot tlb)")
    add_row()
}

END {
    if (!curves) bad("no samples")
    put_title("TLB benchmark" (largest ? ", " bytes(largest, "Byte") " pages" : "") \
        (operations == "" || operations == "differ" ? "" : ", " operations " operations"))
    per_reference = operations == "differ" && !unknown
    put_ranges()
    put("unit", per_reference ? "ns" : "s")
    for (c = 1; c <= curves; c++) write_curve(c)
}

function add_row(   pages, seconds, spacing, dummy, key, c, refs) {
    pages = number("pages")
    seconds = number(time)
    if (pages == "" || seconds == "") return
    if (seconds < 0) bad("column '" time "': a negative time")
    spacing = has("spacing_bytes") ? number("spacing_bytes") : meta["page size"] + 0
    # The lab's own tables do not name the dummy operation; there the file name does.
    dummy = has("kernel") ? text("kernel") == "dummy" : source ~ /dummy[^\/]*$/
    key = tables " " dummy " " (dummy ? "" : spacing)
    if (!(key in curve)) {
        curve[key] = ++curves
        title[curves] = legend(dummy ? "dummy" : spacing ? "page size " bytes(spacing, "bytes") : base(source_title))
    }
    c = curve[key]
    if (!dummy && spacing > largest) largest = spacing
    if (!((c, pages) in count)) point[c, ++points[c]] = pages
    refs = references()
    value[c, pages, ++count[c, pages]] = seconds
    nanoseconds[c, pages, count[c, pages]] = refs ? seconds * 1e9 / refs : 0
    note_operations(refs)
}

# References of the row, or of the whole table as the lab prints it: "10 Mi", or the plain number.
# 0: unknown.
function references(   told) {
    if (has("refs")) return number("refs") + 0
    told = meta["total number or references"]
    if (told == "") told = meta["total number of references"]
    return told ~ /Mi/ ? told * 1048576 : told + 0
}

# The value if it is the same for all, else empty.
function note_operations(refs,   said) {
    if (!refs) {
        unknown = 1
        return
    }
    said = refs < 1048576 ? refs : bytes(int(refs / 1048576 + 0.5) * 1048576, "")
    if (operations != "" && operations != said) said = "differ"
    operations = said
}

# 4096 as the lab prints it: "4K bytes", "4 KiByte"; for operations "10 Gi".
function bytes(n, unit,   k, prefix) {
    for (k = 0; n >= 1024 && n % 1024 == 0 && k < 3; k++) n /= 1024
    prefix = substr("KMG", k, k > 0)
    if (unit == "bytes") return n prefix " bytes"
    return trim(n " " prefix (k ? "i" : "") unit)
}

function base(name) {
    sub(/.*\//, "", name)
    sub(/\.[^.]*$/, "", name)
    return name
}

function write_curve(c,   list, values, k, i, n) {
    for (k = 1; k <= points[c]; k++) list[k] = point[c, k]
    sort(list, points[c])
    print "pages\t" title[c]
    for (k = 1; k <= points[c]; k++) {
        n = count[c, list[k]]
        for (i = 1; i <= n; i++)
            values[i] = per_reference ? nanoseconds[c, list[k], i] : value[c, list[k], i]
        sort(values, n)
        print list[k] "\t" quantile(values, n, 0.5)
    }
    print "\n"
}
