#!/usr/bin/env bash
# simulate-resume.t: a simulated run that stops in time or is interrupted, and goes on.
. "${0%/*}/../../tap.sh"
long_with_sanitizers

models=$ROOT/src/tlb/models
machine=$models/small-first-level.tsv
options=(--seed 7 --noise 'gauss:1,spikes:3')

# cut_at ROWS FILE: the table's head and this many of its rows.
cut_at() { sed "$(($(grep -c '^#' "$2") + 1 + $1))q" "$2"; }

# refuses NAME REGEX OPTION...
refuses() { is_refused "$1" "$2" simulate "${@:3}"; }

# goes_on NAME WHOLE PART [OPERAND...]: an interrupted run ends as the whole one did, row for row.
goes_on() {
    local name=$1 whole=$2 part=$3
    shift 3
    exits 0 "simulate: $name goes on" simulate --resume "$part" "$machine" "$@"
    same "simulate: $name gives the rows of an uninterrupted run, in their order" \
        "$(rows "$whole")" "$(rows "$TMP/out")"
}

simulate "${options[@]}" "$machine" >"$TMP/whole.tsv"
count=$(rows "$TMP/whole.tsv" | grep -c .)
for part in 0 1 $((count / 3)) $((count * 9 / 10)) "$count"; do
    cut_at "$part" "$TMP/whole.tsv" >"$TMP/part.tsv"
    goes_on "a run cut after $part of $count rows" "$TMP/whole.tsv" "$TMP/part.tsv"
done
cut_at $((count / 2)) "$TMP/whole.tsv" >"$TMP/part.tsv"
printf '12\tpage\t40' >>"$TMP/part.tsv"
goes_on 'a run cut within a row' "$TMP/whole.tsv" "$TMP/part.tsv"
matches 'simulate: a row that was cut is dropped with a warning' 'the last line has no newline' "$TMP/err"
cut_at $((count / 2 + 20)) "$TMP/out" >"$TMP/twice.tsv"
goes_on 'a run that went on before' "$TMP/whole.tsv" "$TMP/twice.tsv"

exits_saying 1 'simulate: a budget that ends at once gives status 1' 'the budget of 1e-09 s ended' \
    simulate "${options[@]}" --budget 1e-9 "$machine"
same 'simulate: a budget that ends at once leaves a table without rows' '' "$(rows "$TMP/out")"
cp "$TMP/out" "$TMP/none.tsv"
goes_on 'a run whose budget ended at once' "$TMP/whole.tsv" "$TMP/none.tsv"

plan --pages 8,32 --seed 3 >"$TMP/points.tsv"
simulate --noise gauss:1 "$machine" "$TMP/points.tsv" >"$TMP/whole-points.tsv"
cut_at 9 "$TMP/whole-points.tsv" >"$TMP/part.tsv"
goes_on 'a run of points from a table' "$TMP/whole-points.tsv" "$TMP/part.tsv" "$TMP/points.tsv"
plan "$TMP/whole-points.tsv" >"$TMP/next.tsv"
same 'plan: its options are its own, not those of simulate after them' \
    '--pages 8,32 --seed 3' \
    "$(sed -n '/^# program: simulate/,$s/^# option: plan //p' "$TMP/next.tsv" | paste -s -d ' ' -)"

cut_at 5 "$TMP/whole.tsv" >"$TMP/part.tsv"
refuses 'to go on with another noise' "--noise 'gauss:3' contradicts" \
    --resume "$TMP/part.tsv" --noise gauss:3 "$machine"
refuses 'to go on with another seed' '--seed .*8.* contradicts' --resume "$TMP/part.tsv" --seed 8 "$machine"
refuses 'to go on with another machine' "that run was on 'simulated a small first level'" \
    --resume "$TMP/part.tsv" "$models/zen4.tsv"
sed '/^# program: simulate/d' "$TMP/part.tsv" >"$TMP/other.tsv"
refuses 'to go on with the table of another program' 'simulate did not write this table' \
    --resume "$TMP/other.tsv" "$machine"
grep -v '^# option' "$TMP/part.tsv" >"$TMP/older.tsv"
refuses 'to go on with a run that has not recorded its options' 'its options are not recorded' \
    --resume "$TMP/older.tsv" "$machine"
refuses 'to go on with an individual machine' 'contradicts the run' \
    --resume "$TMP/part.tsv" --id anna --secret "$TMP/nowhere"
refuses 'a budget of nothing' "--budget '0': expected more than 0 seconds" --budget 0 "$machine"
if [ "$PLATFORM" = none ]; then
    skip 'simulate: resuming into its own input is refused' 'this build cannot compare files'
else
    cp "$TMP/part.tsv" "$TMP/own.tsv"
    # shellcheck disable=SC2016 # of sh -c
    exits 2 'simulate: resuming into its own input is refused' \
        sh -c 'exec simulate --resume "$1" "$2" >>"$1"' sh "$TMP/own.tsv" "$machine"
    check 'simulate: resuming into its own input leaves the file alone' cmp "$TMP/part.tsv" "$TMP/own.tsv"
fi

# A student's table must not show the options that made it.
head -c 32 /dev/zero | tr '\0' s >"$TMP/secret"
simulate --id anna --secret "$TMP/secret" --noise gauss:1 >"$TMP/anna.tsv"
lacks 'simulate --id: the table does not show the options' '^# (option|command|seed)' "$TMP/anna.tsv"
finish_tests
