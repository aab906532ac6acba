# profile.awk: the tables of scripts/profile in words. In this order: the summary of tlbsim, misses by object and
# function, what huge pages for each object save, the summary with huge pages alone, and with -v alone=SECONDS
# what the misses cost. The environment has the NAME of the command and MACHINE, both as a shell reads them.

# [prior] less than this share of the time, or of the accesses, is not worth a change; nor is what so few walks take,
# some 0.1 ms
BEGIN { LITTLE_TIME = 0.02; LITTLE_WALKS = 0.001; MANY_MISSES = 0.01; FEW_WALKS = 1000; name = ENVIRON["NAME"] }

FNR == 1 { file++; header = 1 }
/^# machine: / && machine == "" { machine = substr($0, 12) }
/^#/ { next }
header { for (i = 1; i <= NF; i++) column[file, $i] = i; header = 0; next }
function at(key) { return $column[file, key] }

file == 1 {
    if (at("level") == 1) accesses += at("accesses")
    if (at("level") + 0 > levels) levels = at("level")
    misses[at("level")] += at("misses")
}
file == 2 {
    object = at("object"); walks += at("misses")
    if (!(object in of)) order[++objects] = object
    of[object] += at("misses"); functions[object]++
    if (at("misses") > most[object]) { most[object] = at("misses"); mostly[object] = at("function") }
}
file == 3 { base += at("misses"); saved[at("object")] = at("misses") - at("misses_huge"); saves += saved[at("object")] }
file == 4 { if (at("level") == levels) huge += at("misses") }
file == 5 { cost += at("seconds") }

function percent(part, all) { return sprintf(part > 0 && part < all / 1000 ? "less than 0.1 %%" : "%.1f %%", 100 * part / all) }

function in_thousand(count) { count *= 1000 / accesses; return sprintf(count < 100 ? "%.3g" : "%.0f", count) }

# The objects with the most misses, as a list of at most `count`.
function sort_objects(count,    i, k, swap) {
    for (i = 1; i <= count && i <= objects; i++)
        for (k = i + 1; k <= objects; k++)
            if (of[order[k]] > of[order[i]]) { swap = order[i]; order[i] = order[k]; order[k] = swap }
}

function say_cost() {
    if (alone == "")
        print "  With --machine here or --penalties, profile also shows what share of the time that takes."
    else if (alone <= 0)
        print "  The command takes too little time to say which share misses have of it."
    else
        printf "  The misses take %.2g s at most, %s of the %.2g s that the command takes by itself.\n", cost, percent(cost < alone ? cost : alone, alone), alone
}

function say_objects(    i) {
    sort_objects(5)
    print ""
    print (objects > 5 ? "The five objects with the most walks" : "The objects with walks") ", and the function that makes most of them:"
    for (i = 1; i <= 5 && i <= objects; i++)
        printf "  %5.1f %%  %s: %s%s\n", 100 * of[order[i]] / walks, order[i], mostly[order[i]], 2 * most[order[i]] < of[order[i]] ? " and " functions[order[i]] - 1 " others" : ""
}

# The objects that make four fifths of what huge pages save, with commas.
function best_objects(    list, sum, name, best) {
    while (sum < 0.8 * saves) {
        best = ""
        for (name in saved) if (best == "" || saved[name] > saved[best]) best = name
        if (best == "" || saved[best] <= 0) break
        list = list (list == "" ? "" : ",") best
        sum += saved[best]
        delete saved[best]
    }
    return list
}

function is_little() { return alone > 0 ? cost < LITTLE_TIME * alone : walks < LITTLE_WALKS * accesses || walks < FEW_WALKS }

function say_advice(    list) {
    print ""
    if (base > 0) printf "With base pages everywhere there are %d walks, with huge pages everywhere %d: %s less.\n", base, huge, percent(base - huge, base)
    if (is_little()) {
        if (alone == "" && misses[1] > MANY_MISSES * accesses && misses[1] > FEW_WALKS)
            print "Few accesses walk, but many wait for a later level: --penalties shows what that costs."
        else
            print "Translation costs this command little: there is nothing to gain."
        return
    }
    if (saves > base / 2) {
        list = best_objects()
        print "Put these on huge pages (2 MiB aligned, madvise(MADV_HUGEPAGE)):"
        print "  " list
        print "To measure what that saves:"
        print "  tlblab tlbcost --huge \047" list "\047 -- " name
    }
    else if (huge < base / 2) {
        print "Its objects are smaller than a huge page: try GLIBC_TUNABLES=glibc.malloc.hugetlb=1, or a pool of 2 MiB. To measure what huge pages save:"
        print "  tlblab tlbcost -- " name
    }
    else
        printf "Huge pages leave most of the walks: what %s touches in %s should be closer together.\n", mostly[order[1]], order[1]
    print "To compare after a change, of two traces that --trace keeps:"
    print "  for f in before after; do tlblab tlbsim --machine " ENVIRON["MACHINE"] " $f.trace >$f.misses; done"
    print "  tlblab misses --by object --compare before.misses after.misses"
}

END {
    if (accesses == 0) { print name ": no accesses were traced."; exit }
    printf "%s: %d accesses in the TLBs of %s.\n", name, accesses, machine
    for (i = 1; i < levels; i++) printf "  Level %d of the data TLB misses %d times, %s of a thousand accesses.\n", i, misses[i], in_thousand(misses[i])
    printf "  %d walks%s, those of fetches included: %s of a thousand accesses.\n", walks, (ENVIRON["LEFT_OUT"] > 0 ? " at most, as not all levels are known" : ""), in_thousand(walks)
    say_cost()
    if (walks > 0) { say_objects(); say_advice() }
}
