#!/usr/bin/env bash
# derivative.t: the methods that look for caches on one latency curve, on published latencies and on
# a simulated machine, and the preset that measures for them.
. "${0%/*}/../../tap.sh"
long_with_sanitizers
plain_inputs simulate
ryzen=$ROOT/tests/data/latency-5800x3d.tsv vcache=$ROOT/tests/data/latency-vcache.tsv

# sizes METHOD FILE: what is found, in KiB.
sizes() { detect --quiet --method "$1" "$2" | awk '/^cache/ { printf "%s%.0f", s, $3 / 16; s = " " }'; }

same 'caches: derivative finds three levels of a Ryzen, L3 at about 60 MB' '35 686 61087' \
    "$(sizes derivative "$ryzen")"
same 'caches: jump sees the largest step alone' '32' "$(sizes jump "$ryzen")"
same 'caches: plateau misses the level that never was flat' '32 512' "$(sizes plateau "$ryzen")"
same 'caches: derivative finds a stacked cache of 96 MiB, as it fades: 62 MiB' '63782' "$(sizes derivative "$vcache")"
same 'caches: jump takes the place where one sample differs most from the next' '46080' "$(sizes jump "$vcache")"
same 'caches: plateau finds a third of the stacked cache' '32768' "$(sizes plateau "$vcache")"
detect --quiet --method caches "$vcache" >"$TMP/out"
same 'caches: the range of the transition holds the truth' yes \
    "$(awk '/^cache/ && $6 < 96 * 2^20 && $7 > 96 * 2^20 { print "yes" }' "$TMP/out")"
matches 'caches: a gradual transition is noted' 'gradual$' "$TMP/out"
sed 's/^# l3_bytes.*/# l1d_bytes: 100663296/' "$vcache" >"$TMP/claims.tsv"
detect --quiet --claims --method caches "$TMP/claims.tsv" >"$TMP/out"
same 'caches: an unknown boundary has no error' '- 1572864 -' \
    "$(awk -F '\t' '/^cache/ { print $3, $14, $15 }' "$TMP/out")"

# One sample far off, on the plateau of the second level.
awk -F '\t' -v OFS='\t' '/^[0-9]/ && $1 == 5792 { $6 *= 6 } { print }' "$ryzen" >"$TMP/spike.tsv"
same 'caches: jump follows one bad sample' '38' "$(sizes jump "$TMP/spike.tsv")"

exits 2 'caches: an unknown method gives status 2' detect --method wavelet "$vcache"
matches 'caches: an unknown method is answered with those that there are' 'segment, derivative, jump and plateau' "$TMP/err"
sed 's/	line	/	page	/' "$vcache" >"$TMP/page.tsv"
exits 2 'caches: derivative refuses a table without a curve' detect --method derivative "$TMP/page.tsv"
matches 'caches: derivative says which layouts it needs' 'local, line or packed' "$TMP/err"
awk '/^[0-9]/ { print $1 "\tline\t64\t4096\t0\t5"; next } { print }' "$vcache" >"$TMP/flat.tsv"
for method in caches derivative jump plateau; do
    exits 1 "caches: $method finds no boundary on a flat curve" detect --quiet --method "$method" "$TMP/flat.tsv"
done
[ -n "${LONG-}" ] || { skip 'caches: the preset, on a simulated machine' 'it takes long: scripts/test --all' && finish_tests; }

small=$ROOT/tests/data/small-caches.tsv # so that the test is quick
plan() { command plan --quiet --preset caches --seed 3 --pages 64,128k; }
printf '# line_bytes: 64\n# page_bytes: 4096\npages\tns\n' >"$TMP/none.tsv"
exits 0 'caches: the plan of the preset is written' plan
same 'caches: the plan of the preset is layout local, a line apart' 'local 64' \
    "$(awk '/^[0-9]/ { print $2, $3 }' "$TMP/out" | sort -u)"
same 'caches: the plan of the preset has six sizes an octave and more' 67 "$(awk '/^[0-9]/ { print $1 }' "$TMP/out" | sort -u | wc -l | tr -d ' ')"
plan | simulate --noise gauss:3 "$small" - >"$TMP/samples.tsv"
for turn in 1 2 3 4 5 6; do
    plan "$TMP/samples.tsv" >"$TMP/points.tsv"
    grep -q '^[0-9]' "$TMP/points.tsv" || break
    simulate --noise gauss:3 "$small" "$TMP/points.tsv" >>"$TMP/samples.tsv"
done
check 'caches: the loop by hand comes to its end' test "$turn" -gt 1
exits 0 'caches: method caches is the default for layout local' detect --claims "$TMP/samples.tsv"
same 'caches: the ranges of method caches hold the claims at 3 per cent noise' '1 good, 2 good, 3 good' \
    "$(awk '/^cache/ { printf "%s%s %s", s, $2, $4 <= $14 && $14 <= $5 ? "good" : $14; s = ", " }' "$TMP/out")"
same 'caches: method caches is named in every row' caches "$(awk '/^cache/ { print $12 }' "$TMP/out" | sort -u)"
lacks 'caches: method caches calls no TLB a level' '^dtlb' "$TMP/out"
exits 0 'caches: derivative accepts the same samples' detect --method derivative "$TMP/samples.tsv"
same 'caches: derivative crosses early where page frames are random' '3 levels, 2 early' \
    "$(awk '/^cache/ { n++; early += $2 == 2 && $3 < 0.95 * 2048 || $2 == 3 && $3 < 0.95 * 16384 }
        END { print n " levels, " early " early" }' "$TMP/out")"

finish_tests
