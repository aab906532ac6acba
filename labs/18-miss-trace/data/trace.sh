#!/usr/bin/env bash
# trace.sh: compiles the breadth-first search with tlbcc, traces it, and writes one table.
#
# Usage: bash data/trace.sh pages|objects|cost [SCALE]
set -eu
tools=$(cd "${0%/*}/../../.." && pwd -P)
here=$(cd "${0%/*}" && pwd -P)
scale=${2:-14}
work=$(mktemp -d "${TMPDIR:-/tmp}/tlblab-lab.XXXXXX")
trap 'rm -rf "$work"' EXIT
source=$tools/tests/workloads/bfs.c
if [ "$1" = cost ]; then
    gcc -O2 "$source" -o "$work/bfs"
    if [ "$scale" -gt 14 ]; then many=(); else many=(--runs 6 --confidence 90); fi
    "$tools/bin/tlbcost" --silent --quiet ${many[@]+"${many[@]}"} -- "$work/bfs" "$scale"
    exit
fi
"$tools/bin/tlbcc" -g -O2 "$source" -o "$work/bfs"
TLBLAB_START=off TLBLAB_TRACE=$work/trace "$work/bfs" "$scale" >&2
case $1 in
pages) "$tools/bin/tlbsim" --machine "$here/machine.tsv" "$work/trace" | "$tools/bin/misses" ;;
objects) "$tools/bin/misses" --machine "$here/machine.tsv" --huge new_column "$work/trace" ;;
esac
