# tlb.awk: turns samples and boundaries into the data of tlb.p; it follows table.awk.
#
# If all nodes are lines of one window (layouts line and box), the x axis is its bytes, else the number of nodes.
# Writes the title, ranges (x, ns; curves of samples), `by_bytes`, `x`, what is on that axis, `costs`, the number of
# curves of differences, the numbers of boundaries (put_flags()) and of disturbed samples, `marks`, and `without_laps`, 1 where the fastest laps are not known; and blocks with two blank lines
# between them: for each curve x, the fastest lap, or else the 10th percentile of the samples, and the 90th; the
# boundaries, of style 1 (TLB) or 2 (cache, guard), as write_flags() has them; last the disturbed samples: x, ns.

BEGIN { COST = "page - packed: translation alone" }

has("structure") && has("entries") { note_machine(); add_boundary(); next }

{
    need("pages")
    need("ns", "the printed lab's tables: tlblab plot montelius")
    note_machine()
    if (of_sets()) unfinished = "the samples end before those of the curve (sweep --resume FILE measures what is missing)"
    else add_sample()
}

END {
    if (!curves) bad(unfinished == "" ? "no samples" : unfinished)
    by_bytes = of_layout["line"] + of_layout["box"] == curves
    place_samples()
    for (c = 1; c <= curves; c++) finish(c)
    if (least == "") bad("no time above 0")
    cost = of_layout["page"] == 1 && of_layout["packed"] == 1
    if (cost) legend(COST)
    place_levels()
    if (page_size > 0) cpu = cpu (cpu == "" ? "" : ", ") "pages of " size(page_size)
    x = by_bytes ? "working set" : of_layout["page"] ? "number of pages" : "number of nodes"
    put_title("Time of an access by the " x)
    put_ranges()
    put("by_bytes", by_bytes)
    put("x", x (of_layout["page"] && of_layout["page"] < curves ? ", or of nodes" : ""))
    put("costs", cost)
    put_flags()
    put("marks", marks)
    put("without_laps", without_laps)
    for (c = 1; c <= curves; c++) write_curve(c)
    if (cost) write_cost(curve["page"], curve["packed"])
    write_flags()
    write_marks()
}

# A level without a number has a range, maybe without an end. Characters have no space for those of caches.
function add_boundary(   kind, entries, low, name, what, unit, claim, remark) {
    kind = text("structure")
    entries = number("entries")
    if (kind != "cache" && text("confidence") == "low" && number("entries_min") != number("entries_max")) entries = ""
    low = entries == "" && !(dumb && kind == "cache") ? number("entries_min") : entries
    if (low == "" || low <= 0) return
    name = kind == "dtlb" ? "dTLB" : kind == "itlb" ? "iTLB" : kind
    if (text("level") != "") name = name " " text("level")
    else if (kind == "cache") name = "private caches"
    unit = kind != "cache" ? meta["page_bytes"] + 0 : meta["line_bytes"] > 0 ? meta["line_bytes"] : 64
    claim = kind == "cache" ? "" : text("claim")
    what = range_text(low, entries == "" ? number("entries_max") : low, kind == "cache" ? unit : 0)
    if (kind != "cache" && claim == "") what = what " entries"
    remark = entries != "" && text("confidence") == "low" ? "low confidence" : ""
    if (claim != "") remark = remark (remark == "" ? "" : "; ") "claimed " claim
    if (remark != "") what = what " (" remark ")"
    add_level(low, entries == "" ? number("entries_max") : low, unit, kind == "cache" ? 2 : 1, name ": " what)
    if (text("method") == "segment") add_guard(meta["l1d_bytes"], meta["page_bytes"])
}

# In END it is known what is on the axis: numbers, or these times the unit. Where UNIT is "" the numbers are bytes.
function add_level(low, high, unit, style, label) {
    level_low[++levels] = low
    level_high[levels] = high
    level_unit[levels] = unit
    level_style[levels] = style
    level_label[levels] = label
}

