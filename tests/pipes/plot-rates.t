#!/usr/bin/env bash
# plot-rates.t: the pictures of rates: bandwidth by working set, and loaded latency.
. "${0%/*}/tap.sh"
long_with_sanitizers

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
plot=$ROOT/scripts/plot

# refuses NAME KIND REGEX: stdin is data that cannot be drawn.
refuses() {
    exits 2 "$1: refused" "$plot" "$2"
    same "$1: nothing on stdout" '' "$(head -c 100 "$TMP/out")"
    matches "$1: says what is wrong" "^plot: .*$3" "$TMP/err"
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
exits 0 'rates' "$plot" bandwidth "$TMP/rates.tsv"
check 'make a PNG' is_png "$TMP/out"
exits 0 'in characters' "$plot" --terminal bandwidth "$TMP/rates.tsv"
matches 'the title names the processor' 'Bandwidth by working set: Some Processor' "$TMP/out"
matches 'a curve for each op' 'read, 1 thread ' "$TMP/out"
matches 'and number of threads' 'copy, 4 threads ' "$TMP/out"
matches 'sizes in units' '4 KiB +64 KiB +1 MiB +16 MiB +256 MiB' "$TMP/out"
check 'in 79 columns' awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
exits 0 'as SVG' "$plot" --format svg bandwidth "$TMP/rates.tsv"
matches 'it is whole' '</svg>' "$TMP/out"
printf 'op\tbytes\tgb_per_s\nread\t4096\t7\n' >"$TMP/one.tsv"
exits 0 'one point' "$plot" --terminal bandwidth "$TMP/one.tsv"
printf 'op\tbytes\tspacing_bytes\tgb_per_s\nread\t4096\t512\t7\nread\t8192\t512\t8\n' >"$TMP/spaced.tsv"
exits 0 'reads far apart' "$plot" --terminal bandwidth "$TMP/spaced.tsv"
matches 'tell how far' 'read every 512 B, 1 thread' "$TMP/out"

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
exits 0 'loaded latency' "$plot" loaded "$TMP/loaded.tsv"
check 'makes a PNG' is_png "$TMP/out"
exits 0 'loaded latency in characters' "$plot" --terminal loaded "$TMP/loaded.tsv"
matches 'has its axis' 'traffic of the other cores in GB/s' "$TMP/out"
matches 'and its curve' 'read, 3 threads' "$TMP/out"
cat "$TMP/rates.tsv" "$TMP/loaded.tsv" >"$TMP/both.tsv"
exits 0 'both tables joined' "$plot" --terminal bandwidth "$TMP/both.tsv"
lacks 'the traffic beside a chase is no bandwidth' '3 threads' "$TMP/out"

refuses 'samples' bandwidth "no column 'op'" <"$ROOT/tests/data/plot-samples.tsv"
refuses 'loaded latency alone' bandwidth 'no rates' <"$TMP/loaded.tsv"
refuses 'a rate of nothing' bandwidth "column 'gb_per_s': not above 0" <<<$'op\tbytes\tgb_per_s\nread\t8\t0'
refuses 'text for a rate' bandwidth "column 'gb_per_s': not a number" <<<$'op\tbytes\tgb_per_s\nread\t8\tx'
refuses 'rates without delays' loaded 'no loaded latency' <"$TMP/rates.tsv"
refuses 'rates without such a column' loaded "no column 'delay_ns'" <"$TMP/one.tsv"
finish_tests
