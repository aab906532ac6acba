#!/usr/bin/env bash
# packaged.t: tests/bench/packaged writes the objects of a program, and what tlbcost measures beside them.
. "${0%/*}/../tap.sh"
plain_linux_alone
long_test
command -v sqlite3 >/dev/null || skip_all 'no sqlite3 here'
"qemu-$(uname -m)" -h 2>/dev/null | grep -q '^-plugin ' || skip_all 'no QEMU with plugins here'
SIZE=300 RUNS=8 TURNS=1 exits 0 'packaged: runs' "$ROOT/tests/bench/packaged" sqlite3
same 'packaged: five objects, each with the times of the program, and its saving with the interval' '5 sqlite3' \
    "$(awk -F '\t' '!/^#/ && $3 != "" && $4 > 0 && $5 > 0 && $6 > 0 && $9 > 0 && $11 >= $12 && $11 <= $13 && $11 != "" { rows++; name = $1 } END { print rows, name }' "$TMP/out")"
finish_tests