# Method segment takes no step at a smaller size for a TLB's (segment_guard() of detect).
function add_guard(l1d, page,   bytes) {
    if (guarded || !(l1d > 0) || !(page > 0)) return
    guarded = 1
    bytes = 2 * l1d > 64 * page ? 2 * l1d : 64 * page
    add_level(bytes, bytes, "", 2, "guard: " size(bytes))
}

function place_levels(   k, unit) {
    for (k = 1; k <= levels; k++) {
        unit = by_bytes && level_unit[k] != "" ? level_unit[k] : 1
        if (by_bytes || level_unit[k] != "")
            add_flag(level_low[k] * unit, level_high[k] == "" ? "" : level_high[k] * unit, level_style[k], level_label[k])
    }
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
function add_sample(   key, page) {
    if (!read_sample()) return
    key = text("kernel") SUBSEP text("backing") SUBSEP (layout == "packed" ? "" : number("spacing_bytes"))
    if (!((layout, key) in curve)) {
        curve[layout, key] = curve[layout] = ++curves
        of_layout[layout]++
        layout_of[curves] = layout
        spacing_of[curves] = number("spacing_bytes") > 0 ? number("spacing_bytes") : 64
        detail_of[curves] = (text("kernel") == "read" ? "" : text("kernel") " ") text("backing")
        if (curves > 1 && detail_of[curves] != detail_of[1]) details = 1
    }
    page = number("page_bytes") == "" ? meta["page_bytes"] + 0 : number("page_bytes")
    page_size = page_size == "" || page_size == page ? page : 0
    row_curve[++rows] = curve[layout, key]
    row_pages[rows] = nodes
    row_ns[rows] = took
    row_lap[rows] = number("min_ns")
    row_held[rows] = disturbed()
}

# A disturbed sample counts where there is no other.
function place_samples(   k, c, x, lonely) {
    for (k = 1; k <= rows; k++) {
        c = row_curve[k]
        x = row_x[k] = row_pages[k] * (by_bytes ? spacing_of[c] : 1)
        if (!row_held[k]) collect(c, x, row_ns[k])
        else if (row_ns[k] > 0) mark[++marks] = x "\t" row_ns[k]
        if (row_lap[k] == "") without_laps = 1
        else if (!((c, x) in fastest) || row_lap[k] < fastest[c, x]) fastest[c, x] = row_lap[k]
    }
    for (k = 1; k <= rows; k++) {
        c = row_curve[k]
        x = row_x[k]
        if (row_held[k] && (!((c, x) in count) || (c, x) in lonely)) {
            lonely[c, x] = 1
            collect(c, x, row_ns[k])
        }
    }
}

function finish(c,   k, x) {
    finish_curve(c)
    for (k = 1; !without_laps && k <= points[c]; k++) {
        x = point[c, k]
        low[c, x] = fastest[c, x]
        note_ranges(x, low[c, x], low[c, x])
    }
    legend(title(c))
}

function title(c,   name) {
    name = layout_of[c]
    if (name == "page") name = "page: each node on a page of its own"
    if (name == "packed") name = "packed: as many nodes on few pages"
    if (of_layout[layout_of[c]] == 1) return name
    return name ", every " size(spacing_of[c]) (details && detail_of[c] != "" ? ", " trim(detail_of[c]) : "")
}

function write_curve(c,   k) {
    print "x\t" title(c) "\thigh"
    for (k = 1; k <= points[c]; k++)
        print point[c, k] "\t" low[c, point[c, k]] "\t" high[c, point[c, k]]
    print "\n"
}

# The cost of translation: the difference at the same number of nodes.
function write_cost(page, packed,   k, pages) {
    print "pages\t" COST
    for (k = 1; k <= points[page]; k++) {
        pages = point[page, k]
        if ((packed, pages) in low)
            print pages "\t" low[page, pages] - low[packed, pages]
    }
    print "\n"
}

function write_marks(   k) {
    print "x\tns"
    for (k = 1; k <= marks; k++) print mark[k]
}
