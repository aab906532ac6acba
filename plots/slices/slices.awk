# slices.awk: turns the tables of slicemap and slicehash into the data of slices.p; it follows
# table.awk.
#
# The columns of the table choose the picture: map (paddr, slice), matrix (kind, index, value), sets
# (set, slice, lines), draws (draw, overflow), offsets (offset_bytes, overflow), links (x, y, to_x,
# to_y, bytes), slices (slice, bytes). Writes the title, the number of the
# `picture` and its settings, and blocks with two blank lines between them, as slices.p says at each picture.

picture == "" { picture = choose() }

picture == "map" { add_line() }
picture == "matrix" && text("kind") == "mask" { add_mask() }
picture == "sets" { bar[number("lines")]++; n++; overflow += number("overflow"); lines += number("lines") }
picture == "draws" { bar[int(number("overflow") * 200) / 2]++; n++; overflow += number("overflow") }
picture == "offsets" { row[++n] = number("offset_bytes") "\t" 100 * number("overflow") "\t" 100 * number("cyclic") }
picture == "links" { add_link() }
picture == "slices" {
    row[++n] = number("slice") "\t" 100 * number("share")
    if (number("slice") > last) last = number("slice")
}

END {
    if (!n) bad("no rows to draw")
    if (picture == "map") write_map()
    else if (picture == "matrix") write_matrix()
    else if (picture == "sets" || picture == "draws") write_bars()
    else if (picture == "offsets") write_rows("Overflow by the address at which the memory begins", "offset\toverflow\tcyclic")
    else if (picture == "links") write_links()
    else write_rows("Traffic of each slice", "slice\tshare")
}

function choose() {
    if (has("kind") && has("value")) return "matrix"
    if (has("set")) return "sets"
    if (has("draw")) return "draws"
    if (has("offset_bytes")) return "offsets"
    if (has("to_x")) return "links"
    if (has("paddr") && has("slice")) return "map"
    if (has("slice") && has("share")) return "slices"
    bad("no table of slicemap or slicehash: no column 'paddr', 'kind', 'set', 'draw', 'offset_bytes', 'to_x' or 'share'")
}

function put_head(title) {
    put_title(title)
    put("picture", picture)
}

# An address, hexadecimal or decimal.
function address(field,   k, value, digit) {
    if (field !~ /^0[xX]/) return field + 0
    for (k = 3; k <= length(field); k++) {
        digit = index("0123456789abcdef", tolower(substr(field, k, 1)))
        if (!digit) bad("column not an address: " field)
        value = 16 * value + digit - 1
    }
    return value
}

# ---- the map of the first page ----

function add_line(   paddr, at) {
    paddr = address(text("paddr"))
    at = int(paddr / 2097152)
    if (page == "") { page = at; name = text("paddr") }
    if (at != page) return
    at = int((paddr - page * 2097152) / 64)
    n++
    if (at > last) last = at
    if (text("slice") == "") return
    slice[at] = number("slice")
    if (slice[at] > most) most = slice[at]
    if (!(slice[at] in share)) slices++
    share[slice[at]]++
    known++
}

# Blocks: column, row, slice of each line, 256 to a row; slice, share in per cent.
function write_map(   at, rows) {
    if (!known) bad("no line has a slice")
    rows = int(last / 256)
    put_head("Slices of the lines from " name " on")
    put("rows", rows)
    put("most", most)
    put("share", 100 / slices)
    print "column\trow\tslice"
    for (at = 0; at < (rows + 1) * 256 || at < 512; at++) # no image has one row
        print at % 256 "\t" int(at / 256) "\t" (at in slice ? slice[at] : "NaN")
    print "\n\nslice\tshare"
    for (at in share) print at "\t" 100 * share[at] / known
}

# ---- the masks ----

function add_mask(   value, b) {
    value = address(text("value"))
    n++
    if (number("index") > most) most = number("index")
    for (b = 0; value > 0; b++) {
        if (value % 2) {
            cell[++cells] = b "\t" number("index")
            if (bit_from == "" || b < bit_from) bit_from = b
            if (b > bit_to) bit_to = b
        }
        value = int(value / 2)
    }
}

# A block: address bit, index bit, where the mask has it.
function write_matrix(   k) {
    if (!cells) bad("all masks are 0")
    put_head("Address bits (across) that each bit of the index is XORed with")
    put("bit_from", bit_from)
    put("bit_to", bit_to)
    put("most", most)
    print "bit\tindex"
    for (k = 1; k <= cells; k++) print cell[k]
}

# ---- distributions ----

# A block: lines of a set, or overflow in per cent; how many sets, or draws.
function write_bars(   k, list, count) {
    for (k in bar) list[++count] = k + 0
    sort(list, count)
    if (picture == "sets")
        put_head(sprintf("Lines of each set of a slice; %.2f %% of them overflow", 100 * overflow / lines))
    else
        put_head(sprintf("Overflow of %d draws of pages, %.2f %% on average", n, 100 * overflow / n))
    put("first", list[1])
    put("last", list[count])
    for (k in bar) if (bar[k] > most) most = bar[k]
    put("most", most)
    put("ways", picture == "sets" ? meta["ways"] + 0 : 0)
    print "at\tcount"
    for (k = 1; k <= count; k++) print list[k] "\t" bar[list[k]]
}

function write_rows(title, columns,   k) {
    put_head(title)
    put("last", last)
    print columns
    for (k = 1; k <= n; k++) print row[k]
}

# ---- links ----

function add_link(   bytes) {
    bytes = number("bytes")
    n++
    if (bytes > most) most = bytes
    if (number("x") > width) width = number("x")
    if (number("y") > height) height = number("y")
    # Both directions of a link lie side by side.
    row[n] = number("x") + 0.1 * (number("to_y") - number("y")) "\t" number("y") + 0.1 * (number("x") - number("to_x")) \
        "\t" 0.8 * (number("to_x") - number("x")) "\t" 0.8 * (number("to_y") - number("y")) "\t" bytes
}

# A block: x, y, dx, dy, bytes of each link.
function write_links(   k) {
    put_head("Bytes on each link of the mesh")
    put("width", width)
    put("height", height)
    put("most", most)
    print "x\ty\tdx\tdy\tbytes"
    for (k = 1; k <= n; k++) print row[k]
}
