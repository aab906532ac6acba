# fit.awk: turns the table of detect --explain into the data of fit.p; it follows table.awk.
#
# Writes two `#` lines, the title, then the number of levels, least and most pages, and least and most ns
# of the curve and of the residuals, and blocks with two blank lines between them: for each point pages,
# measured and fitted ns, residual, error; for each level its entries, the side of the line on which
# its label is (1 right, -1 left), the label, and its row from the top.

{
    need("what", "detect --explain")
    need("pages")
    need("ns")
    need("fitted_ns")
    need("error_ns")
    need("entries")
    need("chosen")
    note_cpu()
    if (text("what") == "point") add_point()
    else if (text("chosen") == "yes" && text("level") != "") add_level()
}

END {
    if (!sizes) bad("no points of a fit (detect --explain)")
    if (!fits) bad("no level was fitted: scripts/plot tlb draws the samples")
    print_title("Cost of translation, and the fit of its levels")
    printf "# %d %d %d", levels, first, last # gnuplot reads no 1e-06 here
    printf " %.12f %.12f %.12f %.12f\n", bottom, top, lowest, highest
    print "pages\tmeasured\tfitted\tmeasured minus fitted\terror"
    for (k = 1; k <= sizes; k++) print size_row[k]
    print "\n\nentries\tside\tlabel\trow"
    write_levels()
}

# A label in the right half is left of its line. The rows are such that no label crosses a line.
function write_levels(   k, rights) {
    while (rights < levels && log(level[rights + 1] / first) < 0.4 * log(last / first)) rights++
    for (k = 1; k <= levels; k++)
        print level[k] "\t" (k <= rights ? 1 : -1) "\t" label[k] "\t" \
            (k <= rights ? levels - rights + k - 1 : levels - k)
}

function add_point(   pages, ns, fitted, error) {
    pages = number("pages")
    ns = number("ns")
    fitted = number("fitted_ns")
    error = number("error_ns") + 0
    if (pages == "" || ns == "") return
    if (pages < 1) bad("column 'pages': less than 1")
    if (error < 0) bad("column 'error_ns': negative")
    size_row[++sizes] = pages "\t" ns "\t" fitted "\t" (fitted == "" ? "" : ns - fitted) "\t" error
    note_ranges(pages, 1, 1)
    widen(ns)
    if (fitted == "") return
    fits++
    widen(fitted)
    if (ns - fitted - error < lowest) lowest = ns - fitted - error
    if (ns - fitted + error > highest) highest = ns - fitted + error
}

# Both ranges have 0.
function widen(ns) {
    if (ns < bottom) bottom = ns
    if (ns > top) top = ns
}

function add_level(   entries) {
    entries = number("entries")
    if (entries == "" || entries < 1) bad("column 'entries': less than 1")
    level[++levels] = entries
    label[levels] = "level " text("level") ": " entries " entries (" text("kind") ")"
}
