#!/usr/bin/env bash
# compare.t: two runs level by level and point by point, and the picture of both.
# shellcheck disable=SC2016 # awk expands $column
. "${0%/*}/tap.sh"
plain_inputs detect simulate
machines=$ROOT/tests/machines
intel=$machines/intel-xeon-guest/sweep.tsv amd=$machines/amd-epyc-guest/sweep.tsv

# verdicts KIND: structure, level and verdict, or layout, pages and verdict, of those rows in "$TMP/out".
verdicts() {
    columns 'kind structure level layout pages verdict' "$TMP/out" |
        awk -F '\t' -v kind="$1" '$1 == kind { print kind == "level" ? $2 " " $3 " " $6 : $4 " " $5 " " $6 }'
}
# with VERDICT KIND: how many rows of the kind have it.
with() { verdicts "$2" | grep -c " $1\$"; }

# ---- two machines ----

mkdir "$TMP/intel" "$TMP/amd"
cp "$intel" "$TMP/intel/samples.tsv"
cp "$amd" "$TMP/amd/samples.tsv"
detect --quiet "$intel" >"$TMP/intel/boundaries.tsv"
detect --quiet "$amd" >"$TMP/amd/boundaries.tsv"
printf 'structure\tlevel\tentries\n' >"$TMP/amd/truth.tsv"
exits 1 'compare: two machines differ' compare "$TMP/intel" "$TMP/amd"
cp "$TMP/out" "$TMP/comparison.tsv"
same 'compare: the first levels are apart' $'dtlb 1 differs\ncache 1 differs' "$(verdicts level | grep ' 1 ')"
same 'compare: a level of which neither number is known cannot be told' 'cache 2 cannot_tell' "$(verdicts level | grep 'cache 2')"
same 'compare: 96 entries against 72' $'96\t72\t0.75\t0.75\t0.75' \
    "$(columns 'kind structure level a b ratio low high' "$TMP/out" | sed -n 's/^level\tdtlb\t1\t//p')"
matches 'compare: both processors are named' '^# a_cpu: Intel' "$TMP/out"
matches 'compare: both folders are named' "^# b: $TMP/amd\$" "$TMP/out"
matches 'compare: it counts on stderr' '^compare: 2 of [0-9]+ levels, [0-9]+ of 2 curves and [0-9]+ of [0-9]+ points differ, more points' "$TMP/err"
check 'compare: a point that one machine lacks has no ratio' test \
    "$(columns 'kind a b ratio verdict' "$TMP/out" | grep -c $'^point\t-\t[0-9.]*\t-\tcannot_tell$')" -gt 0
