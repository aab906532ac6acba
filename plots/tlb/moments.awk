# moments.awk: turns samples in moments into the data of moments.p; it follows table.awk.
#
# Writes the title, the number of `moments` and of those of a label, `every`, the `labels`, seconds, and for each of
# the `questions` the range of the numbers asked about, `lowest` to `highest`; and for each question a block with two
# blank lines after it: the number of the moment, and the number asked about if it was clean, if only the control
# was, and if neither was. Clean is less than half a miss, as for detect (src/tlb/laps/fits.c).

BEGIN { CLEAN_BELOW = 0.5; ALL_TIMES = 3; LABELS = 8; SHARE_FEW = 12; NEAR_PAGES = 32; CLOSE_PAGES = 16384 }

{
    need("moment", "sweep measures moments")
    need("role")
    need("targets")
    note_machine()
    if (number("moment") > 0) add_lap(text("role"), number("targets"), number("others") + 0)
}

END {
    if (!moments) bad("no moments (sweep measures them)")
    for (q = 1; q <= questions; q++) share_few(q)
    for (q = 1; q <= questions; q++) find_miss(q)
    for (m = 1; m <= moments; m++) judge(m)
    put_title("Clean laps, moment by moment")
    every = int(moments / LABELS) + 1
    for (m = 1; m <= moments; m += every) label[++labels] = sprintf(second[m] < 100 ? "%.3g" : "%.0f", second[m])
    put("moments", moments)
    put("every", every)
    put("labels", list_of(label, labels))
    put("questions", list_of(name, questions))
    put("lowest", list_of(lowest, questions))
    put("highest", list_of(highest, questions))
    for (q = 1; q <= questions; q++) print "moment\tclean\tcontrol\tneither\n" rows[q] "\n"
}

# The lap of each role in a moment, in hits of the same number of loads.
function add_lap(role, targets, others,   ns, m) {
    ns = number("min_ns") > 0 ? number("min_ns") : number("ns")
    if (targets == "" || ns == "" || !(m = question_of(others))) return
    m = moment_of(number("moment"), m)
    ns *= targets + others
    lap[m, role] = ns
    size_of[m, role] = targets
    if (number("t_s") > second[m]) second[m] = number("t_s")
    if (role == "control" && targets > known[asks[m]]) known[asks[m]] = targets
}

# 0: of pages in many sets.
function question_of(others,   word, page, apart) {
    page = number("page_bytes") > 0 ? number("page_bytes") : meta["page_bytes"] + 0
    apart = number("spacing_bytes") / page
    if (others > 0 && apart <= NEAR_PAGES) return 0
    word = apart <= 1 ? "pages" : !others ? "set" : apart > CLOSE_PAGES ? "set_flushed" : "closer_flushed"
    if (!(word in seen)) {
        seen[word] = ++questions
        name[questions] = word
    }
    beside[seen[word]] = others
    return seen[word]
}

function moment_of(which, q) {
    if (!((tables, which, q) in index_of)) {
        index_of[tables, which, q] = ++moments
        asks[moments] = q
    }
    return index_of[tables, which, q]
}

# Moments in a row share the fastest of their few, as for detect (src/tlb/laps/moment.c).
function share_few(q,   m, k, n, list, fastest) {
    for (m = 1; m <= moments; m++)
        if (asks[m] == q) list[++n] = m
    for (m = 1; m <= n; m += SHARE_FEW) {
        fastest = lap[list[m], "few"]
        for (k = m; k <= n && k < m + SHARE_FEW; k++)
            if (lap[list[k], "few"] < fastest) fastest = lap[list[k], "few"]
        for (k = m; k <= n && k < m + SHARE_FEW; k++) lap[list[k], "few"] = fastest
    }
}

function misses(m, role, cost,   hits) {
    hits = size_of[m, role] + beside[asks[m]]
    return (lap[m, role] * (size_of[m, "few"] + beside[asks[m]]) / lap[m, "few"] - hits) / cost
}

# The cost of a miss, in hits, where all miss: in the smallest number far above what fits, else in the largest.
function find_miss(q,   m, all, n, list) {
    for (m = 1; m <= moments; m++)
        if (asks[m] == q && size_of[m, "all"] > all) all = size_of[m, "all"]
    for (m = 1; m <= moments; m++)
        if (asks[m] == q && size_of[m, "all"] >= ALL_TIMES * known[q] && size_of[m, "all"] < all) all = size_of[m, "all"]
    for (m = 1; m <= moments; m++)
        if (asks[m] == q && all && size_of[m, "all"] == all && (m, "few") in lap) list[++n] = misses(m, "all", all)
    if (n) sort(list, n)
    miss[q] = name[q] == "set" || !n ? miss[seen["pages"]] : quantile(list, n, 0.5)
    lowest[q] = int(0.7 * known[q])
    highest[q] = int(1.3 * known[q] + 2)
}

function is_clean(m, role,   count) {
    count = (m, role) in lap ? misses(m, role, miss[asks[m]]) : 0
    return count < CLEAN_BELOW && count > -CLEAN_BELOW
}

function judge(m,   q, asked, state) {
    q = asks[m]
    if (!((m, "few") in lap) || !((m, "asked") in lap) || !miss[q]) return
    asked = size_of[m, "asked"]
    if (asked < lowest[q] || asked > highest[q]) return
    state = !is_clean(m, "control") ? 3 : is_clean(m, "asked") ? 1 : 2
    rows[q] = rows[q] m "\t" (state == 1 ? asked : "") "\t" (state == 2 ? asked : "") "\t" \
        (state == 3 ? asked : "") "\n"
}
