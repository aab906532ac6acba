#!/usr/bin/env bash
# machine.t: replays the recorded machines, and asks this one.
# shellcheck source-path=SCRIPTDIR
. "${0%/*}/tap.sh"

# The table without its metadata. On macOS hwloc cannot read a recorded machine.
body() {
    if [ "$PLATFORM" = darwin ]; then
        sed 's/, hwloc//' "$1"
    else
        cat "$1"
    fi | grep -v '^#'
}

# value KEY FILE: what is used.
value() {
    awk -F '\t' -v key="$1" '$1 == key && $5 == "yes" { print $2 }' "$2"
}

# Every row has five fields, a source, a verdict, and at most one of a key is used.
well_formed() {
    awk -F '\t' '
        /^#/ { next }
        !header { header = 1; bad += $0 != "key\tvalue\tunit\tsource\tused"; next }
        NF != 5 || $1 !~ /^[a-z0-9_]+$/ || $2 == "" || $5 !~ /^(yes|no)$/ { bad++ }
        $4 == "" || $4 == "-" { bad++ }
        $2 == "unknown" && $5 == "yes" { bad++ }
        $5 == "yes" && used[$1]++ { bad++ }
        END { exit bad > 0 || NR < 10 }' "$1"
}

# ---- recorded machines ----

