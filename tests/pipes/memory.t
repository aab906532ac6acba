#!/usr/bin/env bash
# memory.t: every program with little memory: default sizes stay below half of it, what is left out
# is told, and sizes asked for by name are taken as far as there is memory. The limit is one of
# address space, and one of a control group, whose files are laid over the system's own.
. "${0%/*}/tap.sh"
long_with_sanitizers

zen4=$ROOT/tests/models/zen4.tsv
limit=$((256 << 20))
tab=$(printf '\t')

rows() { grep -v '^#' "$1" | sed 1d; }

# legal NAME: "$TMP/out" is a table with rows, each with as many fields as the header.
legal() {
    same "$1: a legal table" yes "$(grep -v '^#' "$TMP/out" | awk -F '\t' '
        NR == 1 { fields = NF } NF != fields { wrong = 1 } END { print (NR > 1 && !wrong ? "yes" : "no") }')"
}

# ends NAME COMMAND...: exits 0, or 1 where a budget ended it; and leaves a table.
ends() {
    local name=$1 status=0
    shift
    "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
    if [ "$status" -eq 1 ] && grep -q 'the budget of' "$TMP/err"; then status=0; fi
    same "$name: ends well" "0 $([ "$status" -eq 0 ] || cat "$TMP/err")" "$status "
    legal "$name"
}

# by_rlimit KIB COMMAND...
by_rlimit() {
    # shellcheck disable=SC2016 # sh's own variables
    sh -c 'ulimit -v "$1" && shift && exec "$@"' sh "$@"
}

# by_group BYTES COMMAND...: in a mount namespace of its own.
by_group() {
    local bytes=$1 user=(-r)
    shift
    [ "$(id -u)" -ne 0 ] || user=()
    mkdir -p "$TMP/group"
    [ -e "$TMP/meminfo" ] || cp /proc/meminfo "$TMP/meminfo"
    echo "$bytes" >"$TMP/group/memory.max"
    echo 1048576 >"$TMP/group/memory.current"
    # shellcheck disable=SC2016
    unshare "${user[@]}" -m sh -c 'mount --bind "$1" /sys/fs/cgroup &&
        mount --bind "$2" /proc/meminfo && shift 2 && exec "$@"' sh "$TMP/group" "$TMP/meminfo" "$@"
}

# ---- programs that measure nothing ----

simulate --seed 1 "$zen4" >"$TMP/samples.tsv"
presets=(tlb walk coalescing)
# What takes seconds is for --all.
[ -z "${LONG-}" ] || presets=(tlb geometry coalescing itlb caches walk)
if [ "$VARIANT" = asan ] || [ "$PLATFORM" = darwin ]; then
    skip 'little address space' 'address sanitizer takes more than that; macOS sets no such limit'
else
    for preset in "${presets[@]}"; do
        ends "simulate --preset $preset" by_rlimit 262144 simulate --seed 1 --preset "$preset" "$zen4"
        [ "$preset" != geometry ] || cp "$TMP/out" "$TMP/geometry.tsv"
    done
    same 'simulate needs no other sizes' "$(rows "$TMP/samples.tsv")" \
        "$(by_rlimit 262144 simulate --seed 1 "$zen4" | rows -)"
    ends detect by_rlimit 262144 detect --claims "$TMP/samples.tsv"
    ends walkpenalty by_rlimit 262144 walkpenalty "$TMP/samples.tsv"
    if [ -s "$TMP/geometry.tsv" ]; then
        ends geometry by_rlimit 262144 geometry "$TMP/geometry.tsv"
    else
        exits 1 'geometry' by_rlimit 262144 geometry "$TMP/samples.tsv"
    fi
    exits 0 'report' by_rlimit 262144 report "$TMP/samples.tsv"
    exits 0 'tojson' by_rlimit 262144 tojson "$TMP/samples.tsv"
fi
if [ "$PLATFORM" = none ] || [ "$PLATFORM" = darwin ]; then
    skip 'programs that measure' 'needs Linux'
    finish_tests
fi

# ---- programs that measure ----

