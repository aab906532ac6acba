#!/usr/bin/env bash
# plot.t: scripts/plot draws from files and pipes, in every format, and leaves nothing behind when
# it cannot.
. "${0%/*}/../tap.sh"
long_with_sanitizers

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
samples=$ROOT/tests/data/plot-samples.tsv
boundaries=$ROOT/tests/data/plot-boundaries.tsv
plot=$ROOT/scripts/plot
mkdir "$TMP/pictures"

# refuses NAME KIND: stdin is data that cannot be drawn.
refuses() {
    exits 2 "plot: $1 is refused" "$plot" "$2"
    same "plot: $1 gives nothing on stdout" '' "$(head -c 100 "$TMP/out")"
    matches "plot: $1 is reported with what is wrong" '^plot: ' "$TMP/err"
}

exits 0 'plot: samples and boundaries are drawn' "$plot" tlb "$samples" "$boundaries"
check 'plot: samples and boundaries are a PNG' is_png "$TMP/out"
same 'plot: samples and boundaries cause no message' '' "$(cat "$TMP/err")"
cat "$samples" "$boundaries" >"$TMP/joined.tsv"
exits 0 'plot: samples and boundaries joined in a pipe are drawn' "$plot" tlb <"$TMP/joined.tsv"
check 'plot: samples and boundaries joined in a pipe are a PNG' is_png "$TMP/out"
exits 0 'plot: a picture is drawn from its script without scripts/plot' \
    gnuplot -c "$ROOT/plots/draw.gp" tlb/tlb "$TMP/joined.tsv" "$TMP/alone.png"
check 'plot: a picture from its script is a PNG' is_png "$TMP/alone.png"

# settings NAMES: of a picture's data, on stdin.
settings() { awk -v names="$1" '/^# / { value[$2] = $3 } END { n = split(names, name, " "); for (k = 1; k <= n; k++) printf "%s%s", (k > 1 ? " " : ""), value[name[k]] }'; }

# A look at a level's sets, which has many curves: two of samples and one of differences are left.
printf 'pages\tlayout\tspacing_bytes\tpage_bytes\ttargets\tothers\tns\n%s\n' "$(
    for pages in 4 8 16; do
        printf '%s\t%s\t%s\t4096\t%s\t%s\t%s\n' $pages page 4096 - - 2 $pages page 8192 - - 3 \
            $pages set 8192 1 $((pages - 1)) 3 $pages packed 64 - - 1
    done
)" >"$TMP/sets.tsv"
same 'plot: pages far apart and layout set have no curve' '2 1' \
    "$(awk -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/tlb.awk" "$TMP/sets.tsv" | settings 'curves costs')"
cut -f 4 --complement "$TMP/sets.tsv" | sed '1i\# page_bytes: 4096' >"$TMP/kept.tsv"
same 'plot: pages far apart are known by the metadata too' '2 1' \
    "$(awk -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/tlb.awk" "$TMP/kept.tsv" | settings 'curves costs')"
exits 0 'plot: a sweep with a look at the sets is drawn' "$plot" tlb "$TMP/sets.tsv"

# sides BOUNDARY...: on which side of their lines their labels are, in a picture from 4 pages to 64 Ki.
sides() {
    { printf 'pages\tns\n4\t1\n64\t2\n65536\t3\n' && printf '# program: detect\nstructure\tlevel\tentries\tconfidence\tclaim\n' && printf '%b\n' "$@"; } |
        awk -v dumb=0 -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/tlb.awk" | awk -F '\t' '$1 == "from" { on = 1; next } !NF { on = 0 } on { print $4 }' | paste -s -d ' ' -
}
# curve ROW...: that of tlb, of rows pages, ns, min_ns, switches: pages, low, high.
curve() {
    { printf 'pages\tns\tmin_ns\tswitches\n' && printf '%b\n' "$@"; } | awk -v dumb=0 -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/tlb.awk" |
        awk -F '\t' '$1 == "x" { on = 1; next } !NF { exit } on { print $1, $2, $3 }' | paste -s -d , -
}
same 'plot: the curve is the fastest lap, and disturbed samples are not in the band' '4 1.5 2,8 2.5 9' \
    "$(curve '4\t2\t1.5\t0' '4\t90\t1.6\t1' '8\t9\t2.5\t1')"
same 'plot: without laps it is the 10th percentile of the samples' '4 2.1 2.9' "$(curve '4\t2\t-\t0' '4\t3\t-\t0')"
same 'plot: where there is room, all labels are right of their lines' '1 1' "$(sides 'dtlb\t1\t64\thigh\t-' 'dtlb\t2\t2048\thigh\t2048')"
same 'plot: without room there all are left of their lines, so that no line crosses a label' '-1 -1' \
    "$(sides 'dtlb\t1\t512\thigh\t512' 'dtlb\t2\t4096\tlow\t3072')"
