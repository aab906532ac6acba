#!/usr/bin/env bash
# import.t: tables of what other programs print, of which each text here has the form; sources are named.
# shellcheck source-path=SCRIPTDIR
. "${0%/*}/../tap.sh"
sanitizers_suffice

# imported FORMAT COLUMNS: of the text on stdin, rows joined by commas.
imported() { import "$1" >"$TMP/out" 2>"$TMP/err" || echo "status $?"; columns "$2" "$TMP/out" | tr '\t' ' ' | paste -s -d , -; }
point='pages spacing_bytes ns'

# lmbench 3, lat_mem_rd: fprintf(stderr, "\"stride=%d\n"), "%.5f %.3f\n".
printf 'Memory load latency\n"stride=64\n0.00049 1.584\n0.00098 1.584\n0.03125 4.2\n\nRandom load latency\n1 2\n"stride=1024\n0.00049 1.6\n0.00195 2.5\n' >"$TMP/lmbench"
same 'import: lat_mem_rd' '8 64 1.584,16 64 1.584,512 64 4.2,2 1024 2.5' "$(imported lmbench "$point" <"$TMP/lmbench" | sed 's/1 1024 1.6,//')"
matches 'import: the metadata say where rows are from' '^# imported_from: lat_mem_rd of lmbench$' "$TMP/out"
matches 'import: the metadata name the file' '^# imported_file: -$' "$TMP/out"
exits 2 'import: a damaged line is refused' import lmbench <<<$'"stride=64\n0.00049 1.5x'
matches 'import: a damaged line is named' "^import: -:2: '1.5x' is not a number" "$TMP/err"

same 'import: a comment ends no block of lat_mem_rd' '8 64 1.584,512 64 4.2' \
    "$(imported lmbench "$point" <<<$'"stride=64\n0.00049 1.584\n# from the second socket\n0.03125 4.2')"

# tinymembench 0.4.9 (results of ThomasKaiser/sbc-bench).
tinymembench='block size : single random read / dual random read, [MADV_NOHUGEPAGE]
      1024 :    0.0 ns          /     0.0 ns 
     65536 :    4.3 ns          /     6.5 ns 

block size : single random read / dual random read, [MADV_HUGEPAGE]
     65536 :    4.2 ns          /     6.4 ns '
same 'import: tinymembench' '16 0 random -,1024 4.3 random -,1024 4.2 random huge' \
    "$(imported tinymembench 'pages ns kernel backing' <<<"$tinymembench")"

# google/multichase prints the time alone.
same 'import: multichase, sizes and times' '16 256 1.2,32768 256 33.1' "$(imported multichase "$point" <<<$'4k 1.2\n8m: 33.1')"
same 'import: multichase, other units' '16 256 1.2,32768 256 33.1' "$(imported multichase "$point" <<<$'4KiB 1.2 ns\n8MB 33.1')"
same 'import: multichase, commands and times' '65536 64 88.1,4194304 256 99' \
    "$(imported multichase "$point" <<<$'+ ./multichase -m 4m -s 64\n88.1\n+ multichase -s256 -m 1g\n99')"
same 'import: multichase -v states its size' '16384 256 88.134' "$(imported multichase "$point" <<'END'
nr_threads = 1
page_size = 4096 bytes
total_memory = 4194304 (4.0 MiB)
stride = 256
tlb_locality = 262144
chase = simple
samples (one column per thread, one row per sample):
 88.134  avg=88.134
 89.000  avg=89.000
88.134
END
)"
same 'import: --spacing is for what no file states' '64 64 1.2' "$(import --spacing 64 multichase <<<'4k 1.2' | columns "$point" - | tr '\t' ' ')"

# torvalds/test-tlb: make run, and commands.
same 'import: test-tlb, make run' '64 1.37 huge,64 1.47 -' \
    "$(imported test-tlb 'pages ns backing' <<<$'4k:\n  1.17ns (~4.0 cycles)\n  1.27ns (~4.3 cycles)\n  1.37ns (~4.6 cycles)\n  1.47ns (~5.0 cycles)')"
matches 'import: loads in sequence are left out with a remark' 'times of loads in sequence \(2\) are left out' "$TMP/err"
same 'import: test-tlb, commands' '4096 4096 17.2,1024 64 3.4' \
    "$(imported test-tlb "$point" <<<$'+ ./test-tlb -r 16M 4k 3.9\nSetting cpu frequency to: 3.900000ghz\n 17.20ns (~62.0 cycles)\n+ ./test-tlb -H -r 64k 64 3.9\n  3.40ns (~13.3 cycles)')"

