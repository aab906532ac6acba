#!/usr/bin/env bash
# allocation.t: a program whose n-th allocation fails says so and ends with status 2, or it did
# without and its output is the same; for n from 1 to some hundreds, of every program.
. "${0%/*}/../../tap.sh"
plain_linux_alone
shim=$TAP_FOLDER/allocation.so # LD_PRELOAD ends a name at a space
cp "$ROOT/bin/.obj/plain/tests/allocation.so" "$shim"
cd "$TMP" || exit 2

# numbers MOST: the allocations that fail: all up to $dense (with LONG: to MOST), then fewer and fewer.
dense=8
numbers() {
    awk -v most="$1" -v dense="$([ -n "${LONG-}" ] && echo "$1" || echo "$dense")" 'BEGIN {
        for (n = 1; n <= most; n = n < dense ? n + 1 : int(n * 1.13) + 1) print n }'
}

ALLOCATION_FAILS=1 LD_PRELOAD=$shim detect "$TMP/none" >out 2>err && skip_all 'nothing is preloaded here'
grep -q 'memory' err || skip_all 'nothing is preloaded here'

# The part of a table that is the same each time: all of it, or, of measured ones, metadata and shape.
stable_all() { grep -v '^memory_available_bytes' "$1"; }
stable_measured() {
    sed -n '/^# \(timer_\|ghz_\|pinned_cpu\|sibling_busy\)/d; /^#/p' "$1"
    grep -v '^#' "$1" | awk -F '\t' '{ print NF }'
}

# survives STABLE MOST COMMAND...: with each of MOST allocations failing; STABLE is one of the above.
survives() {
    local stable=$1 most=$2 n status right
    shift 2
    "$@" >right.out 2>right.err
    right=$?
    for n in $(numbers "$most"); do
        status=0
        ALLOCATION_FAILS=$n LD_PRELOAD=$shim "$@" >out 2>err || status=$?
        if [ "$status" -eq 2 ]; then
            [ -s err ] || echo "allocation $n: status 2, and nothing on stderr"
        elif [ "$status" -ne "$right" ]; then
            echo "allocation $n: status $status"
        elif ! cmp -s <("$stable" right.out) <("$stable" out); then
            echo "allocation $n: another output, and status $status"
        fi
    done >wrong 2>shell
    same "${*##*/}: no crash and no silence without memory" '' "$(cat wrong)"
}

zen4=$ROOT/src/tlb/models/zen4.tsv
head -c 40 /dev/zero | tr '\0' a >secret
{
    printf 'pages\tlayout\tspacing_bytes\n'
    for n in 48 64 72 80 96 128 2048 2900 3072 3200 3600 4096; do
        for _ in 1 2 3; do printf '%d\tpage\t4096\n%d\tpacked\t64\n' $n $n; done
    done
} >points
simulate --seed 1 "$zen4" points >samples
detect --claims samples >boundaries
grep -v '^#' boundaries >rows
walkpenalty samples >penalties
simulate --seed 1 --preset geometry "$zen4" >geometry.tsv
geometry geometry.tsv >organisation

survives stable_all 600 detect --claims samples
survives stable_all 200 walkpenalty samples
survives stable_all 600 latency samples boundaries
dense=150 survives stable_all 150 report rows
survives stable_all 700 report samples boundaries penalties organisation
survives stable_all 300 tojson boundaries
survives stable_all 1500 tojson --tlb samples boundaries penalties
survives stable_all 800 geometry geometry.tsv
survives stable_all 800 simulate --seed 1 --noise gauss:2 "$zen4" points
survives stable_all 800 simulate --id anna --secret secret --describe
survives stable_all 600 machine
survives stable_all 400 machine --sysroot "$ROOT/tests/machines/amd-ryzen-5-7600x/system.txt"
[ -z "${LONG-}" ] || survives stable_all 400 plan --seed 1
survives stable_all 500 plan samples
survives stable_measured 500 chase --quiet --seed 1 --pages 16 --samples 1 --loads 1000
[ -z "${LONG-}" ] || survives stable_measured 500 sweep --quiet --seed 1 --pages 4,16 --layout page --samples 1 --loads 1000
survives stable_measured 500 bandwidth --quiet --op read --bytes 4k --threads 1 --samples 1
finish_tests
