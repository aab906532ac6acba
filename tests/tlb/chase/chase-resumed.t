#!/usr/bin/env bash
# chase-resumed.t: what is left when chase is killed, and how it goes on. No time is judged.
# shellcheck disable=SC2016,SC2059 # awk and sh -c have variables of their own; tables as formats
. "${0%/*}/../../tap.sh"
long_with_sanitizers
. "${0%/*}/chase.sh"

[ "$PLATFORM" != none ] || skip_all 'nothing can be measured here'
page=$(getconf PAGESIZE)
printf 'sample\trole\tlayout\tpages\textra\tkernel\tspacing_bytes\n' >"$TMP/some points.tsv"
printf '3\tcomparison\tpacked\t9\t?\tread\t64\n0\trefine\tline\t5\t?\tlinear\t128\n' \
    >>"$TMP/some points.tsv"
printf '7\tsweep\tpage\t4\t?\tread\t%s\n' "$page" "$((2 * page))" >>"$TMP/some points.tsv"

task=(--pages '4:64:x1.5' --layout 'page,packed' --samples 3 --loads 2000 --seed 5)
chase --quiet "${task[@]}" >"$TMP/full.tsv"
matches 'chase: each option is a line of metadata' '^# option: chase --pages 4:64:x1\.5$' "$TMP/full.tsv"
same 'chase: the whole run to be resumed has all its samples' 42 "$(rows "$TMP/full.tsv" | grep -c .)"

# resumes NAME FILE [OPTION...]: the rows of FILE first, then what was missing.
resumes() {
    local name=$1 file=$2
    shift 2
    exits 0 "chase: $name is resumed" chase --quiet --resume "$file" "$@"
    same "chase: $name, resumed, is complete and has nothing twice" "$(points "$TMP/full.tsv" | sort)" "$(points "$TMP/out" | sort)"
    rows "$file" >"$TMP/before"
    [ -z "$(tail -c 1 "$file")" ] || sed -i.bak '$d' "$TMP/before"
    same "chase: $name, resumed, begins with what was measured" "$(cat "$TMP/before")" \
        "$(rows "$TMP/out" | head -n "$(grep -c '' "$TMP/before")")"
}

sed '/^[0-9]/,$d' "$TMP/full.tsv" >"$TMP/header.tsv"
resumes 'a header alone' "$TMP/header.tsv"
resumes 'a complete run' "$TMP/full.tsv"
: >"$TMP/empty.tsv"
resumes 'an empty file' "$TMP/empty.tsv" "${task[@]}"
matches 'chase: an empty file, resumed, is reported' 'empty.tsv: it is empty: that run has measured nothing' "$TMP/err"
cp "$TMP/out" "$TMP/begun.tsv"
resumes 'a run that began with an empty file' "$TMP/begun.tsv"
exits 0 'sweep: an empty file is resumed' sweep --quiet --layout page --pages 4,8 --samples 2 --resume "$TMP/empty.tsv"
same 'sweep: an empty file, resumed, is measured as a whole' 4 "$(rows "$TMP/out" | grep -c .)"
exits 0 'simulate: an empty file is resumed' simulate --resume "$TMP/empty.tsv" --seed 1 "$ROOT/src/tlb/models/zen4.tsv" "$TMP/header.tsv"
cp "$TMP/out" "$TMP/simulated.tsv"
exits 0 'simulate: without it there are as many rows' simulate --seed 1 "$ROOT/src/tlb/models/zen4.tsv" "$TMP/header.tsv"
same 'simulate: an empty file, resumed, is simulated as a whole' "$(rows "$TMP/out")" "$(rows "$TMP/simulated.tsv")"
lines=$(($(grep -c '' "$TMP/full.tsv") - 30))
head -n "$lines" "$TMP/full.tsv" >"$TMP/part.tsv"
resumes 'half a run' "$TMP/part.tsv"
lacks 'chase: half a run, resumed, gives no warning' . "$TMP/err"
cp "$TMP/out" "$TMP/again.tsv"
printf '12\tpage\t40' >>"$TMP/part.tsv"
resumes 'half a row at the end' "$TMP/part.tsv"
matches 'chase: half a row at the end, resumed, is dropped with a warning' 'part.tsv:[0-9]+: the last line has no newline' "$TMP/err"
resumes 'the same options again' "$TMP/part.tsv" --seed 5 --samples 3
head -n "$(($(grep -c '' "$TMP/again.tsv") - 9))" "$TMP/again.tsv" >"$TMP/twice.tsv"
resumes 'a run that was resumed' "$TMP/twice.tsv"
awk -F '\t' -v OFS='\t' '/^[0-9]/ && $1 == 9 { $9 = "-" } { print }' "$TMP/full.tsv" >"$TMP/holes.tsv"
exits 0 'chase: a run with rows that were not measured is resumed' chase --quiet --resume "$TMP/holes.tsv"
same 'chase: rows that were not measured are measured on resuming' "$(points "$TMP/full.tsv" | sort)" "$(points "$TMP/out" | sort)"