# Calibrator (a result in the manual of pTop), and the form that states associativity.
same 'import: Calibrator' 'cache 1 512 42.56,cache 2 16384 59.8,dtlb 1 64 5.51' "$(imported calibrator 'structure level entries step_ns' <<'END'
CPU loop + L1 access:       0.77 ns =   2 cy

caches:
level  size    linesize   miss-latency        replace-time
  1     32 KB   64 bytes   42.56 ns =  91 cy    3.61 ns =   8 cy
  2      2 MB  128 bytes   59.80 ns = 128 cy  109.09 ns = 233 cy

TLBs:
level #entries  pagesize  miss-latency
  1       64       4 KB     5.51 ns =  14 cy 
END
)"
same 'import: Calibrator in small letters' 'cache 1 8192 20.1' \
    "$(imported calibrator 'structure level entries step_ns' <<<$'caches:\n  1    512 kB   64 bytes   20.1 ns =  60 cy')"
same 'import: Calibrator with ways' 'cache 1 512 42.56' \
    "$(imported calibrator 'structure level entries step_ns' <<<$'caches:\n  1     32 KB   64 bytes      8-way     42.56 ns =  91 cy    3.61 ns =   8 cy')"
import calibrator <<<$'caches:\n  1     32 KB   64 bytes   42.56 ns =  91 cy' >"$TMP/boundaries"
prints 'import: boundaries are described' '32' report "$TMP/boundaries"

# nviennot/core-to-core-latency, Intel Core i7-6700K.csv, its first cores.
same 'import: core-to-core-latency' '0 1 6.93,0 2 20.313333333333333,1 2 19.89666666666667' \
    "$(imported core-to-core 'core_a core_b ns' <<<$',,\n6.93,,\n20.313333333333333,19.89666666666667,')"

same 'import: core-to-core-latency with what it says of the processor' '0 1 6.93,0 2 20.3,1 2 19.9' \
    "$(imported core-to-core 'core_a core_b ns' <<<$'CPU: a CPU, revision 2\nNum cores: 3\n,,\n6.93,,\n20.3,19.9,')"
same 'import: core-to-core-latency, made by NumPy' '0 1 6.93' "$(imported core-to-core 'core_a core_b ns' <<<$'NaN,NaN\n6.93,NaN')"
exits 2 'import: a matrix with decimal commas is refused' import core-to-core <<<$';;\n6,93;;\n20,3;19,8;'

