#!/usr/bin/env bash
# demo.t: scripts/demo with stand-ins for the programs: what it shows, and how it ends when one of
# them fails.
# shellcheck disable=SC2016 # the stand-ins expand them
. "${0%/*}/../tap.sh"
long_with_sanitizers

if ! command -v gnuplot >/dev/null; then
    skip demo 'no gnuplot here'
    finish_tests
fi

# stand_in NAME COMMAND
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$TMP/bin/$1"
    chmod +x "$TMP/bin/$1"
}

demo() {
    OUT="$TMP/bin" "$ROOT/scripts/demo" "$TMP/my demo"
}

mkdir "$TMP/bin"
stand_in sweep 'cat "$ROOT/tests/data/plot-samples.tsv"'
stand_in detect 'cat >/dev/null; cat "$ROOT/tests/data/plot-boundaries.tsv"'
stand_in walkpenalty 'printf "method\tlevel\tpenalty_ns\nsteps\t1\t1.6\n"'
stand_in report 'printf "TLB report\n\nAn answer from %d\ntables.\n\n  CPU  A machine\n" $#'

exits 0 'demo: it runs through with a graph of text and a picture' demo
same 'demo: the answer comes first, without the rest of the report' 'Measuring: tlb ...  An answer from 3 tables. ' \
    "$(head -n 5 "$TMP/out" | paste -s -d ' ')"
lacks 'demo: the rest of the report is left to its command' 'A machine' "$TMP/out"
matches 'demo: that command is printed' '/tlblab report .*/my.* demo$' "$TMP/out"
matches 'demo: the graph is shown' 'dTLB 1: 96 entries' "$TMP/out"
matches 'demo: the folder of tables and picture is shown' "^The tables, and the picture tlb.png: $TMP/my demo\$" "$TMP/out"
check 'demo: the picture is there' test -s "$TMP/my demo/tlb.png"
check 'demo: the samples are kept as they were' \
    cmp "$ROOT/tests/data/plot-samples.tsv" "$TMP/my demo/samples.tsv"
same 'demo: nothing is written to stderr' '' "$(cat "$TMP/err")"

# The reader goes, or the disk is full.
rm "$TMP/my demo"/*
exits 141 'demo: a closed pipe ends it' bash -o pipefail -c 'OUT=$1/bin "$2/scripts/demo" "$1/my demo" | head -n 3' sh "$TMP" "$ROOT"
same 'demo: without a message, and all tables are there' '' "$(cat "$TMP/err")$(cd "$TMP/my demo" && printf '%s ' * | sed 's/^boundaries.tsv penalties.tsv samples.tsv.*//')"
if [ -w /dev/full ]; then
    exits 2 'demo: a full disk is an error' sh -c 'OUT=$1/bin "$2/scripts/demo" "$1/my demo" >/dev/full' sh "$TMP" "$ROOT"
    same 'demo: the error is one line' 'demo: cannot write the output' "$(cat "$TMP/err")"
fi
: >"$TMP/a file"
OUT=$TMP/bin exits 2 'demo: a file is no folder' "$ROOT/scripts/demo" "$TMP/a file"
matches 'demo: a file that is no folder is named' "^demo: cannot create directory .*a file" "$TMP/err"

stand_in detect 'cat >/dev/null; printf "structure\tlevel\tentries\n"; echo "detect: nothing" >&2; exit 1'
rm "$TMP/my demo/tlb.png"
exits 1 'demo: a detect that finds nothing gives status 1' demo
check 'demo: a detect that finds nothing leaves the graph' test -s "$TMP/my demo/tlb.png"
matches 'demo: a detect that finds nothing says so on stderr' '^detect: nothing' "$TMP/err"

# A PATH without gnuplot.
mkdir "$TMP/bare"
for tool in awk bash cat dirname find grep ls mkdir mktemp mv rm rmdir sed sh sort tail tee tr date; do ln -s "$(command -v "$tool")" "$TMP/bare/$tool"; done
stand_in detect 'cat >/dev/null; cat "$ROOT/tests/data/plot-boundaries.tsv"'
PATH=$TMP/bare prints 'demo: without gnuplot there is an answer' '^An answer from 3$' demo
same 'demo: one remark is about the picture' 'demo: no picture: gnuplot is not here (package gnuplot-nox)' "$(cat "$TMP/err")"
check 'demo: no picture of an earlier run is left' test ! -e "$TMP/my demo/tlb.png"

