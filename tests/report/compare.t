#!/usr/bin/env bash
# compare.t: two runs level by level and point by point, and the picture of both.
# shellcheck disable=SC2016 # awk expands $column
. "${0%/*}/../tap.sh"
sanitizers_suffice
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
matches 'compare: it counts on stderr' '^compare: 3 of [0-9]+ levels, [0-9]+ of 2 curves and [0-9]+ of [0-9]+ points differ, more than chance' "$TMP/err"
check 'compare: a point that one machine lacks has no ratio' test \
    "$(columns 'kind a b ratio verdict' "$TMP/out" | grep -c $'^point\t-\t[0-9.]*\t-\tcannot_tell$')" -gt 0
exits 1 'compare: a table with both kinds is the same' compare <(cat "$TMP"/intel/*.tsv) <(cat "$TMP"/amd/[bs]*.tsv)
same 'compare: the rows are those of the folders' "$(grep -v '^#' "$TMP/comparison.tsv")" "$(grep -v '^#' "$TMP/out")"
exits 1 'compare: samples alone are compared' compare --quiet "$intel" "$amd"
same 'compare: their levels are those of detect' "$(verdicts level <"$TMP/comparison.tsv")" "$(verdicts level)"
same 'compare: so is what a miss costs' 'control 1 control 0' "$(columns 'kind method level what' "$TMP/out" |
    sed -n 's/^penalty\t//p' | sed 's/-\twalk/0/; s/\t-$//; s/\t/ /' | paste -s -d ' ')"
same 'compare: with --quiet it does not count' '' "$(cat "$TMP/err")"
exits 1 'compare: the other way round they differ too' compare "$TMP/amd" "$TMP/intel"
same 'compare: the other way round the ratio is the inverse' 1.3333 \
    "$(columns 'kind structure level ratio' "$TMP/out" | sed -n 's/^level\tdtlb\t1\t//p')"

# ---- for people ----

compare --quiet --pretty "$intel" "$amd" >"$TMP/out"
lacks 'compare: people get no points' '^point' "$TMP/out"
lacks 'compare: the page is not too wide' '^.{101}' <(sed '/^ /d' "$TMP/out")
matches 'compare: people get the names of A and B' '^A: .*intel-xeon-guest/sweep\.tsv' "$TMP/out"
matches 'compare: a level that differs is a sentence' '^First-level data TLB: 96 entries in A, 72 entries in B\.$' "$TMP/out"
matches 'compare: so is a cost' '^Cost of a page walk: [0-9.]+ ns in A, [0-9.]+ ns \([0-9]+ cycles\) in B\.$' "$TMP/out"
matches 'compare: a level that has a range alone is a sentence with both' '^Second-level data TLB: [0-9]+ to [0-9]+ entries in A, [0-9]+ to [0-9]+ entries in B\.$' "$TMP/out"
matches 'compare: so is one that cannot be told and has no end' '^Undecided. Second-level cache: more than [0-9]+ lines in A, ' "$TMP/out"
matches 'compare: the points have one' '^Of [0-9]+ points [0-9]+ differ, more than chance explains\.$' "$TMP/out"
compare --pretty "$intel" "$amd" 2>&1 >"$TMP/out" | sed -n '$p' >"$TMP/err"
same 'compare: people do not get the counts again' '' "$(cat "$TMP/err")"
compare --quiet --pretty --points "$intel" "$amd" >"$TMP/out"
check 'compare: people get points that they ask for' test "$(grep -c '^point' "$TMP/out")" -gt 100
compare --quiet --pretty "$TMP/intel" "$TMP/intel" >"$TMP/out"
matches 'compare: all that is the same has one sentence' '^The same in both: first-level data TLB, ' "$TMP/out"
if [ "$PLATFORM" != none ] && script --version 2>/dev/null | grep -q util-linux && command -v gnuplot >/dev/null; then
    cp "$intel" "$TMP/in tel.tsv"
    cp "$amd" "$TMP/amd.tsv"
    (cd "$TMP" && script -qec "'$OUT/compare' --quiet 'in tel.tsv' amd.tsv" /dev/null) </dev/null | tr -d '\r' >"$TMP/seen"
    command=$(sed -n 's/^  \(tlblab compare .*\)/\1/p' "$TMP/seen")
    tlblab() { OUT="$OUT" "$ROOT/scripts/tlblab" "$@"; }
    check "compare: a terminal gets the picture's command" test -n "$command"
    (cd "$TMP" && eval "$command") 2>/dev/null
    check 'compare: it draws the picture, whatever the names' is_png "$TMP/compare.png"
else
    skip "compare: a terminal gets the picture's command" 'no terminal, script of util-linux or gnuplot here'
fi

# ---- two runs ----

exits 0 'compare: a run is the same as itself' compare "$TMP/intel" "$TMP/intel"
same 'compare: nothing of it differs' '0 0 0' "$(with differs level) $(with differs curve) $(with differs point)"
check 'compare: its points are the same' test "$(with same point)" -gt 200
exits 0 'compare: two quiet runs of a machine are alike' compare --quiet "$machines"/amd-zen5-guest/quiet-{1,2}.tsv
same 'compare: their curves are the same' 2 "$(with same curve)"
plan --quiet --seed 1 --samples 5 >"$TMP/five.tsv"
for seed in 1 2; do simulate --quiet --seed "$seed" --noise gauss:2,spikes:1 zen4 "$TMP/five.tsv" >"$TMP/$seed.tsv"; done
exits 0 'compare: two seeds of a simulated machine are alike' compare --quiet "$TMP/1.tsv" "$TMP/2.tsv"
change ns '$column * 1.2' "$TMP/2.tsv" | change min_ns '$column == "-" ? "-" : $column * 1.2' /dev/stdin >"$TMP/slow.tsv"
exits 1 'compare: a fifth more time is a difference' compare --quiet "$TMP/1.tsv" "$TMP/slow.tsv"
same 'compare: of every curve' 2 "$(with differs curve)"
exits 0 'compare: unless it does not matter' compare --quiet --min-effect 40 "$TMP/1.tsv" "$TMP/slow.tsv"
# A third of the points, of five samples and more: no curve as a whole.
cost='$column == "-" ? "-" : $1 > 1000 ? $column * 1.5 : $column'
change ns "$cost" "$machines/amd-zen5-guest/quiet-2.tsv" | change min_ns "$cost" /dev/stdin >"$TMP/part.tsv"
exits 1 'compare: a difference of large sizes alone is found' compare "$machines/amd-zen5-guest/quiet-1.tsv" "$TMP/part.tsv"
matches 'compare: it is one of more points than by chance' ' points differ, more than chance explains' "$TMP/err"

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
matches 'compare: nothing in common is said' \
    '^compare: the runs have nothing in common that can be decided \(a point or a rate takes 5 samples\)' "$TMP/err"

# ---- penalties, latencies, ways and sets, rates ----

# figures TABLE A B: the kinds and verdicts of two tables with this header and these rows.
figures() {
    printf '%b\n%b' "$1" "$2" >"$TMP/figures.1"
    printf '%b\n%b' "$1" "$3" >"$TMP/figures.2"
    compare --quiet "$TMP/figures.1" "$TMP/figures.2" >"$TMP/out" 2>"$TMP/err"
    echo "$? $(columns 'kind verdict' "$TMP/out" | tr '\t\n' '  ' | sed 's/ $//')"
}
head='method\tlevel\tpenalty_ns\tlow_ns\thigh_ns'
same 'compare: penalties apart differ' '1 penalty differs' \
    "$(figures "$head" 'control\t1\t2\t1.9\t2.1\n' 'control\t1\t3\t2.9\t3.1\n')"
same 'compare: penalties that are near are the same' '0 penalty same' \
    "$(figures "$head" 'control\t1\t2\t2\t2\n' 'control\t1\t2.05\t2.05\t2.05\n')"
same 'compare: penalties whose ranges meet cannot be told' '0 penalty cannot_tell' \
    "$(figures "$head" 'control\twalk\t20\t19\t29\n' 'control\twalk\t30\t25\t31\n')"
matches 'compare: the walk is named' '	walk	-	-	-$' "$TMP/out"
same 'compare: walks of other depths are others' '1 penalty cannot_tell penalty cannot_tell' \
    "$(figures "$head" 'control\twalk1\t20\t19\t29\n' 'control\twalk2\t30\t25\t31\n')"
same 'compare: what was not measured is left out' '1 ' "$(figures "$head" 'raw\twalk\t-\t-\t-\n' 'raw\twalk\t-\t-\t-\n')"
head='structure\tlevel\tlayout\tkernel\tchains\tns\tlow_ns\thigh_ns\tidle_cycles'
same 'compare: latencies of each level and kernel' '1 latency differs latency same latency cannot_tell' \
    "$(figures "$head" 'cache\t1\tline\tread\t1\t1\t1\t1\t4\nmemory\t-\tline\tread\t1\t90\t80\t99\t4\n' \
        'cache\t1\tline\tread\t1\t2\t2\t2\t4\nmemory\t-\tline\tread\t1\t95\t85\t99\t4\ncache\t1\tline\twrite\t1\t2\t2\t2\t4\n')"
head='structure\tlevel\tentries\tways\tsets\trelation\tconfidence'
same 'compare: ways differ and sets do not' '1 ways differs sets same' \
    "$(figures "$head" 'dtlb\t2\t3072\t12\t256\tneither\thigh\n' 'dtlb\t2\t2048\t8\t256\tneither\tmedium\n')"
same 'compare: uncertain ways cannot be told' '0 ways cannot_tell sets same' \
    "$(figures "$head" 'dtlb\t2\t3072\t12\t256\tneither\thigh\n' 'dtlb\t2\t2048\t8\t256\tneither\tlow\n')"
# rates FACTOR: five rates of one point, times this.
rates() { for k in 30 31 32 33 34; do awk "BEGIN { printf \"read\\\\t4096\\\\t1\\\\t%g\\\\n\", $k * $1 }"; done; }
head='op\tbytes\tthreads\tgb_per_s'
same 'compare: a rate half as high differs' '1 rate differs' "$(figures "$head" "$(rates 1)" "$(rates 0.5)")"
same 'compare: it has the medians and the ratio' '32 16 0.5 read 4096' "$(columns 'kind a b ratio what bytes' "$TMP/out" | sed -n 's/^rate\t//p' | tr '\t' ' ')"
same 'compare: a rate a hundredth higher is the same' '0 rate same' "$(figures "$head" "$(rates 1)" "$(rates 1.01)")"

# ---- what is wrong ----

exits 2 'compare: one run is refused' compare "$intel"
exits 2 'compare: a confidence of 100 is refused' compare --confidence 100 "$intel" "$amd"
mkdir "$TMP/empty"
exits 2 'compare: a folder without tables is refused' compare "$TMP/empty" "$amd"
matches 'compare: it is named' "^compare: $TMP/empty: the folder has no tables of a run" "$TMP/err"
printf 'pages\tns\n4\tfast\n' >"$TMP/bad.tsv"
exits 2 'compare: a word for a time is refused' compare "$TMP/bad.tsv" "$amd"
matches 'compare: its place is named' "^compare: $TMP/bad.tsv:2: column 'ns': " "$TMP/err"
prints 'report: it reads a folder' 'Inferred entries  72' report "$TMP/amd"
exits 0 'tojson: it knows the table of compare' tojson "$TMP/comparison.tsv"

# ---- the picture ----

printf 'page\tmisses\treads\twrites\tshare\tseconds\n0x1000\t1\t1\t0\t1\t-\n' >"$TMP/misses"
exits 1 "compare: misses of programs are not compared" compare "$TMP/misses" "$TMP/misses"
matches 'compare: it says what compares them' "'misses --compare BEFORE AFTER' compares the traces" "$TMP/err"
printf '\211TLBTR\002\n' >"$TMP/trace"
exits 2 'compare: a trace is no table' compare "$TMP/trace" "$TMP/trace"
matches 'compare: it says what reads it' 'it is a trace, which tlbsim and misses read' "$TMP/err"
exits_saying 2 'compare: a picture is no table' 'it is a picture' compare "$ROOT/plots/tlb.png" "$TMP/trace"

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
# A cache of a default sweep has a range; this one has a number.
change a 768 "$TMP/comparison.tsv" '$1 == "level" && $2 == "cache" && $3 == 1' >"$TMP/numbered.tsv"
exits 0 'plot compare: two machines are drawn' "$ROOT/scripts/plot" --format svg compare "$TMP/numbered.tsv"
for text in 'A, Intel(R) Xeon(R) Processor: page' 'B, AMD EPYC: packed' 'dTLB 1: 96, A' 'dTLB 1: 72, B' 'cache 1: 768 lines, A'; do
    check "plot compare: it has $text" grep -qF ">$text<" "$TMP/out"
done
ranges=$(columns 'kind structure level b_min b_max' "$TMP/numbered.tsv" | awk -F '\t' '$1 == "level" && $2 == "dtlb" && $3 == 2 { print $4 " to " $5 }')
check 'plot compare: a level that has a range alone is there' grep -qF ">dTLB 2: $ranges, B<" "$TMP/out"
exits 0 'plot compare: it is drawn in characters' "$ROOT/scripts/plot" --terminal compare "$TMP/comparison.tsv"
compare --quiet "$machines"/amd-zen5-guest/quiet-{1,2}.tsv | "$ROOT/scripts/plot" --format svg compare >"$TMP/out"
check 'plot compare: runs of one machine are named by their files' grep -qF '>A, amd-zen5-guest/quiet-1.tsv: page<' "$TMP/out"
exits 2 'plot compare: another table is refused' "$ROOT/scripts/plot" compare "$intel"
finish_tests
