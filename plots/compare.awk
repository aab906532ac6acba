# compare.awk: turns a table of compare into the data of compare.p; it follows table.awk.
#
# Writes the title, ranges (pages, ns) and the number of levels, `flags`, and blocks with two blank lines between them:
# for each layout two curves, that of A and that of B: pages, ns; then the levels: entries, 1 (A) or 2 (B), row of its
# label from the top, side of the line (1 right, -1 left), label.

{
    need("kind", "compare A B")
    need("verdict")
    if (!has_names) set_names()
    if (text("kind") == "level") add_level(); else if (text("kind") == "point") add_point()
}

END {
    if (!layouts) bad("no points of layout page, packed, local or line, with small pages and one chain")
    put_title(name[1] == name[2] ? "Two runs" : name[1] " and " name[2])
    finish()
    curves = 2 * layouts
    for (k = 1; k <= layouts; k++)
        for (run = 1; run <= 2; run++) legend(name[run] ": " layout_of[k])
    put_ranges()
    put("flags", flags)
    for (k = 1; k <= layouts; k++)
        for (run = 1; run <= 2; run++) write_curve(k, run)
    write_flags()
}

# The runs are named by their processors, or where these are the same by their files.
function set_names() {
    has_names = 1
    name[1] = meta["a_cpu"]
    name[2] = meta["b_cpu"]
    if (name[1] != name[2] && name[1] != "" && name[2] != "") return
    name[1] = short(meta["a"])
    name[2] = short(meta["b"])
}

# The end of a path, as long as a legend has room.
function short(path) {
    while (length(path) > 30 && sub(/^[^\/]*\/+/, "", path));
    return path
}

function add_level(   kind, run, at, label) {
    kind = text("structure")
    if (kind !~ /^(dtlb|itlb|cache)$/ || text("backing") == "huge") return
    for (run = 1; run <= 2; run++) {
        at = number(run == 1 ? "a" : "b")
        if (at == "" || at <= 0 || text("level") == "") continue
        label = (kind == "dtlb" ? "dTLB" : kind == "itlb" ? "iTLB" : kind) " " text("level") ": " at
        if (kind == "cache") label = label " lines"
        if ((run, label) in seen) continue
        seen[run, label] = 1
        flag_at[++flags] = at
        flag_run[flags] = run
        flag[flags] = label
    }
}

# Loads in small pages, one after the other; the first spacing of a layout.
function add_point(   layout, k, run, ns) {
    layout = text("layout")
    if (layout !~ /^(page|packed|local|line)$/ || text("kernel") != "read" || text("chains") != "" ||
        text("backing") != "scattered") return
    if (!(layout in spacing)) spacing[layout] = number("spacing_bytes")
    if (number("spacing_bytes") != spacing[layout]) return
    if (!(layout in place)) {
        place[layout] = ++layouts
        layout_of[layouts] = layout
    }
    k = place[layout]
    for (run = 1; run <= 2; run++) {
        ns = number(run == 1 ? "a" : "b")
        if (ns != "" && ns > 0) {
            collect(k SUBSEP run, number("pages"), ns)
            note_ranges(number("pages"), ns, ns)
        }
    }
}

# Where there are nodes on pages of their own, those curves come first, and page and packed alone are drawn.
function finish(   k, kept) {
    if (!("page" in place)) return
    kept = "packed" in place ? place["packed"] : 0
    layout_of[1] = "page"
    layout_of[2] = "packed"
    from[1] = place["page"]
    from[2] = kept
    layouts = kept ? 2 : 1
}

function write_curve(k, run,   c, i) {
    c = (k in from ? from[k] : k) SUBSEP run
    find_quantiles(c)
    print "pages\t" name[run] ": " layout_of[k]
    for (i = 1; i <= points[c]; i++) print point[c, i] "\t" middle[c, point[c, i]]
    if (!points[c]) print first "\tNaN"
    print "\n"
}

# Labels from the left to the right, each a row lower; in the last part of the picture they are left of
# their line.
function write_flags(   k, i, order, across, list) {
    print "at\trun\trow\tside\tlabel"
    for (k = 1; k <= flags; k++) list[k] = flag_at[k] * 1000 + k
    sort(list, flags)
    for (i = 1; i <= flags; i++) {
        k = list[i] % 1000
        across = last > first ? log(flag_at[k] / first) / log(last / first) : 0
        print flag_at[k] "\t" flag_run[k] "\t" i - 1 "\t" (across > 0.7 ? -1 : 1) "\t" flag[k]
    }
}