exits 1 'compare: a table with both kinds is the same' compare <(cat "$TMP"/intel/*.tsv) <(cat "$TMP"/amd/[bs]*.tsv)
same 'compare: the rows are those of the folders' "$(grep -v '^#' "$TMP/comparison.tsv")" "$(grep -v '^#' "$TMP/out")"
exits 1 'compare: samples alone are compared' compare --quiet "$intel" "$amd"
same 'compare: without boundaries there is no level' '' "$(verdicts level)"
same 'compare: with --quiet it does not count' '' "$(cat "$TMP/err")"
exits 1 'compare: the other way round they differ too' compare "$TMP/amd" "$TMP/intel"
same 'compare: the other way round the ratio is the inverse' 1.3333 \
    "$(columns 'kind structure level ratio' "$TMP/out" | sed -n 's/^level\tdtlb\t1\t//p')"

# ---- two runs ----

exits 0 'compare: a run is the same as itself' compare "$TMP/intel" "$TMP/intel"
same 'compare: nothing of it differs' '0 0 0' "$(with differs level) $(with differs curve) $(with differs point)"
check 'compare: its points are the same' test "$(with same point)" -gt 200
exits 0 'compare: two quiet runs of a machine are alike' compare --quiet "$machines"/amd-zen5-guest/quiet-{1,2}.tsv
same 'compare: their curves are the same' 2 "$(with same curve)"
for seed in 1 2; do simulate --seed "$seed" --noise gauss:2,spikes:1 zen4 >"$TMP/$seed.tsv"; done
exits 0 'compare: two seeds of a simulated machine are alike' compare --quiet "$TMP/1.tsv" "$TMP/2.tsv"
change ns '$column * 1.2' "$TMP/2.tsv" | change min_ns '$column == "-" ? "-" : $column * 1.2' /dev/stdin >"$TMP/slow.tsv"
exits 1 'compare: a fifth more time is a difference' compare --quiet "$TMP/1.tsv" "$TMP/slow.tsv"
same 'compare: of every curve' 2 "$(with differs curve)"
exits 0 'compare: unless it does not matter' compare --quiet --least 40 "$TMP/1.tsv" "$TMP/slow.tsv"
# A third of the points: no curve as a whole.
cost='$column == "-" ? "-" : $1 > 1000 ? $column * 1.5 : $column'
change ns "$cost" "$TMP/2.tsv" | change min_ns "$cost" /dev/stdin >"$TMP/part.tsv"
exits 1 'compare: a difference of large sizes alone is found' compare "$TMP/1.tsv" "$TMP/part.tsv"
matches 'compare: it is one of more points than by chance' ' points differ, more points than by chance' "$TMP/err"

# ---- levels ----

# levels A B: A and B are entries, entries_min and entries_max.
levels() {
    local k=0 table
    for table; do
        k=$((k + 1))
        printf 'structure\tlevel\tentries\tentries_min\tentries_max\tmethod\n%b' "$table" >"$TMP/levels.$k"
    done
    compare --quiet "$TMP/levels.1" "$TMP/levels.2" >"$TMP/out" 2>"$TMP/err"
    echo "$? $(verdicts level | paste -s -d ' ')"
}
row() { printf 'dtlb\\t1\\t%s\\t%s\\t%s\\tcontrol\\n' "$@"; }
same 'compare: ranges apart differ' '1 dtlb 1 differs' "$(levels "$(row 64 60 66)" "$(row 72 67 72)")"
same 'compare: numbers in the range of the other are the same' '0 dtlb 1 same' "$(levels "$(row 64 60 66)" "$(row 65 63 70)")"
same 'compare: a number outside the range of the other cannot be told' '0 dtlb 1 cannot_tell' \
    "$(levels "$(row 64 60 72)" "$(row 72 70 72)")"
same 'compare: a range without an end goes to anything' '0 dtlb 1 cannot_tell' "$(levels "$(row - 60 -)" "$(row 72 70 72)")"
same 'compare: a number below a range without an end differs' '1 dtlb 1 differs' "$(levels "$(row - 80 -)" "$(row 72 70 72)")"
same 'compare: of a level that one run lacks it cannot tell' '0 dtlb 1 same dtlb 2 cannot_tell' \
    "$(levels "$(row 64 64 64)" "$(row 64 64 64)dtlb\\t2\\t512\\t512\\t512\\tcontrol\\n")"
same 'compare: other methods are other levels' '1 dtlb 1 cannot_tell dtlb 1 cannot_tell' \
    "$(levels "$(row 64 64 64)" "$(row 72 72 72 | sed 's/control/segment/')")"
matches 'compare: nothing in common is said' '^compare: the runs have no level and no point in common' "$TMP/err"

# ---- what is wrong ----

exits 2 'compare: one run is refused' compare "$intel"
exits 2 'compare: a confidence of 100 is refused' compare --confidence 100 "$intel" "$amd"
mkdir "$TMP/empty"
exits 2 'compare: a folder without tables is refused' compare "$TMP/empty" "$amd"
matches 'compare: it is named' "^compare: $TMP/empty: the folder has no tables of a run" "$TMP/err"
printf 'pages\tns\n4\tfast\n' >"$TMP/bad.tsv"
exits 2 'compare: a word for a time is refused' compare "$TMP/bad.tsv" "$amd"
matches 'compare: its place is named' "^compare: $TMP/bad.tsv:2: column 'ns': " "$TMP/err"
exits 0 'report: it reads a folder' report "$TMP/amd"
matches 'report: it has read its tables' 'Inferred entries  72' "$TMP/out"
exits 0 'tojson: it knows the table of compare' tojson "$TMP/comparison.tsv"

# ---- the picture ----

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
exits 0 'plot compare: two machines are drawn' "$ROOT/scripts/plot" --format svg compare "$TMP/comparison.tsv"
for text in 'Intel(R) Xeon(R) Processor: page' 'AMD EPYC: packed' 'dTLB 1: 96' 'dTLB 1: 72' 'cache 1: 512 lines'; do
    check "plot compare: it has $text" grep -qF ">$text<" "$TMP/out"
done
exits 0 'plot compare: it is drawn in characters' "$ROOT/scripts/plot" --terminal compare "$TMP/comparison.tsv"
compare --quiet "$machines"/amd-zen5-guest/quiet-{1,2}.tsv | "$ROOT/scripts/plot" --format svg compare >"$TMP/out"
check 'plot compare: runs of one machine are named by their files' grep -qF '>amd-zen5-guest/quiet-1.tsv: page<' "$TMP/out"
exits 2 'plot compare: another table is refused' "$ROOT/scripts/plot" compare "$intel"
finish_tests
