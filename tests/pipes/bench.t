#!/usr/bin/env bash
# bench.t: tests/bench/cost at its smallest, on a simulated machine. What it says of answers is
# tested, nothing that was timed.
. "${0%/*}/tap.sh"
export OUT PAGES=1024 SEED=1 DENSITIES='low medium high'

# column WAY NAME: that column of that row.
column() {
    awk -F '\t' -v way="$1" -v name="$2" '
        $1 == "machine" { for (i = 1; i <= NF; i++) at[$i] = i }
        $2 == way { print $(at[name]) }' "$TMP/cost"
}

exits 0 'cost: one sample of each point' \
    "$ROOT/tests/bench/cost" 1 100000 16M "$ROOT/tests/models/zen4.tsv"
cp "$TMP/out" "$TMP/cost"
same 'cost: a row for each way' \
    'sweep whitepaper-low whitepaper-medium whitepaper-high whitepaper-line lmbench test-tlb calibrator lab ' \
    "$(awk -F '\t' '$1 == "zen4" { print $2 }' "$TMP/cost" | tr '\n' ' ')"
same 'cost: every row has all columns' 19 \
    "$(awk -F '\t' '!/^#/ { print NF }' "$TMP/cost" | sort -u)"
same 'cost: sweep knows both levels' 'yes yes' \
    "$(column sweep dtlb1_right) $(column sweep dtlb2_right)"
same 'cost: tlb of lmbench knows the first exactly and no second' '72 yes missed' \
    "$(column lmbench dtlb1_entries) $(column lmbench dtlb1_right) $(column lmbench dtlb2_right)"
same 'cost: the Calibrator has it between two of its sizes' '64 80 in_range' \
    "$(column calibrator dtlb1_min) $(column calibrator dtlb1_max) $(column calibrator dtlb1_right)"
same 'cost: without a control a cache is the first level' '8 16 no' \
    "$(column lab dtlb1_min) $(column lab dtlb1_max) $(column lab dtlb1_right)"

# Three sizes of the 15 lie above 16 MiB, one is the comparison; at its own scale each has 30 samples.
same 'cost: the fixed schedule at its own scale' "$((11 * 30 * 25000000))" \
    "$(column whitepaper-low full_loads)"
same 'cost: what was counted' "$((11 * 200000))" "$(column whitepaper-low loads)"
check 'cost: times_sweep is the ratio of the loads at their own scale' awk \
    -v ratio="$(column whitepaper-high times_sweep)" -v of="$(column whitepaper-high full_loads)" \
    -v sweep="$(column sweep full_loads)" \
    'BEGIN { exit !(ratio > 1 && ratio / (of / sweep) > 0.99 && ratio / (of / sweep) < 1.01) }'
matches 'cost: says how the loads compare' '^zen4: sweep found both levels with 1/[0-9]+ of' "$TMP/err"

exits 2 'cost: a machine that is not there' "$ROOT/tests/bench/cost" 1 100000 16M "$TMP/none.tsv"
matches 'cost: which one' 'none\.tsv' "$TMP/err"
finish_tests
