#!/usr/bin/env bash
# claims.t: what machine claims of processors and files that it once read wrongly. Each machine here is cut
# from what its source has, which is named.
# shellcheck source-path=SCRIPTDIR
. "${0%/*}/../../tap.sh"
sanitizers_suffice

# recorded NAME: a new recording, without files.
recorded() {
    root=$TMP/$1
    mkdir -p "$root"
    echo 'Linux 6.12.0 x86_64' >"$root/uname.txt"
}

# leaves: rows of CPUID from stdin, blanks for tabs.
leaves() {
    { echo 'leaf subleaf eax ebx ecx edx' && cat; } | tr ' ' '\t' >"$root/cpuid.tsv"
}

# put FILE TEXT: of the recording.
put() {
    mkdir -p "$root${1%/*}"
    printf '%s\n' "$2" >"$root$1"
}

# cache CPU INDEX LEVEL TYPE SIZE WAYS SETS LINE
cache() {
    local index=/sys/devices/system/cpu/cpu$1/cache/index$2
    put "$index/level" "$3"
    put "$index/type" "$4"
    put "$index/size" "$5"
    put "$index/ways_of_associativity" "$6"
    put "$index/number_of_sets" "$7"
    put "$index/coherency_line_size" "$8"
}

# claims KEYS: the rows of keys that match, without units and sources.
claims() {
    machine --sysroot "$root" | awk -F '\t' -v keys="^($1)\$" '$1 ~ keys { print $1, $2, $5 }'
}

intel='0x0 0 0xa 0x756e6547 0x6c65746e 0x49656e69'

# InstLatx64, all 31 dumps of Alder Lake P, Raptor Lake P and Sapphire Rapids.
recorded golden-cove
leaves <<END
$intel
0x1 0 0x00090672 0x00200800 0x7ffafbbf 0xbfebfbff
0x2 0 0x00feff01 0x000000f0 0 0
0x18 0 0x2 0 0 0
0x18 1 0 0x00080001 0x00000020 0x00004022
0x18 2 0 0x00040001 0x00000010 0x00004024
END
same "claims: what Golden Cove's leaf states is listed beside what is published" \
    'dtlb1_4k_entries 96 yes,dtlb1_4k_entries 64 no,dtlb1_4k_ways 6 yes,dtlb1_4k_ways 4 no' \
    "$(claims 'dtlb1_4k_(entries|ways)' | paste -s -d ,)"
matches 'claims: a published claim has its source' '^dtlb1_4k_entries	96	entries	published: ' <(machine --sysroot "$root")

# InstLatx64, AuthenticAMD0B20F40_K20_StrixPoint_06; hwloc's AMD-1Ah-Zen5StrixPoint-RyzenAI9HX370.
for core in 0x00000002:0x0001c163:0x3fff: 0x10000002:0x0003c163:0x1fff:efficiency_; do
    IFS=: read -r kind shared sets prefix <<<"$core"
    recorded "strix-point-$kind"
    leaves <<END
0x0 0 0x10 0x68747541 0x444d4163 0x69746e65
0x1 0 0x00b20f40 0x00180800 0x7ed8320b 0x178bfbff
0x8000001d 0 0x00004121 0x02c0003f 0x0000003f 0
0x8000001d 1 0x00004122 0x01c0003f 0x0000003f 0
0x8000001d 2 0x00004143 0x03c0003f 0x000003ff 2
0x8000001d 3 $shared 0x03c0003f $sets 1
0x80000026 0 0x60000001 $kind 0x100 0
END
    same "claims: a core of Strix Point is of one kind of several ($kind)" \
        "performance_cores unknown no,efficiency_cores unknown no,${prefix}l3_bytes $((64 * 16 * (sets + 1))) yes" \
        "$(claims "performance_cores|efficiency_cores|${prefix}l3_bytes" | paste -s -d ,)"
done

# hwloc, AMD-K10-Istanbul-8xOpteron-8439SE and AMD-K10-MagnyCours-2xOpteron-6164HE, two dies in a package.
for core in 0x00100f80:0x0028b140 0x00100f91:0x0050d140; do
    recorded "k10-${core%:*}"
    leaves <<END