same 'plot: with room on neither side the first ones are right' '1 -1' "$(sides 'dtlb\t1\t8\thigh\t8' 'dtlb\t2\t8192\thigh\t8192')"

cp "$samples" "$TMP/my samples.tsv"
exits 0 'plot: file names with spaces are accepted' "$plot" --output "$TMP/pictures/my plot.svg" tlb "$TMP/my samples.tsv"
same 'plot: file names with spaces leave one file' 'my plot.svg' "$(ls -A "$TMP/pictures")"
matches 'plot: --output *.svg is an SVG' '^<svg' "$TMP/pictures/my plot.svg"
same 'plot: --output *.svg is whole' '</svg>' "$(grep . "$TMP/pictures/my plot.svg" | tail -n 1)"
if command -v python3 >/dev/null; then
    check 'plot: --output *.svg is well-formed XML' python3 -c \
        'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$TMP/pictures/my plot.svg"
else
    skip 'plot: --output *.svg is well-formed XML' 'no python3 here'
fi
prints 'plot: --format=pdf is drawn' '^%PDF-' "$plot" --format=pdf tlb "$samples"

exits 0 'plot: --terminal is drawn' "$plot" --terminal tlb "$samples" "$boundaries"
# band ROW...: the levels that are drawn of entries, entries_min and entries_max of a second level: from, to, label.
band() {
    { printf 'pages\tns\n4\t1\n64\t2\n65536\t3\n# program: detect\nstructure\tlevel\tentries\tentries_min\tentries_max\n' && printf '%b\n' "$@"; } |
        awk -v dumb=0 -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/tlb.awk" | awk -F '\t' '$1 == "from" { on = 1; next } !NF { on = 0 } on { print $1, $6, $5 }' | paste -s -d , -
}
same 'plot: a level that has a range alone is a band' '1792 2048 dTLB 2: 1792 to 2048 entries' "$(band 'dtlb\t2\t-\t1792\t2048')"
same 'plot: a number is a line' '2048 2048 dTLB 2: 2048 entries' "$(band 'dtlb\t2\t2048\t1792\t2048')"
same 'plot: a range without an end begins at a line' '40000 40000 cache 2: more than 2.441 MiB' "$(band 'cache\t2\t-\t40000\t-')"
same 'plot: a band ends with the picture' '4096 65536 dTLB 2: 4096 to 99999 entries' "$(band 'dtlb\t2\t-\t4096\t99999')"

COLUMNS=60 LINES=16 "$plot" --terminal tlb "$samples" "$boundaries" >"$TMP/small"
lacks 'plot: --terminal is as wide as COLUMNS' '^.{61}' "$TMP/small"
COLUMNS=60 "$plot" --terminal tlb "$ROOT/tests/machines/intel-xeon-guest/laps.tsv" \
    <(detect --quiet "$ROOT/tests/machines/intel-xeon-guest/laps.tsv") >"$TMP/labels"
lacks 'plot: in few columns no label is on the axis' '^.{0,10}d' "$TMP/labels"
check 'plot: --terminal is as high as LINES' test "$(wc -l <"$TMP/small")" -le 16
matches 'plot: a long title has two lines' '^ *Time of an access by the number of pages:$' "$TMP/small"
matches 'plot: --terminal shows the first TLB level' 'dTLB 1: 96 entries' "$TMP/out"
matches 'plot: --terminal shows the second TLB level' 'dTLB 2: 2048 entries' "$TMP/out"
matches 'plot: --terminal shows the caches' 'cache 1: 48 KiB' "$TMP/out"
matches 'plot: --terminal shows how sure a level is' 'cache 2: 1.25 MiB \(low confidence\)' "$TMP/out"
matches 'plot: --terminal shows the cost of translation' 'page - packed' "$TMP/out"
matches 'plot: --terminal shows the axis' 'number of pages' "$TMP/out"
check 'plot: --terminal fits 79 columns and 24 lines' awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
mkdir -p "$TMP/it's \"here\"/scripts"
cp "$plot" "$ROOT/scripts/common.sh" "$TMP/it's \"here\"/scripts" && cp -R "$ROOT/plots" "$TMP/it's \"here\""
exits 0 'plot: it works in a folder with quotes in its name' "$TMP/it's \"here\"/scripts/plot" --terminal tlb "$samples"
exits 0 'plot: a title with quotes is accepted' "$plot" --terminal --title "it's \"mine\" \$HOME" tlb "$samples"
matches 'plot: a title with quotes is drawn as given' "it's \"mine\" \\\$HOME" "$TMP/out"

