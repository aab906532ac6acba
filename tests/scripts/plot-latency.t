#!/usr/bin/env bash
# plot-latency.t: the pictures of latency: by working set, by stride, by number of chains; and samples
# that were disturbed.
. "${0%/*}/../tap.sh"
long_with_sanitizers

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
plot=$ROOT/scripts/plot

# draws NAME KIND FILE...: as PNG, SVG and, last, in characters in $TMP/out.
draws() {
    local name=$1
    shift
    exits 0 "plot: the $name is drawn" "$plot" "$@"
    check "plot: the $name is a PNG" is_png "$TMP/out"
    same "plot: the $name causes no message" '' "$(cat "$TMP/err")"
    exits 0 "plot: the $name is drawn as SVG" "$plot" --format svg "$@"
    matches "plot: the $name is whole as SVG" '</svg>' "$TMP/out"
    exits 0 "plot: the $name is drawn in characters" "$plot" --terminal "$@"
    check "plot: the $name fits 79 columns and 24 lines" awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
}

# refuses NAME KIND REGEX: stdin is data that cannot be drawn. No empty picture is left.
refuses() {
    exits 2 "plot: $1 is refused" "$plot" --output "$TMP/none.png" "$2"
    check "plot: $1 leaves no picture" test ! -e "$TMP/none.png"
    matches "plot: $1 is reported with what is wrong" "^plot: .*$3" "$TMP/err"
}

# samples EXPRESSION: a row that awk prints for each n = 64 … 1M lines of 64 bytes.
samples() {
    printf '# cpu: Some Processor\n# line_bytes: 64\npages\tlayout\tspacing_bytes\tkernel\tchains\tns\tfaults\tswitches\tmigrations\n'
    awk "BEGIN { OFS = \"\\t\"; for (n = 64; n <= 1048576; n *= 2) { ns = n > 16384 ? 80 : n > 512 ? 3 : 1; $1 } }"
}
# The pictures of no sample that was disturbed have nothing to say of any.
legend='a sample that was disturbed'

samples 'for (k = 0; k < 3; k++) { print n, "local", 64, "read", 1, ns + k / 10, 0, "-", 0
    print n, "local", 64, "write", 1, 1.2 * ns, 0, 0, 0 }' >"$TMP/samples.tsv"
printf 'structure\tlevel\tentries\tbytes_min\tbytes_max\tmethod
dtlb\t1\t64\t2\t3\tcontrol\ncache\t1\t512\t32768\t65536\tcaches\ncache\t2\t-\t1000000\t2000000\tcaches\n' >"$TMP/b.tsv"
draws 'latency picture' latency "$TMP/samples.tsv" "$TMP/b.tsv"
matches 'plot: the latency picture has its title' 'Latency by working set: Some Processor' "$TMP/out"
matches 'plot: the latency picture has a curve of reads' ' read ' "$TMP/out"
matches 'plot: the latency picture has a curve of writes' ' write ' "$TMP/out"
matches 'plot: the latency picture has sizes in units' '4 KiB +64 KiB +1 MiB +16 MiB' "$TMP/out"
matches 'plot: the latency picture has the first cache' ' L1( |$)' "$TMP/out"
matches 'plot: the latency picture has the size of the first cache' 'to 32 KiB' "$TMP/out"
matches 'plot: the latency picture has a cache whose size is not known' ' L2( |$)' "$TMP/out"
matches 'plot: the latency picture has the memory' ' memory$| memory ' "$TMP/out"
lacks 'plot: the latency picture of undisturbed samples marks none' "$legend" "$TMP/out"
exits 0 'plot: latency without boundaries is drawn' "$plot" --terminal latency "$TMP/samples.tsv"
lacks 'plot: latency without boundaries has no levels' 'memory' "$TMP/out"
samples 'print n, "page", 4096, "read", 1, ns, 0, 0, 0; print n, "line", 64, "read", 1, ns / 2, 0, 0, 0
    print n, "set", 4096, "code", 1, 9e9, 0, 0, 0' >"$TMP/two.tsv"
exits 0 'plot: latency of two layouts is drawn' "$plot" --terminal latency "$TMP/two.tsv"
matches 'plot: latency distinguishes two layouts' 'read: layout line, every 64 B' "$TMP/out"
matches 'plot: latency of pages counts the line that is used of each' '16 MiB' "$TMP/out"
lacks 'plot: latency of pages does not count whole pages' '1 GiB' "$TMP/out"

