#!/usr/bin/env bash
# accuracy.t: tests/bench/accuracy on twenty machines: no answer that is called high is wrong, ranges
# hold the truth, and the sums are those of the rows.
. "${0%/*}/../../tap.sh"

[ "$VARIANT" = plain ] || skip_all 'the plain build stands for all'
long_test
export OUT
exits 0 'accuracy: machines are drawn, simulated and judged' \
    "$ROOT/tests/bench/accuracy" -d 0 20 1 "$TMP/rows"
cp "$TMP/out" "$TMP/sums"
high_wrong() { awk -F '\t' '$2 == "control" && $12 == "high" && $14 != "right"' "$1"; }
same 'accuracy: every answer called high is right' '' "$(high_wrong "$TMP/rows")"
awk -F '\t' -v OFS='\t' '$14 == "right" { $14 = "missed" } { print }' "$TMP/rows" >"$TMP/lies"
check 'accuracy: an answer called high that is wrong would be seen' test -n "$(high_wrong "$TMP/lies")"
same 'accuracy: every noise has its row in the sums' \
    'all clock:5 drift:3 frames:2 gauss:0 gauss:1 gauss:10 gauss:3 lognormal:2 one-sided ramp:10 spikes:2 timer:20 ' \
    "$(awk -F '\t' '$1 == "control" && $3 == "all" { print $2 }' "$TMP/sums" | sort | tr '\n' ' ')"
# sum FIELD: of control's row of all levels with all kinds of noise.
sum() {
    awk -F '\t' -v field="$1" "$by_name"'
        $1 == "control" && $2 == "all" && $3 == "all" { print $(at[field]) }' "$TMP/sums"
}
of_rows() {
    awk -F '\t' -v what="$1" '$2 == "control" && $14 ~ what' "$TMP/rows" | wc -l
}
same 'accuracy: the levels of the rows are counted in the sums' "$(of_rows '^(right|off|missed)$')" "$(sum levels)"
same 'accuracy: the right levels of the rows are counted in the sums' "$(of_rows '^right$')" \
    "$(awk -v share="$(sum right)" -v of="$(sum levels)" 'BEGIN { printf "%.0f\n", share * of / 100 }')"
finish_tests
