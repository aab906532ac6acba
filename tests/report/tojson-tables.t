#!/usr/bin/env bash
# tojson-tables.t: any table as JSON, whatever bytes it has and however long it is.
# shellcheck disable=SC2016 # $ in single quotes is for awk, jq and sh
. "${0%/*}/../tap.sh"
. "${0%/*}/tojson.sh"
long_with_sanitizers

simulate --seed 1 "$models/zen4.tsv" >"$TMP/own.tsv"
: >"$TMP/empty.tsv"

# faithful NAME FILE: names, order and values are those of the table.
faithful() {
    exits 0 "tojson: $1: the table is converted" tojson "$2"
    same "tojson: $1: the columns keep their order" "$(grep -v '^#' "$2" | head -n 1)" \
        "$(ask '.rows[0] | keys_unsorted | @tsv')"
    same "tojson: $1: the rows keep their values" "$(rows "$2")" "$(ask '.rows[] | [.[]] | map(. // "-") | @tsv')"
}
plan --quiet --pages 4,16 --samples 1 --seed 1 >"$TMP/points.tsv"
tables "$TMP/own.tsv" --claims
faithful 'a table of points' "$TMP/points.tsv"
faithful 'a table of samples' "$TMP/own.tsv"
faithful 'a table of boundaries' "$TMP/boundaries.tsv"
faithful 'a table of penalties' "$TMP/penalties.tsv"
faithful 'a machine description' "$models/zen4.tsv"
faithful 'a table of pairs of cores' "$data/pairs.tsv"
exits 0 'tojson: what a machine claims is converted' tojson "$ROOT/tests/machines/amd-ryzen-5-7600x/machine.tsv"
answers 'tojson: what a machine claims has numbers and texts in one column' '["string","number"]' \
    '[.rows[] | select(.used == "yes" and (.key == "cpu" or .key == "page_bytes")) | .value | type]'
exits 0 "tojson: the printed lab's table is converted" tojson "$data/lab-4k.dat"
answers "tojson: the printed lab's table has its columns" 'pages proc sum' '.rows[0] | keys_unsorted | join(" ")'

exits 0 'tojson: metadata are converted' tojson "$TMP/boundaries.tsv"
answers 'tojson: metadata stack the history up' '[["simulate","detect"],true]' \
    '.metadata | [.program, (.command | length) == (.version | length)]'
answers 'tojson: metadata have numbers as numbers' 'number number' '.metadata | "\(.page_bytes | type) \(.seed | type)"'
detect --by host "$TMP/own.tsv" | sed 's/-$/4711/' >"$TMP/host.tsv"
exits 0 'tojson: a column of hosts is converted' tojson "$TMP/host.tsv"
answers 'tojson: a column of hosts keeps a name of digits as text' string '.rows[0].host | type'
cat "$TMP/points.tsv" "$TMP/boundaries.tsv" >"$TMP/joined.tsv"
exits 0 'tojson: tables joined by cat are converted' tojson "$TMP/joined.tsv"
answers 'tojson: tables joined by cat keep their columns' "$(rows "$TMP/points.tsv" | wc -l | tr -d ' ') true dtlb" \
    '"\([.rows[] | select(.role)] | length) \(.rows[0] | has("structure") | not) \(.rows[-3].structure)"'
answers 'tojson: tables joined by cat keep all their metadata' 'plan simulate detect' '.metadata.program | join(" ")'
same 'tojson: several files give the same as one joined by cat' "$(cat "$TMP/out")" "$(tojson "$TMP/points.tsv" - <"$TMP/boundaries.tsv")"

# converts NAME EXPECTED FILTER TEXT: of a text for printf.
converts() {
    # shellcheck disable=SC2059 # TEXT has escapes
    printf "$4" >"$TMP/text.tsv"
    exits 0 "tojson: $1: the text is converted" tojson "$TMP/text.tsv"
    check "tojson: $1: the JSON is UTF-8" iconv -f UTF-8 -t UTF-8 "$TMP/out"
    answers "tojson: $1: the JSON is as it should be" "$2" "$3"
}
converts 'a header alone' '[]' .rows 'a\tb\n'
converts 'missing values' '{"a":null,"b":null}' '.rows[0]' 'a\tb\n-\t\n'
printf 'a\tb\ta\n1\t2\t3\n' >"$TMP/text.tsv"
exits 2 'tojson: a column that appears twice is refused' tojson "$TMP/text.tsv"
matches 'tojson: a column that appears twice is named with its line' "tojson: .*text.tsv:1: column 'a': it appears twice in the header\$" "$TMP/err"
same 'tojson: a column that appears twice gives no output' '' "$(cat "$TMP/out")"
converts 'a metadata value that is missing' '{"a":null}' .metadata '# a: -\nb\n1\n'
converts 'quotes, backslashes, control characters' '["say \"\\","\u0001\u001b\u007f/"]' \
    '[.metadata.m, .rows[0].a]' '# m: say "\\\na\n\001\033\177/\n'
