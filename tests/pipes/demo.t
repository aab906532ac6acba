#!/usr/bin/env bash
# demo.t: scripts/demo with stand-ins for the programs: what it shows, and how it ends when one of
# them fails.
. "${0%/*}/tap.sh"

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
stand_in sweep "cat '$ROOT/tests/data/plot-samples.tsv'"
stand_in detect "cat >/dev/null; cat '$ROOT/tests/data/plot-boundaries.tsv'"
stand_in walkpenalty 'printf "method\tlevel\tpenalty_ns\nsteps\t1\t1.6\n"'
stand_in report 'echo "A report on $# tables."'

exits 0 'the whole of it' demo
matches 'a table with aligned columns' '^  dtlb +1 +96 +91 +128 +1.8 +high +-$' "$TMP/out"
matches 'the penalties' '^  steps +1 +1.6$' "$TMP/out"
matches 'the report' '^A report on 3 tables' "$TMP/out"
matches 'the graph' 'dTLB 1: 96 entries' "$TMP/out"
matches 'where the picture is' "$TMP/my demo/tlb.png\$" "$TMP/out"
check 'there it is' test -s "$TMP/my demo/tlb.png"
check 'the samples are kept as they were' \
    cmp "$ROOT/tests/data/plot-samples.tsv" "$TMP/my demo/samples.tsv"
same 'nothing on stderr' '' "$(cat "$TMP/err")"

stand_in detect 'cat >/dev/null; printf "structure\tlevel\tentries\n"; echo "detect: nothing" >&2; exit 1'
rm "$TMP/my demo/tlb.png"
exits 1 'nothing found' demo
check 'is drawn all the same' test -s "$TMP/my demo/tlb.png"
matches 'with its reason' '^detect: nothing' "$TMP/err"

stand_in sweep "cat '$ROOT/tests/data/plot-samples.tsv'; exit 1"
exits 1 'a sweep that was cut short' demo
matches 'goes on with a remark' 'demo: sweep could not measure all' "$TMP/err"

stand_in sweep 'echo "sweep: no memory" >&2; exit 2'
exits 2 'an unknown option' "$ROOT/scripts/demo" --loud
matches 'is named' '^demo: unknown option --loud' "$TMP/err"
exits 2 'two folders' "$ROOT/scripts/demo" "$TMP/one" "$TMP/two"
exits 2 'a sweep that fails' demo
matches 'ends it with a clear word' '^demo: sweep ended with status 2' "$TMP/err"
lacks 'and no graph' 'dTLB' "$TMP/out"
finish_tests
