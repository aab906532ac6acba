#!/usr/bin/env bash
# caches.t: the caches beyond the first that detect finds along with the TLBs, on simulated machines: on two
# in the usual run, on all of src/tlb/models with LONG.
. "${0%/*}/../../tap.sh"
sanitizers_suffice

# outside MACHINE BACKING: the rows whose range is without the lines of that cache, and those that name a
# number of lines although the page frames are random.
outside() {
    { if [ "$2" = scattered ]; then simulate --seed 1 "$1"; else simulate --seed 1 --preset coalescing "$1"; fi; } |
        detect --quiet |
        awk -F '\t' -v random="$([ "$2" = scattered ] && echo 1)" 'NR == FNR { if ($1 == "cache") lines[$2] = $3; next }
            $1 == "cache" && $2 > 1 && (random || /contiguous/) { found++; if ($4 > lines[$2] || ($5 != "-" && $5 < lines[$2])) print
                if (random && $3 != "-") print }
            END { if (!found) print "no cache" }' "$ROOT/src/tlb/models/$1.tsv" -
}

machines=(skylake-client-xor7 pages-64k)
[ -z "${LONG-}" ] || machines=(coinciding-knees exclusive-pair fifo-inclusive neoverse-coalesce no-tlb-knee
    nru-srrip pages-64k random-replacement ryzen-5800x3d skylake-client-xor7 skylake-sp small-first-level
    splintered-guest three-levels tree-plru xeon-hashed zen3 zen4 zen5)
for machine in "${machines[@]}"; do
    same "caches: $machine: the ranges contain the caches beyond the first" '' "$(outside "$machine" scattered)"
done
same "caches: on contiguous page frames too" '' "$(outside "${machines[0]}" contiguous)"
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

finish_tests
