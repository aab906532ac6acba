#!/usr/bin/env bash
# machine.t: replays the recorded machines, and asks this one.
# shellcheck source-path=SCRIPTDIR
. "${0%/*}/../../tap.sh"
sanitizers_suffice

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
        keys[$1]++ && ($2 == "unknown" || without[$1]) { bad++ } # "unknown" beside a value
        $2 == "unknown" { without[$1] = 1 }
        END { exit bad > 0 || NR < 10 }' "$1"
}

# ---- recorded machines ----

for folder in "$ROOT"/tests/machines/*/; do
    name=$(basename "$folder")
    [ -f "$folder/machine.tsv" ] || continue # samples alone
    exits 0 "machine: recording $name replays" machine --sysroot "$folder/system.txt"
    same "machine: recording $name gives what it gave when it was made" "$(body "$folder/machine.tsv")" "$(body "$TMP/out")"
    check "machine: recording $name gives a well-formed table" well_formed "$TMP/out"
    lacks "machine: recording $name gives no host" '^host' "$TMP/out"
done

zen="$ROOT/tests/machines/amd-ryzen-5-7600x/system.txt"
machine --sysroot "$zen" >"$TMP/zen"
same 'machine: what two files of the system and CPUID say beats the C library' 33554432 \
    "$(value l3_bytes "$TMP/zen")"
matches 'machine: what is not used is shown' '^l3_bytes	335544320	bytes	sysconf	no$' "$TMP/zen"
same 'machine: a range stays a range' 8-15 "$(value dtlb2_4k_ways "$TMP/zen")"
same 'machine: a control group limits memory' 8589934592 "$(value memory_limit_bytes "$TMP/zen")"

arm="$ROOT/tests/machines/aarch64-big-little"
machine --sysroot "$arm/system.txt" >"$TMP/arm"
same 'machine: the faster core is described' 49152 "$(value l1i_bytes "$TMP/arm")"
same 'machine: the slower core is described beside the faster one' 32768 "$(value efficiency_l1i_bytes "$TMP/arm")"
# Core 4 is a Cortex-A72; the slower cores are of another kind.
matches 'machine: without CPUID the TLBs are those that the manual of the faster core publishes, with the source' \
    '^dtlb1_64k_entries	32	entries	published: Cortex-A72 TRM 100095	yes$' "$TMP/arm"
matches 'machine: so are the ways of the level that data and code share' \
    '^dtlb2_64k_ways	4	ways	published: Cortex-A72 TRM 100095, shared	yes$' "$TMP/arm"
same 'machine: the manual agrees with what is known of the recorded machine' "$(columns entries "$arm/truth.tsv" | head -n 4)" \
    "$(for key in dtlb1 dtlb2 itlb1 itlb2; do value ${key}_64k_entries "$TMP/arm"; done)"
sed 's/0xd08/0xfff/' "$arm/system.txt" >"$TMP/newer"
machine --sysroot "$TMP/newer" >"$TMP/out"
matches 'machine: of a core that no table here lists the TLBs are unknown' \
    '^dtlb1_64k_entries	unknown	entries	this processor has no CPUID	no$' "$TMP/out"

guest="$ROOT/tests/machines/intel-xeon-guest/system.txt"
machine --sysroot "$guest" >"$TMP/guest"
same 'machine: a TLB that a guest is not shown has its source and who hides it' \
    'CPUID 0x18 (empty: hidden by the hypervisor)' \
    "$(awk -F '\t' '$1 ~ /tlb/ && $2 == "unknown" { print $4 }' "$TMP/guest" | sort -u)"

# A Zen 5 whose hypervisor hides in which unit the second level is counted.
awk -F '\t' -v OFS='\t' '$2 == "0x00000001" { $4 = "0x00b00f20" } $2 == "0x80000006" { $5 = "0x60806040" } 1' \
    "$ROOT/tests/machines/amd-epyc-guest/system.txt" >"$TMP/zen5"
machine --sysroot "$TMP/zen5" >"$TMP/out"
matches 'machine: a claim whose unit is hidden has both numbers' '^dtlb2_4k_entries	128 or 4096	entries	.*0x80000021: hidden by the hypervisor' "$TMP/out"
matches 'machine: a claim whose unit is hidden has them for code too' '^itlb2_4k_entries	64 or 2048	' "$TMP/out"

# The same machine without the files of its caches and without CPUID.
grep -vE '^/(sys/devices/system/cpu/cpu[0-9]*/cache/|cpuid\.tsv|getconf\.txt)' "$guest" >"$TMP/reports little"
exits 0 'machine: a machine that reports little is accepted' machine --sysroot "$TMP/reports little"
check 'machine: a machine that reports little gives a well-formed table' well_formed "$TMP/out"
matches 'machine: a size that no source states is unknown' '^l1d_bytes	unknown	bytes	no source states it	no$' "$TMP/out"
matches 'machine: a TLB without CPUID is unknown, with the reason' '^dtlb1_4k_ways	unknown	ways	this processor has no CPUID	no$' \
    "$TMP/out"

