#!/usr/bin/env bash
# studies.t: tests/bench/studies at its smallest: each quantity of the paper has a number of ours, and those
# that are no times are right. A simulated perf counts for the relative error.
. "${0%/*}/../tap.sh"
long_test
plain_linux_alone
command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
cd "$TMP" || exit 2
studies=$ROOT/tests/bench/studies
# ours FIGURE QUANTITY
ours() { awk -F '\t' -v f="$1" -v q="$2" '$1 == f && $2 == q { print $4 }' folder/figures.tsv; }

echo 0.51 >load
LOADAVG=load exits 2 'studies: times on a busy machine are refused' "$studies" --small folder times
matches 'studies: the load is named' 'the load is 0.51' err
exits 2 'studies: a folder must be named' "$studies" --small

# perf counts 1000 loads and 250 stores that miss, whatever runs.
mkdir tools
cat >tools/perf <<'END'
#!/bin/sh
printf '1000,,dTLB-load-misses:u,1,100.00,,\n250,,dTLB-store-misses:u,1,100.00,,\n' >"$5"
END
chmod +x tools/perf
PATH=$PWD/tools:$PATH MACHINE=zen4 LOADAVG=load exits 0 'studies: misses are counted on a busy machine' "$studies" --small folder misses
exits 0 'studies: times are measured all the same where that is wanted' "$studies" --small --anyway folder times
same 'studies: every quantity but the load has a number' '' "$(awk -F '\t' '$4 !~ /^-?[0-9.e+-]*[0-9]$/' folder/figures.tsv | tail -n +2)"
same 'studies: sequential reading misses as predicted' 100 "$(ours 3 'sequential reading, per cent of the misses as predicted')"
check 'studies: the relative error is that of what perf has counted' test "$(ours 3 'one thread, largest error in per cent')" != 0
same 'studies: a triad misses each page equally often' 25 "$(ours 7 'triad, per cent of the misses in the last 25 % of the entries')"
check 'studies: column has most of the misses of BFS, and none on huge pages' \
    awk -v before="$(ours 8 'BFS, per cent of the misses on 4 KiB that are in column')" \
    -v after="$(ours 8 'BFS, column on 2 MiB: its misses, in per cent of all on 4 KiB')" 'BEGIN { exit !(before > 50 && after < 1) }'
for figure in 4 5 6-single 6-threads 7-single 7-threads 8 9; do
    check "studies: figure $figure is drawn, and on the page" eval "is_png folder/figure-$figure.png && grep -q '(figure-$figure.png)' folder/README.md"
done
printf '4\tnothing\t1\n' >>folder/times.tsv
exits 1 'figures: a quantity that the table of the paper lacks is found' "$ROOT/tests/bench/figures" folder
matches 'figures: the quantity is named' 'paper.tsv lacks: nothing' err
finish_tests
