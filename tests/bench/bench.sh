# bench.sh: what the benchmarks share; one sources it first:
#
#     . "${0%/*}/bench.sh"
#
# It sets ROOT (the repository), OUT (the programs) and `work`, a folder that is removed at the end, and has the
# functions of scripts/common.sh and scripts/columns.sh.
# shellcheck shell=bash disable=SC2034
set -eu
export LC_ALL=C
ROOT=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
OUT=${OUT:-$ROOT/bin}
. "$ROOT/scripts/common.sh"
. "$ROOT/scripts/columns.sh"
case ${1-} in -h | --help) print header_usage && exit 0 ;; esac
make_work "${TMPDIR:-/tmp}/tlblab"

# whole_number WORD...: ends the benchmark where one is none.
whole_number() {
    local word
    for word; do case $word in '' | *[!0-9]*) die_usage "'$word' is no number" ;; esac done
}

# Of the numbers on stdin; nothing where there are none.
median() { sort -g | awk '{ at[NR] = $1 } END { if (NR) print (at[int((NR + 1) / 2)] + at[int(NR / 2) + 1]) / 2 }'; }

# The processor, and the load of this machine.
processor() { "$OUT/machine" | awk -F '\t' '$1 == "cpu" { print $2; exit }'; }
load_average() { cut -d ' ' -f 1 "${LOADAVG:-/proc/loadavg}"; }