0x0 0 0x5 0x68747541 0x444d4163 0x69746e65
0x1 0 ${core%:*} 0x00060800 0x00802009 0x178bfbff
0x80000005 0 0xff30ff10 0xff30ff20 0x40020140 0x40020140
0x80000006 0 0x20800000 0x42004200 0x02008140 ${core#*:}
END
    same "claims: caches of AMD before leaf 0x8000001d (${core%:*})" \
        'l1d_bytes 65536 yes,l1d_ways 2 yes,l1i_bytes 65536 yes,l1i_ways 2 yes,l2_bytes 524288 yes,l3_bytes 5242880 yes' \
        "$(claims 'l[123].*' | paste -s -d ,)"
done

# hwloc, nvidia-dgx-gb10: two clusters of 5 X925 and 5 A725, the core of the largest capacity in the second.
recorded gb10
put /sys/devices/system/cpu/online 0-3
for cpu in 0:718:512K:8192K 1:997:2048K:8192K 2:731:512K:16384K 3:1024:2048K:16384K; do
    IFS=: read -r number capacity second third <<<"$cpu"
    put "/sys/devices/system/cpu/cpu$number/cpu_capacity" "$capacity"
    cache "$number" 0 1 Data 64K 4 256 64
    cache "$number" 1 2 Unified "$second" 8 0 64
    cache "$number" 2 3 Unified "$third" 16 0 64
done
same 'claims: of clusters with two sizes of L3 both sizes are listed' \
    'described_cpu 3 yes,l3_bytes 16777216 yes,l3_bytes 8388608 no' "$(claims 'described_cpu|l3_bytes' | paste -s -d ,)"

# ThomasKaiser/sbc-bench, boards with kernels 4.4 and 4.9 of vendors.
root=$TMP/no-capacity
grep -v '/cpu_capacity	' "$ROOT/tests/machines/aarch64-big-little/system.txt" >"$root"
same 'claims: cores of two parts are of two kinds without capacities too' \
    'performance_cores 2 yes,efficiency_cores 4 yes,described_cpu 4 yes,dtlb1_64k_entries 32 yes' \
    "$(claims 'performance_cores|efficiency_cores|described_cpu|dtlb1_64k_entries' | paste -s -d ,)"

# Boards with small cores alone: Cortex-A53, -A55 (manuals of Arm).
for core in 0xd03:10:512 0xd05:16:1024; do
    IFS=: read -r part first second <<<"$core"
    recorded "small-$part"
    put /sys/devices/system/cpu/online 0
    put /getconf.txt 'PAGESIZE 4096'
    put /proc/cpuinfo "processor	: 0
CPU implementer	: 0x41
CPU part	: $part"
    same "claims: what is published of a small core ($part)" "dtlb1_4k_entries $first yes,dtlb2_4k_entries $second yes" \
        "$(claims 'dtlb._4k_entries' | paste -s -d ,)"
done

# hwloc-gather-topology: links as in sysfs, no uname.txt, the size of a page in a file of its own.
recorded gathered
rm "$root/uname.txt"
cache 0 0 1 Data 32K 8 64 64
put /proc/hwloc-nofile-info 'PageSize: 16384'
mkdir -p "$root/sys/bus/cpu"
ln -s ../../devices/system/cpu/cpu0 "$root/sys/bus/cpu/cpu0"
ln -s ../../gone "$root/sys/bus/cpu/cpu1"
same 'claims: a tree of hwloc-gather-topology is a machine' 'cores 1 yes,page_bytes 16384 yes,l1d_bytes 32768 yes' \
    "$(claims 'cores|l1d_bytes|page_bytes' | paste -s -d ,)"
ln -s ../../../../gb10 "$root/sys/bus/cpu/cpu2"
exits_saying 2 'claims: a link out of a tree is refused' 'cpu/cpu2: a recording has only' machine --sysroot "$root"

# hwloc, 8ia64-4s2c: Itanium 2 of 2006, with a second level of its own for code.
recorded itanium
cache 0 0 1 Data 16K 4 64 64
cache 0 1 2 Data 256K 8 256 128
cache 0 2 2 Instruction 1024K 8 1024 128
same 'claims: a second level for data is the second level' 'l2_bytes 262144 yes,l2i_bytes 1048576 yes' \
    "$(claims 'l2.*_bytes' | sort | paste -s -d ,)"

# Sub-leaves of a recording are decimal, or begin with 0x.
recorded many
{
    echo "$intel" && echo '0x1 0 0x000c0660 0 0 0' && echo '0x2 0 0x00feff01 0 0 0' && echo '0x18 0 0x0b 0 0 0'
    for ((i = 1; i < 10; i++)); do echo "0x18 $i 0 0 0 0"; done
    echo '0x18 11 0 0x00040001 0x00000010 0x00004021' && echo '0x18 0x0a 0 0x00080001 0x00000080 0x00004043'
} | leaves
same 'claims: a sub-leaf above 9 is read' 'dtlb1_4k_entries 64 yes,dtlb2_4k_entries 1024 yes' \
    "$(claims 'dtlb._4k_entries' | paste -s -d ,)"

finish_tests
