#!/usr/bin/env bash
# tlblab.t: the front command, and tlblab measure with stand-ins for the programs. What it shows of the
# stage tlb is in demo.t, what is installed in install.t.
# shellcheck disable=SC2016 # the stand-ins expand them
. "${0%/*}/../tap.sh"
long_with_sanitizers
tlblab=$ROOT/scripts/tlblab

exits 0 'tlblab: without a command it lists them' "$tlblab"
check 'tlblab: without a command it takes 24 lines at most' test "$(wc -l <"$TMP/out")" -le 24
same 'tlblab: without a command it has every command and program' \
    "$({ "$tlblab" list && "$tlblab" --help; } | sed -nE 's/^  ([a-z+]+) +.*/\1/p' | sort -u)" \
    "$(sed -n 's/^  [A-Za-z0-9 ]*: *//p' "$TMP/out" | tr -s ' ' '\n' | grep . | sort)"
prints 'tlblab: --help describes them' '^  measure +measure this machine' "$tlblab" --help
matches 'tlblab: the list has a program' '^  sweep +measure the points' "$TMP/out"
lacks 'tlblab: the list fits into 80 columns' '^.{81}' "$TMP/out"
exits 2 'tlblab: a mistyped command is refused' "$tlblab" swep
same 'tlblab: the one that was meant is named' "tlblab: no command 'swep': did you mean 'sweep'?" "$(head -n 1 "$TMP/err")"
exits 2 'tlblab: a word like no command is refused' "$tlblab" xyzzy
same 'tlblab: then none is named' "tlblab: no command 'xyzzy'" "$(head -n 1 "$TMP/err")"
same 'tlblab: it prints the folder of the programs' "$OUT" "$("$tlblab" path)"
same 'tlblab: its version is that of the programs' "$(detect --version | sed 's/^detect (tlblab)/tlblab/')" "$("$tlblab" --version)"
same 'tlblab: version is --version' "$("$tlblab" --version)" "$("$tlblab" version)"
exits 2 'tlblab: an unknown command is refused' "$tlblab" nothing
mkdir "$TMP/few" && ln -s "$OUT/detect" "$TMP/few"
OUT=$TMP/few exits 2 'tlblab: a program that was not built is refused' "$tlblab" tlbrun true
same 'tlblab: the reason is named' 'tlblab: tlbrun was left out of this build: make says what it needs' "$(cat "$TMP/err")"
OUT=$TMP/few PATH=/usr/bin:/bin exits 2 'tlblab: profile without the programs that trace is refused' "$tlblab" profile -- true
same 'tlblab: the first of them is named' 'profile: tlbrun was left out of this build: make says what it needs' "$(cat "$TMP/err")"
same 'tlblab: alone it lists the programs that are there' '  find in samples:     detect' "$(OUT=$TMP/few "$tlblab" | grep samples:)"
mkdir "$TMP/none"
OUT=$TMP/none exits_saying 2 'tlblab: that nothing is built is said' '^tlblab: no programs: run make first$' "$tlblab" report
OUT=$TMP/none PATH=/usr/bin:/bin exits_saying 2 'tlblab: page says it too' '^page: report is missing: run make first$' \
    "$tlblab" page "$ROOT/tests/machines/intel-xeon-guest/sweep.tsv"
exits 2 'tlblab: a path is no command' "$tlblab" ../bin/sweep
same 'tlblab: programs are joined by pipes' "$(simulate --seed 1 zen4 | detect 2>/dev/null | columns 'structure level entries' -)" \
    "$("$tlblab" simulate --seed 1 zen4 | "$tlblab" detect 2>/dev/null | columns 'structure level entries' -)"
"$tlblab" sweep --help >"$TMP/out"
matches 'tlblab: the usage of a program has the command' '^Usage: tlblab sweep \[OPTION' "$TMP/out"
matches 'tlblab: so has its example' '^Example: tlblab sweep \| tlblab detect ' "$TMP/out"
"$tlblab" plan --help >"$TMP/out"
matches 'tlblab: every program of an example has it' '^Example: tlblab plan \| tlblab chase \| tlblab detect$' "$TMP/out"
"$tlblab" tlbcc --help | tail -n 1 >"$TMP/out"
matches 'tlblab: the last line of --help names the page' '^More: man tlblab-tlbcc$' "$TMP/out"

# Options and words that do not exist.
for wrong in --nix 'measure --nix' 'page --nix' 'record --nix' 'plot --nix' 'sweep --nix' 'list all' 'path all' 'version all' '--version all'; do
    # shellcheck disable=SC2086 # words of a command
    exits_saying 2 "tlblab: $wrong is refused" "^Try '.*--help'\\.\$" "$tlblab" $wrong
done
for command in '' 'measure ' 'page ' 'record ' 'plot ' 'sweep '; do
    # shellcheck disable=SC2086 # as above
    same "tlblab: ${command}-h is --help" "$("$tlblab" $command--help)" "$("$tlblab" $command-h)"
