# tlb.awk: turns samples and boundaries into the data of tlb.p; it follows table.awk.
#
# Writes the title, ranges (pages, ns; curves of samples), `costs`, the number of curves of differences, the numbers of
# boundaries, `flags`, those of them at the right edge, `lefts`, and disturbed samples, `marks`, and
# `without_laps`, 1 where the fastest laps are not known; and blocks with two blank lines between them: for
# each curve pages, the fastest lap, or else the 10th percentile of the samples, and the 90th; the boundaries: pages, 1 (TLB) or 2 (cache), row of its label from
# the top, side of the line on which it stands (1 right, -1 left), label; last the disturbed
# samples: pages, ns.

has("structure") && has("entries") { add_boundary(); next }

{
    need("pages")
    need("ns", "the printed lab's tables: scripts/plot montelius")
    note_cpu()
    if (!of_sets()) add_sample()
}

END {
    if (!curves) bad("no samples")
    for (k = 1; k <= helds; k++) {
        split(held[k], of, SUBSEP)
        if (!((of[1], of[2]) in count) || (of[1], of[2]) in lonely) {
            lonely[of[1], of[2]] = 1
            collect(of[1], of[2], of[3])
        }
    }
    for (c = 1; c <= curves; c++) {
        finish_curve(c)
        for (k = 1; !without_laps && k <= points[c]; k++) {
            at = point[c, k]
            low[c, at] = fastest[c, at]
            note_ranges(at, low[c, at], low[c, at])
        }
    }
    if (least == "") bad("no time above 0")
    cost = of_layout["page"] == 1 && of_layout["packed"] == 1
    put_title("Time of an access by the number of pages")
    place_flags()
    put_ranges()
    put("costs", cost)
    put("flags", flags)
    put("lefts", lefts)
    put("marks", marks)
    put("without_laps", without_laps)
    for (c = 1; c <= curves; c++) write_curve(c)
    if (cost) write_cost(curve["page"], curve["packed"])
    write_flags()
    write_marks()
}

function add_boundary(   kind, at, name, what, line_bytes, claim, remark) {
    kind = text("structure")
    at = number("entries")
    if (at == "" || at <= 0) return
    name = kind == "dtlb" ? "dTLB" : kind == "itlb" ? "iTLB" : kind
    if (text("level") != "") name = name " " text("level")
    else if (kind == "cache") name = "private caches"
    line_bytes = meta["line_bytes"] > 0 ? meta["line_bytes"] : 64
    claim = kind == "cache" ? "" : text("claim")
    what = kind == "cache" ? size(at * line_bytes) : claim == "" ? at " entries" : at
    remark = text("confidence") == "low" ? "low confidence" : ""
    if (claim != "") remark = remark (remark == "" ? "" : "; ") "claimed " claim
    if (remark != "") what = what " (" remark ")"
    if (!(at in flag)) flag_at[++flags] = at
    flag[at] = flag[at] (at in style ? ", " : "") name ": " what
    style[at] = kind == "cache" ? 2 : 1
}

# Whether the row belongs to a look at the sets of a level, which has a curve for every distance of
# the pages: too many to be read beside the one with neighbouring pages.
function of_sets(   layout, page_bytes) {
    layout = text("layout")
    page_bytes = number("page_bytes") == "" ? meta["page_bytes"] + 0 : number("page_bytes")
    return has("targets") &&
        (layout == "set" || layout == "page" && number("spacing_bytes") > page_bytes)
}

# Rows that differ only in pages are one curve.
function add_sample(   ns, pages, layout, key, c, lap) {
    ns = number("ns")
    pages = number("pages")
    if (ns == "" || pages == "") return
    if (ns < 0) bad("column 'ns': a negative time")
    if (pages < 1) bad("column 'pages': less than 1")
    layout = text("layout") == "" ? "page" : text("layout")
    key = text("kernel") " " text("backing") " " (layout == "packed" ? "" : text("spacing_bytes"))
    if (!((layout, key) in curve)) {
        curve[layout, key] = curve[layout] = ++curves
        of_layout[layout]++
        layout_of[curves] = layout
        detail[curves] = key
    }
    c = curve[layout, key]
    if (disturbed()) { # it counts where there is no other
        held[++helds] = c SUBSEP pages SUBSEP ns
        if (ns > 0) mark[++marks] = pages "\t" ns
    } else collect(c, pages, ns)
    lap = number("min_ns")
    if (lap == "") without_laps = 1
    else if (!((c, pages) in fastest) || lap < fastest[c, pages]) fastest[c, pages] = lap
}

function title(c,   name) {
    name = layout_of[c]
    if (name == "page") name = "page: each node on a page of its own"
    if (name == "packed") name = "packed: as many nodes on few pages"
    return of_layout[layout_of[c]] > 1 ? name " (" trim(detail[c]) ")" : name
}

function write_curve(c,   k) {
    print "pages\t" title(c) "\thigh"
    for (k = 1; k <= points[c]; k++)
        print point[c, k] "\t" low[c, point[c, k]] "\t" high[c, point[c, k]]
    print "\n"
}

# The cost of translation: the difference at the same number of nodes.
function write_cost(page, packed,   k, pages) {
    print "pages\tpage - packed: translation alone"
    for (k = 1; k <= points[page]; k++) {
        pages = point[page, k]
        if ((packed, pages) in low)
            print pages "\t" low[page, pages] - low[packed, pages]
    }
    print "\n"
}

# Skips boundaries outside the picture. Labels are right of their line, each a row lower than the one
# before, so that none crosses the next line; where they have no room there, left of it, each a row higher;
# if some have room on neither side, right of it as far as there is room, and the others left, in rows above.
function place_flags(   k, kept, right, left) {
    sort(flag_at, flags)
    for (k = 1; k <= flags; k++)
        if (flag_at[k] >= first && flag_at[k] <= last) flag_at[++kept] = flag_at[k]
    flags = kept
    for (k = 1; k <= flags && has_room(k, 1); k++) right++
    for (k = 1; k <= flags && has_room(k, -1); k++) left++
    lefts = left == flags ? (right == flags ? 0 : flags) : flags - right
}

# Whether the label of boundary k fits into the picture right (1) or left (-1) of its line.
function has_room(k, side,   across, width) {
    across = last > first ? log(flag_at[k] / first) / log(last / first) : 0
    width = (dumb ? 0.0165 : 0.0108) * length(flag[flag_at[k]])
    return side > 0 ? across <= 0.75 && across + width <= 1.04 : across > width
}

function write_flags(   k, left) {
    print "at\tstyle\trow\tside\tlabel"
    for (k = 1; k <= flags; k++) {
        left = k > flags - lefts
        print flag_at[k] "\t" style[flag_at[k]] "\t" (left ? flags - k : lefts + k - 1) "\t" \
            (left ? -1 : 1) "\t" flag[flag_at[k]]
    }
    print "\n"
}

function write_marks(   k) {
    print "pages\tns"
    for (k = 1; k <= marks; k++) print mark[k]
}