printf 'pages\tns\n1\t2\n100\t3.5\n' >"$TMP/bare.tsv"
exits 0 'plot: the columns pages and ns are enough' "$plot" --terminal tlb "$TMP/bare.tsv"
lacks 'plot: without control samples no difference is drawn' 'page - packed' "$TMP/out"
printf '#ns\tpages\tother\n 2.5\t 7\tx\n 3\t 8\t-\n' >"$TMP/behind.tsv"
exits 0 'plot: columns in any order and a header after # are accepted' "$plot" --terminal tlb "$TMP/behind.tsv"
exits 0 'plot: a last line without newline is accepted' "$plot" --terminal tlb <<<"$(cat "$TMP/bare.tsv")"
printf '200\t9' | cat "$TMP/bare.tsv" - >"$TMP/cut.tsv"
exits_saying 0 'plot: a last line that is cut is dropped' 'no newline' "$plot" --terminal tlb "$TMP/cut.tsv"

refuses 'an empty input' tlb </dev/null
refuses 'a header without rows' tlb <<<$'pages\tns'
refuses 'a table without header' tlb <<<$'1\t2'
refuses 'a table without ns' tlb <<<$'pages\tlayout\n1\tpage'
refuses 'text for a number' tlb <<<$'pages\tns\n1\tfast'
matches 'plot: text for a number is named with file, line and column' "-:2: column 'ns'" "$TMP/err"
refuses 'a time of NaN' tlb <<<$'pages\tns\n1\tnan'
refuses 'a time beyond all scales' tlb <<<$'pages\tns\n1\t1e308'
matches 'plot: a time beyond all scales is reported with line and column' ":2: column 'ns': too large" "$TMP/err"
refuses 'a time that no scale shows' tlb <<<$'pages\tns\n1\t1e-300'
matches 'plot: a time that no scale shows is reported with line and column' ":2: column 'ns': too small" "$TMP/err"
exits 0 'plot: a time of 1e16 ns is drawn' "$plot" --format dumb tlb <<<$'pages\tns\n1\t1e16\n2\t1e16'
refuses 'a negative time' tlb <<<$'pages\tns\n1\t-2'
refuses 'montelius of samples without proc' montelius <"$samples"
refuses 'a mistyped kind of picture' tbl <"$samples"
matches 'plot: of a mistyped kind the one that was meant is named' "no kind 'tbl': did you mean 'tlb'\?" "$TMP/err"
refuses 'an unknown kind of picture' pie <"$samples"
matches 'plot: an unknown kind of picture is answered with those that there are' 'montelius mountain nodes objects pairs slices slowdown strides studies tlb' "$TMP/err"
exits 2 'plot: an ending that names no format is refused' "$plot" --output "$TMP/x.jpg" tlb "$samples"
matches 'plot: such an ending is named' "^plot: no format 'jpg': png, svg, pdf or dumb" "$TMP/err"
exits 2 'plot: a folder that is not there is an error' "$plot" --output "$TMP/none/x.png" tlb "$samples"
matches 'plot: a folder that is not there is named' "^plot: cannot write to $TMP/none: No such file" "$TMP/err"
exits 2 'plot: a missing file is refused' "$plot" --output "$TMP/none.png" tlb "$TMP/missing.tsv"
matches 'plot: a missing file is named by plot' '^plot: .*/missing\.tsv.?: No such file' "$TMP/err"
exits_saying 2 'plot: a folder for a file is refused' '^plot: .*: Is a directory' "$plot" tlb "$TMP"
# shellcheck disable=SC2016 # the $1 is that of sh
exits_saying 2 'plot: a closed stdin is refused' '^plot: stdin cannot be read' sh -c 'exec "$1" tlb <&-' sh "$plot"
if [ -w /dev/full ]; then
    # shellcheck disable=SC2016 # as above
    exits 2 'plot: a full disk gives status 2' sh -c 'exec "$1" tlb "$2" >/dev/full' sh "$plot" "$samples"
    same 'plot: a full disk is named in one line' 1 "$(grep -c '^plot: cannot write the output: No space left' "$TMP/err")"
else
    skip 'plot: a full disk gives status 2' 'no /dev/full here'
fi
{ printf '\357\273\277' && grep -v '^#' "$samples"; } >"$TMP/mark.tsv"
exits 0 'plot: a byte order mark is accepted' "$plot" --terminal tlb "$TMP/mark.tsv"
exits 2 'plot: broken data are refused' "$plot" --output "$TMP/none.png" tlb /dev/null
check 'plot: broken data leave no picture' test ! -e "$TMP/none.png"
echo old >"$TMP/old.png"
exits 2 'plot: broken data are refused where an old picture is' "$plot" --output "$TMP/old.png" tlb /dev/null
same 'plot: broken data leave the old picture' old "$(cat "$TMP/old.png")"
exits 2 'plot: a device for the picture is refused' "$plot" --output /dev/null tlb "$samples"
check 'plot: a device for the picture is still there' test -c /dev/null
exits 2 'plot: an unknown format is refused' "$plot" --format gif tlb "$samples"
same 'plot: no work folder is left' '' "$(find "$TMP" -name '.tlblab-plot.*')"

