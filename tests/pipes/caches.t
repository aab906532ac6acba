#!/usr/bin/env bash
# caches.t: the caches beyond the first that detect finds along with the TLBs, on simulated machines: on two
# in the usual run, on all of src/tlb/models with LONG.
. "${0%/*}/tap.sh"

# outside MACHINE BACKING: the rows whose range is without the lines of that cache, and those that name a
# number of lines although the page frames are random.
outside() {
    { if [ "$2" = scattered ]; then simulate --seed 1 "$1"; else sweep --plan --backing "$2" --seed 1 | simulate --seed 1 "$1" -; fi; } |
        detect --quiet |
        awk -F '\t' -v random="$([ "$2" = scattered ] && echo 1)" 'NR == FNR { if ($1 == "cache") lines[$2] = $3; next }
            $1 == "cache" && $2 > 1 { found++; if ($4 > lines[$2] || ($5 != "-" && $5 < lines[$2])) print
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
finish_tests
