#!/usr/bin/env bash
# gpu-recorded.t: what gpu measured on a real card, an NVIDIA H200, beside what its maker publishes
# (tests/machines/nvidia-h200). recorded.t does the same for its caches.
# shellcheck disable=SC2016 # of awk
. "${0%/*}/../tap.sh"

card=$ROOT/tests/machines/nvidia-h200
published() { awk -F '\t' -v key="$1" '$1 == key { print $2 }' "$card/published.tsv"; }

# share NAME KEY OP FILE: the best rate of an op is 80 to 100 per cent of what is published.
share() {
    local best
    best=$(columns 'op gb_per_s' "$4" | awk -F '\t' -v op="$3" '$1 == op && $2 > best { best = $2 } END { print best }')
    echo "# $1: $best GB/s, published: $(published "$2")"
    check "$1 is 80 to 100 per cent of what is published" awk -v rate="$best" -v all="$(published "$2")" \
        'BEGIN { exit !(rate >= 0.8 * all && rate <= all) }'
}
share "H200: reading memory" memory_gb_per_s read "$card/claim.tsv"
share "H200: a copy from locked memory" link_gb_per_s to_device_pinned "$card/transfers.tsv"
share "H200: a copy to locked memory" link_gb_per_s from_device_pinned "$card/transfers.tsv"
check 'H200: the driver claims the memory that is published, 1 GB for each but a few per cent' awk -F '\t' -v all="$(published memory_bytes)" \
    '$2 == "memory_bytes" { found = $3 > 0.95 * all && $3 < 1.1 * all } END { exit !found }' "$card/list.tsv"

exits 0 'H200: its latencies are found' latency --quiet "$card/caches.tsv"
same 'H200: each level takes longer than the one before' 'cache 1 17 cache 2 143 cache 3 267 memory - 347' \
    "$(columns 'structure level ns' "$TMP/out" | awk -F '\t' '{ print $1, $2, int($3 + 0.5) }' | paste -s -d ' ' -)"
exits 0 'H200: the report has its rates' report "$card/claim.tsv" "$card/transfers.tsv"
matches "H200: the report compares reads with the maker's claim" "9[0-9.]* % of the memory's theoretical peak" "$TMP/out"
same 'H200: the report compares no transfer with the memory' 1 "$(grep -c 'theoretical peak$' "$TMP/out")"
lacks 'H200: the report compares no transfer with reads' 'of read' "$TMP/out"
lacks 'H200: the report does not take the largest buffer for the memory' '^ *Memory ' "$TMP/out"
exits 1 'H200: no TLB level is found up to 16 GiB' detect "$card/tlb.tsv"
matches 'H200: the advice is about a card' "the card's TLB reaches further than the sweep" "$TMP/err"
lacks 'H200: the advice has nothing about the pages of a processor' 'huge pages' "$TMP/err"
detect --quiet "$card/tlb.tsv" >"$TMP/found.tsv" 2>/dev/null
prints 'H200: samples without a level are reported' "these samples are a card's" report "$card/tlb.tsv" "$TMP/found.tsv"
lacks 'H200: the report does not miss small pages on a card' 'small pages' "$TMP/out"
finish_tests
