#!/usr/bin/env bash
# trace-peers.t: what the kept table of tests/bench/trace-peers and tlbrun.1 say of each tool is so where it
# is installed.
. "${0%/*}/../tap.sh"
plain_linux_alone
command -v gcc >/dev/null || skip_all 'no gcc here'
facts() { awk -F '\t' '!/^#/ { print $1, $2, $3, $4 }' "$1"; }
exits 0 'trace-peers: runs' "$ROOT/tests/bench/trace-peers" 1 1
cp "$TMP/out" "$TMP/now"
facts "$ROOT/tests/bench/results/trace-peers.tsv" >"$TMP/kept"
while read -r tool rest; do
    same "trace-peers: $tool sees what the table says" "$(grep "^$tool " "$TMP/kept")" "$tool $rest"
done < <(facts "$TMP/now")
same 'tlbrun.1: it shows the table' "$(cat "$TMP/kept")" \
    "$(sed -n 's/^\.It //; s/Em //g; s/ Ta / /gp' "$ROOT/src/trace/tlbrun.1")"
finish_tests
