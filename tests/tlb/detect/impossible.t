#!/usr/bin/env bash
# impossible.t: a row that no machine can have measured, in a table of thousands, is named and left out, and
# changes no answer; no recorded table loses a row.
. "${0%/*}/../../tap.sh"
sanitizers_suffice

samples=$ROOT/tests/machines/amd-epyc-guest/geometry.tsv

# row PAGES LAYOUT: the line of the second row of this size.
row() {
    awk -F '\t' -v pages="$1" -v layout="$2" '$1 == pages && $2 == layout && n++ == 1 { print NR; exit }' "$samples"
}

# with_row LINE NS MIN_NS: the table with this row changed; `-` leaves a time as it is.
with_row() {
    awk -F '\t' -v OFS='\t' -v line="$1" -v ns="$2" -v min="$3" "$by_name_in_full"'
        NR == line && ns != "-" { $at["ns"] = ns }
        NR == line && min != "-" { $at["min_ns"] = min }
        { print }' "$samples"
}

answer() { grep -v '^#' "$1" | cut -f 1-5; }
detect --quiet "$samples" >"$TMP/detected" 2>/dev/null
large=$(awk -F '\t' '/^[0-9]/ && $2 == "page" && $1 > 1000 { print $1; exit }' "$samples")
places=('128 page')
[ "$VARIANT" != plain ] || places+=('64 page' "$large page" '64 packed')
for place in "${places[@]}"; do
    read -r pages layout <<<"$place"
    line=$(row "$pages" "$layout")
    # Every kind of impossible time at one place, and one kind at every place.
    all=('- 0.01')
    [ "$place" != '128 page' ] || all+=('0 0' '0 -' '0.01 0.01')
    for times in "${all[@]}"; do
        read -r ns min <<<"$times"
        with_row "$line" "$ns" "$min" >"$TMP/wrong.tsv"
        exits_saying 1 "detect: an impossible row gives status 1: $place, $times" "^detect: .*wrong.tsv:$line: an access of [0-9.e-]+ ns is impossible beside hits of .* left out" \
            detect --quiet "$TMP/wrong.tsv"
        same "detect: it changes no level of the TLB: $place, $times" "$(answer "$TMP/detected" | grep dtlb)" "$(answer "$TMP/out" | grep dtlb)"
    done
done
line=$(row "$large" page)
with_row "$line" 1 1 >"$TMP/wrong.tsv"
exits 1 'detect: a time that would be a hit of a small size is impossible at a large one' detect --quiet "$TMP/wrong.tsv"
same 'detect: it changes no level of the TLB' "$(answer "$TMP/detected" | grep dtlb)" "$(answer "$TMP/out" | grep dtlb)"
with_row "$(row 16 packed)" 0 0 >"$TMP/wrong.tsv"
for program in geometry walkpenalty latency report detect; do
    $program --quiet "$TMP/wrong.tsv" >"$TMP/out" 2>"$TMP/err"
    same "$program: an impossible row gives status 1" 1 $?
    matches "$program: it is named" "^$program: .*wrong.tsv:[0-9]+: an access of 0 ns is impossible" "$TMP/err"
    same "$program: it alone is named" 1 "$(grep -c 'left out' "$TMP/err")"
done
exits 1 'detect: of two files the right one is named' detect --quiet --by file "$samples" "$TMP/wrong.tsv"
matches 'detect: its line is the one in that file' "wrong.tsv:$(row 16 packed): an access of 0 ns" "$TMP/err"
exits 1 'detect: rows that are all impossible are all left out' detect --quiet <<<$'pages\tns\n4\t1\n4\t0\n4\t0\n5\t0\n6\t1.1\n7\t0'
same 'detect: each of them is named' '3 4 5 7' "$(sed -n 's/^detect: -:\([0-9]*\): an access.*/\1/p' "$TMP/err" | paste -s -d ' ' -)"
detect --quiet <<<$'pages\tns\n4\t0\n5\t0\n6\t0' >"$TMP/out" 2>"$TMP/err"
lacks 'detect: of times that are all 0 none is impossible beside another' 'left out' "$TMP/err"
printf 'pages\tns\n4\t5\n8\t1\n16\t1.1\n32\t1\n64\t7\n' >"$TMP/slow.tsv" # a cold beginning
detect --quiet "$TMP/slow.tsv" >"$TMP/out" 2>"$TMP/err"
lacks 'detect: a slow beginning makes no other row impossible' 'left out' "$TMP/err"
printf 'pages\tns\n64\t1.1\n128\t2.9\n256\t2.9\n' >"$TMP/step.tsv"
detect --quiet "$TMP/step.tsv" >"$TMP/out" 2>"$TMP/err"
lacks 'detect: the only row of the smallest size may be as fast as it is' 'left out' "$TMP/err"

tables=("$ROOT"/tests/data/*.tsv "$ROOT"/tests/data/*.dat "$ROOT"/labs/*/data/*.{tsv,dat})
[ "$VARIANT" != plain ] || tables+=("$ROOT"/tests/machines/*/*.tsv)
for table in "${tables[@]}"; do
    # All programs read samples alike; walkpenalty answers soonest.
    grep -v '^#' "$table" | head -n 1 | grep -Eq '(^|	) *#?pages(	|$)' && walkpenalty --quiet "$table" 2>&1 >/dev/null
done | grep 'left out' >"$TMP/lost"
same 'no recorded table loses a row' '' "$(cat "$TMP/lost")"
finish_tests
