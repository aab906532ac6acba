#!/usr/bin/env bash
# cut-off.t: points cut off a table turn an answer into none, or into a noted one, never into another.
# A level that the table does not reach lends its name to no other.
. "${0%/*}/../../tap.sh"
long_with_sanitizers
plain_inputs simulate

# One more level than most machines have.
tr ' ' '\t' >"$TMP/three.tsv" <<END
# name: three levels
# page_bytes: 4096
# line_bytes: 64
# memory_bytes: 64G
structure level entries ways index replacement page_bytes line_bytes ns relation coalesce
dtlb 1 32 - full lru 4096 - 0 - 1
dtlb 2 256 8 linear lru 4096 - 2 neither 1
dtlb 3 2048 8 linear lru 4096 - 6 neither 1
walk - - - - - - - 20 - -
cache 1 512 8 linear lru - 64 1 - -
cache 2 16384 8 linear lru - 64 4 neither -
cache 3 524288 16 hashed lru - 64 15 neither -
memory - - - - - - - 80 - -
END

# cut SIZE FILE: the table without larger sizes.
cut_off() { awk -v most="$1" '/^[^0-9]/ || $1 + 0 <= most' "$2"; }

# The answers of a program, one a line: name, figure, the least and the most that it may be. Noted
# ones may be another's: latency's below_claimed_cache. Caches of detect are left out: a rise that is
# cut in its middle still counts there, with a low confidence.
penalties() {
    walkpenalty --quiet - 2>"$TMP/err" | awk -F '\t' '$1 == "control" && $3 != "-" { print $2, $3, 0.9 * $3, 1.1 * $3 }'
}
boundaries() {
    detect --quiet - 2>"$TMP/err" | awk -F '\t' '/^dtlb/ && $3 != "-" { print $1 $2, $3, 0.98 * $4, 1.02 * $5 }'
}
latencies() {
    latency --quiet - 2>"$TMP/err" | awk -F '\t' '/^(cache|memory)/ && $8 != "-" && !/below_claimed_cache/ {
        print $1 $2, $8, 0.97 * $8, 1.03 * $8 }'
}

# others ANSWERS FILE SIZE...: the answers of cut tables that the whole one does not have. A miss of
# the last level walks.
others() {
    local answers=$1 file=$2 size
    shift 2
    "$answers" <"$file" >"$TMP/whole"
    for size; do
        cut_off "$size" "$file" | "$answers" |
            awk -v size="$size" '
                NR == FNR { least[$1] = $3; most[$1] = $4; next }
                {
                    name = $1 in least ? $1 : $1 ~ /^[0-9]+$/ ? "walk" : $1
                    if (!(name in least) || $4 < least[name] || $3 > most[name]) print size ": " $1, $2
                }' "$TMP/whole" -
    done
}

# Not random-replacement and skylake-client-xor7: detect finds 512 and 683 entries for the first, and
# another second level for the other where the sweep ends just beyond it.
pages=(70 100 300 1000 2048 3000 3400 4000 6000 8192)
machines=(zen4) with_caches=()
[ -z "${LONG-}" ] || machines+=("$TMP/three.tsv" skylake-sp small-first-level) with_caches+=(zen4 skylake-sp)
for machine in "${machines[@]}"; do
    name=$(basename "$machine" .tsv)
    simulate --seed 3 --noise gauss:1,spikes:1 "$machine" >"$TMP/sweep.tsv"
    for answers in penalties boundaries; do
        same "$name: a shorter sweep has no other $answers" '' "$(others "$answers" "$TMP/sweep.tsv" "${pages[@]}")"
    done
    check "$name: the whole sweep shows the walk" grep -q '^walk' <(penalties <"$TMP/sweep.tsv")
done

for machine in ${with_caches[@]+"${with_caches[@]}"}; do
    simulate --preset caches --seed 3 --noise gauss:1,spikes:1 "$machine" >"$TMP/sweep.tsv"
    same "$machine: a shorter sweep has no other latencies" '' \
        "$(others latencies "$TMP/sweep.tsv" 400 700 1000 2000 5000 10000 20000 40000 80000 300000 1000000)"
done

# Not the boundaries of recorded machines: a sweep that ends in the middle of a rise has another edge
# there, with a low confidence.
for folder in intel-xeon-guest amd-epyc-guest; do
    same "$folder: a shorter recording has no other penalties" '' \
        "$(others penalties "$ROOT/tests/machines/$folder/sweep.tsv" "${pages[@]}")"
done
finish_tests
