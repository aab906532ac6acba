#!/usr/bin/env bash
# tohwloc.t: tohwloc puts nodes, pairs of cores and latencies into a topology, hwloc reads them back, and bad
# tables are refused. The topologies are hwloc's synthetic ones, and a recorded machine.
. "${0%/*}/../tap.sh"

# on TOPOLOGY COMMAND...
on() { HWLOC_SYNTHETIC=$1 "${@:2}"; }
two='node:2 core:2 pu:1'
{
    printf 'core_node\tmemory_node\tdistance\tns\tgb_per_s\tnode\n'
    printf '%s\n' "0${tab}0${tab}10${tab}85.3${tab}31${tab}yes" "0${tab}1${tab}21${tab}142.6${tab}18${tab}yes" \
        "1${tab}0${tab}21${tab}140${tab}17${tab}hint (x)" "1${tab}1${tab}10${tab}86${tab}-${tab}yes"
} >"$TMP/nodes.tsv"

# attributes XML: name, value and initiator of each attribute of memory that was measured.
attributes() {
    tr -d '\n' <"$1" | grep -o '<memattr [^/]*name="[BL][a-z]*".*' | sed 's/<\(memattr \|memattr_value\)/\n&/g' |
        awk -F '"' '/^<memattr / { name = $2 } /^<memattr_value/ && name ~ /^(Bandwidth|Latency)$/ { print name, $6, $8 }'
}

exits 0 'tohwloc: nodes are put into a topology' on "$two" tohwloc "$TMP/nodes.tsv"
same 'tohwloc: nodes need no remark' '' "$(cat "$TMP/err")"
cp "$TMP/out" "$TMP/nodes.xml"
same 'tohwloc: latencies are in ns, rates in MiB/s, a missing one is left out' \
    'Bandwidth 29564 0x00000003,Bandwidth 16212 0x0000000c,Bandwidth 17166 0x00000003,Latency 85 0x00000003,Latency 140 0x0000000c,Latency 143 0x00000003,Latency 86 0x0000000c' \
    "$(attributes "$TMP/nodes.xml" | paste -s -d , -)"
exits 0 'tohwloc: pairs are added to what it wrote' env HWLOC_XMLFILE="$TMP/nodes.xml" tohwloc <<END
core_a${tab}core_b${tab}min_ns
0${tab}2${tab}99.6
0${tab}2${tab}101
0${tab}3${tab}98
2${tab}3${tab}0.2
END
same 'tohwloc: the attributes are kept' "$(attributes "$TMP/nodes.xml")" "$(attributes "$TMP/out")"
cp "$TMP/out" "$TMP/both.xml"
same 'tohwloc: distances are the shortest times between the cores of the table' '0 100 98 100 0 1 98 1 0' \
    "$(sed -n 's/.*<u64values[^>]*>\([0-9 ]*\)<.*/\1/p' "$TMP/both.xml" | paste -s -d ' ' - | tr -s ' ' | sed 's/^ //; s/ $//')"
if command -v lstopo-no-graphics hwloc-info >/dev/null; then
    lstopo-no-graphics --distances -i "$TMP/both.xml" >"$TMP/shown"
    matches 'tohwloc: lstopo shows the distances' 'matrix \(name CacheLineNs .* between 3 PUs' "$TMP/shown"
    lstopo-no-graphics --memattrs -i "$TMP/both.xml" >"$TMP/shown"
    matches 'tohwloc: lstopo shows the attributes' 'NUMANode L#1 = 143 from cpuset 0x00000003' "$TMP/shown"
    hwloc-info -i "$TMP/both.xml" --best-memattr latency core:2 >"$TMP/shown"
    matches 'tohwloc: hwloc knows the nearest memory' '^NUMANode L#1 ' "$TMP/shown"
else
    skip 'tohwloc: lstopo shows the values' 'no hwloc-nox here'
fi

{
    printf 'structure\tlevel\tkernel\tchains\tns\tidle_cycles\n'
    printf '%s\n' "cache${tab}1${tab}read${tab}1${tab}1.2345${tab}5" "cache${tab}1${tab}write${tab}1${tab}9${tab}5" \
        "cache${tab}2${tab}read${tab}2${tab}8${tab}5" "cache${tab}2${tab}read${tab}1${tab}-${tab}-" "memory${tab}-${tab}read${tab}1${tab}97${tab}400"
} >"$TMP/latencies.tsv"
exits 0 'tohwloc: latencies are put into a topology' on 'l2:1 l1:2 core:1 pu:1' tohwloc "$TMP/latencies.tsv"
same 'tohwloc: each cache of the level has its latency' 2 "$(grep -c 'name="LatencyNs" value="1.234"' "$TMP/out")"
same 'tohwloc: no other cache has one' 2 "$(grep -c LatencyNs "$TMP/out")"
same 'tohwloc: memory has its latency' 'Latency 97 0x00000003' "$(attributes "$TMP/out")"
if [ "$PLATFORM" = linux ]; then
    exits 0 'tohwloc: a recorded machine has a topology' tohwloc --sysroot "$ROOT/tests/machines/amd-epyc-guest/system.txt" "$TMP/latencies.tsv"
    matches 'tohwloc: a recorded machine has its caches' 'name="LatencyNs"' "$TMP/out"
else
    skip 'tohwloc: a recorded machine has a topology' 'hwloc reads recorded machines on Linux'
fi

exits 1 'tohwloc: memory on another node is a partial answer' on "$two" tohwloc <<<"$(sed 's/hint (x)/no (1 of 2 pages lie elsewhere)/' "$TMP/nodes.tsv")"
matches 'tohwloc: memory on another node is reported' '^tohwloc: node 1 to node 0: left out, the memory was on another node' "$TMP/err"
same 'tohwloc: memory on another node is left out' 3 "$(attributes "$TMP/out" | grep -c Latency)"
exits 1 'tohwloc: a pair without time is a partial answer' on "$two" tohwloc <<<"core_a${tab}core_b${tab}min_ns
0${tab}1${tab}30
0${tab}2${tab}-"
lacks 'tohwloc: a pair without time leaves no distances' CacheLineNs "$TMP/out"
matches 'tohwloc: a pair without time is reported' 'no distances: a pair of cores has no time' "$TMP/err"
exits 1 'tohwloc: a table without rows is a partial answer' on "$two" tohwloc <<<"core_a${tab}core_b${tab}min_ns"

# refuses NAME REASON TABLE
refuses() {
    exits 2 "tohwloc: $1 is refused" on "$two" tohwloc <<<"$3"
    matches "tohwloc: $1 is reported" "$2" "$TMP/err"
    same "tohwloc: $1 gives no topology" '' "$(cat "$TMP/out")"
}
refuses 'a core that is not there' "^tohwloc: -:2: column 'core_b': the topology has no such core" "core_a${tab}core_b${tab}min_ns
0${tab}4${tab}30"
refuses 'a node that is not there' "column 'memory_node': the topology has no such node" "core_node${tab}memory_node${tab}ns
0${tab}-1${tab}30"
refuses 'half a core' 'no such core' "core_a${tab}core_b${tab}min_ns
0.5${tab}1${tab}30"
refuses 'a pair of one core' 'two different cores' "core_a${tab}core_b${tab}min_ns
1${tab}1${tab}30"
refuses 'text for a time' "column 'min_ns'" "core_a${tab}core_b${tab}min_ns
0${tab}1${tab}fast"
refuses 'another table' 'not a table of nodes, pairs of cores or latencies' "pages${tab}ns
1${tab}2"
finish_tests
