# compare.awk: turns a table of compare into the data of compare.p; it follows table.awk.
#
# Writes the title, ranges (pages, ns), what put_flags() writes, and blocks with two blank lines between them: for each
# layout two curves, that of A and that of B: pages, ns; then the levels, of style 1 (A) or 2 (B), as write_flags() has
# them.

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
    if (least == "") bad("no time above 0")
    curves = 2 * layouts
    for (k = 1; k <= layouts; k++)
        for (run = 1; run <= 2; run++) legend(title_of(run, k))
    put_ranges()
    for (k = 1; k <= levels; k++) add_flag(level_low[k], level_high[k], level_run[k], level_label[k])
    put_flags()
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

# A level without a number has a range. The runs share a picture, so each label has a name.
function add_level(   kind, run, column_of, low, high, label) {
    kind = text("structure")
    if (kind !~ /^(dtlb|itlb|cache)$/ || text("backing") == "huge" || text("level") == "") return
    for (run = 1; run <= 2; run++) {
        column_of = run == 1 ? "a" : "b"
        low = high = number(column_of)
        if (low == "") { low = number(column_of "_min"); high = number(column_of "_max") }
        if (low == "" || low <= 0 || dumb && low != high && kind == "cache") continue
        label = (kind == "dtlb" ? "dTLB" : kind == "itlb" ? "iTLB" : kind) " " text("level") ": " range_text(low, high, 0)
        if (kind == "cache") label = label " lines"
        if ((run, label) in seen) continue
        seen[run, label] = 1
        level_low[++levels] = low
        level_high[levels] = high
        level_run[levels] = run
        level_label[levels] = label ", " (run == 1 ? "A" : "B")
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

# If there are nodes on pages of their own, those curves come first, and page and packed alone are drawn.
function finish(   k, kept) {
    if (!("page" in place)) return
    kept = "packed" in place ? place["packed"] : 0
    layout_of[1] = "page"
    layout_of[2] = "packed"
    from[1] = place["page"]
    from[2] = kept
    layouts = kept ? 2 : 1
}

function title_of(run, k) { return (run == 1 ? "A, " : "B, ") name[run] ": " layout_of[k] }

function write_curve(k, run,   c, i) {
    c = (k in from ? from[k] : k) SUBSEP run
    find_quantiles(c)
    print "pages\t" title_of(run, k)
    for (i = 1; i <= points[c]; i++) print point[c, i] "\t" middle[c, point[c, i]]
    if (!points[c]) print first "\tNaN"
    print "\n"
}
