#!/usr/bin/env bash
# line.t: the line of simulated machines and of a recorded one, what is fetched together, and ways
# and sets of the first cache. Formulas are looked at in test_cache_line.c.
. "${0%/*}/../../tap.sh"

long_with_sanitizers

recorded=$ROOT/tests/data/line-xeon-guest.tsv

# The answer of detect: bytes_max, confidence and note; and of geometry: entries, ways, sets, bits.
line_of() { rows "$1" | cut -f 1,7,11,13 | tr '\t' ' '; }
sets_of() { rows "$1" | cut -f 1-5,7,10 | tr '\t' ' '; }

# machine FILE LINE_BYTES FETCH_BYTES L1_LINES L1_WAYS: a machine description.
machine() {
    printf '# %s\n' "name: ${1##*/}" 'page_bytes: 4k' "line_bytes: $2" 'memory_bytes: 4G' >"$1"
    cat >>"$1" <<END
structure${tab}level${tab}entries${tab}ways${tab}ns${tab}fetch_bytes
dtlb${tab}1${tab}64${tab}4${tab}0${tab}-
dtlb${tab}2${tab}1024${tab}8${tab}2${tab}-
walk${tab}-${tab}-${tab}-${tab}8${tab}-
cache${tab}1${tab}$4${tab}$5${tab}1${tab}-
cache${tab}2${tab}8192${tab}8${tab}4${tab}$3
memory${tab}-${tab}-${tab}-${tab}80${tab}-
END
}

# measure MACHINE NOISE: samples in "$TMP/samples.tsv".
measure() {
    simulate --preset line --seed 3 --noise "$2" "$1" >"$TMP/samples.tsv"
}

# Both answers, with 3 per cent of noise; in scripts/test --all without it too.
machine "$TMP/pairs.tsv" 64 128 768 12
for noise in gauss:3 ${LONG:+gauss:0}; do
    measure "$TMP/pairs.tsv" "$noise"
    exits 0 "line: fetched in pairs, $noise: detect gives an answer" detect --quiet "$TMP/samples.tsv"
    same "line: fetched in pairs, $noise: the line is right" 'line 64 high fetched_in_pairs' "$(line_of "$TMP/out")"
    exits 0 "line: fetched in pairs, $noise: geometry gives an answer" geometry --claims "$TMP/samples.tsv"
    same "line: fetched in pairs, $noise: the sets are as claimed" "$(rows "$TMP/out" | cut -f 3,4)" \
        "$(rows "$TMP/out" | cut -f 12,13)"
    same "line: fetched in pairs, $noise: the sets are right" 'cache 1 768 12 64 6,7,8,9,10,11 high' \
        "$(sets_of "$TMP/out")"
done

# ---- a way larger than a page; claims ----

machine "$TMP/large.tsv" 64 - 1024 2
measure "$TMP/large.tsv" gauss:0
exits 1 'line: a way larger than a page gives status 1' geometry "$TMP/samples.tsv"
matches 'line: the message blames a way larger than a page for unknown sets' 'cannot determine the sets of the first cache: .*page frame' "$TMP/err"
same 'line: a way larger than a page is no row' '' "$(rows "$TMP/out")"
exits 0 'line: a wrong claim of the line is accepted' detect --claims --quiet --meta line_bytes=32 "$TMP/samples.tsv"
same 'line: a wrong claim of the line is no answer' 'line 64' "$(rows "$TMP/out" | cut -f 1,7 | tr '\t' ' ')"

# ---- a recorded machine ----

exits 0 'line: a recorded machine gives an answer' detect --claims --quiet "$recorded"
same 'line: a recorded machine has lines of 64 bytes, fetched one at a time' '64 64 high fetched_singly 64 0' \
    "$(rows "$TMP/out" | cut -f 6,7,11,13- | tr '\t' ' ')"
cp "$TMP/out" "$TMP/boundaries.tsv"
exits 0 "line: a recorded machine's first cache gives an answer" geometry --claims "$recorded"
same "line: a recorded machine's first cache has 64 sets of 12 ways, as claimed" 'cache 1 768 12 64 linear 768 12' \
    "$(rows "$TMP/out" | cut -f 1-6,12,13 | tr '\t' ' ')"
cp "$TMP/out" "$TMP/organisation.tsv"
exits 0 'report: the line of a machine is accepted' report "$TMP/boundaries.tsv" "$TMP/organisation.tsv"
matches 'report: the line is reported' '^  Line  *64 bytes$' "$TMP/out"
matches 'report: the claim of the line is reported' '^  Claimed  *64 .error 0 %.$' "$TMP/out"
matches 'report: what is fetched is reported' '^  Fetched  *one by one' "$TMP/out"
matches 'report: the sets of the first cache are reported' '768 lines, 64 sets of 12 ways' "$TMP/out"
lacks 'report: the line is reported once' 'Other Boundaries' "$TMP/out"
same 'report: both sections say that no level was looked for' 2 \
    "$(grep -c '^  Not looked for: the boundaries are those of method line.$' "$TMP/out")"
