#!/usr/bin/env bash
# plot-kinds.t: pictures in characters: what is in them, and what cannot be drawn. Latency by working set, by stride, by
# number of chains; rates; simulated cards and a real one. tests/scripts/pictures.t looks at each kind as an SVG.
. "${0%/*}/../tap.sh"

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
[ "$VARIANT" != asan ] || skip_all 'pictures are drawn by no program of ours'
plot=$ROOT/scripts/plot

# draws NAME KIND FILE...: in characters in $TMP/out.
draws() {
    local name=$1
    shift
    exits 0 "plot: the $name is drawn" "$plot" --terminal "$@"
    same "plot: the $name causes no message" '' "$(cat "$TMP/err")"
    check "plot: the $name fits 79 columns and 24 lines" awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
}

# refuses NAME KIND REGEX: stdin is data that cannot be drawn. No empty picture is left.
refuses() {
    exits 2 "plot: $1 is refused" "$plot" --output "$TMP/none.png" "$2"
    check "plot: $1 leaves no picture" test ! -e "$TMP/none.png"
    matches "plot: $1 is reported with what is wrong" "^plot: .*$3" "$TMP/err"
}

# ---- latency ----

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
prints 'plot: latency of two layouts is drawn' 'read: layout line, every 64 B' "$plot" --terminal latency "$TMP/two.tsv"
matches 'plot: latency of pages counts the line that is used of each' '16 MiB' "$TMP/out"
lacks 'plot: latency of pages does not count whole pages' '1 GiB' "$TMP/out"

for column in faults switches migrations; do
    awk -F '\t' -v OFS='\t' -v name="$column" "$by_name_in_full"'
        $1 == 1024 && $4 == "read" { $at[name] = 1; $6 = 9 } { print }' "$TMP/samples.tsv" >"$TMP/marked.tsv"
    draws "latency picture of $column" latency "$TMP/marked.tsv" "$TMP/b.tsv"
    lacks "plot: in characters the latency picture leaves samples with $column out" "$legend" "$TMP/out"
    prints "plot: latency with $column is drawn" "$legend" "$plot" --format svg latency "$TMP/marked.tsv" "$TMP/b.tsv"
done
sed 's/local/packed/' "$TMP/marked.tsv" >"$TMP/packed.tsv"
draws 'tlb picture of disturbed samples' tlb "$TMP/packed.tsv"
lacks 'plot: in characters the tlb picture leaves disturbed samples out' "$legend" "$TMP/out"
prints 'plot: tlb of disturbed samples is drawn' "$legend" "$plot" --format svg tlb "$TMP/packed.tsv"
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

# ---- rates ----

{
    printf '# cpu: Some Processor\nop\tbytes\tspacing_bytes\tthreads\tdelay_ns\tsample\tgb_per_s\tns\n'
    for sample in 0 1 2; do
        for threads in 1 4; do
            for op in read copy; do
                for ((bytes = 4096; bytes <= 1 << 30; bytes *= 4)); do
                    printf '%s\t%d\t8\t%d\t-\t%d\t%d\t-\n' $op $bytes $threads $sample \
                        $((10 + threads * 100000 / (bytes / 4096 + 1000) + sample))
                done
            done
        done
    done
} >"$TMP/rates.tsv"
draws 'picture of rates' bandwidth "$TMP/rates.tsv"
matches 'plot: bandwidth has a title that names the processor' 'Bandwidth by working set: Some Processor' "$TMP/out"
matches 'plot: bandwidth has a curve for each op' 'read, 1 thread ' "$TMP/out"
matches 'plot: bandwidth has a curve for each number of threads' 'copy, 4 threads ' "$TMP/out"
matches 'plot: bandwidth has sizes in units' '4 KiB +64 KiB +1 MiB +16 MiB +256 MiB' "$TMP/out"
printf 'op\tbytes\tgb_per_s\nread\t4096\t7\n' >"$TMP/one.tsv"
exits 0 'plot: bandwidth of one point is drawn' "$plot" --terminal bandwidth "$TMP/one.tsv"
printf 'op\tbytes\tspacing_bytes\tgb_per_s\nread\t4096\t512\t7\nread\t8192\t512\t8\n' >"$TMP/spaced.tsv"
exits 0 'plot: bandwidth of reads far apart is drawn' "$plot" --terminal bandwidth "$TMP/spaced.tsv"
matches 'plot: bandwidth of reads far apart shows their spacing' 'read every 512 B, 1 thread' "$TMP/out"

{
    printf '# program: bandwidth\nop\tbytes\tspacing_bytes\tthreads\tdelay_ns\tsample\tgb_per_s\tns\n'
    for sample in 0 1 2; do
        printf 'chase\t1024\t64\t1\t-\t%d\t-\t90\n' $sample
        for delay in 0 100 1000; do
            printf 'chase\t1024\t64\t4\t%d\t%d\t-\t%d\n' $delay $sample $((300 - delay / 5 + sample))
            printf 'read\t1024\t8\t4\t%d\t%d\t%d\t-\n' $delay $sample $((40 - delay / 40))
        done
    done
} >"$TMP/loaded.tsv"
draws 'picture of loaded latency' loaded "$TMP/loaded.tsv"
matches 'plot: loaded latency has traffic on its axis' 'traffic of the other cores in GB/s' "$TMP/out"
matches 'plot: loaded latency has a curve of its op and threads' 'read, 3 threads' "$TMP/out"
cat "$TMP/rates.tsv" "$TMP/loaded.tsv" >"$TMP/both.tsv"
exits 0 'plot: bandwidth and loaded latency joined are drawn' "$plot" --terminal bandwidth "$TMP/both.tsv"
lacks 'plot: the traffic beside a chase is no bandwidth' '3 threads' "$TMP/out"

