# pairs.awk: turns tables of pairs of cores into the data of pairs.p; it follows table.awk.
#
# Writes what matrix.gp reads, two cells for each pair, with the time as text where it fits: min_ns, or
# ns where that is missing. Of a pair that has several rows the fastest counts.

{
    need("core_a")
    need("core_b")
    if (!has("ns")) need("min_ns")
    note_machine()
    add_pair()
}

END {
    if (least == "") bad("no pair has a time (pingpong)")
    sort(core, cores)
    for (k = 1; k <= cores; k++) place[core[k]] = k
    put_title("One way of a cache line from core to core")
    put_ranges()
    put("rows", list_of(core, cores))
    put("columns", list_of(core, cores))
    print "a\tb\tns\ttext\tdark\tsentence"
    for (pair in ns) {
        split(pair, of, SUBSEP)
        put_cell(of[1], of[2], ns[pair])
        if (cores > 2) put_cell(of[2], of[1], ns[pair])
    }
}

function add_pair(   a, b, name, time) {
    a = number("core_a")
    b = number("core_b")
    name = text("min_ns") == "" ? "ns" : "min_ns"
    time = number(name)
    if (a == "" || b == "" || time == "") return
    if (time <= 0) bad("column '" name "': not above 0")
    note_core(a)
    note_core(b)
    if (!((a, b) in ns) || time < ns[a, b]) ns[a, b] = time
    note_ranges(0, time, time)
}

function note_core(c) {
    if (!(c in seen)) core[++cores] = c
    seen[c] = 1
}

function put_cell(a, b, time) {
    print place[a] "\t" place[b] "\t" time "\t" \
        (cores <= (dumb ? 16 : 24) ? sprintf(time < 9.95 ? "%.1f" : "%.0f", time) : " ") "\t" \
        is_dark(time) "\t" sprintf("between cores %s and %s: %.1f ns", a, b, time)
}
