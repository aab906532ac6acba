#!/usr/bin/env bash
# plot-gpu.t: pictures of a simulated card and of a real one: latency with its levels, processor and card in one,
# bandwidth by size and by stride.
. "${0%/*}/../tap.sh"
long_with_sanitizers

command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
[ "$VARIANT" != asan ] || skip_all 'pictures are drawn by no program of ours'
plot=$ROOT/scripts/plot data=$ROOT/tests/data

# draws NAME KIND FILE...: in characters in $TMP/out.
draws() {
    local name=$1
    shift
    exits 0 "plot: the $name is drawn" "$plot" --terminal "$@"
    same "plot: the $name causes no message" '' "$(cat "$TMP/err")"
    check "plot: the $name fits 79 columns and 24 lines" awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
}

# refuses NAME KIND REGEX: stdin is data that cannot be drawn.
refuses() {
    exits 2 "plot: $1 is refused" "$plot" "$2"
    same "plot: $1 gives nothing on stdout" '' "$(head -c 100 "$TMP/out")"
    matches "plot: $1 is reported with what is wrong" "^plot: .*$3" "$TMP/err"
}

detect --method caches "$data/gpu-simulated-caches.tsv" >"$TMP/levels.tsv" 2>/dev/null
draws 'latency of a simulated card' latency "$data/gpu-simulated-caches.tsv" "$TMP/levels.tsv"
matches 'plot: the latency of a simulated card has its name' 'Latency by working set: Simulated Card 100' "$TMP/out"
matches 'plot: the latency of a simulated card has its first cache, by its range' '128 to 135.6 KiB' "$TMP/out"
matches 'plot: the latency of a simulated card has its second cache and its memory' 'L2 .*memory|memory' "$TMP/out"

h200=$ROOT/tests/machines/nvidia-h200
detect "$h200/caches.tsv" >"$TMP/levels.tsv" 2>/dev/null
draws 'latency of a real card' latency "$h200/caches.tsv" "$TMP/levels.tsv"
matches 'plot: a real card has its second cache, by its range' '25.4 to 40.32 MiB' "$TMP/out"
draws 'rates by stride of a real card' strides "$h200/spaced.tsv"
draws 'rates of a real card and its link' bandwidth "$h200/claim.tsv" "$h200/transfers.tsv"
matches 'plot: rates of a real card have the claim' 'claim: 4800 GB/s' "$TMP/out"

exits 0 'plot: processor and simulated card in one are drawn as a PNG' "$plot" devices "$data/gpu-simulated-caches.tsv"
check 'plot: processor and simulated card in one are a PNG' is_png "$TMP/out"
draws 'processor and simulated card in one' devices "$data/gpu-pocl-chase.tsv" "$data/gpu-pocl-caches.tsv" "$data/gpu-simulated-caches.tsv"
matches 'plot: processor and simulated card have a curve of the processor' ' AMD EPYC: layout local' "$TMP/out"
matches 'plot: processor and simulated card have a curve of the processor through OpenCL' 'EPYC, by OpenCL: layout local' "$TMP/out"
matches 'plot: processor and simulated card have a curve of the simulated card' 'Simulated Card 100: layout local' "$TMP/out"

draws 'rates of a simulated card' bandwidth "$data/gpu-simulated-rates.tsv" "$data/gpu-simulated-transfers.tsv"
matches 'plot: rates of a simulated card have the claim' 'claim: 960 GB/s' "$TMP/out"
lacks 'plot: rates of a simulated card with a work item for each element name no threads' '[0-9] threads?' "$TMP/out"
draws 'rates by work items' bandwidth "$h200/items.tsv"
matches 'plot: rates of one working set are one curve by work items' ' read of 1 GiB' "$TMP/out"
matches 'plot: rates by work items have these on the axis' '^ .* 65536 .* 1048576' "$TMP/out"
draws 'rates by stride' strides "$data/gpu-simulated-strides.tsv"
matches 'plot: rates by stride have a curve of the working set' ' read of 256 MiB' "$TMP/out"
matches 'plot: rates by stride name the only device' 'Bandwidth by stride: Simulated Card 100' "$TMP/out"
draws 'rates by stride of two devices' strides "$data/gpu-simulated-strides.tsv" "$data/gpu-pocl-strides.tsv"
matches 'plot: rates by stride distinguish two devices' 'Simulated Card 100: read of 256 MiB' "$TMP/out"

refuses 'rates of one stride' strides 'no rates of two spacings' <<<$'op\tspacing_bytes\tgb_per_s\nread\t4\t7'
refuses 'rates of a stride of 0' strides "column 'spacing_bytes': less than 1" <<<$'op\tspacing_bytes\tgb_per_s\nread\t0\t7'
refuses 'rates without strides' strides "no column 'spacing_bytes'" <<<$'op\tgb_per_s\nread\t7'
refuses 'a negative rate by stride' strides "column 'gb_per_s': not above 0" <<<$'op\tspacing_bytes\tgb_per_s\nread\t4\t-7'
refuses 'devices of rates' devices "no column 'pages'" <"$data/gpu-simulated-rates.tsv"
refuses 'devices of bank conflicts alone' devices 'no samples of kernel read' <<<$'pages\tkernel\tns\n32\tbanks\t25'
refuses 'devices of negative times' devices "column 'ns': a negative time" <<<$'pages\tns\n4\t-1'
finish_tests
