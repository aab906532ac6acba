#!/usr/bin/env bash
# memory.t: every program with little memory: default sizes stay below half of it, what is left out
# is told, and sizes asked for by name are taken as far as there is memory. The limit is one of
# address space, and one of a control group, whose files are laid over the system's own.
. "${0%/*}/../../tap.sh"
long_with_sanitizers

zen4=$ROOT/src/tlb/models/zen4.tsv
limit=$((256 << 20))

# legal NAME LEAST: "$TMP/out" is a table with at least LEAST rows, each with as many fields as the header.
legal() {
    same "memory: $1 gives a legal table" yes "$(grep -v '^#' "$TMP/out" | awk -F '\t' -v least="$2" '
        NR == 1 { fields = NF } NF != fields { wrong = 1 } END { print (NR > least && !wrong ? "yes" : "no") }')"
}

# ends NAME COMMAND...: exits 0, or 1 where a budget ended it, maybe before the first row on a busy
# machine; and leaves a table.
ends() {
    local name=$1 status=0 least=1
    shift
    "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
    if [ "$status" -eq 1 ] && grep -q 'the budget of' "$TMP/err"; then status=0 least=0; fi
    same "memory: $1 ends with 0, or 1 where a budget ends it" "0 $([ "$status" -eq 0 ] || cat "$TMP/err")" "$status "
    legal "$name" "$least"
}

# by_rlimit KIB COMMAND...
by_rlimit() {
    # shellcheck disable=SC2016 # sh's own variables
    sh -c 'ulimit -v "$1" && shift && exec "$@"' sh "$@"
}

# by_group BYTES COMMAND...: in a separate mount namespace.
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
presets=(tlb walk)
# Presets that take seconds are left to --all.
[ -z "${LONG-}" ] || presets=(tlb geometry coalescing itlb caches walk)
if [ "$VARIANT" = asan ] || [ "$PLATFORM" = darwin ]; then
    skip 'memory: programs that measure nothing need little address space' 'address sanitizer takes more than that; macOS sets no such limit'
else
    for preset in "${presets[@]}"; do
        ends "simulate --preset $preset" by_rlimit 262144 simulate --seed 1 --preset "$preset" "$zen4"
        [ "$preset" != geometry ] || cp "$TMP/out" "$TMP/geometry.tsv"
    done
    same 'memory: simulate needs no other sizes in little address space' "$(rows "$TMP/samples.tsv")" \
        "$(by_rlimit 262144 simulate --seed 1 "$zen4" | rows -)"
    ends detect by_rlimit 262144 detect --claims "$TMP/samples.tsv"
    ends walkpenalty by_rlimit 262144 walkpenalty "$TMP/samples.tsv"
    [ -s "$TMP/geometry.tsv" ] || cp "$TMP/samples.tsv" "$TMP/geometry.tsv" # they show the first level
    ends geometry by_rlimit 262144 geometry "$TMP/geometry.tsv"
    exits 0 'memory: report needs little address space' by_rlimit 262144 report "$TMP/samples.tsv"
    exits 0 'memory: tojson needs little address space' by_rlimit 262144 tojson "$TMP/samples.tsv"
fi
if [ "$PLATFORM" = none ] || [ "$PLATFORM" = darwin ]; then
    skip 'memory: programs that measure need little memory' 'needs Linux'
    finish_tests
fi

# ---- programs that measure ----