stand_in sweep 'cat "$ROOT/tests/data/plot-samples.tsv"; exit 1'
exits_saying 1 'demo: a sweep that was cut short gives status 1' 'demo: sweep could not measure everything' demo

stand_in gnuplot 'exit 1'
PATH="$TMP/bin:$PATH" exits 2 'demo: a graph that fails gives status 2' demo
matches 'demo: a graph that fails loses no table' "^demo: no picture; the tables are in $TMP/my demo\$" "$TMP/err"
stand_in sweep 'cat "$ROOT/tests/data/plot-samples.tsv"; kill -INT $PPID'
exits 130 'demo: an end by a signal gives status 130' demo
matches 'demo: an end by a signal names the samples so far' "^demo: interrupted; .* $TMP/my demo/interrupted.tsv\$" "$TMP/err"
check 'demo: an end by a signal keeps the samples so far' \
    cmp "$ROOT/tests/data/plot-samples.tsv" "$TMP/my demo/interrupted.tsv"
check 'demo: the answer of an earlier run is left' test -s "$TMP/my demo/boundaries.tsv"
rm -r "$TMP/my demo"
exits 130 'demo: a first run that ends by a signal gives status 130' demo
matches 'demo: a first run that ends by a signal names its samples' "^demo: interrupted; .* $TMP/my demo/samples.tsv\$" "$TMP/err"
check 'demo: a first run that ends by a signal keeps its samples' \
    cmp "$ROOT/tests/data/plot-samples.tsv" "$TMP/my demo/samples.tsv"

stand_in sweep 'echo "sweep: no memory" >&2; exit 2'
exits_saying 2 'demo: an unknown option gives status 2' '^demo: unknown option --loud' "$ROOT/scripts/demo" --loud
exits 2 'demo: two folders are refused' "$ROOT/scripts/demo" "$TMP/one" "$TMP/two"
exits_saying 2 'demo: a sweep that fails gives status 2' '^demo: sweep ended with status 2' demo
lacks 'demo: a sweep that fails leaves no graph' 'dTLB' "$TMP/out"
check 'demo: a sweep that fails leaves the samples of the run before' test -s "$TMP/my demo/samples.tsv"

# Two at once in one folder: the second one's sweep begins before that of the first ends, and ends later.
stand_in sweep 'echo "# run: $RUN"; : >"$TMP/began.$RUN"; until [ -e "$TMP/$WAIT" ]; do sleep 0.05; done; cat "$ROOT/tests/data/plot-samples.tsv"'
stand_in detect 'grep "^# run"; cat "$ROOT/tests/data/plot-boundaries.tsv"'
stand_in walkpenalty 'grep -h "^# run" "$1"; printf "method\tlevel\tpenalty_ns\nsteps\t1\t1.6\n"'
stand_in report 'printf "TLB report\n\n"; echo "Tables of run $(sed -n "s/^# run: //p" "$@" | sort -u | paste -s -d " ")."'
{
    RUN=1 WAIT=began.2 demo >"$TMP/out.1" 2>&1
    : >"$TMP/done.1"
} &
until [ -e "$TMP/began.1" ]; do sleep 0.05; done
RUN=2 WAIT=done.1 demo >"$TMP/out.2" 2>&1
wait
for run in 1 2; do
    matches "demo: of two at once, run $run reports its own tables" "^Tables of run $run\\.\$" "$TMP/out.$run"
done
same 'demo: of two at once, the last one leaves its tables' '# run: 2' "$(cd "$TMP/my demo" && grep -h '^# run' -- *.tsv | sort -u)"
same 'demo: nothing but the tables and the picture is left' 'boundaries.tsv penalties.tsv samples.tsv tlb.png' \
    "$(find "$TMP/my demo" -type f -exec basename {} \; | sort | paste -s -d ' ')"
finish_tests
