#!/usr/bin/env bash
# chase-mistakes.t: the mistakes that chase makes on purpose, and the runs without one.
# shellcheck disable=SC2016,SC2059 # awk and sh -c have variables of their own; tables as formats
. "${0%/*}/../../tap.sh"
. "${0%/*}/chase.sh"

[ "$PLATFORM" != none ] || skip_all 'nothing can be measured here'
page=$(getconf PAGESIZE)
line=$(chase --quiet --pages 1 --samples 1 --loads 2000 | sed -n 's/^# line_bytes: //p')
line=${line:-64}

for mistake in vanished dilution prefetched claims cold; do
    exits 0 "chase: mistake $mistake: two layouts are measured" "${quick[@]}" --mistake "$mistake" --layout line,packed --pages 4,300 --samples 2
    matches "chase: mistake $mistake: the metadata name it" "^# mistake: $mistake\$" "$TMP/out"
    same "mistake $mistake: every row has a time" 8 "$(column ns "$TMP/out" | awk '$1 > 0' | grep -c .)"
    if [ "$mistake" = vanished ] && [ "$VARIANT" = plain ]; then
        matches 'chase: mistake vanished: less than a cycle is called impossible' \
            '^chase: an access took [^ ]+ ns, less than a cycle .*impossible.* the compiler dropped the loop' "$TMP/err"
    elif [ "$mistake" != vanished ]; then
        same "chase: mistake $mistake: nothing is written to stderr" '' "$(cat "$TMP/err")"
    fi
done
lacks 'chase: mistake cold: no work before the first sample, so no frequency' '^# ghz_estimated' "$TMP/out"
exits 0 'chase: mistake storebuffer: stores are measured' "${quick[@]}" --mistake storebuffer --kernel write --layout line --pages 4,300 --samples 2
matches 'chase: mistake storebuffer: the metadata name it' '^# mistake: storebuffer$' "$TMP/out"
chase --quiet --seed 1 --loads 2000 --mistake claims --pages 4 --layout packed --samples 1 >"$TMP/lies.tsv"
same 'mistake claims: a line is said to be twice as long' "$((2 * line)) $((2 * line))" \
    "$(sed -n 's/^# line_bytes: //p' "$TMP/lies.tsv") $(column spacing_bytes "$TMP/lies.tsv")"
same 'chase: mistake claims: the page is left alone' "$page" "$(sed -n 's/^# page_bytes: //p' "$TMP/lies.tsv")"
status=0
chase --quiet --mistake swap --pages 4 --samples 1 >"$TMP/out" 2>"$TMP/err" || status=$?
if [ "$status" -eq 0 ]; then
    matches 'chase: mistake swap: there is swap for this process' '^# mistake: swap$' "$TMP/out"
else
    same 'mistake swap: without swap it ends' 2 "$status"
    matches 'chase: mistake swap: without swap it says what is missing' \
        '^chase: --mistake swap: it needs swap for this process alone: .*(no swap|no control group|no control groups)' "$TMP/err"
    same 'chase: mistake swap: without swap it gives no table' '' "$(cat "$TMP/out")"
fi
exits 0 'chase: a run without --mistake is measured' "${quick[@]}" --pages 4 --samples 1
lacks 'chase: a run without --mistake has none in the metadata' '^# mistake' "$TMP/out"
same 'chase: a run without --mistake calls nothing impossible' '' "$(cat "$TMP/err")"
status=0
chase --quiet --seed 1 --loads 2000 --mistake migrate --layout line --pages 300 --samples 3 >"$TMP/out" 2>"$TMP/err" ||
    status=$?
if [ "$status" -eq 0 ]; then
    matches 'chase: mistake migrate: the chain is not pinned' '^# pinned_cpu: no \(' "$TMP/out"
    same 'chase: mistake migrate: three samples are measured' 3 "$(rows "$TMP/out" | grep -c .)"
    [ "$(nproc)" -ne 2 ] ||
        matches 'chase: mistake migrate: the process was moved between cores' '^1' <(column migrations "$TMP/out")
else
    matches 'chase: mistake migrate: one core alone is named' '^chase: the thread cannot be moved from core to core: ' "$TMP/err"
fi
if [ "$PLATFORM" = linux ] && command -v taskset >/dev/null; then
    exits 2 'chase: mistake migrate: one core alone is refused' taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" chase --mistake migrate \
        --layout line --pages 4
    matches 'chase: mistake migrate: one core alone is named as the reason' 'this process may use only one core' "$TMP/err"
else
    skip 'chase: mistake migrate: one core alone is refused' 'needs taskset'
fi

finish_tests
