# table.awk: reads the programs' tables by column name, for the plots. The rules of one picture
# follow it on the command line and see the rows: awk -f plots/table.awk -f plots/tlb.awk
# samples.tsv
#
# has(NAME) is whether this table has a column; text(NAME) and number(NAME) are the row's field,
# "" where it is missing; meta[KEY] is the table's metadata, `tables` its number. There may be
# several tables, in files or joined. bad(WHAT) prints an error and ends with status 2, as need(NAME)
# does for a table without this column. collect() and finish_curve() make curves of samples. Before its
# data a picture writes put_title(), settings, and put_ranges(); draw.gp reads them by name.

BEGIN { FS = "\t" }

FNR == 1 { begin_source(FILENAME) }

# scripts/plot joins the files and names each one this way.
/^# plot-file: / { begin_source(substr($0, 14)); next }

{
    line++
    $0 = unquoted($0)
}

# Metadata, `# key: value` or `# key = value`, or a header behind `#`, which has tabs.
/^#/ {
    if (in_rows) begin_table()
    if ((cut = index($0, ":")) > 0 || (cut = index($0, "=")) > 0)
        meta[trim(substr($0, 2, cut - 2))] = trim(substr($0, cut + 1))
    if (/\t/) header = substr($0, 2)
    next
}

/^[ \t\r]*$/ { next }

!in_rows {
    in_rows = 1
    tables++
    named = /^[ \t]*[A-Za-z]/
    if (named) header = $0
    if (header == "" || (named && /^[^\t]*[ ,;:][^\t]*$/))
        bad("no header line" (/\t/ ? "" : " (tlblab import reads what other programs write)"))
    set_columns()
    if (named) next
}

END {
    if (broken) exit 2
    line = 0
}

# gnuplot takes a quote in its data for the beginning of a string, and a backslash for that of a tab or the like; those
# that printers use look the same.
function unquoted(s) {
    gsub(/\\/, "\342\210\226", s)
    gsub(/\047/, "\342\200\231", s)
    gsub(/"/, "\342\200\235", s)
    return s
}

function begin_source(name) {
    source = name
    source_title = unquoted(name)
    line = 0
    begin_table()
}

function begin_table(   key) {
    for (key in meta) delete meta[key]
    header = ""
    in_rows = 0
}

function set_columns(   key, list, k) {
    for (key in column) delete column[key]
    for (k = split(header, list, "\t"); k > 0; k--) column[trim(list[k])] = k
}

function has(name) { return name in column }

function text(name,   field) {
    field = has(name) ? trim($column[name]) : ""
    return field == "-" ? "" : field
}

function number(name,   field, value) {
    field = text(name)
    if (field == "") return ""
    if (field !~ /^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/)
        bad("column '" name "': not a number: " field)
    value = field + 0
    if (value ^ 2 > 1e36) bad("column '" name "': too large to draw: " field)
    if (value ^ 2 < 1e-36 && value != 0) bad("column '" name "': too small to draw: " field)
    if (value < 1 && name ~ /^(pages|spacing_bytes|chains|entries)$/) bad("column '" name "': less than 1")
    return value
}

function need(name, from) {
    if (!has(name)) bad("no column '" name "'" (from == "" ? "" : " (" from ")"))
}

function bad(what) {
    printf "plot: %s%s: %s\n", source, line ? ":" line : "", what > "/dev/stderr"
    broken = 1
    exit 2
}

# Whether the row is a sample that was measured: the ns that it took, its nodes, layout, kernel and chains.
function read_sample() {
    took = number("ns")
    nodes = number("pages")
    if (took == "" || nodes == "") return 0
    if (took < 0) bad("column 'ns': a negative time")
    layout = text("layout") == "" ? "page" : text("layout")
    kernel = text("kernel") == "" ? "read" : text("kernel")
    chains = number("chains") > 1 ? number("chains") : 1
    return 1
}

# Whether the row's sample was interrupted during its measurement.
function disturbed() {
    return number("faults") > 0 || number("switches") > 0 || number("migrations") > 0
}

function trim(s) {
    gsub(/^[ \t\r]+|[ \t\r]+$/, "", s)
    return s
}

# Sorts list[1 … n] (Shell).
function sort(list, n,   gap, i, j, held) {
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            held = list[i]
            for (j = i; j > gap && list[j - gap] > held; j -= gap) list[j] = list[j - gap]
            list[j] = held
        }
}

# The q-quantile of sorted[1 … n], with linear interpolation.
function quantile(sorted, n, q,   at, below) {
    at = 1 + (n - 1) * q
    below = int(at)
    return below >= n ? sorted[n] : sorted[below] + (at - below) * (sorted[below + 1] - sorted[below])
}

# Adds a sample to curve c: y at x. point[c, 1 … points[c]] are the x that have samples.
function collect(c, x, y) {
    if (!((c, x) in count)) point[c, ++points[c]] = x
    sample[c, x, ++count[c, x]] = y
}

# Sorts the x of curve c, and computes at each: low, the 10th percentile of its samples, middle, the
# median, and high, the 90th.
function find_quantiles(c,   list, values, k, i, n, x) {
    for (k = 1; k <= points[c]; k++) list[k] = point[c, k]
    sort(list, points[c])
    for (k = 1; k <= points[c]; k++) {
        x = point[c, k] = list[k]
        n = count[c, x]
        for (i = 1; i <= n; i++) values[i] = sample[c, x, i]
        sort(values, n)
        low[c, x] = quantile(values, n, 0.1)
        middle[c, x] = quantile(values, n, 0.5)
        high[c, x] = quantile(values, n, 0.9)
    }
}