for column in faults switches migrations; do
    awk -F '\t' -v OFS='\t' -v name="$column" "$by_name_in_full"'
        $1 == 1024 && $4 == "read" { $at[name] = 1; $6 = 9 } { print }' "$TMP/samples.tsv" >"$TMP/marked.tsv"
    draws "latency picture of $column" latency "$TMP/marked.tsv" "$TMP/b.tsv"
    lacks "plot: in characters the latency picture leaves samples with $column out" "$legend" "$TMP/out"
    exits 0 "plot: latency with $column is drawn" "$plot" --format svg latency "$TMP/marked.tsv" "$TMP/b.tsv"
    matches "plot: the latency picture marks samples with $column" "$legend" "$TMP/out"
done
sed 's/local/packed/' "$TMP/marked.tsv" >"$TMP/packed.tsv"
draws 'tlb picture of disturbed samples' tlb "$TMP/packed.tsv"
lacks 'plot: in characters the tlb picture leaves disturbed samples out' "$legend" "$TMP/out"
exits 0 'plot: tlb of disturbed samples is drawn' "$plot" --format svg tlb "$TMP/packed.tsv"
matches 'plot: the tlb picture marks disturbed samples' "$legend" "$TMP/out"
exits 0 'plot: tlb of undisturbed samples is drawn' "$plot" --terminal tlb "$TMP/samples.tsv"
lacks 'plot: tlb of undisturbed samples marks none' "$legend" "$TMP/out"

samples 'for (s = 8; s <= 512; s *= 4) if (n * 64 / s > 2) print n * 64 / s, "line", s, "read", 1, (s < 64 ? ns * s / 64 + 1 : ns), 0, 0, 0' \
    >"$TMP/strides.tsv"
draws 'mountain picture' mountain "$TMP/strides.tsv"
matches 'plot: the mountain picture has its title' 'Latency by working set and stride: Some Processor' "$TMP/out"
matches 'plot: the mountain picture has strides on one axis' '^ +512 B .*80' "$TMP/out"
matches 'plot: the mountain picture has sizes on the other axis' '4 KiB +64 KiB' "$TMP/out"
matches 'plot: the mountain picture has the times of the least stride' '^ +8 B .*1\.1.*11' "$TMP/out"

samples 'for (k = 1; k <= 16; k++) print n, "line", 64, "read", k, ns / (k < 10 ? k : 10), 0, 0, 0' |
    awk -F '\t' '!/^[0-9]/ || $1 == 64 || $1 == 1048576' >"$TMP/chains.tsv"
draws 'chains picture' chains "$TMP/chains.tsv"
matches 'plot: the chains picture has a curve of the smallest size' '4 KiB, layout line' "$TMP/out"
matches 'plot: the chains picture has a curve of memory' '64 MiB, layout line' "$TMP/out"
matches 'plot: the chains picture has the ideal' '1/K of one chain' "$TMP/out"

refuses 'latency of nothing' latency empty </dev/null
refuses 'latency of boundaries alone' latency 'no samples' <"$TMP/b.tsv"
refuses 'latency of jumps' latency 'no samples of kernel read or write' <<<$'pages\tns\tkernel\n4\t1\tcode'
refuses 'a negative latency' latency "column 'ns': a negative time" <<<$'pages\tns\n4\t-1'
refuses 'latencies of zero' latency 'no time above 0' <<<$'pages\tns\n4\t0'
refuses 'latency of rates' latency "no column 'pages'" <<<$'op\tgb_per_s\nread\t1'
refuses 'a mountain of one stride' mountain 'two spacings' <"$TMP/samples.tsv"
refuses 'a mountain without strides' mountain "no column 'spacing_bytes'" <<<$'pages\tns\n4\t1'
refuses 'a mountain with a stride of 0' mountain "column 'spacing_bytes': less than 1" <<<$'pages\tns\tlayout\tspacing_bytes\n4\t1\tline\t0'
refuses 'a table without chains' chains "no column 'chains'" <"$ROOT/tests/data/plot-samples.tsv"
refuses 'text for chains' chains "column 'chains': not a number" <<<$'pages\tns\tchains\n4\t1\tmany'
finish_tests