# A broken cpuid.tsv is an error, not a processor without CPUID.
mkdir "$TMP/broken"
echo 'Linux 6.12.0 x86_64' >"$TMP/broken/uname.txt"
leaves() { sed -n 's|^/cpuid.tsv	||p' "$zen"; }
# refuses NAME PLACE WHAT: of the cpuid.tsv on stdin.
refuses() {
    cat >"$TMP/broken/cpuid.tsv"
    exits_saying 2 "machine: cpuid.tsv is refused: $1" "^machine: .*/broken/cpuid.tsv$2: $3" machine --sysroot "$TMP/broken"
    same "machine: nothing is written: $1" '' "$(cat "$TMP/out")"
}
refuses 'garbage' ':1' 'no header line' <<<'!?'
refuses 'words' ':1' "column 1 is not 'leaf'" <<<'garbage'
refuses 'nothing' '' 'no header line: the input is empty' </dev/null
refuses 'NULs' ':1' 'a NUL byte' < <(head -c 100 /dev/zero && echo)
refuses 'columns in another order' ':1' "column 2 is not 'subleaf'" \
    < <(leaves | sed "1s/.*/leaf\teax\tsubleaf\tebx\tecx\tedx/")
refuses 'a word for a number' ':3' "column 'ecx': expected 32 bits" < <(leaves | sed '3s/\t[^\t]*\t\([^\t]*\)$/\tgarbage\t\1/')
refuses 'a number of 33 bits' ':2' "column 'edx': expected 32 bits" < <(leaves | sed '2s/[^\t]*$/0x100000000/')
refuses 'a missing number' ':2' "column 'edx': expected 32 bits" < <(leaves | sed '2s/[^\t]*$/-/')
refuses 'a row that is cut' ':2' 'the row has 3 fields' < <(leaves | sed '2s/\(\([^\t]*\t\)\{2\}[^\t]*\).*/\1/')
refuses 'a file that is cut' '' 'it is cut' < <(leaves | head -c -3)

# So is a recording that is not as tlblab-record(1) has it. The text on stdin follows two good lines.
refuses_file() {
    { printf '# a comment\n/uname.txt\tLinux 6.12.0 x86_64\n' && cat; } >"$TMP/broken.txt"
    exits 2 "machine: a recording is refused: $1" machine --sysroot "$TMP/broken.txt"
    matches "machine: the place in a recording is named: $1" "^machine: .*/broken\.txt:$2: $3" "$TMP/err"
    same "machine: nothing is written of a recording: $1" '' "$(cat "$TMP/out")"
}
refuses_file 'no path' '3: column 1' 'expected a path' <<<'proc/cpuinfo	x'
echo 'CPU 0:' >"$TMP/dump"
exits 2 'machine: a dump of CPUID is no recording' machine --sysroot "$TMP/dump"
matches 'machine: what reads a dump of CPUID is named' ":1: column 1: .*'tlblab import' reads dumps of CPUID" "$TMP/err"
refuses_file 'a comment between files' '3: column 1' 'expected a path' <<<'# here'
refuses_file 'an empty line' '4: column 1' 'expected a path' <<<$'/proc/a\tx\n'
refuses_file 'a path that leads elsewhere' '3: column 6' "expected the name of a file, not '.' or '..'" <<<'/sys/../../../etc/x	x'
refuses_file 'a path that ends in a slash' '3: column 6' 'expected the name of a file' <<<'/sys/	x'
refuses_file 'a path that is no file' '3: column 2' 'expected the name of a file' <<<'/	x'
refuses_file 'an escape of another kind' '3: column 10' 'expected \\\\ or \\xHH' <<<'/proc/a	x\n'
refuses_file 'an escape that is cut' '3: column 10' 'expected \\\\ or \\xHH' <<<'/proc/a	x\x4'
refuses_file 'lines that end in CR LF' '3: column 10' 'a control character' <<<$'/proc/a\tx\r'
refuses_file 'a NUL' '3' 'a NUL byte' < <(printf '/proc/a\tx\0\n')
refuses_file 'a path again' '5: column 1' '/proc/a again; its other lines are from line 3 on' <<<$'/proc/a\tx\n/proc/b\tx\n/proc/a\tx'
refuses_file 'a last line that is cut' '3' 'the last line has no newline' < <(printf '/proc/a\tx')
refuses_file 'CPUID that is garbage' '4' "column 'edx': expected 32 bits" \
    < <(printf '/cpuid.tsv\t%s\n' $'leaf\tsubleaf\teax\tebx\tecx\tedx' $'0x0\t0\t0\t0\t0\tgarbage')
