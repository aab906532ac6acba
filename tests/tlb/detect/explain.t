#!/usr/bin/env bash
# explain.t: detect --explain shows the laps from which method control counts, and scripts/plot draws them.
# shellcheck disable=SC2016 # the $1 are those of awk
. "${0%/*}/../../tap.sh"
long_with_sanitizers
sanitizers_suffice

plot=$ROOT/scripts/plot
fields='question spacing_bytes others targets misses clean moments disturbed fits'
intel=$ROOT/tests/machines/intel-xeon-guest

# broken RULES FILE: what these rules of awk print, in which f(NAME) is a field of the row.
broken() {
    columns "$fields" "$2" | awk -F '\t' -v names="$fields" "
        BEGIN { n = split(names, name, \" \"); for (i = 1; i <= n; i++) at[name[i]] = i }
        function f(name) { return \$at[name] }
        $1"
}

# row QUESTION TARGETS FILE: misses, clean and all moments, disturbed ones, and the answer.
row() {
    columns "$fields" "$3" | awk -F '\t' -v question="$1" -v targets="$2" \
        '$1 == question && $4 == targets { print $5, $6, $7, $8, $9 }'
}

# numbers SAMPLES: the numbers asked about, each with the question and in how many moments.
numbers() {
    columns 'role spacing_bytes others targets moment' "$1" | awk -F '\t' '
        $1 == "asked" && !seen[$5]++ {
            count[($2 == 4096 ? "pages" : !$3 ? "set" : $2 <= 131072 ? "nearer_flushed" : "set_flushed") " " $4]++
        }
        END { for (number in count) print number, count[number] }' | sort
}

cp "$intel/held.tsv" "$TMP/xeon.tsv"
simulate zen4 --seed 1 >"$TMP/zen4.tsv" 2>"$TMP/err"
for machine in xeon zen4; do
    laps=$TMP/$machine-laps.tsv
    exits 0 "$machine: its answer is explained" detect --explain "$TMP/$machine.tsv"
    same "$machine: the explanation needs no remark" '' "$(cat "$TMP/err")"
    cp "$TMP/out" "$laps"
    matches "$machine: the table has the metadata of the samples" '^# cpu: ' "$laps"
    matches "$machine: the table has its command" '^# command: .*--explain' "$laps"
    same "$machine: the columns are those of the page" "$(tr ' ' '\t' <<<"$fields")" "$(grep '^question' "$laps")"
    same "$machine: all moments of each number asked about are counted" "$(numbers "$TMP/$machine.tsv")" \
        "$(columns 'question targets moments disturbed' "$laps" | awk -F '\t' '{ print $1, $2, $3 + $4 }' | sort)"
    same "$machine: no more moments are clean than count" '' "$(broken 'f("clean") > f("moments")' "$laps")"
    same "$machine: up to a number all fit, beyond another none" '' "$(broken '
        f("question") != question { question = f("question"); last = "yes" }
        index("yes open no", f("fits")) < index("yes open no", last) { print }
        { last = f("fits") }' "$laps")"
    same "$machine: the largest number that fits was clean three times" '' "$(broken '
        f("fits") == "yes" { clean[f("question")] = f("clean") }
        END { for (question in clean) if (clean[question] < 3) print question }' "$laps")"
    same "$machine: of what does not fit no three moments were clean" '' \
        "$(broken 'f("fits") != "yes" && f("clean") >= 3' "$laps")"
    same "$machine: as many pages fit side by side as the first level has entries" \
        "$(detect --quiet "$TMP/$machine.tsv" | awk -F '\t' '$1 == "dtlb" && $2 == 1 { print $3 }')" \
        "$(broken 'f("question") == "pages" && f("fits") == "yes" { n = f("targets") } END { print n }' "$laps")"
    # The picture of the moments counts them itself.
    awk -v dumb=0 -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/moments.awk" "$TMP/$machine.tsv" >"$TMP/moments"
    awk -F '\t' '
        sub(/^# questions /, "") { split($0, name, " ") }
        /^moment\t/ { question = name[++q]; next }
        /^[0-9]/ {
            n = question " " $2 $3 $4
            clean[n] += $2 != ""
            counts[n] += $2 $3 != ""
            disturbed[n] += $4 != ""
        }
        END { for (n in counts) print n, clean[n], counts[n], disturbed[n] }' "$TMP/moments" | sort >"$TMP/drawn"
    check "$machine: the picture has moments of each question" \
        test "$(cut -d ' ' -f 1 "$TMP/drawn" | uniq | paste -s -d ' ' -)" = 'pages set set_flushed'
    same "$machine: the picture of moments counts as detect does" "$(cat "$TMP/drawn")" \
        "$(columns 'question targets clean moments disturbed' "$laps" | tr '\t' ' ' | sort |
            grep -F "$(cut -d ' ' -f 1,2 "$TMP/drawn" | sed 's/$/ /')")"
done

# A Zen 4: 72 entries, each of which takes any page; a second level of 12 ways. Its replacement is LRU, so with
# one page too many all of them miss.
zen4=$TMP/zen4-laps.tsv
same 'zen4: 12 pages of one set are clean in each moment, and fit' '0 yes' \
    "$(row set_flushed 12 "$zen4" | awk '$2 == $3 { print $1, $5 }')"
same 'zen4: of 13 each page misses, and no lap is clean' '13 0 no' \
    "$(row set_flushed 13 "$zen4" | awk '{ print $1, $2, $5 }')"
same 'zen4: of 73 pages each misses' '73 0 no' "$(row pages 73 "$zen4" | awk '{ print $1, $2, $5 }')"

# While neighbours hold two of the 16 ways, the answer is open from 15 to 18, and a nineteenth page shows.
xeon=$TMP/xeon-laps.tsv
same 'xeon: six pages of one set fit' yes "$(row set 6 "$xeon" | awk '{ print $5 }')"
same 'xeon: a seventh is too many' no "$(row set 7 "$xeon" | awk '{ print $5 }')"
same 'xeon: whether 16 ways are there is open' open "$(row set_flushed 16 "$xeon" | awk '{ print $5 }')"
same 'xeon: there are no 19' no "$(row set_flushed 19 "$xeon" | awk '{ print $5 }')"
matches 'xeon: some moments were disturbed' '^pages	4096	0	96	.*	[1-9][0-9]*	yes$' "$xeon"

# A neighbour: in moments whose control missed, whatever missed says nothing.
change min_ns '$column * 1.5' "$TMP/xeon.tsv" '$4 == "control" && $3 > 4096 && $7 == 0 && $9 % 2' >"$TMP/disturbed.tsv"
exits 0 'explain: a disturbed control is explained' detect --explain "$TMP/disturbed.tsv"
check 'explain: moments whose control missed are counted as disturbed' \
    test "$(row set 7 "$TMP/out" | cut -d ' ' -f 4)" -gt "$(row set 7 "$xeon" | cut -d ' ' -f 4)"

# Usage errors, and tables without an explanation.
exits_saying 2 'explain: --by is a usage error' '^detect: --explain .*--by' detect --explain --by file "$TMP/xeon.tsv"
exits 2 'explain: --claims is a usage error' detect --explain --claims "$TMP/xeon.tsv"
matches 'explain: --claims is named' '^detect: --explain .*--claims' "$TMP/err"
exits 2 'explain: another method is a usage error' detect --explain --method segment "$TMP/xeon.tsv"
matches 'explain: another method is named' '^detect: --explain .*--method' "$TMP/err"
same 'explain: a usage error writes no table' '' "$(cat "$TMP/out")"
exits 1 'explain: samples without moments are a partial answer' detect --explain "$intel/sweep.tsv"
same 'explain: samples without moments give a header' "$(tr ' ' '\t' <<<"$fields")" "$(grep -v '^#' "$TMP/out")"
matches 'explain: the moments that are missing are named' '^detect: .*no moments.*sweep' "$TMP/err"
head -n 1 <(grep -v '^#' "$TMP/xeon.tsv") >"$TMP/empty.tsv"
exits 1 'explain: a header alone is a partial answer' detect --explain "$TMP/empty.tsv"
same 'explain: a header alone gives a header' "$(tr ' ' '\t' <<<"$fields")" "$(grep -v '^#' "$TMP/out")"
change moment '"soon"' "$TMP/xeon.tsv" '$9 == 2' >"$TMP/text.tsv"
exits 2 'explain: a text for a moment is refused' detect --explain "$TMP/text.tsv"
matches 'explain: a text for a moment is named' "text.tsv:[0-9]+: column 'moment': 'soon' is not a number" "$TMP/err"

# The pictures.
if ! command -v gnuplot >/dev/null || [ "$VARIANT" != plain ]; then
    skip 'plot: laps and moments are drawn' 'the plain build with gnuplot draws them'
    finish_tests
fi
refuses() {
    exits 2 "plot: $1 is refused" "$plot" --output "$TMP/none.png" "$2" "$3"
    check "plot: $1 leaves no picture" test ! -e "$TMP/none.png"
    matches "plot: $1 is answered with what is wrong" "^plot: .*$4" "$TMP/err"
}
for machine in xeon zen4; do
    for kind in laps moments; do
        table=$TMP/$machine-laps.tsv
        [ $kind = laps ] || table=$TMP/$machine.tsv
        exits 0 "plot: $kind of $machine are drawn" "$plot" --output "$TMP/$kind.png" $kind "$table"
        same "plot: $kind of $machine cause no message" '' "$(cat "$TMP/err")"
        check "plot: $kind of $machine are a PNG" is_png "$TMP/$kind.png"
        check "plot: $kind of $machine are not empty" test "$(wc -c <"$TMP/$kind.png")" -gt 10000
        prints "plot: $kind of $machine are drawn as SVG" '</svg>' "$plot" --format svg $kind "$table"
        exits 0 "plot: $kind of $machine are drawn in characters" "$plot" --terminal $kind "$table"
        check "plot: $kind of $machine fit 79 columns and 24 lines" \
            awk 'length > 79 { bad = 1 } END { exit bad || NR > 24 }' "$TMP/out"
        cp "$TMP/out" "$TMP/$machine-$kind.txt"
    done
done
matches 'plot: laps have what fits' '72 fit .* 72 fit .* 12 fit' "$TMP/zen4-laps.txt"
matches 'plot: laps have their axis' 'number of pages' "$TMP/zen4-laps.txt"
matches 'plot: laps have their legend' 'A fit  *F open  *B do not fit' "$TMP/zen4-laps.txt"
matches 'plot: moments have their axis' 'moments in their order, with the seconds' "$TMP/xeon-moments.txt"
matches 'plot: moments have their legend' 'clean  *F only the control  *B neither' "$TMP/xeon-moments.txt"
prints 'page: an explanation is drawn' 'pages of one set' "$ROOT/scripts/page" "$TMP/zen4-laps.tsv"
grep -E '^#|^question|^set	' "$TMP/xeon-laps.tsv" >"$TMP/one.tsv"
prints 'plot: one question has one panel' 'pages of one set' "$plot" --terminal laps "$TMP/one.tsv"
refuses 'a table of samples' laps "$TMP/xeon.tsv" "no column 'question'"
detect --explain "$TMP/empty.tsv" >"$TMP/none.tsv" 2>"$TMP/err"
refuses 'an explanation of nothing' laps "$TMP/none.tsv" 'no numbers of targets'
change misses '"few"' "$xeon" '$1 == "set"' >"$TMP/text.tsv"
refuses 'a text for misses' laps "$TMP/text.tsv" "column 'misses': not a number"
change question '"why"' "$xeon" '$1 == "set"' >"$TMP/text.tsv"
refuses 'an unknown question' laps "$TMP/text.tsv" "column 'question': unknown"
refuses 'samples without moments' moments "$intel/sweep.tsv" "no column 'moment'"
refuses 'moments without rows' moments "$TMP/empty.tsv" 'no moments'
finish_tests
