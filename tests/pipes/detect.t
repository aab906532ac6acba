#!/usr/bin/env bash
# detect.t: what detect makes of whole tables: groups, claims, methods, metadata. How good its answers
# are is looked at elsewhere (confidence.t, segment.t, tests/bench/); how it reads, in tables.t.
# shellcheck disable=SC2016 # awk has variables of its own
. "${0%/*}/tap.sh"

tab=$(printf '\t')
models=$ROOT/tests/models

rows() { grep -v '^#' "$1" | sed 1d; }
header() { grep -v '^#' "$1" | head -n 1; }
# Structure, level and entries of the last output.
levels() { rows "$TMP/out" | cut -f 1-3; }

simulate --seed 1 --meta host=ares "$models/zen4.tsv" >"$TMP/zen 4.tsv"
simulate --seed 1 --meta host=hera "$models/apple-m4.tsv" >"$TMP/m4.tsv"
detect "$TMP/zen 4.tsv" >"$TMP/out"
levels >"$TMP/zen.levels"
detect "$TMP/m4.tsv" >"$TMP/out"
levels >"$TMP/m4.levels"
check 'two machines give two answers' test -s "$TMP/zen.levels" -a -s "$TMP/m4.levels"
check 'that differ' bash -c '! cmp -s "$1" "$2"' bash "$TMP/zen.levels" "$TMP/m4.levels"

# ---- groups ----

# answers NAME COLUMN LABEL LEVELS: the rows of one group are those of its own file.
answers() {
    same "$1" "$(cat "$4")" \
        "$(rows "$TMP/out" | awk -F '\t' -v label="$3" -v column="$2" '$column == label' | cut -f 1-3)"
}