# CSV.
same 'import: a CSV of MiB' '8192 64 1.2,131072 64 33' "$(imported csv "$point" <<<$'"Size (MiB)";"Latency (ns)"\n0.5;1.2\n8;33')"
same 'import: a CSV of bytes, with carriage returns' '64 64 1.2' "$(printf 'name,bytes,ns\r\na,4096,1.2\r\n' | imported csv "$point")"
same 'import: a CSV with separators in quotes' '16777216 64 1.5' \
    "$(imported csv "$point" <<<$'"Size, in MiB","Time, ns","a ""b"""\n"1024","1.5",')"
exits 2 'import: thousands with a separator are refused' import csv <<<$'KiB,ns\n"1,024",3.2'
matches 'import: thousands with a separator are named' "^import: -:2: '1,024' is not a number" "$TMP/err"
same 'import: between semicolons a comma is the decimal point' '8192 64 3.9' "$(imported csv "$point" <<<$'sep=;\nMiB;ns\n0,5;3,9')"
exits 2 'import: elsewhere it is not' import csv <<<$'MiB\tns\n0,5\t3,9'
exits 2 'import: a CSV of one column is refused' import csv <<<$'bytes ns\n1 2'
matches 'import: a CSV of one column is answered with what separates columns' 'commas, semicolons or tabs' "$TMP/err"
exits 2 'import: a long row is refused' import csv <<<$'bytes,ns\n1,024,3'
matches 'import: a long row is reported' '^import: -:2: the row has 3 fields, and the header 2' "$TMP/err"
same 'import: a CSV with strides and a spread' '64 64 1.2' "$(imported csv "$point" <<<$'Stride (B),Size (KiB),stddev ns,ns\n64,4,9,1.2')"
exits 2 'import: a CSV with two columns of sizes is refused' import csv <<<$'line_bytes,bytes,ns\n64,4096,1'
matches 'import: a CSV with two columns of sizes is reported' '2 columns in bytes, KiB, MiB or GiB: name one of them size' "$TMP/err"
same 'import: a CSV with units after slashes' '64 64 1.2' "$(imported csv "$point" <<<$'GB/s,Size / KiB,ns\n64,4,1.2')"
exits 2 'import: a rate is no size' import csv <<<$'GB/s,ns\n20,1'
exits 2 'import: a CSV without sizes is refused' import csv <<<$'size,ns\n1,2'
matches 'import: a CSV without sizes is reported' 'the header has no column of sizes in bytes' "$TMP/err"
exits 2 'import: a short row is refused' import csv <<<$'bytes,ns\n1'

# Imported tables are read by other programs.
for size in 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576 2097152; do
    echo "$size,$((size > 32768 ? 4 : 1))"
done | sed '1i bytes,ns' | import csv >"$TMP/curve.tsv"
check 'import: samples are read by detect' detect --quiet --method caches "$TMP/curve.tsv"

# Files of others, and none.
exits 2 'import: a file of another program is refused' import tinymembench "$TMP/lmbench"
matches 'import: a file of another program is named' 'lmbench: no line of it is of tinymembench' "$TMP/err"
exits 2 'import: no format is refused' import
exits_saying 2 'import: another format is refused' 'help formats' import mlc "$TMP/lmbench"
exits 1 'import: a last line without an end is partial' import csv < <(printf 'bytes,ns\n4096,1.2\n8192,1.')
exits 2 'import: one without an end alone is nothing' import csv < <(printf 'bytes,ns\n8192,1.')
matches 'import: it is named' 'no line of it is of a CSV: the last line has no end' "$TMP/err"
for text in "$(cat "$TMP/lmbench")" "$tinymembench" $'bytes,ns\n1024,2' $',,\n4.3,,'; do
    printf '%s\n' "$text" >"$TMP/foreign"
    for command in 'detect --quiet' report latency tojson; do
        # shellcheck disable=SC2086 # a command and its options
        exits 2 "import: ${command%% *} refuses text of others: ${text%%$'\n'*}" $command "$TMP/foreign"
        matches "import: ${command%% *} names import: ${text%%$'\n'*}" 'tlblab import' "$TMP/err"
    done
done

# Leaves of CPUID, as cpuid -r and InstLatx64 write them (a Zen 2: AuthenticAMD0870F10_K17_Matisse_CPUID.txt);
# the second processor's are left out.
mkdir "$TMP/zen2"
{
    printf -- '------[ CPUID Registers / Logical CPU #0 ]------\r\n\r\nallcpu: Package 0 / Core 0 / Thread 0: Valid\r\n'
    printf 'CPUID %s\r\n' '00000000: 00000010-68747541-444D4163-69746E65 [AuthenticAMD]' '80000000: 80000020-68747541-444D4163-69746E65' \
        '80000002: 20444D41-657A7952-2039206E-204F5250 [a CPU @]' '80000005: FF40FF40-FF40FF40-20080140-20080140 [L1D: 32 KB]' \
        '80000006: 48006400-68006400-02006140-02009140' '8000001D: 00004121-01C0003F-0000003F-00000000 [SL 00] [L1D: 32 KB]' \
        '8000001D: 00004143-01C0003F-000003FF-00000002 [SL 02] [L2U: 512 KB]'
    printf -- '------[ CPUID Registers / Logical CPU #1 ]------\r\nCPUID 00000000: 00000010-68747541-444D4163-69746E65\r\nCPUID 80000005: 00000000-00000000-00000000-00000000\r\n'
} >"$TMP/matisse"
exits 0 'import: a dump of InstLatx64 is read' import cpuid "$TMP/matisse"
cp "$TMP/out" "$TMP/zen2/cpuid.tsv"
same 'import: a dump of InstLatx64 is a machine, by its claims' '64 2048 8-15 32768' "$(machine --sysroot "$TMP/zen2" |
    awk -F '\t' '$1 ~ /^dtlb[12]_4k_entries$|^dtlb2_4k_ways$|^l1d_bytes$/ { v[$1] = $2 }
        END { print v["dtlb1_4k_entries"], v["dtlb2_4k_entries"], v["dtlb2_4k_ways"], v["l1d_bytes"] }')"
same 'import: and through it one to simulate' 'dtlb 1 64 64,dtlb 2 2048 8' "$(machine --sysroot "$TMP/zen2" |
    simulate --describe - | awk -F '\t' '/^dtlb/ { print $1, $2, $3, $4 }' | paste -s -d , -)"
{
    echo 'CPU 0:'
    grep '^0x' "$TMP/zen2/cpuid.tsv" | awk '{ printf "   %s 0x%02x: eax=%s ebx=%s ecx=%s edx=%s\n", $1, $2, $3, $4, $5, $6 }'
    printf 'CPU 1:\n   0x00000000 0x00: eax=0x00000010 ebx=0x68747541 ecx=0x444d4163 edx=0x69746e65\n   0x80000005 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n'
} >"$TMP/raw"
same 'import: cpuid -r gives the same leaves' "$(grep '^0x' "$TMP/zen2/cpuid.tsv")" "$(import cpuid "$TMP/raw" | grep '^0x')"
# The headings of InstLatx64's older dumps, and none; sub-leaves that are not stated, and hexadecimal ones
# (GenuineIntel0090675_AlderLake_01, AuthenticAMD0100F21_K10_Barcelona, AuthenticAMD0B20F40_K20_StrixPoint_06).
same 'import: the text before the first processor is no processor' '0x00000000 0 0x00000005' \
    "$(imported cpuid 'leaf subleaf eax' <<<$'CPU Type           : 2x QuadCore\nCPU Alias          : Barcelona\nCPUID Revision     : 00100F21h
------[ Logical CPU #0 ]------\nCPUID 00000000: 00000005-68747541-444D4163-69746E65')"
same 'import: a leaf again is its next sub-leaf, and leaf 0 again another processor' \
    '0x00000000 0 0x00000020,0x00000004 0 0x1c004121,0x00000004 1 0x1c004122,0x00000005 0 0x00000040' \
    "$(imported cpuid 'leaf subleaf eax' <<<$'CPUID 00000000: 00000020-756E6547-6C65746E-49656E69\nCPUID 00000004: 1C004121-02C0003F-0000003F-00000000
CPUID 00000004: 1C004122-01C0003F-0000003F-00000000\nCPUID 00000005: 00000040-00000040-00000003-10101020\n\nCPUID 00000000: 00000020-756E6547-6C65746E-49656E69
CPUID 00000004: 1C004143-02C0003F-0000003F-00000000')"
same 'import: sub-leaves of a dump are hexadecimal' '0x0000000d 11 0x00000010' \
    "$(imported cpuid 'leaf subleaf eax' <<<'CPUID 0000000D: 00000010-00000000-00000001-00000000 [SL 0B] [CET_U]')"
same 'import: hwloc-gather-cpuid has a mask of what counts' '0x00000000 0 0x0000001a,0x00000004 1 0x1c004122,0x8000001d 0 0x00000000' \
    "$(imported cpuid 'leaf subleaf eax' <<<$'# mask e[abcd]x => e[abcd]x\n1 0 0 0 0 => 1a 756e6547 6c65746e 49656e69\n5 4 0 1 0 => 1c004122 1c0003f 3f 0\n1 8000001d 0 7 0 => 0 0 0 0')"
same 'import: cpuid -r before it printed sub-leaves' '0x00000000 0 0x0000000d,0x00000004 0 0x1c004121,0x00000004 1 0x1c004122' \
    "$(imported cpuid 'leaf subleaf eax' <<<$'   0x00000000: eax=0x0000000d ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69
   0x00000004: eax=0x1c004121 ebx=0x02c0003f ecx=0x0000003f edx=0x00000000\n   0x00000004: eax=0x1c004122 ebx=0x01c0003f ecx=0x0000003f edx=0x00000000')"
exits 2 'import: two machines are refused' import cpuid "$TMP/matisse" "$TMP/raw"
printf 'CPU 0:\n   0x00000000 0x00: eax=0xzz ebx=0x0 ecx=0x0 edx=0x0\n' >"$TMP/zz"
exits 2 'import: a register that is no number is refused' import cpuid "$TMP/zz"
matches 'import: a register that is no number is named with its line' "zz:2: '0xzz' is not 32 bits in hexadecimal" "$TMP/err"

# XML of hwloc, as lstopo writes it: two processors of one kind and two of another, memory beside one node.
cat >"$TMP/topology.xml" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x00000007" complete_cpuset="0x00000007" allowed_cpuset="0x00000007" nodeset="0x00000003" complete_nodeset="0x00000003" allowed_nodeset="0x00000003" gp_index="1">
    <info name="OSName" value="Linux"/>
    <info name="OSRelease" value="6.12.0"/>
    <info name="Architecture" value="x86_64"/>
    <object type="NUMANode" os_index="0" cpuset="0x00000007" complete_cpuset="0x00000007" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="2" local_memory="1073741824">
      <page_type size="4096" count="262144"/>
      <page_type size="2097152" count="0"/>
    </object>
    <object type="NUMANode" os_index="1" cpuset="0x00000007" complete_cpuset="0x00000007" nodeset="0x00000002" complete_nodeset="0x00000002" gp_index="3"/>
    <object type="Package" os_index="0" cpuset="0x00000007" complete_cpuset="0x00000007" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="4">
      <info name="CPUModel" value="A Hybrid Processor"/>
      <object type="L2Cache" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="5" cache_size="2097152" depth="2" cache_linesize="64" cache_associativity="16" cache_type="0">
        <object type="L1Cache" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="6" cache_size="49152" depth="1" cache_linesize="64" cache_associativity="12" cache_type="1">
          <object type="Core" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="7">
            <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="8"/>
          </object>
        </object>
      </object>
      <object type="L2Cache" cpuset="0x00000006" complete_cpuset="0x00000006" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="9" cache_size="4194304" depth="2" cache_linesize="64" cache_associativity="15" cache_type="0">
        <object type="Core" os_index="1" cpuset="0x00000006" complete_cpuset="0x00000006" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="10">
          <object type="PU" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="11"/>
          <object type="PU" os_index="2" cpuset="0x00000004" complete_cpuset="0x00000004" nodeset="0x00000003" complete_nodeset="0x00000003" gp_index="12"/>
        </object>
      </object>
    </object>
  </object>
  <cpukind cpuset="0x00000006" forced_efficiency="0"/>
  <cpukind cpuset="0x00000001" forced_efficiency="1"/>
</topology>
END
if grep -q hwloc <(ldd "$OUT/import" 2>/dev/null); then
    exits 0 'import: XML of hwloc is read' import hwloc "$TMP/topology.xml"
    # Ways that contradict the size are not listed.
    same 'import: the faster kind is described, and what others have beside it' "$(tr ' ' '\t' <<'END'
system Linux|6.12.0|x86_64 - hwloc yes
cpu A|Hybrid|Processor - hwloc yes
cores 3 cores hwloc yes
performance_cores 1 cores hwloc yes
efficiency_cores 2 cores hwloc yes
l1d_bytes 49152 bytes hwloc yes
l1d_ways 12 ways hwloc yes
line_bytes 64 bytes hwloc yes
l2_bytes 2097152 bytes hwloc yes
l2_bytes 4194304 bytes hwloc no
l2_ways 16 ways hwloc yes
page_bytes 4096 bytes hwloc yes
mem_total_bytes 1073741824 bytes hwloc yes
numa_nodes 1 nodes hwloc yes
END
    )" "$(grep -v '^#' "$TMP/out" | tail -n +2 | tr ' ' '|')"
    same 'import: XML from a pipe' "$(grep -v '^#' "$TMP/out")" "$(import hwloc <"$TMP/topology.xml" | grep -v '^#')"
    { printf '\xef\xbb\xbf' && sed 's/$/\r/' "$TMP/topology.xml"; } >"$TMP/windows.xml"
    same 'import: XML of Windows' "$(grep -v '^#' "$TMP/out")" "$(import hwloc "$TMP/windows.xml" | grep -v '^#')"
    sed 's/topology version="2.0"/topology version="3.0"/' "$TMP/topology.xml" >"$TMP/later.xml"
    exits 2 'import: XML of a later hwloc is refused' import hwloc "$TMP/later.xml"
    matches 'import: XML of a later hwloc is answered with the remedy' 'hwloc 3 for older ones: --export-xml-flags v2' "$TMP/err"
    # As hwloc 1.0 wrote it: the processor's name at the top, and caches without a type.
    cat >"$TMP/first.xml" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc.dtd">
<topology>
  <object type="Machine" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" online_cpuset="0x00000001" allowed_cpuset="0x00000001" local_memory="4294967296">
    <page_type size="4096" count="1048576"/>
    <info name="CPUModel" value="An Old Processor"/>
    <object type="Socket" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" online_cpuset="0x00000001" allowed_cpuset="0x00000001">
      <object type="Cache" cpuset="0x00000001" complete_cpuset="0x00000001" online_cpuset="0x00000001" allowed_cpuset="0x00000001" cache_size="32768" depth="1" cache_linesize="64">
        <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" online_cpuset="0x00000001" allowed_cpuset="0x00000001"/>
      </object>
    </object>
  </object>
</topology>
END
    same 'import: XML of hwloc 1.0' 'An Old Processor,32768' \
        "$(import hwloc "$TMP/first.xml" | awk -F '\t' '$1 == "cpu" || $1 == "l1d_bytes" { print $2 }' | paste -s -d ,)"
    exits 2 'import: XML that is cut is refused' import hwloc - < <(head -c 2000 "$TMP/topology.xml")
    matches 'import: XML that is cut is reported' 'hwloc reads no topology from it' "$TMP/err"
    exits_saying 2 'import: a folder is refused' 'machine --sysroot' import hwloc "$TMP"
else
    exits_saying 2 'import: without hwloc its XML is refused' 'needs libhwloc' import hwloc "$TMP/topology.xml"
fi

finish_tests