if [ "$PLATFORM" = linux ]; then # elsewhere hwloc, for which it is unpacked, reads none
    refuses_file 'a file that is a folder too' '4: column 1' 'cannot unpack /proc/a/b: ' <<<$'/proc/a\tx\n/proc/a/b\tx'
else
    skip 'machine: a recording is refused: a file that is a folder too' 'hwloc reads recorded machines on Linux'
fi
: >"$TMP/broken.txt"
exits 2 'machine: an empty recording is refused' machine --sysroot "$TMP/broken.txt"
matches 'machine: an empty recording is none' 'broken.txt: no recorded machine there' "$TMP/err"
truncate -s 1T "$TMP/broken.txt"
exits 2 'machine: a huge recording is refused' timeout 10 machine --sysroot "$TMP/broken.txt"
matches 'machine: a huge recording is refused by name' 'broken.txt: .*at most 16 MiB' "$TMP/err"
mkdir "$TMP/temporary"
TMPDIR=$TMP/temporary machine --sysroot "$zen" >"$TMP/out"
same 'machine: a recording leaves no temporary files' '' "$(ls -A "$TMP/temporary")"

exits 0 'machine: --cpuid of a recorded machine is accepted' machine --sysroot "$zen" --cpuid
same 'machine: --cpuid gives the leaves as they were recorded' "$(leaves | sort)" \
    "$(grep -v '^#' "$TMP/out" | sort)"
exits 1 'machine: --cpuid of a machine without it gives status 1' machine --sysroot "$arm/system.txt" --cpuid
matches 'machine: --cpuid of a machine without it says so' 'no CPUID' "$TMP/err"

# A recording is untrusted input.
mkdir -p "$TMP/odd/proc/self" "$TMP/odd/sys/devices/system/node"
cp "$TMP/broken/uname.txt" "$TMP/odd"
matches_odd() {
    exits 2 "machine: a recording with $1 is refused" timeout 10 machine --sysroot "$TMP/odd"
    matches "machine: a recording with $1 is refused by name" "odd/*/$2: .*only readable folders, regular files.* and links" "$TMP/err"
    rm "$TMP/odd/$2"
}
mkfifo "$TMP/odd/proc/fifo"
matches_odd 'a FIFO' proc/fifo
ln -s /dev/zero "$TMP/odd/sys/endless"
matches_odd 'a link to /dev/zero' sys/endless
truncate -s 1T "$TMP/odd/huge" && matches_odd 'a huge file' huge
mkdir "$TMP/elsewhere"
printf '0::/../../../../elsewhere\n' >"$TMP/odd/proc/self/cgroup"
echo 4096 >"$TMP/elsewhere/memory.max"
exits 0 'machine: a recording that names a folder outside is read' machine --sysroot "$TMP/odd"
lacks 'machine: no file outside a recording is read' '^memory_limit_bytes	4096	' "$TMP/out"
for nodes in 1-0 0-99999999 -1; do
    echo "$nodes" >"$TMP/odd/sys/devices/system/node/online"
    exits 0 "machine: a recording with nodes $nodes is read" timeout 10 machine --sysroot "$TMP/odd"
