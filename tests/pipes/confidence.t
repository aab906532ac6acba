#!/usr/bin/env bash
# confidence.t: on machines drawn now, no answer that is called high is wrong, and both levels are
# found on nearly all. tests/bench/confidence prints the rows for more machines.
. "${0%/*}/tap.sh"

machines=8
[ "$VARIANT" = plain ] || machines=3
seed=$(($(date +%s) % 1000000))
export OUT
exits 0 "machines are drawn, simulated and judged (seed $seed)" \
    "$ROOT/tests/bench/confidence" "$machines" "$seed"
cp "$TMP/out" "$TMP/rows"
high_wrong=$(awk -F '\t' '$6 == "high" && $8 != "right"' "$TMP/rows")
same "what is called high is right (seed $seed)" '' "$high_wrong"
rows=$(awk -F '\t' '$8 == "right"' "$TMP/rows" | wc -l)
check "at least 8 levels of 10 are right: $rows of $((2 * machines)) (seed $seed)" \
    test $((10 * rows)) -ge $((16 * machines))

# A number that is made up is not right: the check above can fail.
lying=$(awk -F '\t' -v OFS='\t' '$3 == 1 { $5++; $8 = $5 == $4 ? "right" : "wrong" }
    $6 == "high" && $8 != "right"' "$TMP/rows" | wc -l)
check 'and it would be seen if it were not' test "$lying" -gt 0
finish_tests