for folder in "$ROOT"/tests/machines/*/; do
    name=$(basename "$folder")
    cp -R "$folder" "$TMP/$name"
    exits 0 "$name: replays" machine --sysroot "$TMP/$name"
    same "$name: as it was" "$(body "$TMP/$name/machine.tsv")" "$(body "$TMP/out")"
    check "$name: well formed" well_formed "$TMP/out"
    lacks "$name: no host" '^host' "$TMP/out"
done

zen="$ROOT/tests/machines/amd-ryzen-5-7600x"
machine --sysroot "$zen" >"$TMP/zen"
same 'what two files of the system and CPUID say beats the C library' 33554432 \
    "$(value l3_bytes "$TMP/zen")"
matches 'what is not used is shown' '^l3_bytes	335544320	bytes	sysconf	no$' "$TMP/zen"
same 'a range stays a range' 8-15 "$(value dtlb2_4k_ways "$TMP/zen")"
same 'a control group limits memory' 8589934592 "$(value memory_limit_bytes "$TMP/zen")"

arm="$ROOT/tests/machines/aarch64-big-little"
machine --sysroot "$arm" >"$TMP/arm"
same 'the faster core is described' 49152 "$(value l1i_bytes "$TMP/arm")"
same 'the slower one beside it' 32768 "$(value efficiency_l1i_bytes "$TMP/arm")"
matches 'no CPUID, no TLBs' '^dtlb1_64k_entries	unknown	entries	this processor has no CPUID	no$' \
    "$TMP/arm"

guest="$ROOT/tests/machines/intel-xeon-guest"
machine --sysroot "$guest" >"$TMP/guest"
same 'every TLB that a guest is not shown: what was asked, and who hides it' \
    'CPUID 0x18 (empty: hidden by the hypervisor)' \
    "$(awk -F '\t' '$1 ~ /tlb/ && $2 == "unknown" { print $4 }' "$TMP/guest" | sort -u)"

# The same machine without the files of its caches and without CPUID.
cp -R "$guest" "$TMP/told nothing"
rm -r "$TMP/told nothing/sys/devices/system/cpu/cpu0/cache" "$TMP/told nothing/cpuid.tsv" \
    "$TMP/told nothing/getconf.txt"
exits 0 'a machine that tells little' machine --sysroot "$TMP/told nothing"
check 'well formed' well_formed "$TMP/out"
matches 'a size that nobody tells' '^l1d_bytes	unknown	bytes	no source tells	no$' "$TMP/out"
matches 'a TLB without CPUID' '^dtlb1_4k_ways	unknown	ways	this processor has no CPUID	no$' \
    "$TMP/out"

exits 0 'CPUID of a recorded machine' machine --sysroot "$zen" --cpuid
same 'comes back as it was recorded' "$(grep -v '^#' "$zen/cpuid.tsv" | sort)" \
    "$(grep -v '^#' "$TMP/out" | sort)"
exits 1 'no CPUID there' machine --sysroot "$arm" --cpuid
matches 'says so' 'no CPUID' "$TMP/err"

# ---- this machine ----

exits 0 'asks this machine' machine --meta note=here
check 'well formed' well_formed "$TMP/out"
matches 'takes metadata' '^# note: here$' "$TMP/out"
for key in system cpu hypervisor cores page_bytes line_bytes l1d_bytes l2_bytes l3_bytes; do
    matches "tells of $key" "^$key	" "$TMP/out"
done
matches 'tries to pin' '^pinning	(yes|no|hint)	' "$TMP/out"
matches 'tries counters' '^perf_counters	(yes|no)	' "$TMP/out"
if [ "$PLATFORM" = linux ]; then
    same 'knows the page' "$(getconf PAGESIZE)" "$(value page_bytes "$TMP/out")"
    same 'knows the processors' "$(getconf _NPROCESSORS_ONLN)" "$(value cores "$TMP/out")"
    same 'knows which of them it may use' "$(nproc)" "$(value cores_allowed "$TMP/out")"
else
    skip 'knows the page' 'only checked on Linux'
    skip 'knows the processors' 'only checked on Linux'
    skip 'knows which of them it may use' 'only checked on Linux'
fi

# A limit of this process is seen. Sanitizers need more address space than that.
if [ "$PLATFORM" = linux ] && [ "$VARIANT" = plain ]; then
    (ulimit -v 400000 && machine) >"$TMP/limited"
    same 'sees ulimit -v' 409600000 "$(value memory_limit_bytes "$TMP/limited")"
    matches 'and says that it counts' '^memory_available_bytes	[0-9]+	bytes	RLIMIT_AS	' \
        "$TMP/limited"
else
    skip 'sees ulimit -v' 'a plain build on Linux shows it'
    skip 'and says that it counts' 'a plain build on Linux shows it'
fi
# Somebody who may read and lock little, where this is root.
if [ "$PLATFORM" = linux ] && [ "$VARIANT" = plain ] && [ "$(id -u)" = 0 ] &&
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$OUT/machine" 2>/dev/null; then
    (ulimit -l 64 && setpriv --reuid=65534 --regid=65534 --clear-groups "$OUT/machine") \
        >"$TMP/nobody"
    matches 'nobody sees no frames' '^frames_visible	hint	-	.*CAP_SYS_ADMIN' "$TMP/nobody"
    matches 'nobody locks little' '^locking	no	-	.*RLIMIT_MEMLOCK is 65536 bytes' "$TMP/nobody"
else
    skip 'nobody sees no frames' 'root with setpriv and a plain build show it'
    skip 'nobody locks little' 'root with setpriv and a plain build show it'
fi

# ---- recording ----

if [ "$PLATFORM" = linux ]; then
    exits 0 'records this machine' "$ROOT/scripts/record-machine" --no-sweep "$TMP/new one"
    exits 0 'which replays' machine --sysroot "$TMP/new one"
    same 'the same again' "$(body "$TMP/new one/machine.tsv")" "$(body "$TMP/out")"
    same 'and is this one' "$(machine | grep -E '^(cpu|l.*_bytes|.*tlb.*)	')" \
        "$(grep -E '^(cpu|l.*_bytes|.*tlb.*)	' "$TMP/out")"
    check 'without serial numbers or groups by name' test -z \
        "$(grep -rliE '^serial|[0-9a-f]{32}' "$TMP/new one/proc" "$TMP/new one/sys")"
    exits 2 'a folder that holds something is left alone' \
        "$ROOT/scripts/record-machine" "$TMP/new one"
    exits 2 'a folder without a name' "$ROOT/scripts/record-machine" --no-sweep ''
else
    skip 'records this machine' 'only Linux keeps what it knows in files'
fi

# ---- usage ----

exits 2 'no such recording' machine --sysroot "$TMP/nowhere"
matches 'names the remedy' "nowhere: no recorded machine .*record-machine" "$TMP/err"
exits 2 'no operands' machine file
matches 'says how' "Try 'machine --help'" "$TMP/err"
exits 0 'helps' machine --help
matches 'with an example' '^Example: machine' "$TMP/out"
if [ -w /dev/full ]; then
    exits 2 'a full disk is an error' bash -c 'machine >/dev/full'
else
    skip 'a full disk is an error' 'no /dev/full here'
fi

finish_tests