done

# ---- this machine ----

exits 0 'machine: this machine is asked' machine --meta note=here
check 'machine: this machine gives a well-formed table' well_formed "$TMP/out"
matches 'machine: --meta is in the metadata' '^# note: here$' "$TMP/out"
for key in system cpu hypervisor cores page_bytes line_bytes l1d_bytes l2_bytes l3_bytes; do
    matches "machine: this machine has a row $key" "^$key	" "$TMP/out"
done
matches 'machine: this machine is asked for pinning' '^pinning	(yes|no|hint)	' "$TMP/out"
matches 'machine: this machine is asked for counters' '^perf_counters	(yes|no)	' "$TMP/out"
if [ "$PLATFORM" = linux ]; then
    same 'machine: the page size is that of getconf' "$(getconf PAGESIZE)" "$(value page_bytes "$TMP/out")"
    same 'machine: the number of processors is that of getconf' "$(getconf _NPROCESSORS_ONLN)" "$(value cores "$TMP/out")"
    same 'machine: the processors that may be used are those of nproc' "$(nproc)" "$(value cores_allowed "$TMP/out")"
else
    skip 'machine: the page size is that of getconf' 'only checked on Linux'
    skip 'machine: the number of processors is that of getconf' 'only checked on Linux'
    skip 'machine: the processors that may be used are those of nproc' 'only checked on Linux'
fi

# A limit of this process is seen. Sanitizers need more address space than that.
if [ "$PLATFORM" = linux ] && [ "$VARIANT" = plain ]; then
    (ulimit -v 400000 && machine) >"$TMP/limited"
    same 'machine: ulimit -v is seen as a limit of memory' 409600000 "$(value memory_limit_bytes "$TMP/limited")"
    matches 'machine: ulimit -v is named as the limit that counts' '^memory_available_bytes	[0-9]+	bytes	RLIMIT_AS	' \
        "$TMP/limited"
else
    skip 'machine: ulimit -v is seen as a limit of memory' 'a plain build on Linux shows it'
    skip 'machine: ulimit -v is named as the limit that counts' 'a plain build on Linux shows it'
fi
# Somebody who may read and lock little, where this is root.
if [ "$PLATFORM" = linux ] && [ "$VARIANT" = plain ] && [ "$(id -u)" = 0 ] &&
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$OUT/machine" 2>/dev/null; then
    (ulimit -l 64 && setpriv --reuid=65534 --regid=65534 --clear-groups "$OUT/machine") \
        >"$TMP/nobody"
    matches 'machine: a user without rights sees no page frames' '^frames_visible	hint	-	.*CAP_SYS_ADMIN' "$TMP/nobody"
    matches 'machine: a user without rights locks little memory' '^locking	no	-	.*RLIMIT_MEMLOCK is 65536 bytes' "$TMP/nobody"
else
    skip 'machine: a user without rights sees no page frames' 'root with setpriv and a plain build show it'
    skip 'machine: a user without rights locks little memory' 'root with setpriv and a plain build show it'
fi

# ---- recording ----

# has_claims NAME FOLDER MACHINE: the truth of a recording is what a machine table claims of the TLBs, and of
# two caches. A claim of several numbers is none.
has_claims() {
    same "$1" "$(awk -F '\t' '$5 == "yes" { value[$1] = $2; source[$1] = $4 }
        END {
            for (key in value)
                if (key ~ "^[di]tlb._" value["page_bytes"] / 1024 "k_entries" && value[key] ~ /^[0-9]+$/)
                    print substr(key, 1, 4), substr(key, 5, 1), value[key], source[key] " (claimed)"
            for (level = 1; level <= 2; level++)
                if (value[key = level == 1 ? "l1d_bytes" : "l2_bytes"] > 0)
                    print "cache", level, value[key] / value["line_bytes"], source[key] " (claimed)"
        }' "$3" | sort)" \
        "$(awk -F '\t' '/^(.tlb|cache)\t/ { print $1, $2, $3, $6 }' "$2/truth.tsv" | sort)"
}