lab=("$ROOT"/tests/data/lab-4k.dat "$ROOT"/tests/data/lab-64.dat "$ROOT"/tests/data/lab-dummy.dat)
exits 0 "plot: the printed lab's tables are drawn" "$plot" montelius "${lab[@]}"
check "plot: the printed lab's tables are a PNG" is_png "$TMP/out"
exits 0 "plot: the printed lab's tables are drawn in characters" "$plot" --terminal montelius "${lab[@]}"
matches "plot: the printed lab's picture has its title" 'TLB benchmark, 4 KiByte pages, 100 Mi operations' "$TMP/out"
matches "plot: the printed lab's picture has its curve of pages" 'page size 4K bytes' "$TMP/out"
matches "plot: the printed lab's picture has its curve of lines" 'page size 64 bytes' "$TMP/out"
matches "plot: the printed lab's picture has its dummy curve" ' dummy ' "$TMP/out"
exits 0 "plot: the printed lab's table is drawn from a pipe" "$plot" --terminal montelius <"${lab[0]}"
matches "plot: the printed lab's table from a pipe has the same title" '4 KiByte pages, 100 Mi operations' "$TMP/out"
{
    printf '# page_bytes: 4096\npages\tlayout\tspacing_bytes\tkernel\tns\trefs\tproc_s\tsum\n'
    printf '4\tline\t4096\tlinear\t1\t1048576\t0.1\t1\n8\tline\t4096\tlinear\t1\t1048576\t0.2\t1\n'
    printf '4\tline\t4096\tdummy\t1\t1048576\t0.1\t1\n8\tline\t4096\tdummy\t1\t1048576\t0.1\t1\n'
} >"$TMP/linear.tsv"
exits 0 'plot: our own samples of the kernels linear and dummy are drawn' "$plot" --terminal montelius "$TMP/linear.tsv"
matches 'plot: our own samples of linear have the title of the lab' '4 KiByte pages, 1 Mi operations' "$TMP/out"
matches 'plot: our own samples of linear have a curve' 'page size 4K bytes' "$TMP/out"
matches 'plot: our own samples of dummy have a curve' ' dummy ' "$TMP/out"

# The same time per reference, once of twice as many: then seconds do not compare, and ns do.
for refs in 1000000 2000000; do
    printf '# page size: %s bytes\n# total number of references: %s\npages\tproc\tsum\n' "$((refs / 15625))" "$refs"
    awk -v refs="$refs" 'BEGIN { for (p = 4; p <= 16; p *= 2) print p "\t" refs * 5e-9 "\t" refs }'
done >"$TMP/refs.dat"
prints 'plot: tables of different numbers of references are drawn' '^ *ns ' "$plot" --terminal montelius "$TMP/refs.dat"
same 'plot: tables of different numbers of references have the same ns' '5 5 5 5 5 5' "$(awk -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/montelius.awk" "$TMP/refs.dat" |
    awk -F '\t' '/^[0-9]/ { printf "%s%s", (n++ ? " " : ""), $2 }')"
sed -n 1,6p "$TMP/refs.dat" | "$plot" --terminal montelius >"$TMP/one.txt"
matches 'plot: a table of one number of references is drawn in seconds' '^ *s ' "$TMP/one.txt"
{ sed -n 1,6p "$TMP/refs.dat" && sed -n '7,12{/references/!p;}' "$TMP/refs.dat"; } |
    "$plot" --terminal montelius >"$TMP/one.txt"
matches 'plot: tables are drawn in seconds if one lacks its references' '^ *s ' "$TMP/one.txt"
# More data than gnuplot's system() keeps, and a name that is no end of them.
awk -v OFS='\t' 'BEGIN { print "core_a\tcore_b\tns"; for (a = 0; a < 150; a++) for (b = 0; b < a; b++) print a, b, 40 + a % 7 }' >"$TMP/cores.tsv"
prints 'plot: the pairs of 150 cores are drawn' '^ *140 ' "$plot" --terminal pairs "$TMP/cores.tsv"
printf 'workload\tmode\tslowdown\nEND_OF_DATA\taccesses\t2\nprint "run" #\taccesses\t3\nlast\taccesses\t4\n' |
    "$plot" --terminal slowdown >"$TMP/out" 2>&1
matches 'plot: rows after a name that looks like the end of the data are drawn' 'last' "$TMP/out"

finish_tests