# measures HOW SOURCE LIMIT SMALL: with `HOW LIMIT` (256 MiB), and with `HOW SMALL` (about 110 MiB),
# where every default is cut. SOURCE is what the messages name.
measures() {
    local how=$1 source=$2 much=$3 small=$4 preset
    exits 0 "$how: machine" "$how" "$much" machine
    matches "$how: machine knows the limit" "^memory_limit_bytes${tab}$limit${tab}bytes${tab}.*$source.*${tab}yes" "$TMP/out"
    ends "$how: chase" "$how" "$much" chase --quiet --pages 4,1000 --samples 1 --loads 1000
    same "$how: chase has no remarks" '' "$(cat "$TMP/err")"
    ends "$how: more than half of it" "$how" "$much" chase --quiet --pages 40000 --samples 1 --loads 1000
    matches "$how: is warned of" "40000 nodes of layout page need 15[0-9] MiB, and 2[0-9]+ MiB are available \\($source\\)" "$TMP/err"
    exits 2 "$how: more than there is" "$how" "$much" chase --quiet --pages 100000 --samples 1
    matches "$how: is refused" "^chase: 100000 nodes of layout page need .* MiB are available \\($source\\)" "$TMP/err"
    ends "$how: bounds by name" "$how" "$much" sweep --quiet --pages 30000,40000 --samples 1 --loads 1000 --budget 1
    matches "$how: are taken" "need 15[0-9] MiB, .* may be pushed out|are available \\($source\\)" "$TMP/err"
    exits 2 "$how: and refused" "$how" "$much" sweep --quiet --pages 4,100000
    exits 2 "$how: the whitepaper's schedule" "$how" "$much" sweep --density low
    matches "$how: wants a buffer by name" "needs a buffer of 256 MiB, and half of the [0-9]+ MiB available \\($source\\) is less" "$TMP/err"
    ends "$how: which it then takes" "$how" "$much" sweep --quiet --density low --buffer 32M --loads 1000 --samples 1 --budget 1
    for preset in tlb caches walk; do
        ends "$how: sweep --preset $preset" "$how" "$small" sweep --quiet --preset "$preset" --loads 1000 --budget 0.5
        matches "$how: sweep --preset $preset says what is left out" \
            "^sweep: sizes above [0-9.]+ MiB are left out: .* \\([0-9]+ MiB, $source\\); ask for them by name" "$TMP/err"
    done
    ends "$how: bandwidth" "$how" "$much" bandwidth --samples 1 --op read --kernel c --threads 1 --budget 1
    matches "$how: bandwidth says what is left out" \
        "^bandwidth: sizes from [0-9]+ MiB on are left out: .*$source" "$TMP/err"
    same "$how: bandwidth takes less than half" '' "$(rows "$TMP/out" | awk -F '\t' -v half=$((limit / 2)) '$2 > half')"
    exits 2 "$how: more than there is" "$how" "$much" bandwidth --quiet --bytes 512M --op read --kernel c
    matches "$how: is refused, too" "are needed, and [0-9]+ MiB are available \\($source\\)" "$TMP/err"
    if [ "$(nproc)" -gt 1 ]; then
        ends "$how: loaded latency" "$how" "$much" bandwidth --quiet --latency --samples 1 --delay 0 --kernel c --op read
    fi
}

if [ "$VARIANT" = asan ]; then
    skip 'measured in little address space' 'address sanitizer takes more than that'
else
    measures by_rlimit RLIMIT_AS 262144 120000
    ends 'little address space' by_rlimit 262144 sweep --quiet --preset walk --loads 1000 --budget 0.5
    matches 'pages far apart are left out' 'pages far apart are left out: 2[0-9]+ MiB of address space' "$TMP/err"
fi
if [ -z "${LONG-}" ]; then
    skip 'a control group' 'the limit above stands for it: scripts/test --all'
elif by_group "$limit" true 2>/dev/null; then
    measures by_group 'cgroup memory.max' "$limit" 117440512
    # Swap that the system only claims to have: that it is taken, not what it costs.
    sed 's/^Swap\(Total\|Free\):.*/Swap\1: 262144 kB/' /proc/meminfo >"$TMP/meminfo"
    ends 'swap is taken where that is asked for' by_group "$limit" chase --quiet --mistake swap --pages 70000 \
        --layout page --samples 1 --loads 1000
    matches 'with a warning' '70000 nodes of layout page need 27[0-9] MiB, and 5[0-9]+ MiB are available' "$TMP/err"
    exits 2 'but no more than there is' by_group "$limit" chase --quiet --mistake swap --pages 140000
    exits 2 'nor without being asked for' by_group "$limit" chase --quiet --pages 70000
    sed 's/^Swap\(Total\|Free\):.*/Swap\1: 0 kB/' /proc/meminfo >"$TMP/meminfo"
    exits 2 'no swap' by_group "$limit" chase --mistake swap --pages 4
    matches 'is named' 'this system has no swap' "$TMP/err"
else
    skip 'a control group' 'no mount namespace is to be had here (unshare)'
fi

# ---- whole runs ----

if [ -n "${LONG-}" ] && [ "$VARIANT" != asan ]; then
    for preset in tlb geometry coalescing itlb walk caches; do
        ends "all of sweep --preset $preset" by_rlimit 120000 sweep --quiet --preset "$preset"
    done
    ends 'all of bandwidth' by_rlimit 262144 bandwidth --quiet
    ends 'the largest simulated cache' by_rlimit 262144 simulate --seed 1 --preset caches \
        "$ROOT/tests/models/ryzen-5800x3d.tsv"
else
    skip 'whole runs' 'they take minutes: scripts/test --all'
fi
finish_tests