if [ "$PLATFORM" = linux ]; then
    exits 0 'record-machine: this machine is recorded' "$ROOT/scripts/record-machine" --no-sweep "$TMP/new one"
    exits 0 'record-machine: the recording replays' machine --sysroot "$TMP/new one/system.txt"
    same 'record-machine: the recording gives what it gave when it was made' "$(body "$TMP/new one/machine.tsv")" "$(body "$TMP/out")"
    machine >"$TMP/this"
    has_claims 'record-machine: the recording has what is claimed of its TLBs and caches, with the source' "$TMP/new one" "$TMP/this"
    # An emulator's C library answers for another machine than /proc and /sys.
    [ -n "${RUN-}" ] || same 'record-machine: the recording is of this machine' \
        "$(machine | grep -E '^(cpu|l.*_bytes|.*tlb.*)	')" "$(grep -E '^(cpu|l.*_bytes|.*tlb.*)	' "$TMP/out")"
    check 'record-machine: the recording has no serial numbers or groups by name' test -z \
        "$(grep -iE '	serial|[0-9a-f]{32}' "$TMP/new one/system.txt")"
    mkdir "$TMP/sent"
    tar -xzf "$TMP/new one.tar.gz" -C "$TMP/sent"
    check 'record-machine: the one file to send is the recording' diff -r "$TMP/new one" "$TMP/sent/new one"
    mkdir "$TMP/taken" && : >"$TMP/taken.tar.gz"
    exits 2 'record-machine: a file that exists is kept' "$ROOT/scripts/record-machine" --no-sweep "$TMP/taken"
    exits 2 'record-machine: a folder that holds something is refused' \
        "$ROOT/scripts/record-machine" "$TMP/new one"
    exits 2 'record-machine: an empty folder name is refused' "$ROOT/scripts/record-machine" --no-sweep ''
    # This machine with the CPUID of that Zen 5.
    mkdir "$TMP/stand-in"
    # shellcheck disable=SC2016 # of sh
    printf '#!/bin/sh\n[ "$1" = --cpuid ] && exec "%s" --sysroot "%s" --cpuid\nexec "%s" "$@"\n' "$OUT/machine" "$TMP/zen5" "$OUT/machine" >"$TMP/stand-in/machine"
    chmod +x "$TMP/stand-in/machine"
    exits 0 'record-machine: a machine with claims of several numbers is recorded' \
        env OUT="$TMP/stand-in" "$ROOT/scripts/record-machine" --no-sweep "$TMP/two units"
    matches 'record-machine: the recording has a claim of several numbers' '^dtlb2_4k_entries	128 or 4096	' "$TMP/two units/machine.tsv"
    has_claims 'record-machine: a claim of several numbers is no truth' "$TMP/two units" "$TMP/two units/machine.tsv"
    same 'record-machine: the other claims are' 'dtlb 1,itlb 1,cache 1,cache 2' \
        "$(columns 'structure level' "$TMP/two units/truth.tsv" | tr '\t' ' ' | paste -s -d ,)"
else
    skip 'record-machine: this machine is recorded' 'only Linux keeps what it knows in files'
fi

# ---- usage ----

same 'machine: the folder that tlblab record made is its recording' "$(machine --sysroot "$ROOT/tests/machines/amd-zen3-guest/system.txt" | grep -v '^#')" \
    "$(machine --sysroot "$ROOT/tests/machines/amd-zen3-guest" | grep -v '^#')"
echo x >"$TMP/host.tar.bz2"
exits_saying 2 'machine: an archive is refused' 'host.tar.bz2: an archive: unpack it' machine --sysroot "$TMP/host.tar.bz2"
exits 2 'machine: a recording that is not there is refused' machine --sysroot "$TMP/nowhere"
matches 'machine: a recording that is not there is answered with the remedy' "nowhere: no recorded machine .*tlblab record" "$TMP/err"
exits_saying 2 'machine: an operand is refused' "Try 'machine --help'" machine file
prints 'machine: --help succeeds' '^Example: machine' machine --help
if [ -w /dev/full ]; then
    exits 2 'machine: a full disk is an error' bash -c 'machine >/dev/full'
else
    skip 'machine: a full disk is an error' 'no /dev/full here'
fi

finish_tests