refuses 'another seed' '--seed .*6.* contradicts' --resume "$TMP/part.tsv" --seed 6
sed 's/^# seed: .*/# seed: five/' "$TMP/part.tsv" >"$TMP/no-seed.tsv"
refuses 'a seed that is no number' "no-seed.tsv: '# seed: five' is not a number" --resume "$TMP/no-seed.tsv"
refuses 'other sizes' "--pages '4' contradicts the run to be resumed" --resume "$TMP/part.tsv" --pages 4
refuses 'an option that it did not have' "--spacing '4K' contradicts" --resume "$TMP/part.tsv" --spacing 4K
grep -v '^# option' "$TMP/header.tsv" >"$TMP/older.tsv"
refuses 'a run that has not recorded its options' \
    'older.tsv: its options are not recorded' --resume "$TMP/older.tsv"
sed '/^# option: chase --seed/a# option: chase --no-such 4' "$TMP/part.tsv" >"$TMP/newer.tsv"
refuses 'an option of another version' "newer.tsv: the option '--no-such 4'" \
    --resume "$TMP/newer.tsv"
refuses 'stdin' '--resume needs a file' --resume -
refuses 'a file that is not there' 'cannot open' --resume "$TMP/none.tsv"
refuses 'an empty file' 'no header line' --resume /dev/null
cp "$TMP/part.tsv" "$TMP/own.tsv"
exits 2 'chase: resuming into its own input is refused' sh -c 'exec chase --resume "$1" >>"$1"' sh "$TMP/own.tsv"
matches 'chase: resuming into its own input is named as the reason' "that is this program's output" "$TMP/err"
check 'chase: resuming into its own input leaves the file alone' cmp "$TMP/part.tsv" "$TMP/own.tsv"

list=4
for ((i = 0; i < 1500; i++)); do list=$list,$((4 + i % 40)); done
exits 0 'chase: a command line of many kilobytes is measured' "${quick[@]}" --samples 1 --pages "$list"
sed '/^[0-9]/,$d' "$TMP/out" >"$TMP/header.tsv"
cp "$TMP/out" "$TMP/full.tsv"
resumes 'a command line of many kilobytes' "$TMP/header.tsv"

# Points from a table are given again.
exits 0 'chase: a run whose points come from a table is measured' "${quick[@]}" "$TMP/some points.tsv"
cp "$TMP/out" "$TMP/full.tsv"
grep -v '^4' "$TMP/full.tsv" >"$TMP/part.tsv"
resumes 'a run whose points come from a table' "$TMP/part.tsv" "$TMP/some points.tsv"

# The signal comes when there is something to lose, however long that takes.
# stop SIGNAL STATUS FILE: ends a long run that writes to FILE as soon as it has written some rows;
# what is left must be a table of whole rows, but for a last line without newline.
stop() {
    local child i status=0
    : >"$3"
    set -m # or the shell has it ignore SIGINT
    chase --quiet --seed 5 --loads 2000 --samples 100000 --pages 4:64:x1.5 >"$3" 2>"$TMP/err" &
    child=$!
    set +m
    for ((i = 0; i < 1000 && $(grep -c '^[0-9]' "$3") < 20; i++)); do sleep 0.01; done
    kill -s "$1" "$child"
    wait "$child" 2>/dev/null || status=$?
    same "chase: SIG$1 ends a run with its status" "$2" "$status"
    [ "$1" != INT ] || matches 'chase: an interrupted run says how it goes on' \
        '^chase: interrupted; .* --resume FILE >NEW' "$TMP/err"
    check "chase: SIG$1 leaves the rows measured so far" test "$(grep -c '^[0-9]' "$3")" -ge 20
    same "chase: SIG$1 leaves whole rows" "$(grep '^pages' "$3" | awk -F '\t' '{ print NF }')" \
        "$(rows "$3" | sed '$d' | awk -F '\t' '{ print NF }' | sort -u)"
    detect "$3" >"$TMP/out" 2>"$TMP/err"
    lacks "chase: SIG$1 leaves a legal table" 'column|header|fields' "$TMP/err"
}
stop KILL 137 "$TMP/killed.tsv"
stop INT 130 "$TMP/interrupted.tsv"
stop TERM 143 "$TMP/stopped.tsv"
finish_tests
