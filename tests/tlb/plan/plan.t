#!/usr/bin/env bash
# plan.t: plan as a program. sweep.t has the loop by hand, tests/tlb/plan/test_plan.c which points it chooses.
. "${0%/*}/../../tap.sh"
long_with_sanitizers

models=$ROOT/src/tlb/models
# table FILE: header and rows.
table() { grep -v '^#' "$1"; }

prints 'plan: options are recorded' '^# option: plan --pages 4,64$' plan --pages 4,64 --samples 2 --seed 5
matches 'plan: the seed is in the metadata' '^# seed: 5$' "$TMP/out"
simulate "$models/zen4.tsv" "$TMP/out" >"$TMP/samples.tsv"
prints 'plan: goes on from its own samples' '^# option: plan --pages 4,64$' plan "$TMP/samples.tsv"
table "$TMP/out" >"$TMP/plan"
sed 's/^# \(program\|option\): plan/# \1: sweep/' "$TMP/samples.tsv" >"$TMP/swept.tsv"
exits 0 'plan: goes on from samples of sweep' plan "$TMP/swept.tsv"
same 'plan: takes over the options of sweep' "$(cat "$TMP/plan")" "$(table "$TMP/out")"
exits 2 'plan: an option that contradicts the samples is refused' plan --pages 4,32 "$TMP/samples.tsv"
matches 'plan: an option that contradicts the samples is named' "--pages '4,32' contradicts" "$TMP/err"
exits 0 'plan: samples are enough' plan <(simulate --seed 5 --preset line "$models/small-first-level.tsv") --preset line
same 'plan: where samples are enough there is no point' '' "$(rows "$TMP/out")"

# refuses NAME REGEX OPTION...
refuses() { is_refused "$1" "^plan: $2" plan "${@:3}"; }
for option in '--layout page' '--spacing 64k' '--kernel read' '--backing contiguous' '--page-size 2M'; do
    # shellcheck disable=SC2086 # two words
    refuses "$option beside a preset that fixes it" "${option% *} does not go with --preset coalescing\$" --preset coalescing $option
done
refuses 'jumps through caches' '--kernel code does not go with --preset caches' --preset caches --kernel code
refuses 'a schedule for a card' '--gpu does not go with --density' --gpu --density low
refuses "a processor's preset for a card" '--gpu does not go with --preset geometry, coalescing, itlb' --gpu --preset itlb
refuses "a processor's kernel for a card" '--gpu does not go with --kernel write' --gpu --kernel write
refuses 'windows without a schedule' '--chain needs --density' --chain auto
refuses 'an option of sweep alone' "unknown option '--budget'" --budget 3
finish_tests