done
man=$(command -v man)
if [ -w /dev/full ]; then
    for command in '' list path --version 'sweep --help' help ${man:+'help sweep'}; do
        # shellcheck disable=SC2016 # of sh
        exits 2 "tlblab: a full disk is a failure of tlblab $command" sh -c '"$1" $2 >/dev/full' sh "$tlblab" "$command"
        same "tlblab: it is one line after tlblab $command" 'tlblab: cannot write the output' "$(cat "$TMP/err")"
    done
    for script in completion demo fleet gallery hierarchy nodes page plot profile record-machine site; do
        # shellcheck disable=SC2016 # of sh
        exits 2 "$script: a full disk is a failure of --help" timeout 20 sh -c '"$1" --help >/dev/full' sh "$ROOT/scripts/$script"
        matches "$script: it is one line" '^[a-z-]+: cannot write the output$' "$TMP/err"
    done
else
    skip 'tlblab: a full disk' 'no /dev/full here'
fi

# ---- measure ----

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
# stand_in NAME COMMAND
stand_in() {
    printf '#!/bin/sh\necho "$TLBLAB_RUN: %s $*" >>"$TMP/calls"\n%s\n' "$1" "$2" >"$TMP/bin/$1"
    chmod +x "$TMP/bin/$1"
}
measure() {
    rm -f "$TMP/calls"
    OUT="$TMP/bin" "$tlblab" measure --output "$TMP/my run" "$@"
}
# calls: the programs that were called, with their arguments, without the time of the start.
calls() { sed 's/^[0-9]* //' "$TMP/calls"; }

mkdir "$TMP/bin"
stand_in sweep 'cat "$ROOT/tests/data/plot-samples.tsv"'
stand_in detect 'cat "${4-${3-/dev/stdin}}" >/dev/null; cat "$ROOT/tests/data/plot-boundaries.tsv"'
stand_in walkpenalty 'printf "method\tlevel\tpenalty_ns\nsteps\t1\t1.6\n"'
stand_in geometry 'printf "sets\trelation\n"'
stand_in latency 'printf "structure\tidle_cycles\n"'
stand_in bandwidth 'printf "op\tgb_per_s\n"'
stand_in report 'printf "TLB report\n\nA report on: %s\n" "$*"'

exits 0 'measure: it runs through' measure
same 'measure: by default it has one stage' '0 tlb (1 of 1): sweep ' "$(calls | grep sweep)"
prints 'measure: it runs through two stages' '^A report on: ./boundaries.tsv ./geometry-samples.tsv ./organisation.tsv ./penalties.tsv ./samples.tsv$' \
    measure tlb geometry
check 'measure: the picture is there' is_png "$TMP/my run/tlb.png"
same 'measure: nothing is written to stderr where that is no terminal' '' "$(cat "$TMP/err")"
same 'measure: each stage has its number' '0 geometry (2 of 2): sweep --preset geometry' "$(calls | grep 'sweep --preset')"

exits 0 'measure: all stages run' measure --all -q
for stage in 'geometry (2' 'caches (3' 'itlb (4' 'huge (5' 'bandwidth (6'; do
    calls >"$TMP/calls.all"
    check "measure: there is a stage $stage" grep -qF "$stage of 6): " "$TMP/calls.all"
done
lacks 'measure: with --quiet the programs are quiet' ': (sweep|detect|geometry|latency|bandwidth)( |$)[^q]*$' "$TMP/calls.all"
lacks 'measure: with --quiet there is no remark' Measuring "$TMP/out"
same 'measure: the tables of all stages are there' \
    'boundaries caches-samples caches geometry-samples huge-samples huge itlb-samples itlb latencies organisation penalties rates samples' \
    "$(cd "$TMP/my run" && printf '%s\n' *.tsv | sed 's/\.tsv$//' | paste -s -d ' ')"

exits 0 'measure: a budget is accepted' measure --budget 40 tlb geometry
matches 'measure: a stage has its part of the budget' '^40 tlb \(1 of 2\): sweep --budget (1[0-9]|20)$' <(calls)
matches 'measure: the last one has what is left' '^40 geometry \(2 of 2\): sweep --budget (3[0-9]|40) --preset geometry$' <(calls)
check 'measure: tables of an earlier run are gone' test ! -e "$TMP/my run/rates.tsv"

stand_in sweep 'case "$*" in *huge*) echo "sweep: no huge pages" >&2; exit 2 ;; esac; cat "$ROOT/tests/data/plot-samples.tsv"'
exits 1 'measure: a stage that is refused gives status 1' measure tlb huge itlb
matches 'measure: it is named' '^measure: stage huge could not be completed' "$TMP/err"
check 'measure: the others are complete' test -s "$TMP/my run/itlb.tsv"
check 'measure: no empty table is left' test ! -e "$TMP/my run/huge-samples.tsv"

exits_saying 2 'measure: an unknown stage is refused' "^measure: no stage 'walks'; there are tlb geometry" measure walks
exits_saying 2 'measure: a budget of nothing is refused' "^measure: --budget '0': expected more than 0 seconds" measure --budget 0
exits 2 'measure: a budget of a word is refused' measure --budget soon
exits 2 'measure: a budget without a value is refused' measure --budget
stand_in sweep 'exit 2'
cd "$TMP" || exit 2
OUT="$TMP/bin" exits 2 'measure: without samples it has status 2' "$tlblab" measure
same 'measure: then no folder is left' '' "$(ls -d tlblab-* 2>/dev/null)"
finish_tests
