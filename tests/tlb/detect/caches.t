#!/usr/bin/env bash
# caches.t: the methods that look for caches on one latency curve, on published latencies and on a simulated
# machine, and the preset that measures for them; and the caches beyond the first that detect finds along with the
# TLBs, on simulated machines: on two in the usual run, on all of src/tlb/models with LONG.
. "${0%/*}/../../tap.sh"
long_with_sanitizers
plain_inputs simulate

# outside MACHINE BACKING: the rows whose range is without the lines of that cache, and those that name a
# number of lines although the page frames are random.
outside() {
    { if [ "$2" = scattered ]; then simulate --seed 1 "$1"; else simulate --seed 1 --preset coalescing "$1"; fi; } |
        detect --quiet |
        awk -F '\t' -v random="$([ "$2" = scattered ] && echo 1)" 'NR == FNR { if ($1 == "cache") lines[$2] = $3; next }
            $1 == "cache" && $2 > 1 && (random || /contiguous/) { found++; if ($4 > lines[$2] || ($5 != "-" && $5 < lines[$2])) print
                if (random && $3 != "-") print }
            END { if (!found && lines[2] < 32768) print "no cache" } # where a sweep ends' "$ROOT/src/tlb/models/$1.tsv" -
}

machines=(skylake-client-xor7 pages-64k)
[ -z "${LONG-}" ] || machines=(coinciding-knees exclusive-pair fifo-inclusive neoverse-coalesce no-tlb-knee
    nru-srrip pages-64k random-replacement ryzen-5800x3d skylake-client-xor7 skylake-sp small-first-level
    splintered-guest three-levels tree-plru xeon-hashed zen3 zen4 zen5)
for machine in "${machines[@]}"; do
    same "caches: $machine: the ranges contain the caches beyond the first" '' "$(outside "$machine" scattered)"
done
same "caches: on contiguous page frames too" '' "$(outside skylake-client-xor7 contiguous)"
# tinymembench subtracts the time of the first cache (results of ThomasKaiser/sbc-bench, Allwinner H616), and
# draws its places independently: kernel random.
h616='0 0 0 0 0 0 4.3 6.6 9.8 91.8 138.6 163 178.8 187.1 192.2 196.5 215.7'
# drawn COLUMNS VALUES: the table, with these columns more.
drawn() {
    printf '# page_bytes: 4096\npages\tns%s\n' "$1"
    pages=16
    for ns in $h616; do
        printf '%d\t%s%s\n' "$pages" "$ns" "$2"
        pages=$((2 * pages))
    done
}
drawn $'\tlayout\tspacing_bytes' $'\tline\t64' >"$TMP/zero.tsv"
for method in caches segment; do
    detect --method "$method" --quiet "$TMP/zero.tsv" >"$TMP/found" 2>"$TMP/err"
    check "caches: no percentage of a plateau of zero: $method" test 0 -eq \
        "$(columns 'plateau_ns step_percent' "$TMP/found" | awk '($1 < 0.01) != ($2 == "-") || $2 > 1e5 { bad++ } END { print bad + 0 }')"
done
same 'caches: a plateau of zero is zero' '0 -' "$(detect --method caches --quiet "$TMP/zero.tsv" 2>"$TMP/err" |
    columns 'plateau_ns step_percent' - | head -n 1 | tr '\t' ' ')"
for layout in line:'\tlayout\tspacing_bytes':'\tline\t64' none:'':''; do
    IFS=: read -r name header values <<<"$layout"
    drawn "$(printf '%b' "$header")\tkernel" "$(printf '%b' "$values")\trandom" | sed 's/\\t/\t/g' >"$TMP/random.tsv"
    exits 2 "caches: kernel random alone is refused, with layout $name" detect --method caches "$TMP/random.tsv"
    matches "caches: kernel random alone is named, with layout $name" 'all of kernel random' "$TMP/err"
    lacks "caches: kernel random alone is no fault of the layout, with layout $name" 'layout' "$TMP/err"
done

# ---- on one latency curve ----

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
plan() { command plan --quiet --preset caches --seed 3 --pages 64,128k "$@"; }
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
same 'caches: derivative crosses early where page frames are random' '3 levels, some early' \
    "$(awk '/^cache/ { n++; early += $2 == 2 && $3 < 0.95 * 2048 || $2 == 3 && $3 < 0.95 * 16384 }
        END { print n " levels, " (early ? "some" : "none") " early" }' "$TMP/out")"

finish_tests
