#!/usr/bin/env bash
# nodes.t: memory of one node: chase and bandwidth --node here, and the matrix of scripts/nodes on a recorded
# machine of two nodes, with programs that measured nothing.
# shellcheck disable=SC2016 # $ in single quotes is for awk
. "${0%/*}/../tap.sh"

# ---- the script ----

mkdir -p "$TMP/tools"
fake() { { echo '#!/bin/sh' && cat; } >"$TMP/tools/$1" && chmod +x "$TMP/tools/$1"; }
# The latency is 100 to the own node and 200 to the other one; taskset hands its cores on.
fake taskset <<'END'
cores=$2
shift 2
CORES=$cores exec "$@"
END
fake chase <<'END'
echo "$CORES: $*" >>"$CALLS"
case $*,$FAULT in *'--node 1'*,refused) echo 'chase: --node 1: mbind: Invalid argument' >&2 && exit 2 ;; esac
own=0
[ "$CORES" = 0,2 ] || own=1
case $* in *"--node $own "*) ns=100 ;; *) ns=200 ;; esac
printf '# program: chase\npages\tns\tnode\n4\t%d\tyes\n4\t%d\t%s\n' $((ns + 5)) $ns "${VERDICT:-yes}"
END
fake bandwidth <<'END'
echo "$CORES: $*" >>"$CALLS"
printf 'op\tgb_per_s\tns\tnode\nread\t30.5\t-\tyes\nread\t31\t-\tyes\n'
END
fake machine <<'END'
printf 'key\tvalue\tunit\tsource\tused\ncpu\tTwo Nodes\t-\tx\tyes\nl2_bytes\t1048576\tbytes\tx\tyes\nl3_bytes\t33554432\tbytes\tx\tyes\n'
END
nodes=$TMP/two/sys/devices/system/node
mkdir -p "$nodes/node0" "$nodes/node1" "$nodes/node2"
echo 0-2 >"$nodes/online" && echo 0-1 >"$nodes/has_memory"
echo 0,2 >"$nodes/node0/cpulist" && echo 1,3 >"$nodes/node1/cpulist" && : >"$nodes/node2/cpulist"
echo 10 21 31 >"$nodes/node0/distance" && echo 21 10 31 >"$nodes/node1/distance"
matrix=(env OUT="$TMP/tools" CALLS="$TMP/calls" "$ROOT/scripts/nodes" --sysroot "$TMP/two")

exits 0 'nodes: a machine of two nodes has a matrix' "${matrix[@]}"
same 'nodes: a row for each node with cores and each with memory, the distance, and the best of the samples' \
    "0${tab}0${tab}10${tab}100${tab}31${tab}yes
0${tab}1${tab}21${tab}200${tab}31${tab}yes
1${tab}0${tab}21${tab}200${tab}31${tab}yes
1${tab}1${tab}10${tab}100${tab}31${tab}yes" "$(rows "$TMP/out")"
same 'nodes: two nodes need no remark' '' "$(cat "$TMP/err")"
same 'nodes: the memory of one node is measured from the cores of the other, four times the last cache' \
    '0,2: --quiet --node 1 --layout local --pages 2097152 --spacing 64 --samples 3
0,2: --quiet --node 1 --op read --bytes 134217728 --samples 3 --threads 2' "$(grep '^0,2: .*--node 1 ' "$TMP/calls")"
cp "$TMP/out" "$TMP/two.tsv"
"$ROOT/scripts/record-machine" --pack "$TMP/two" >"$TMP/two.txt"
exits 0 'nodes: a machine that is one file has a matrix' env OUT="$TMP/tools" CALLS="$TMP/calls" "$ROOT/scripts/nodes" --sysroot "$TMP/two.txt"
same 'nodes: it is that of its folder' "$(rows "$TMP/two.tsv")" "$(rows "$TMP/out")"
cp "$TMP/two.tsv" "$TMP/out"
exits 0 'nodes: tojson reads the matrix' tojson "$TMP/two.tsv"
matches 'nodes: the verdict is a text in JSON' '"memory_node": 1, "distance": 21, "ns": 200, "gb_per_s": 31, "node": "yes"' "$TMP/out"
exits 0 'nodes: memory on another node is measured' env VERDICT='no (1 of 2 pages are on other nodes)' "${matrix[@]}" --bytes 1M --samples 1
same 'nodes: memory on another node is reported' 'no (1 of 2 pages are on other nodes)' "$(rows "$TMP/out" | cut -f 6 | sort -u)"
exits 1 'nodes: a node that refuses leaves the others' env FAULT=refused "${matrix[@]}"
same 'nodes: a node that refuses has rows without figures' '- - -,31 yes 100,31 yes 200' \
    "$(rows "$TMP/out" | awk '{ print $5, $6, $4 }' | sort -u | paste -s -d , -)"
matches 'nodes: a node that refuses is reported' '^chase: --node 1: mbind' "$TMP/err"
echo 0 >"$nodes/online" && echo 0 >"$nodes/has_memory"
exits 0 'nodes: a machine of one node has a matrix of one' "${matrix[@]}"
same 'nodes: a matrix of one has one row' 1 "$(rows "$TMP/out" | grep -c .)"
matches 'nodes: a matrix of one is reported' 'this machine has one node: a matrix of one' "$TMP/err"
exits_saying 2 'nodes: a system without nodes is refused' 'does not list its nodes' "$ROOT/scripts/nodes" --sysroot "$TMP"
exits 2 'nodes: an unknown option is refused' "$ROOT/scripts/nodes" --node
exits 2 'nodes: samples that are no number are refused' "${matrix[@]}" --samples x
for bytes in xk 08k 64m 0 10000000000G "a[\$(touch $TMP/ran)]k"; do
    exits 2 "nodes: --bytes ${bytes%%\$*} is refused" "${matrix[@]}" --bytes "$bytes"
    matches "nodes: --bytes ${bytes%%\$*} is reported with what is wrong" '^nodes: --bytes and --samples are numbers' "$TMP/err"