exits 0 '--by file' detect --by file "$TMP/zen 4.tsv" "$TMP/m4.tsv"
matches 'adds a column' "${tab}note${tab}file\$" "$TMP/out"
answers 'each file has its answer' 14 "$TMP/zen 4.tsv" "$TMP/zen.levels"
answers 'also the second' 14 "$TMP/m4.tsv" "$TMP/m4.levels"
exits 0 '--by host' detect --by host "$TMP/zen 4.tsv" "$TMP/m4.tsv"
matches 'adds a column host' "${tab}note${tab}host\$" "$TMP/out"
answers 'each host has its answer' 14 ares "$TMP/zen.levels"
answers 'also the second host' 14 hera "$TMP/m4.levels"
cat "$TMP/m4.tsv" "$TMP/zen 4.tsv" >"$TMP/joined.tsv"
exits 0 '--by host of tables joined by cat' detect --by host - <"$TMP/joined.tsv"
answers 'keeps the hosts apart' 14 ares "$TMP/zen.levels"
answers 'both of them' 14 hera "$TMP/m4.levels"
{ grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" | sed -n 'p;n'; } >"$TMP/odd.tsv"
{ grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" | sed -n 'n;p'; } >"$TMP/even.tsv"
exits 0 'runs of one host' detect --by host "$TMP/odd.tsv" "$TMP/m4.tsv" "$TMP/even.tsv"
answers 'are united' 14 ares "$TMP/zen.levels"
grep -v '^# host' "$TMP/zen 4.tsv" >"$TMP/anonymous.tsv"
exits 0 'no host in the metadata' detect --by host "$TMP/anonymous.tsv"
answers 'is -' 14 - "$TMP/zen.levels"
exits 0 '--claims and --by together' detect --claims --by host "$TMP/zen 4.tsv" "$TMP/m4.tsv"
same 'stand in this order' "claim${tab}error_percent${tab}host" "$(header "$TMP/out" | cut -f 14-)"
same 'each with the claims of its machine' "72 ares
$(sed -n 's/^# claim_dtlb1_entries: //p' "$TMP/m4.tsv") hera" \
    "$(rows "$TMP/out" | awk -F '\t' '$1 == "dtlb" && $2 == 1 { print $14, $16 }')"

cp "$TMP/zen 4.tsv" "$TMP/a${tab}tab.tsv"
exits 0 'a tab in a file name' detect --by file "$TMP/a${tab}tab.tsv"
same 'leaves the columns as they are' 14 "$(rows "$TMP/out" | awk -F '\t' '{ print NF }' | sort -u)"
grep -v '^[0-9]' "$TMP/zen 4.tsv" >"$TMP/header.tsv"
exits 1 'a file without rows among others' detect --by file "$TMP/zen 4.tsv" "$TMP/header.tsv"
matches 'is named' 'detect: .*/header.tsv: the input has no measured rows' "$TMP/err"
answers 'the others have their answer' 14 "$TMP/zen 4.tsv" "$TMP/zen.levels"
exits 0 'without --by it does not matter' detect "$TMP/zen 4.tsv" "$TMP/header.tsv"
printf 'pages\tns\n4\t1\n8\t1\n16\t1\n32\t1\n' >"$TMP/flat.tsv"
exits 1 'a group without boundaries' detect --by file "$TMP/zen 4.tsv" "$TMP/flat.tsv"
matches 'is named too' 'detect: .*/flat.tsv: nothing detected' "$TMP/err"

# ---- metadata ----

exits 0 'a filter' detect --meta note='made up' "$TMP/zen 4.tsv"
same 'copies the metadata through' "$(grep '^#' "$TMP/zen 4.tsv" | grep -v '^# version')" \
    "$(grep '^#' "$TMP/out" | grep -v '^# version' | head -n "$(grep '^#' "$TMP/zen 4.tsv" |
        grep -vc '^# version')")"
matches 'adds itself' '^# program: detect$' "$TMP/out"
matches 'its command, quoted' "^# command: detect --meta 'note=made up' '.*/zen 4.tsv'\$" "$TMP/out"
matches 'and what it is told' '^# note: made up$' "$TMP/out"
detect "$TMP/joined.tsv" "$TMP/joined.tsv" >"$TMP/out"
same 'no line is repeated, but for the history' '' \
    "$(grep '^#' "$TMP/out" | grep -Ev '^# (program|version|command)' | sort | uniq -d)"

# ---- claims ----

exits 0 '--claims' detect --claims "$TMP/zen 4.tsv"
same 'the first level, its claim and the error' "72${tab}72${tab}0" \
    "$(rows "$TMP/out" | head -n 1 | cut -f 3,14,15)"
sed 's/^# claim_dtlb1_entries: .*/# claim_dtlb1_entries: 64/; /^# claim_dtlb2/d' "$TMP/zen 4.tsv" \
    >"$TMP/claims.tsv"
exits 0 'other claims' detect --claims "$TMP/claims.tsv"
same 'change no answer' "$(cat "$TMP/zen.levels")" "$(levels)"
same 'only the error' "64${tab}12.5 -${tab}-" \
    "$(rows "$TMP/out" | sed -n 1,2p | cut -f 14,15 | paste -s -d ' ' -)"
sed 's/^# claim_dtlb1_entries: .*/# claim_dtlb1_entries: many/' "$TMP/zen 4.tsv" >"$TMP/claims.tsv"
exits 0 'a claim that is no number' detect --claims "$TMP/claims.tsv"
same 'is none' "-${tab}-" "$(rows "$TMP/out" | head -n 1 | cut -f 14,15)"

# ---- methods ----

exits 2 'an unknown method' detect --method magic "$TMP/zen 4.tsv"
matches 'tells those that there are' "--method 'magic': there are control and segment" "$TMP/err"
exits 2 'an unknown group' detect --by cpu "$TMP/zen 4.tsv"
matches 'tells those too' "--by 'cpu': there are file and host" "$TMP/err"
exits 2 'segment without windows' detect --method segment "$TMP/zen 4.tsv"
matches 'wants box or line' 'needs samples of layout box or line' "$TMP/err"
exits 2 'control without pages' detect --method control "$ROOT/tests/data/whitepaper-m4.tsv"
matches 'wants page' 'needs samples of layout page' "$TMP/err"
awk -F '\t' '!/^[0-9]/ || $2 == "page"' "$TMP/zen 4.tsv" >"$TMP/page.tsv"
exits 0 'page alone' detect "$TMP/page.tsv"
same 'is said to have no control' '' "$(rows "$TMP/out" | cut -f 11,13 | grep -v "^low${tab}.*no_control")"

# A clock that runs slower moves no boundary, and all sizes stretched stretch the answer.
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $9 *= 2.5 } { print }' "$TMP/zen 4.tsv" >"$TMP/slow.tsv"
exits 0 'a slower clock' detect "$TMP/slow.tsv"
same 'moves no boundary' "$(cat "$TMP/zen.levels")" "$(levels)"
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $1 = int($1 * 1.07 + 0.5) } { print }' "$TMP/zen 4.tsv" \
    >"$TMP/stretched.tsv"
exits 0 'the same curve, stretched' detect "$TMP/stretched.tsv"
check 'stretches the answer' awk -F '\t' 'NR == FNR { was[$1 $2] = $3; next }
    { ratio = $3 / was[$1 $2]; if (ratio < 1.055 || ratio > 1.085) bad = 1; seen++ }
    END { exit bad || !seen }' "$TMP/zen.levels" <(levels)
finish_tests
