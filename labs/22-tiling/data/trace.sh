#!/usr/bin/env bash
# trace.sh: compiles a program with tlbcc, and counts what its product misses in the TLB of machine.tsv,
# for each block. The misses of filling the matrices are those of a run that makes no product.
#
# Usage: bash data/trace.sh PROGRAM.c [N]
set -eu
tools=$(cd "${0%/*}/../../.." && pwd -P)
here=$(cd "${0%/*}" && pwd -P)
. "$tools/labs/lib/columns.sh"
n=${2:-96}
work=$(mktemp -d "${TMPDIR:-/tmp}/tlblab-lab.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$tools/bin/tlbcc" -D_POSIX_C_SOURCE=200809L -std=c11 -O2 "$1" -o "$work/product"

# missed BLOCK: the misses of the last level of the TLB.
missed() {
    TLBLAB_TRACE="$work/trace" "$work/product" product "$n" "$1" >/dev/null
    "$tools/bin/tlbsim" --to summary --machine "$here/machine.tsv" "$work/trace" | awk -F '\t' "$by_name"'
        { misses = $at["misses"] }
        END { print misses }'
}

filled=$(missed 0)
printf '# program: trace.sh\n# n: %s\nblock\tmisses\n' "$n"
for block in 4 8 12 16 20 24 28 32 48 "$n"; do
    [ "$block" -gt "$n" ] || printf '%s\t%s\n' "$block" "$(($(missed "$block") - filled))"
done | sort -n -u