done
check 'nodes: no command in --bytes is run' test ! -e "$TMP/ran"

if [ "$VARIANT" = plain ] && command -v gnuplot >/dev/null; then
    exits 0 'plot: a matrix of nodes is drawn' "$ROOT/scripts/plot" nodes "$TMP/two.tsv"
    check 'plot: a matrix of nodes is a PNG' is_png "$TMP/out"
    exits 0 'plot: a matrix of nodes is drawn in characters' "$ROOT/scripts/plot" --terminal nodes "$TMP/two.tsv"
    matches 'plot: a matrix of two nodes is sentences' '^ +from the cores of node 0 to the memory of node 1: 200 ns, 31 GB/s$' "$TMP/out"
    { cat "$TMP/two.tsv" && grep '^0	1' "$TMP/two.tsv" | sed 's/^0	1/0	2/'; } >"$TMP/three.tsv"
    exits 0 'plot: a matrix with a third memory is drawn in characters' "$ROOT/scripts/plot" --terminal nodes "$TMP/three.tsv"
    matches 'plot: a matrix of nodes has near and far memory in a row' '^ +0 .*100 ns, 31 GB/s +200 ns, 31 GB/s' "$TMP/out"
    grep -E '^(#|core|0	0)' "$TMP/two.tsv" >"$TMP/one.tsv"
    exits 0 'plot: a matrix of one node is drawn' "$ROOT/scripts/plot" nodes "$TMP/one.tsv"
    exits 0 'plot: pairs of cores are drawn in characters' "$ROOT/scripts/plot" --terminal pairs "$ROOT/tests/data/pairs.tsv"
    matches 'plot: pairs of cores have near and far ones in a row' '^ +0 .* 2[45] +2[45] +2[45] +10[0-9] ' "$TMP/out"
    grep -E '^(#|core|0	1)' "$ROOT/tests/data/pairs.tsv" >"$TMP/pair.tsv"
    exits 0 'plot: one pair of cores is drawn' "$ROOT/scripts/plot" pairs "$TMP/pair.tsv"
    check 'plot: one pair of cores is a PNG' is_png "$TMP/out"
    exits 0 'plot: one pair of cores is drawn in characters' "$ROOT/scripts/plot" --terminal pairs "$TMP/pair.tsv"
    matches 'plot: one pair of cores is a sentence' '^ +between cores 0 and 1: 24\.4 ns$' "$TMP/out"
    # nviennot/core-to-core-latency, Intel Core i9-12900K.csv: ns alone.
    exits 0 'plot: pairs without min_ns are drawn' "$ROOT/scripts/plot" --terminal pairs <<<$'core_a\tcore_b\tsample\tns\n0\t1\t0\t4.348333333333333'
    matches 'plot: pairs without min_ns have ns' '^ +between cores 0 and 1: 4\.3 ns$' "$TMP/out"
    exits 2 'plot: pairs without times are refused' "$ROOT/scripts/plot" pairs <<<$'core_a\tcore_b\tmin_ns\n0\t1\t-'
    matches 'plot: pairs without times are reported' 'no pair has a time' "$TMP/err"
    exits 2 'plot: nodes with text for a time are refused' "$ROOT/scripts/plot" nodes <<<$'core_node\tmemory_node\tns\n0\t0\tx'
    matches 'plot: nodes with text for a time are reported' "column 'ns': not a number" "$TMP/err"
else
    skip 'plot: matrices are drawn' 'no gnuplot here, or the plain build does it'
fi

# ---- the programs ----

[ "$PLATFORM" = linux ] || finish_tests
for program in chase bandwidth; do
    case $program in
    chase) run=(chase --quiet --pages '16,64' --samples 1 --loads 1000) ;;
    *) run=(bandwidth --quiet --op read --bytes 64k --threads 1 --samples 1 --kernel c) ;;
    esac
    exits_saying 2 "$program: a node that is not there is refused" "^$program: --node 999: (the nodes with memory are [0-9]|this system does not list)" \
        "${run[@]}" --node 999
    same "$program: a node that is not there gives no table" '' "$(cat "$TMP/out")"
    exits_saying 2 "$program: two nodes are refused" 'one node at a time' "${run[@]}" --node 0,1
    if [ ! -r /sys/devices/system/node/online ] || ! pkg-config --exists numa; then
        skip "$program: memory of a node" 'no nodes are listed here, or no libnuma'
        continue
    fi
    exits 0 "$program: memory of node 0 is measured" "${run[@]}" --node 0
    lacks "$program: every row has a verdict on its node" "$tab-\$" <(rows "$TMP/out")
    matches "$program: the verdict is the last column" "${tab}node\$" "$TMP/out"
    lacks "$program: no page is on a node other than the requested one" "${tab}no[^$tab]*\$" <(rows "$TMP/out")
    matches "$program: the metadata have the node of the memory" '^# memory_node: 0$' "$TMP/out"
    matches "$program: the metadata have the node of the core" '^# numa_node: [0-9]+$' "$TMP/out"
done
exits 0 'chase: without --node there is no verdict' chase --quiet --pages 16 --samples 1 --loads 1000
lacks 'chase: without --node there is no column of it' "${tab}node(${tab}|\$)" "$TMP/out"
finish_tests