converts 'in the names too' '["q\"\\","k\""]' '[(.rows[0] | keys[0]), (.metadata | keys[0])]' \
    '# k": 1\nq"\\\n1\n'
converts 'UTF-8' 'Grüße 😀' '.metadata.m' '# m: Gr\303\274\303\237e \360\237\230\200\na\n'
converts 'bytes that are no UTF-8' '[1,3,5,6] true' \
    '([.metadata.a, .metadata.b, .metadata.d, .rows[0].c] |
        map([match("\ufffd"; "g")] | length) | tostring) + " " + (.metadata | has("k\ufffd") | tostring)' \
    '# a: x\377y\n# b: \355\240\200 surrogate\n# k\200: 1\n# d: \364\220\200\200 high \303\nc\n\300\200\340\200\200\303(\n'
converts 'numbers that are not of JSON' '[0.5,1,-0.25]' '[.rows[].a]' 'a\n.5\n1.\n-.25\n'
converts 'texts that look like numbers' '["007","+5","1e999","nan","0x10","-00.5","1e","--1"]' '[.rows[].a]' \
    'a\n007\n+5\n1e999\nnan\n0x10\n-00.5\n1e\n--1\n'
printf 'a\tb\n18446744073709551615\t0.1\n1.0000000000000002\t5e-324\n' >"$TMP/exact.tsv"
prints 'tojson: exact numbers are converted' '"a": 18446744073709551615, "b": 0\.1}' tojson "$TMP/exact.tsv"
matches 'tojson: a double keeps its last digit' '"a": 1\.0000000000000002, "b": 5e-324}' "$TMP/out"

exits 2 'tojson: an input without header is refused' tojson "$TMP/empty.tsv"
exits 2 'tojson: a row that was cut is refused' bash -c 'printf "a\tb\n1\n" | tojson'
exits 1 'tojson: a table whose last line is cut gives status 1' bash -c 'printf "a\tb\n1\t2\n3" | tojson'
answers 'tojson: a table whose last line is cut is complete without it' '[{"a":1,"b":2}]' .rows

# ---- much input, and output that cannot be written ----

awk 'BEGIN { print "pages\tlayout\tns"; for (i = 0; i < 300000; i++) print i "\tpage\t0." i }' \
    >"$TMP/many.tsv"
if [ "$VARIANT" != asan ] && [ -z "${RUN-}" ] && (ulimit -v 90000) 2>/dev/null; then
    exits 0 'tojson: many rows are converted in little memory' sh -c 'ulimit -v 20000 && exec tojson "$1"' sh "$TMP/many.tsv"
else
    exits 0 'tojson: many rows are converted' tojson "$TMP/many.tsv"
fi
same 'tojson: many rows are all there' 300000 "$(grep -c '"layout": "page"' "$TMP/out")"
awk 'BEGIN {
    for (row = 0; row < 2; row++) {
        for (i = 0; i < 200000; i++) printf "%s\t", row ? "1" : "c" i
        print row ? 4 : "pages"
    } }' >"$TMP/wide.tsv"
exits 0 'tojson: many columns are converted' tojson "$TMP/wide.tsv"
answers 'tojson: many columns are all there' 200001 '.rows[0] | length'
exits 0 'tojson: a reader that closes the pipe ends it well' bash -c 'tojson "$1" | head -n 1 >/dev/null
    case ${PIPESTATUS[0]} in 0 | 141) ;; *) exit 1 ;; esac' sh "$TMP/many.tsv"
same 'tojson: a reader that closes the pipe causes no message' '' "$(cat "$TMP/err")"
tables "$example"
if [ -w /dev/full ]; then
    for mode in '' --tlb; do
        exits_saying 2 "tojson $mode on a full disk gives status 2" 'cannot write the output: No space left' \
            sh -c 'exec tojson $1 "$2" "$3" >/dev/full' sh "$mode" "$example" "$TMP/boundaries.tsv"
    done
else
    skip 'tojson: a full disk gives status 2' 'no /dev/full here'
fi
finish_tests
