#!/usr/bin/env bash
# plot-rates.t: the pictures of rates: bandwidth by working set, and loaded latency.
. "${0%/*}/../tap.sh"
long_with_sanitizers

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
plot=$ROOT/scripts/plot

# refuses NAME KIND REGEX: stdin is data that cannot be drawn.
refuses() {
    exits 2 "plot: $1 is refused" "$plot" "$2"
    same "plot: $1 gives nothing on stdout" '' "$(head -c 100 "$TMP/out")"
    matches "plot: $1 is reported with what is wrong" "^plot: .*$3" "$TMP/err"
}

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
exits 0 'plot: bandwidth is drawn' "$plot" bandwidth "$TMP/rates.tsv"
check 'plot: bandwidth is a PNG' is_png "$TMP/out"
exits 0 'plot: bandwidth is drawn in characters' "$plot" --terminal bandwidth "$TMP/rates.tsv"
matches 'plot: bandwidth has a title that names the processor' 'Bandwidth by working set: Some Processor' "$TMP/out"
matches 'plot: bandwidth has a curve for each op' 'read, 1 thread ' "$TMP/out"
matches 'plot: bandwidth has a curve for each number of threads' 'copy, 4 threads ' "$TMP/out"
matches 'plot: bandwidth has sizes in units' '4 KiB +64 KiB +1 MiB +16 MiB +256 MiB' "$TMP/out"
check 'plot: bandwidth fits 79 columns and 24 lines' awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
exits 0 'plot: bandwidth is drawn as SVG' "$plot" --format svg bandwidth "$TMP/rates.tsv"
matches 'plot: bandwidth is whole as SVG' '</svg>' "$TMP/out"
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
exits 0 'plot: loaded latency is drawn' "$plot" loaded "$TMP/loaded.tsv"
check 'plot: loaded latency is a PNG' is_png "$TMP/out"
exits 0 'plot: loaded latency is drawn in characters' "$plot" --terminal loaded "$TMP/loaded.tsv"
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
finish_tests
