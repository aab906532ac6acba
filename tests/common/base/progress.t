#!/usr/bin/env bash
# progress.t: the line that a program draws on a terminal while it measures: one for the whole run.
. "${0%/*}/../../tap.sh"
long_with_sanitizers

[ "$PLATFORM" != none ] || skip_all 'this build does not know what a terminal is'
script --version 2>/dev/null | grep -q util-linux || skip_all 'no script of util-linux here'

# drawn COMMAND: all that it draws on a terminal, a line for each return to the left edge.
drawn() { script -qec "$1" /dev/null </dev/null | tr '\r' '\n' >"$TMP/drawn"; }

# Blank lines are where the line was cleared; script begins with one.
cleared() { grep -cE '^ +$' "$TMP/drawn"; }

# The plan of simulate has several batches.
drawn 'simulate --seed 1 zen4 >/dev/null'
matches 'progress: it has the program, the samples and the seconds' '^simulate: [0-9]+ samples, [0-9]+ s *$' "$TMP/drawn"
same 'progress: a run of several batches clears its line once, at the end' 1 "$(cleared)"
sed -n 's/^simulate: \([0-9]*\) samples.*/\1/p' "$TMP/drawn" >"$TMP/counts"
check 'progress: the samples of a later batch are added to those before' sort -n -c "$TMP/counts"
check 'progress: it is drawn every tenth of a second, not for every sample' \
    test "$(($(wc -l <"$TMP/counts") * 20))" -lt "$(tail -n 1 "$TMP/counts")"
drawn 'simulate --seed 1 --budget 50 zen4 >/dev/null'
matches 'progress: a budget has its seconds left' '^simulate: [0-9]+ samples, [0-9]+ s, [0-9]+ s left' "$TMP/drawn"
cd "$ROOT/tests" || exit 2
drawn 'simulate zen4 data/points-zen4.tsv >/dev/null'
matches 'progress: of a run whose samples are known it has the share' '^simulate: [0-9]+ %, ' "$TMP/drawn"

drawn "TLBLAB_RUN='$(($(date +%s) - 10)) 1000 caches (2 of 4)' simulate --seed 1 zen4 >/dev/null"
matches 'progress: a part of a run draws the line of the whole' '^caches \(2 of 4\): [0-9]+ samples, [0-9]{2,} s, 9[0-9]{2} s left' "$TMP/drawn"
drawn "TLBLAB_RUN='nonsense' simulate --seed 1 zen4 >/dev/null"
matches 'progress: a TLBLAB_RUN that it cannot read is ignored' '^simulate: ' "$TMP/drawn"
drawn "TLBLAB_RUN=\"0 0 a\$(printf '\\033[2J')b\" simulate --seed 1 zen4 >/dev/null"
lacks 'progress: a stage cannot command the terminal' $'\033' "$TMP/drawn"
drawn 'simulate --quiet --seed 1 zen4 >/dev/null'
lacks 'progress: nothing is drawn with --quiet' samples "$TMP/drawn"
drawn 'simulate --seed 1 --budget 0.05 zen4 >/dev/null'
matches 'progress: a message has a line of its own' '^simulate: the budget of' "$TMP/drawn"
simulate --seed 1 zen4 2>"$TMP/err" >/dev/null
same 'progress: nothing is drawn where stderr is no terminal' '' "$(cat "$TMP/err")"
finish_tests