# measures HOW SOURCE LIMIT SMALL: with `HOW LIMIT` (256 MiB), and with `HOW SMALL` (about 110 MiB),
# where every default is cut. SOURCE is what the messages name.
measures() {
    local how=$1 source=$2 much=$3 small=$4 preset
    exits 0 "memory: $how: machine gives an answer" "$how" "$much" machine
    matches "memory: $how: machine knows the limit" "^memory_limit_bytes${tab}$limit${tab}bytes${tab}.*$source.*${tab}yes" "$TMP/out"
    ends "$how: chase of small chains" "$how" "$much" chase --quiet --pages 4,1000 --samples 1 --loads 1000
    same "memory: $how: chase of small chains has no remarks" '' "$(cat "$TMP/err")"
    ends "$how: chase of more than half of it" "$how" "$much" chase --quiet --pages 40000 --samples 1 --loads 1000
    matches "memory: $how: chase of more than half of it gives a warning" "40000 nodes of layout page need 15[0-9] MiB, and 2[0-9]+ MiB are available \\($source\\)" "$TMP/err"
    exits 2 "memory: $how: chase of more than there is gets refused" "$how" "$much" chase --quiet --pages 100000 --samples 1
    matches "memory: $how: chase of more than there is names the limit" "^chase: 100000 nodes of layout page need .* MiB are available \\($source\\)" "$TMP/err"
    ends "$how: sweep with bounds by name" "$how" "$much" sweep --quiet --pages 30000,40000 --samples 1 --loads 1000 --budget 1
    matches "memory: $how: sweep with bounds by name says that they need much of it" "need 15[0-9] MiB, .* may be pushed out|are available \\($source\\)" "$TMP/err"
    exits 2 "memory: $how: sweep with bounds of more than there is gets refused" "$how" "$much" sweep --quiet --pages 4,100000
    exits 2 "memory: $how: sweep --density with its default buffer is refused" "$how" "$much" sweep --density low
    matches "memory: $how: sweep --density wants a buffer by name" "needs a buffer of 256 MiB, and half of the [0-9]+ MiB available \\($source\\) is less" "$TMP/err"
    ends "$how: sweep --density with a buffer by name" "$how" "$much" sweep --quiet --density low --buffer 32M --loads 1000 --samples 1 --budget 1
    for preset in tlb caches walk; do
        ends "$how: sweep --preset $preset" "$how" "$small" sweep --quiet --preset "$preset" --loads 1000 --budget 0.5
        matches "memory: $how: sweep --preset $preset says what is left out" \
            "^sweep: sizes above [0-9.]+ MiB are left out: .* \\([0-9]+ MiB, $source\\); set --pages" "$TMP/err"
    done
    ends "$how: bandwidth" "$how" "$much" bandwidth --samples 1 --op read --kernel c --threads 1 --budget 1
    matches "memory: $how: bandwidth says what is left out" \
        "^bandwidth: sizes from [0-9]+ MiB on are left out: .*$source" "$TMP/err"
    same "memory: $how: bandwidth takes less than half by default" '' "$(rows "$TMP/out" | awk -F '\t' -v half=$((limit / 2)) '$2 > half')"
    exits 2 "memory: $how: bandwidth of more than there is gets refused" "$how" "$much" bandwidth --quiet --bytes 512M --op read --kernel c
    matches "memory: $how: bandwidth of more than there is names the limit" "are needed, and [0-9]+ MiB are available \\($source\\)" "$TMP/err"
    if [ "$(nproc)" -gt 1 ]; then
        ends "$how: bandwidth --latency" "$how" "$much" bandwidth --quiet --latency --samples 1 --delay 0 --kernel c --op read
    fi
}

if [ "$VARIANT" = asan ]; then
    skip 'memory: programs that measure need little address space' 'address sanitizer takes more than that'
else
    measures by_rlimit RLIMIT_AS 262144 120000
    ends 'sweep --preset walk in little address space' by_rlimit 262144 sweep --quiet --preset walk --loads 1000 --budget 0.5
    matches 'memory: sweep --preset walk leaves out pages far apart in little address space' 'pages far apart are left out: 2[0-9]+ MiB of address space' "$TMP/err"
fi
if [ -z "${LONG-}" ]; then
    skip 'memory: programs that measure keep to a control group' 'the limit above stands for it: scripts/test --all'
elif by_group "$limit" true 2>/dev/null; then
    measures by_group 'cgroup memory.max' "$limit" 117440512
    # Swap that the system only claims to have: tests that it is used, not its cost.
    sed 's/^Swap\(Total\|Free\):.*/Swap\1: 262144 kB/' /proc/meminfo >"$TMP/meminfo"
    ends 'chase --mistake swap beyond the memory of a control group' by_group "$limit" chase --quiet --mistake swap --pages 70000 \
        --layout page --samples 1 --loads 1000
    matches 'memory: chase --mistake swap beyond the memory gives a warning' '70000 nodes of layout page need 27[0-9] MiB, and 5[0-9]+ MiB are available' "$TMP/err"
    exits 2 'memory: chase --mistake swap beyond memory and swap is refused' by_group "$limit" chase --quiet --mistake swap --pages 140000
    exits 2 'memory: chase beyond the memory is refused without --mistake swap' by_group "$limit" chase --quiet --pages 70000
    sed 's/^Swap\(Total\|Free\):.*/Swap\1: 0 kB/' /proc/meminfo >"$TMP/meminfo"
    exits 2 'memory: chase --mistake swap without swap is refused' by_group "$limit" chase --mistake swap --pages 4
    matches 'memory: chase --mistake swap without swap names the reason' 'this system has no swap' "$TMP/err"
else
    skip 'memory: programs that measure keep to a control group' 'no mount namespace is to be had here (unshare)'
fi

# ---- whole runs ----

if [ -n "${LONG-}" ] && [ "$VARIANT" != asan ]; then
    for preset in tlb geometry coalescing itlb walk caches; do
        ends "all of sweep --preset $preset in little address space" by_rlimit 120000 sweep --quiet --preset "$preset"
    done
    ends 'all of bandwidth in little address space' by_rlimit 262144 bandwidth --quiet
    ends 'the largest simulated cache in little address space' by_rlimit 262144 simulate --seed 1 --preset caches \
        "$ROOT/src/tlb/models/ryzen-5800x3d.tsv"
else
    skip 'memory: whole runs end in little address space' 'they take minutes: scripts/test --all'
fi
finish_tests