# Extends the ranges of the picture: x from first to last, y from least (above 0) to most.
function note_ranges(x, from, to) {
    if (first == "" || x < first) first = x
    if (x > last) last = x
    if (from > 0 && (least == "" || from < least)) least = from
    if (to > most) most = to
}

# Does both for all points of a curve.
function finish_curve(c,   k) {
    find_quantiles(c)
    for (k = 1; k <= points[c]; k++)
        note_ranges(point[c, k], low[c, point[c, k]], high[c, point[c, k]])
}

# Writes curve c as a block under this header: x, middle, low, high.
function write_block(head, c,   k, x) {
    print head
    for (k = 1; k <= points[c]; k++) {
        x = point[c, k]
        print x "\t" middle[c, x] "\t" low[c, x] "\t" high[c, x]
    }
    print "\n"
}

# The processor of the tables, for put_title(); two machines in one picture would be a mixture.
function note_machine(   list, n, k, key) {
    if (tables == noted) return
    noted = tables
    n = split("cpu host l1d_bytes l2_bytes l3_bytes", list, " ")
    for (k = 1; k <= n; k++) {
        key = list[k]
        if (meta[key] == "") continue
        if (machine[key] != "" && machine[key] != meta[key])
            bad("a table of another machine: " key " " meta[key] ", not " machine[key] " (compare A B | tlblab plot compare)")
        machine[key] = meta[key]
    }
    cpu = machine["cpu"]
}

function put_title(what) {
    put("title", what (cpu == "" ? "" : ": " cpu))
}

# NAME, which is one of the legend.
function legend(name) {
    if (length(name) > longest) longest = length(name)
    return name
}

# "72", "1792 to 2048", or "more than 853 KiB" where the end is "": numbers, or if UNIT is above 0 bytes of these.
function range_text(low, high, unit,   from, to) {
    from = unit ? size(low * unit) : low
    to = high == "" || !unit ? high : size(high * unit)
    return high == "" ? "more than " from : low == high ? from : from " to " to
}

# A level above the curves, at x: a line, or a band from FROM to TO; "" is no end. Those outside the picture are left
# out. order[1 … flags] are their numbers from the left to the right.
function add_flag(from, to, style, label,   k) {
    if (to == "") to = from
    if (to < first || from > last) return
    flag_from[++flags] = from < first ? first : from
    flag_to[flags] = to > last ? last : to
    flag_style[flags] = style
    flag_label[flags] = label
    for (k = flags; k > 1 && flag_from[order[k - 1]] > flag_from[flags]; k--) order[k] = order[k - 1]
    order[k] = flags
}

# Whether the label of flag k fits into the picture right (1) or left (-1) of it.
function has_space(k, side,   across, width) {
    across = last > first ? log((side > 0 ? flag_to[k] : flag_from[k]) / first) / log(last / first) : 0
    width = (dumb ? 1.1 / (dumb - 13) : 0.0108) * length(flag_label[k])
    return side > 0 ? across <= 0.75 && across + width <= 1 : across > width
}

# The number of `flags`, and of those whose label is left of it, `lefts`. Labels are right, each a row lower than the
# one before, so that none crosses the next flag; where they have no space there, left, each a row higher; if some have
# space on neither side, right as far as there is space, and the others left, in rows above.
function put_flags(   k, right, left) {
    for (k = 1; k <= flags && has_space(order[k], 1); k++) right++
    for (k = 1; k <= flags && has_space(order[k], -1); k++) left++
    lefts = left == flags ? (right == flags ? 0 : flags) : flags - right
    put("flags", flags)
    put("lefts", lefts)
}

# A block: where it begins, its style, the row of its label from the top, the side of that (1 right, -1 left), the
# label, where it ends.
function write_flags(   k, n, left) {
    print "from\tstyle\trow\tside\tlabel\tto"
    for (n = 1; n <= flags; n++) {
        k = order[n]
        left = n > flags - lefts
        print flag_from[k] "\t" flag_style[k] "\t" (left ? flags - n : lefts + n - 1) "\t" (left ? -1 : 1) "\t" \
            flag_label[k] "\t" flag_to[k]
    }
    print "\n"
}

# A setting of the picture. gnuplot reads neither 1e-06 nor 1e+16: it wants a point.
function put(name, value) {
    if (value == value + 0) value = sprintf(value == int(value) && value < 1e15 ? "%.0f" : "%.9e", value)
    print "# " name " " value
}

# LIST[1 … N] as the words of a setting.
function list_of(list, n,   k, words) {
    for (k = 1; k <= n; k++)
        words = words (k > 1 ? " " : "") (list[k] == int(list[k]) ? sprintf("%.0f", list[k]) : list[k])
    return words
}

function put_ranges() {
    if (curves > 30) bad(curves " curves are more than a picture can distinguish (30): select rows")
    put("curves", curves)
    put("longest", longest)
    put("first", first)
    put("last", last)
    put("least", least)
    put("most", most)
}

# BYTES with a unit: 48 KiB.
function size(bytes,   unit, k) {
    split("B KiB MiB GiB TiB", unit, " ")
    for (k = 1; k < 5 && bytes + 0 >= 1024; k++) bytes /= 1024
    return sprintf("%.4g %s", bytes, unit[k])
}

# is_dark(value): whether the color of a value between least and most needs light text.
function is_dark(value) {
    return most > 1.05 * least && log(value / least) > 0.45 * log(most / least)
}
