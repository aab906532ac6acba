#!/usr/bin/env bash
# recorded.t: the samples of every recorded machine are analysed again. Every answer is printed with its
# range and confidence beside what is known of the machine (truth.tsv).
. "${0%/*}/../../tap.sh"
long_with_sanitizers

# Levels without a number, or with a wrong one, that may become right: second levels of tables without moments
# have a range. In amd-zen5-guest something took entries all the while. In intel-xeon-guest/planned sets seem
# to hold a page more than they have ways; in held a neighbour holds two of 16. Of code without moments no
# rise is known to be a level's.
known='amd-epyc-guest/geometry.tsv dtlb 2: entries
amd-epyc-guest/held.tsv dtlb 2: entries
amd-epyc-guest/sweep.tsv dtlb 2: entries
amd-epyc-guest/itlb.tsv itlb 1: missing
amd-epyc-guest/itlb.tsv itlb 2: missing
amd-zen3-guest/geometry.tsv dtlb 2: entries
intel-xeon-guest/held.tsv dtlb 2: entries
intel-xeon-guest/planned.tsv dtlb 2: entries
intel-xeon-guest/sweep.tsv dtlb 2: entries
amd-zen5-guest/both-busy.tsv dtlb 1: entries
amd-zen5-guest/both-busy.tsv dtlb 2: entries
amd-zen5-guest/one-busy.tsv dtlb 1: entries
amd-zen5-guest/one-busy.tsv dtlb 2: entries
amd-zen5-guest/quiet-1.tsv dtlb 1: entries
amd-zen5-guest/quiet-1.tsv dtlb 2: entries
amd-zen5-guest/quiet-2.tsv dtlb 1: entries
amd-zen5-guest/quiet-2.tsv dtlb 2: entries
amd-zen5-guest/itlb.tsv itlb 1: missing
amd-zen5-guest/itlb.tsv itlb 2: missing'

# answers PROGRAM NAMES FILE: these columns of what a program says to samples.
answers() {
    "$1" --quiet "$3" >"$TMP/table" 2>"$TMP/err"
    columns "$2" "$TMP/table"
}

# judge TRUTH TABLE: of the boundaries on stdin, a line for each, which begins with `#`, and one for each
# fault. A first TLB level must be exact, others within 2 %, a cache in its range; it is a fault if a level that the
# samples cover is not reported.
judge() {
    awk -F '\t' -v table="$2" '
        function fault(what) { print table " " $1 " " $2 ": " what }
        NR == FNR { truth[$1, $2] = $3; sure[++n] = $1 FS $2; next }
        {
            told[$1, $2] = 1
            known = truth[$1, $2]
            off = $2 == 1 && $1 != "cache" ? 0 : 0.02
            right = $3 != "-" ? ($3 - known) ^ 2 <= (off * known) ^ 2 : $1 == "cache"
            printf "# %s: %s %s: %s [%s, %s] %s, truth %s, %s\n", table, $1, $2, $3, $4, $5, $6,
                known == "" ? "unknown" : known, $7
            if (known == "" || ($1 == "cache" && $7 ~ /code/)) next # truth has no instruction caches
            if ($6 == "high" && !right) fault("sure and wrong")
            if ($1 != "cache" && !right) fault("entries")
            if ($4 != "-" && $4 > known || $5 != "-" && $5 < known) fault("range")
        }
        END {
            wanted = table ~ /\/itlb\./ ? "itlb" : table ~ /\/(walk|line|caches|prefetch)\./ ? "" : "dtlb"
            for (i = 1; i <= n; i++) {
                split(sure[i], level, FS)
                if (level[1] == wanted && !((level[1], level[2]) in told))
                    print table " " level[1] " " level[2] ": missing"
            }
        }' "$1" -
}

# organisation TRUTH TABLE: the same for the organisation on stdin: the ways and sets reported are right.
organisation() {
    awk -F '\t' -v table="$2" '
        NR == FNR { ways[$1, $2] = $4; sets[$1, $2] = $5; next }
        {
            w = ways[$1, $2]
            s = sets[$1, $2]
            printf "# %s: %s %s: %s ways, %s sets %s, truth %s, %s\n", table, $1, $2, $3, $4, $5, w, s
            if ($3 != "-" && w > 0 && $3 != w) print table " " $1 " " $2 ": ways"
            if ($4 != "-" && s > 0 && $4 != s) print table " " $1 " " $2 ": sets"
        }' "$1" -
}

# penalties TABLE: the same of the penalties on stdin: a walk takes longer than a hit in the next level.
penalties() {
    awk -F '\t' -v table="$1" '
        $1 != "control" { next }
        {
            printf "# %s: a miss, level %s: %s ns [%s, %s], %s\n", table, $2, $3, $4, $5, $6
            if ($2 == "walk" && $3 != "-" && $3 <= hit) print table " walk: no longer than a hit"
            hit = $3 == "-" ? hit : $3
        }'
}

# The answer to one table of samples, and its faults.
verdicts() {
    local truth=$1 file=$2 table=$3
    answers detect 'structure level entries entries_min entries_max confidence note' "$file" |
        judge "$truth" "$table"
    answers geometry 'structure level ways sets confidence' "$file" | organisation "$truth" "$table"
    answers walkpenalty 'method level penalty_ns low_ns high_ns note' "$file" | penalties "$table"
}

for folder in "$ROOT"/tests/machines/*/; do
    machine=$(basename "$folder")
    [ "$machine" != uncore ] || continue # counters as manuals describe them, nobody's samples
    matches "$machine: what is known of it is recorded, with its source" \
        '^(dtlb|cache)	1	[0-9]+	([0-9]+|-)	([0-9]+|-)	.+' "$folder/truth.tsv"
    for file in "$folder"*.tsv; do
        grep -q '^pages	layout	' "$file" || continue
        table=$machine/$(basename "$file")
        verdicts "$folder/truth.tsv" "$file" "$table" >"$TMP/verdicts"
        grep '^#' "$TMP/verdicts"
        same "$table: what was right stays right, and what is sure is right" '' \
            "$(grep -v '^#' "$TMP/verdicts" | grep -vxF "$known")"
    done
done

# A sweep with fewer visits: without each second sixth of them.
for table in quiet-2 one-busy both-busy; do
    for part in 1 3 5; do
        awk -F '\t' -v part=$part '!/^[0-9]/ || n[$1, $2]++ % 6 != part' \
            "$ROOT/tests/machines/amd-zen5-guest/$table.tsv" | detect --quiet >"$TMP/out"
        same "amd-zen5-guest/$table.tsv: without visits $part, $((part + 6)), ... both levels are in their ranges" 2 \
            "$(awk -F '\t' '$1 == "dtlb" { found += $4 <= (x = $2 == 1 ? 96 : 4096) && x <= $5 } END { print found + 0 }' "$TMP/out")"
    done
done
finish_tests
