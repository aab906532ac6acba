#!/usr/bin/env bash
# plot.t: scripts/plot draws from files and pipes, in every format, and leaves nothing behind when
# it cannot.
. "${0%/*}/tap.sh"
long_with_sanitizers

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
samples=$ROOT/tests/data/plot-samples.tsv
boundaries=$ROOT/tests/data/plot-boundaries.tsv
plot=$ROOT/scripts/plot
mkdir "$TMP/pictures"

# refuses NAME KIND: stdin is data that cannot be drawn.
refuses() {
    exits 2 "$1: refused" "$plot" "$2"
    same "$1: nothing on stdout" '' "$(head -c 100 "$TMP/out")"
    matches "$1: says what is wrong" '^plot: ' "$TMP/err"
}

exits 0 'samples and boundaries' "$plot" tlb "$samples" "$boundaries"
check 'make a PNG' is_png "$TMP/out"
same 'without a remark' '' "$(cat "$TMP/err")"
cat "$samples" "$boundaries" >"$TMP/joined.tsv"
exits 0 'the same joined in a pipe' "$plot" tlb <"$TMP/joined.tsv"
check 'is a PNG, too' is_png "$TMP/out"
exits 0 'the picture alone, from its script' \
    gnuplot -c "$ROOT/plots/tlb.p" "$TMP/joined.tsv" "$TMP/alone.png"
check 'is a PNG as well' is_png "$TMP/alone.png"

cp "$samples" "$TMP/my samples.tsv"
exits 0 'names with spaces' "$plot" --output "$TMP/pictures/my plot.svg" tlb "$TMP/my samples.tsv"
same 'leave one file' 'my plot.svg' "$(ls -A "$TMP/pictures")"
matches 'an SVG' '^<svg' "$TMP/pictures/my plot.svg"
same 'that is whole' '</svg>' "$(grep . "$TMP/pictures/my plot.svg" | tail -n 1)"
if command -v python3 >/dev/null; then
    check 'and well-formed' python3 -c \
        'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$TMP/pictures/my plot.svg"
else
    skip 'and well-formed' 'no python3 here'
fi
exits 0 'PDF' "$plot" --format=pdf tlb "$samples"
matches 'starts as one' '^%PDF-' "$TMP/out"

exits 0 'characters' "$plot" --terminal tlb "$samples" "$boundaries"
matches 'show the first level' 'dTLB 1: 96 entries' "$TMP/out"
matches 'the second' 'dTLB 2: 2048 entries' "$TMP/out"
matches 'the caches' 'cache 1: 48 KiB' "$TMP/out"
matches 'and how sure' 'cache 2: 1.25 MiB \(low confidence\)' "$TMP/out"
matches 'the cost of translation' 'page - packed' "$TMP/out"
matches 'the axis' 'number of pages' "$TMP/out"
check 'in 79 columns' awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
exits 0 'a title with quotes' "$plot" --terminal --title "it's \"mine\" \$HOME" tlb "$samples"
matches 'stands there as given' "it's \"mine\" \\\$HOME" "$TMP/out"

printf 'pages\tns\n1\t2\n100\t3.5\n' >"$TMP/bare.tsv"
exits 0 'pages and ns are enough' "$plot" --terminal tlb "$TMP/bare.tsv"
lacks 'then there is no difference to draw' 'page - packed' "$TMP/out"
printf '#ns\tpages\tother\n 2.5\t 7\tx\n 3\t 8\t-\n' >"$TMP/behind.tsv"
exits 0 'columns in any order, header behind #' "$plot" --terminal tlb "$TMP/behind.tsv"
exits 0 'a cut last line' "$plot" --terminal tlb <<<"$(cat "$TMP/bare.tsv")"
printf '200\t9' | cat "$TMP/bare.tsv" - >"$TMP/cut.tsv"
exits 0 'a cut last line is dropped' "$plot" --terminal tlb "$TMP/cut.tsv"
matches 'with a warning' 'no newline' "$TMP/err"

refuses 'no input' tlb </dev/null
refuses 'a header alone' tlb <<<$'pages\tns'
refuses 'no header' tlb <<<$'1\t2'
refuses 'no ns' tlb <<<$'pages\tlayout\n1\tpage'
refuses 'text for a number' tlb <<<$'pages\tns\n1\tfast'
matches 'text for a number: names file, line and column' "-:2: column 'ns'" "$TMP/err"
refuses 'NaN' tlb <<<$'pages\tns\n1\tnan'
refuses 'a negative time' tlb <<<$'pages\tns\n1\t-2'
refuses 'samples without proc' montelius <"$samples"
refuses 'an unknown kind' pie <"$samples"
matches 'an unknown kind: the kinds are listed' 'montelius mountain tlb' "$TMP/err"
exits 2 'a missing file' "$plot" --output "$TMP/none.png" tlb "$TMP/missing.tsv"
matches 'is named by plot' '^plot: .*/missing\.tsv.?: No such file' "$TMP/err"
exits 2 'a folder' "$plot" tlb "$TMP"
matches 'is named by plot, too' '^plot: .*: Is a directory' "$TMP/err"
# shellcheck disable=SC2016 # the $1 is that of sh
exits 2 'no stdin' sh -c 'exec "$1" tlb <&-' sh "$plot"
matches 'is named as well' '^plot: stdin cannot be read' "$TMP/err"
if [ -w /dev/full ]; then
    # shellcheck disable=SC2016 # as above
    exits 2 'a full disk' sh -c 'exec "$1" tlb "$2" >/dev/full' sh "$plot" "$samples"
    same 'has one line' 1 "$(grep -c '^plot: cannot write the output: No space left' "$TMP/err")"