refuses 'bandwidth of samples' bandwidth "no column 'op'" <"$ROOT/tests/data/plot-samples.tsv"
refuses 'bandwidth of loaded latency alone' bandwidth 'no rates' <"$TMP/loaded.tsv"
refuses 'bandwidth with a rate of 0' bandwidth "column 'gb_per_s': not above 0" <<<$'op\tbytes\tgb_per_s\nread\t8\t0'
refuses 'bandwidth with text for a rate' bandwidth "column 'gb_per_s': not a number" <<<$'op\tbytes\tgb_per_s\nread\t8\tx'
refuses 'loaded latency of rates without delays' loaded 'no loaded latency' <"$TMP/rates.tsv"
refuses 'loaded latency without the column delay_ns' loaded "no column 'delay_ns'" <"$TMP/one.tsv"

# ---- graphics cards ----

h200=$ROOT/tests/machines/nvidia-h200
detect "$h200/caches.tsv" >"$TMP/levels.tsv" 2>/dev/null
draws 'latency of a real card' latency "$h200/caches.tsv" "$TMP/levels.tsv"
matches 'plot: the latency of a real card has its name' 'Latency by working set: NVIDIA H200' "$TMP/out"
matches 'plot: the latency of a real card has its memory' ' memory' "$TMP/out"
matches 'plot: a real card has its second cache, by its range' '25.4 to 40.32 MiB' "$TMP/out"
draws 'rates of a real card and its link' bandwidth "$h200/claim.tsv" "$h200/transfers.tsv"
matches 'plot: rates of a real card have the claim' 'claim: 4800 GB/s' "$TMP/out"

lacks 'plot: rates of a card with a work item for each element name no threads' '[0-9] threads?' "$TMP/out"

sed 's/^# cpu: .*/# cpu: AMD EPYC/; s/^# device_type: .*/# device_type: cpu/' "$h200/caches.tsv" >"$TMP/opencl.tsv"
sed 's/\tdevice\t/\tscattered\t/' "$TMP/opencl.tsv" >"$TMP/processor.tsv"
draws 'processor and card in one' devices "$TMP/processor.tsv" "$TMP/opencl.tsv" "$h200/caches.tsv"
matches 'plot: processor and card have a curve of the processor' ' AMD EPYC: layout local' "$TMP/out"
matches 'plot: processor and card have a curve of the processor through OpenCL' 'EPYC, by OpenCL: layout local' "$TMP/out"
matches 'plot: processor and card have a curve of the card' 'NVIDIA H200: layout local' "$TMP/out"
draws 'rates by work items' bandwidth "$h200/items.tsv"
matches 'plot: rates of one working set are one curve by work items' ' read of 1 GiB' "$TMP/out"
matches 'plot: rates by work items have these on the axis' '^ .* 65536 .* 1048576' "$TMP/out"
draws 'rates by stride' strides "$h200/spaced.tsv"
matches 'plot: rates by stride have a curve of the working set' ' read of 1 GiB' "$TMP/out"
matches 'plot: rates by stride name the only device' 'Bandwidth by stride: NVIDIA H200' "$TMP/out"
draws 'rates by stride of two devices' strides "$h200/spaced.tsv" <(sed 's/^# cpu: .*/# cpu: Another/' "$h200/spaced.tsv")
matches 'plot: rates by stride distinguish two devices' 'NVIDIA H200: read of 1 GiB' "$TMP/out"

refuses 'rates of one stride' strides 'no rates of two spacings' <<<$'op\tspacing_bytes\tgb_per_s\nread\t4\t7'
refuses 'rates of a stride of 0' strides "column 'spacing_bytes': less than 1" <<<$'op\tspacing_bytes\tgb_per_s\nread\t0\t7'
refuses 'a comparison without a time' compare 'no time above 0' \
    <<<$'kind\tverdict\tlayout\tspacing_bytes\tkernel\tbacking\tchains\tpages\ta\tb\npoint\talike\tpage\t4096\tread\tscattered\t-\t4\t0\t0'
exits 0 'plot: a slice of a large number is drawn' timeout 20 "$plot" --format dumb slices <<<$'paddr\tslice\n0\t9e17'
exits 0 'plot: laps over a large number of pages are drawn' "$plot" --format dumb laps \
    <<<$'question\tspacing_bytes\tothers\ttargets\tmisses\tclean\tmoments\tdisturbed\tfits\npages\t4096\t0\t9e17\t2\t1\t1\t0\tyes\nset\t4096\t0\t9e17\t2\t1\t1\t0\tyes'
refuses 'rates without strides' strides "no column 'spacing_bytes'" <<<$'op\tgb_per_s\nread\t7'
refuses 'a negative rate by stride' strides "column 'gb_per_s': not above 0" <<<$'op\tspacing_bytes\tgb_per_s\nread\t4\t-7'
refuses 'devices of rates' devices "no column 'pages'" <"$h200/claim.tsv"
refuses 'devices of bank conflicts alone' devices 'no samples of kernel read' <<<$'pages\tkernel\tns\n32\tbanks\t25'
refuses 'devices of negative times' devices "column 'ns': a negative time" <<<$'pages\tns\n4\t-1'
finish_tests
