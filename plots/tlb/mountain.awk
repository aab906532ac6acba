# mountain.awk: turns samples of several spacings into the data of mountain.p; it follows table.awk.
#
# Writes the title, ranges (bytes, ns), those of the spacing, `nearest` and `farthest`, and the `spacings`, and a block
# of cells: working set, spacing, median of the samples, the cell's sides (least and most bytes, least and most
# spacing), the median as text where there is room for it, and 1 if the cell is dark and needs light text. `dumb` is 1
# for a picture of characters, which has less room for text.

{
    need("pages")
    need("spacing_bytes")
    need("ns")
    note_machine()
    add_sample()
}

END {
    for (s in points) spacing[++spacings] = s + 0
    if (spacings < 2) bad("samples of layout line with two spacings or more are needed (chase --layout line --spacing)")
    sort(spacing, spacings)
    for (s = 1; s <= spacings; s++) summarize(spacing[s])
    if (least == "") bad("no time above 0")
    make_cells()
    put_title("Latency by working set and stride")
    put_ranges()
    put("nearest", edge(spacing, spacings, 1))
    put("farthest", edge(spacing, spacings, spacings + 1))
    put("spacings", list_of(spacing, spacings))
    print "bytes\tspacing\tns\tleft\tright\tbelow\tabove\ttext\tdark"
    for (k = 1; k <= cells; k++) print cell[k]
}

function add_sample(   apart, bytes) {
    apart = number("spacing_bytes")
    if (!read_sample() || apart == "" || layout != "line" || kernel != "read" || chains > 1) return
    bytes = nodes * apart
    if (!(bytes in column_of)) size_at[++columns] = bytes
    column_of[bytes] = 1
    collect(apart, bytes, took)
}

function summarize(apart,   k, ns) {
    find_quantiles(apart)
    for (k = 1; k <= points[apart]; k++) {
        ns = middle[apart, point[apart, k]]
        if (ns > 0 && (least == "" || ns < least)) least = ns
        if (ns > most) most = ns
    }
}

# The lower side of the k-th of n ascending values: half way to its neighbour on a logarithmic
# scale.
function edge(list, n, k) {
    if (n == 1) return list[1] * (k == 1 ? 0.71 : 1.41)
    if (k == 1) return list[1] / sqrt(list[2] / list[1])
    if (k > n) return list[n] * sqrt(list[n] / list[n - 1])
    return sqrt(list[k - 1]) * sqrt(list[k])
}

# Only every few sizes do cells have their time as text.
function make_cells(   s, k, n, sizes, ns, left, right, room, every) {
    room = dumb ? 10 : 18
    sort(size_at, columns)
    for (k = 1; k <= columns; k++) column_of[size_at[k]] = k - 1
    every = int((columns + room - 1) / room)
    for (s = 1; s <= spacings; s++) {
        n = points[spacing[s]]
        for (k = 1; k <= n; k++) sizes[k] = point[spacing[s], k]
        for (k = 1; k <= n; k++) {
            ns = middle[spacing[s], sizes[k]]
            left = edge(sizes, n, k)
            right = edge(sizes, n, k + 1)
            if (first == "" || left < first) first = left
            if (right > last) last = right
            if (ns <= 0) continue
            cell[++cells] = sizes[k] "\t" spacing[s] "\t" ns "\t" left "\t" right "\t" \
                edge(spacing, spacings, s) "\t" edge(spacing, spacings, s + 1) "\t" \
                (column_of[sizes[k]] % every ? " " : brief(ns)) "\t" \
                (log(ns / least) > 0.45 * log(most / least))
        }
    }
}

# Two digits are enough for a comparison.
function brief(ns) {
    return ns < 10 ? sprintf("%.2g", ns) : sprintf("%.0f", ns)
}