lacks 'report: a level that was not looked for is not missed' 'Not detected' "$TMP/out"
cp "$recorded" "$TMP/twin.tsv"
exits 0 'report: the lines of two runs are accepted' bash -c "detect --quiet --by file '$recorded' '$TMP/twin.tsv' | report"
same 'report: two runs have a line each' 2 "$(grep -c '^  Line  *64 bytes$' "$TMP/out")"
lacks 'report: two runs without levels have no agreement' 'Agreement' "$TMP/out"
sed "s/fetched_singly/fetched_in_pairs/" "$TMP/boundaries.tsv" >"$TMP/paired.tsv"
report "$TMP/paired.tsv" >"$TMP/out"
matches 'report: lines fetched in pairs are explained' '^  Fetched  *in pairs, so .*128 bytes$' "$TMP/out"
prints 'tojson: the table of the line is accepted' '"structure": "line"' tojson "$TMP/boundaries.tsv"

# ---- what does not suffice ----

awk -F '\t' '!/^[0-9]/ || $2 != "pair"' "$recorded" >"$TMP/sets.tsv"
exits 2 'line: a table without pairs is refused' detect --method line "$ROOT/tests/machines/intel-xeon-guest/sweep.tsv"
matches 'line: a table without pairs names the missing layout' 'method line needs samples of layout pair' "$TMP/err"
exits 1 'line: sets without a line give status 1' geometry "$TMP/sets.tsv"
matches 'line: sets without a line are the reason why they cannot be counted' 'the number of sets depends on the line size' "$TMP/err"
awk -F '\t' '!/^[0-9]/ || $2 != "line"' "$recorded" >"$TMP/pairs-alone.tsv"
exits 0 'line: pairs alone give an answer' detect --quiet "$TMP/pairs-alone.tsv"
same 'line: pairs alone give the line' 'line 64 high fetched_singly' "$(line_of "$TMP/out")"
exits 1 'line: pairs alone give no sets' geometry "$TMP/pairs-alone.tsv"
matches 'line: pairs alone are to be measured again' 'no moments in the samples .sweep --preset geometry or line' "$TMP/err"
awk -F '\t' '!/^[0-9]/ || $1 < 600' "$recorded" >"$TMP/short.tsv"
exits 1 'line: chains that fit the first cache give status 1' detect --quiet "$TMP/short.tsv"
same 'line: chains that fit the first cache are no row' '' "$(rows "$TMP/out")"
matches 'line: the message blames chains that fit the first cache for an unknown line' 'cannot determine the line size: ' "$TMP/err"
awk -F '\t' '!/^[0-9]/ || $1 < 8000' "$recorded" >"$TMP/second.tsv"
exits 0 'line: chains that fit the second cache give an answer' detect --quiet "$TMP/second.tsv"
same 'line: chains that fit the second cache do not show what is fetched' 'line 64 high fetch_unknown' "$(line_of "$TMP/out")"

# ---- points ----

printf 'pages\tlayout\tspacing_bytes\n8\tpair\t24\n' >"$TMP/odd.tsv"
exits 2 'simulate: a pair an odd distance apart is refused' simulate "$TMP/pairs.tsv" "$TMP/odd.tsv"
matches 'simulate: a pair an odd distance apart is named with its line' 'odd.tsv:2: .*8 to 512 bytes apart, a power of two' "$TMP/err"
exits 2 'sweep: a pair an odd distance apart is refused' plan --layout pair --spacing 1024
matches 'sweep: a pair an odd distance apart is reported with the same reason' '8 to 512 bytes apart, a power of two' "$TMP/err"
exits 2 'sweep: --preset line refuses another layout' plan --preset line --layout pair
for bytes in 32 96 8192; do
    sed "s/${tab}128\$/$tab$bytes/" "$TMP/pairs.tsv" >"$TMP/bad.tsv"
    exits 2 "simulate: $bytes bytes fetched at once are refused" simulate "$TMP/bad.tsv" "$TMP/points.tsv"
    matches "simulate: $bytes bytes fetched at once are named with line and column" "bad.tsv:10: column 'fetch_bytes'" "$TMP/err"
done
simulate --describe "$TMP/pairs.tsv" >"$TMP/described.tsv"
same 'simulate: a description keeps what is fetched at once' "$(grep '^cache.2' "$TMP/described.tsv" | cut -f 11)" 128
printf 'pages\tlayout\tspacing_bytes\n16384\tpair\t64\n' >"$TMP/one.tsv"
same 'simulate: a machine and its description give the same times' "$(simulate --seed 1 "$TMP/pairs.tsv" "$TMP/one.tsv" | rows -)" \
    "$(simulate --seed 1 "$TMP/described.tsv" "$TMP/one.tsv" | rows -)"
finish_tests