else
    skip 'a full disk' 'no /dev/full here'
fi
{ printf '\357\273\277' && grep -v '^#' "$samples"; } >"$TMP/mark.tsv"
exits 0 'a mark before the text' "$plot" --terminal tlb "$TMP/mark.tsv"
exits 2 'broken data' "$plot" --output "$TMP/none.png" tlb /dev/null
check 'leave no picture' test ! -e "$TMP/none.png"
echo old >"$TMP/old.png"
exits 2 'broken data again' "$plot" --output "$TMP/old.png" tlb /dev/null
same 'leave the old picture' old "$(cat "$TMP/old.png")"
exits 2 'a device is no place to put it' "$plot" --output /dev/null tlb "$samples"
check 'and is still there' test -c /dev/null
exits 2 'an unknown format' "$plot" --format gif tlb "$samples"
same 'no work folder is left' '' "$(find "$TMP" -name '.tlblab-plot.*')"

lab=("$ROOT"/tests/data/lab-4k.dat "$ROOT"/tests/data/lab-64.dat "$ROOT"/tests/data/lab-dummy.dat)
exits 0 'the printed lab, as its program wrote it' "$plot" montelius "${lab[@]}"
check 'is a PNG like the others' is_png "$TMP/out"
exits 0 'the lab in characters' "$plot" --terminal montelius "${lab[@]}"
matches 'has its title' 'TLB benchmark, 4 KiByte pages, 100 Mi operations' "$TMP/out"
matches 'its pages' 'page size 4K bytes' "$TMP/out"
matches 'its lines' 'page size 64 bytes' "$TMP/out"
matches 'and its dummy' ' dummy ' "$TMP/out"
exits 0 'the lab in a pipe' "$plot" --terminal montelius <"${lab[0]}"
matches 'has the same title' '4 KiByte pages, 100 Mi operations' "$TMP/out"
{
    printf '# page_bytes: 4096\npages\tlayout\tspacing_bytes\tkernel\tns\trefs\tproc_s\tsum\n'
    printf '4\tline\t4096\tlinear\t1\t1048576\t0.1\t1\n8\tline\t4096\tlinear\t1\t1048576\t0.2\t1\n'
    printf '4\tline\t4096\tdummy\t1\t1048576\t0.1\t1\n8\tline\t4096\tdummy\t1\t1048576\t0.1\t1\n'
} >"$TMP/linear.tsv"
exits 0 'our own samples of the kernels linear and dummy' "$plot" --terminal montelius "$TMP/linear.tsv"
matches 'have the title of the lab' '4 KiByte pages, 1 Mi operations' "$TMP/out"
matches 'one curve for linear' 'page size 4K bytes' "$TMP/out"
matches 'and one for dummy' ' dummy ' "$TMP/out"

# The same time per reference, once of twice as many: then seconds do not compare, and ns do.
for refs in 1000000 2000000; do
    printf '# page size: %s bytes\n# total number of references: %s\npages\tproc\tsum\n' "$((refs / 15625))" "$refs"
    awk -v refs="$refs" 'BEGIN { for (p = 4; p <= 16; p *= 2) print p "\t" refs * 5e-9 "\t" refs }'
done >"$TMP/refs.dat"
exits 0 'tables of different numbers of references' "$plot" --terminal montelius "$TMP/refs.dat"
matches 'are drawn per reference' '^ *ns ' "$TMP/out"
same 'the same for both' '5 5 5 5 5 5' "$(awk -f "$ROOT/plots/table.awk" -f "$ROOT/plots/montelius.awk" "$TMP/refs.dat" |
    awk -F '\t' '/^[0-9]/ { printf "%s%s", (n++ ? " " : ""), $2 }')"
sed -n 1,6p "$TMP/refs.dat" | "$plot" --terminal montelius >"$TMP/one.txt"
matches 'one of them in seconds' '^ *s ' "$TMP/one.txt"
{ sed -n 1,6p "$TMP/refs.dat" && sed -n '7,12{/references/!p;}' "$TMP/refs.dat"; } |
    "$plot" --terminal montelius >"$TMP/one.txt"
matches 'and where one does not tell, too' '^ *s ' "$TMP/one.txt"
finish_tests
