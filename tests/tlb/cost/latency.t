#!/usr/bin/env bash
# latency.t: the latency of each level, from machines whose truth is known; what is impossible, and
# what it refuses.
. "${0%/*}/../../tap.sh"
long_with_sanitizers
plain_inputs simulate
model=$ROOT/tests/data/small-caches.tsv # 0.8, 2.8, 10 and 80 ns

# column NAME FILE: that column, without header, in one line.
column() { columns "$1" "$2" | paste -s -d ' ' -; }
# truth KERNEL FILE: its rows are within 2 per cent of the machine's.
truth() {
    awk -F '\t' -v kernel="$1" '$6 == kernel { n++
        split("0.8 2.8 10 80", ns, " ")
        if ($8 < 0.98 * ns[n] || $8 > 1.02 * ns[n] || $9 > $8 || $10 < $8) bad = 1
    } END { exit bad || n != 4 }' "$2"
}

# Up to 8 MiB, so that the test is quick: beyond, long chains take most of the time. Around
# the third boundary along eight chains too.
plan --preset caches --pages 64,128k --seed 1 |
    awk -F '\t' -v OFS='\t' '/^#/ { print; next } /^pages/ { print $0, "chains"; next }
        { print $0, "-" } $1 > 3000 && $1 < 60000 { print $0, 8 }' |
    simulate --noise gauss:2 "$model" - >"$TMP/my reads.tsv"
exits 0 'latency: reads of a known machine give an answer' latency "$TMP/my reads.tsv"
same 'latency: the header has its columns' "$(printf '%s\t' structure level bytes_min bytes_max layout kernel chains ns \
    low_ns high_ns cycles idle_cycles over_read_ns)note" "$(grep -v '^#' "$TMP/out" | head -n 1)"
same 'latency: a known machine has three caches and the memory' 'cache 1,cache 2,cache 3,memory -' \
    "$(rows "$TMP/out" | cut -f 1,2 | tr '\t' ' ' | paste -s -d , -)"
check "latency: a known machine's levels have their times" truth read "$TMP/out"
same 'latency: without a clock there are no cycles' '- - - -' "$(column cycles "$TMP/out")"
same 'latency: without writes nothing is compared with reads' '- - - -' "$(column over_read_ns "$TMP/out")"
same "latency: a known machine's levels have no notes" '- - - -' "$(column note "$TMP/out")"
same 'latency: a known machine causes no message' '' "$(cat "$TMP/err")"
matches 'latency: the metadata of the input are copied' '^# cpu: simulated small caches$' "$TMP/out"
matches 'latency: the metadata have the program' '^# program: latency$' "$TMP/out"
apart() { rows "$1" | awk -F '\t' 'NR > 1 && $3 <= last { bad = 1 } { last = $4 } END { exit bad }'; }
check 'latency: levels are apart, and do not hold the boundary between' apart "$TMP/out"
cp "$TMP/out" "$TMP/alone"

# A write takes what a read does and 10 ns more in memory. Stores go along one chain only.
sed 's/\tread\t/\twrite\t/' "$TMP/my reads.tsv" | awk -F '\t' '!/^[0-9]/ || $9 == 1' |
    simulate --seed 2 --noise gauss:2 --meta ghz_estimated=5 "$model" - |
    awk -F '\t' -v OFS='\t' '/^[0-9]/ && $9 > 75 { $9 += 10; $11 += 10 } { print }' >"$TMP/writes.tsv"
exits 0 'latency: reads and writes give an answer' latency "$TMP/my reads.tsv" "$TMP/writes.tsv"
same 'latency: reads and writes take turns' 'read write read write read write read write' "$(column kernel "$TMP/out")"
same 'latency: reads and writes have the same sizes' "$(rows "$TMP/out" | grep read | cut -f 3,4)" "$(rows "$TMP/out" | grep write | cut -f 3,4)"
check 'latency: reads are not changed by writes beside them' truth read "$TMP/out"
# over_read STRUCTURE FROM TO: what its writes take more than reads.
over_read() {
    rows "$TMP/out" | awk -F '\t' -v structure="$1" -v from="$2" -v to="$3" '
        $1 == structure && $6 == "write" { n++; if ($13 < from || $13 > to) bad = 1 }
        END { exit bad || !n }'
}
check 'latency: a write of memory takes longer by what was added' over_read memory 9 11
check 'latency: a write of a cache takes no longer than a read' over_read cache -0.3 0.3
clocked() {
    rows "$TMP/out" | awk -F '\t' '{ n++; d = $11 - 5 * $8; e = $11 - $12 - 1 }
        d < -0.06 || d > 0.06 || e < -1e-6 || e > 1e-6 { bad = 1 }
        END { exit bad || n != 8 }'
}
check 'latency: cycles are of the clock in the metadata' clocked
cat "$TMP/writes.tsv" "$TMP/my reads.tsv" >"$TMP/joined.tsv"
same 'latency: tables joined on stdin in another order give the same answer' "$(rows "$TMP/out")" \
    "$(latency <"$TMP/joined.tsv" | rows -)"

# Boundaries that are given.
detect --method caches "$TMP/my reads.tsv" >"$TMP/boundaries.tsv"
same 'latency: its own boundaries are those of detect' "$(rows "$TMP/alone")" \
    "$(latency "$TMP/boundaries.tsv" "$TMP/my reads.tsv" | rows -)"
{ grep -v '^cache' "$TMP/boundaries.tsv" && grep '^cache' "$TMP/boundaries.tsv" | tac; } >"$TMP/reversed.tsv"
same 'latency: boundaries in another order give the same answer' "$(rows "$TMP/alone")" \
    "$(latency "$TMP/reversed.tsv" "$TMP/my reads.tsv" | rows -)"
printf 'structure\tlevel\tentries\tbytes_min\tbytes_max\tmethod\tnote\ndtlb\t1\t72\t1000\t2000\tcontrol\t-
cache\t1\t512\t32768\t65536\tmine\t-\ncache\t2\t9\t100\t200\tother\t-\n' >"$TMP/one.tsv"
exits 0 'latency: a boundary by hand is accepted' latency "$TMP/one.tsv" "$TMP/my reads.tsv"
same 'latency: a boundary by hand makes two levels of the cache that it is about' 'cache 1 4096,memory - 65536' \
    "$(rows "$TMP/out" | cut -f 1-3 | tr '\t' ' ' | paste -s -d , -)"
points() {
    printf 'pages\tlayout\tspacing_bytes\tkernel\tchains\tns\n'
    awk "BEGIN { OFS = \"\\t\"; for (n = 64; n <= 65536; n *= 2) { $1 } }"
}
points 'print n, "page", 4096, "read", 1, (n > 512 ? 9 : 3)' >"$TMP/page.tsv"
exits_saying 2 'latency: pages alone are refused' 'measure layout local' latency "$TMP/page.tsv"
exits 0 'latency: pages with boundaries give an answer' latency "$TMP/page.tsv" "$TMP/one.tsv"
same 'latency: pages count as the lines that they take' '3 9' "$(column ns "$TMP/out")"
same 'latency: pages are noted may_miss_tlb' 'may_miss_tlb may_miss_tlb' "$(column note "$TMP/out")"

# Several chains and other impossible figures.
points 'print n, "local", 64, "read", 1, (n > 4096 ? 40 : 4); print n, "local", 64, "read", 4, (n > 4096 ? 10 : 1)' \
    >"$TMP/chains.tsv"
exits 0 'latency: several chains give an answer' latency --meta ghz_estimated=9 "$TMP/chains.tsv"
same 'latency: several chains have a row each' '1 4 1 4' "$(column chains "$TMP/out")"
same 'latency: several chains have the time of an access' '4 1 40 10' "$(column ns "$TMP/out")"
sed 's/\t4\t1$/\t4\t0.1/; 1i # ghz_estimated: 2' "$TMP/chains.tsv" >"$TMP/quick.tsv"
exits 1 'latency: less than a cycle gives status 1' latency "$TMP/quick.tsv"
same 'latency: less than a cycle is noted impossible' '- impossible - -' "$(column note "$TMP/out")"
matches 'latency: less than a cycle is reported with its causes' 'cache 1, read: 0.1 ns is impossible.*compiler removed the loop' "$TMP/err"
same 'latency: several chains have no idle cycles' '7 - 79 -' "$(column idle_cycles "$TMP/out")"
exits_saying 1 'latency: --quiet with less than a cycle gives status 1' 'impossible' latency --quiet "$TMP/quick.tsv"
points 'print n, "line", 64, "read", 1, 1e-9' >"$TMP/vanished.tsv"
exits 1 'latency: a loop that has vanished gives status 1' latency "$TMP/vanished.tsv"
same 'latency: a loop that has vanished has one row, noted impossible' "$(printf -- '-\t-\t4096\t4194304\tline\tread\t1\t0\t0\t0\t-\t-\t-\tmay_miss_tlb,no_boundary,impossible')" \
    "$(rows "$TMP/out")"
{
    points 'print n, "local", 64, "read", 1, (n > 4096 ? 50 : 4); print n, "local", 64, "write", 1, (n > 4096 ? 1.85 : 3.5)'
} >"$TMP/stores.tsv"
exits 0 'latency: stores that wait for nothing give an answer' latency "$TMP/stores.tsv"
same 'latency: stores that wait for nothing are noted below_read' '- - - below_read' "$(column note "$TMP/out")"
matches 'latency: stores that wait for nothing are reported with the cause' 'memory: a write takes 1.85 ns, less than a read \(50 ns\).*store buffer' "$TMP/err"
points 'print n, "line", 8, "read", 1, (n > 4096 ? 11 : 1)' >"$TMP/diluted.tsv"
exits 0 'latency: eight nodes in a line give an answer' latency "$TMP/diluted.tsv"
same 'latency: eight nodes in a line are noted shared_lines' 'shared_lines may_miss_tlb,shared_lines' "$(column note "$TMP/out")"
matches 'latency: eight nodes in a line are reported as up to eight times too small' 'share lines of 64.*8 times too small' "$TMP/err"
sed '1i # l3_bytes: 4194304\n# mistake: cold' "$TMP/stores.tsv" >"$TMP/claimed.tsv"
exits 0 'latency: a claimed cache as large as the largest size is accepted' latency "$TMP/claimed.tsv"
same 'latency: a claimed cache as large as the largest size may be what is called memory' '- - below_claimed_cache below_claimed_cache,below_read' "$(column note "$TMP/out")"
matches 'latency: a planted mistake is mentioned' 'broken on purpose \(mistake: cold\)' "$TMP/err"

# Programs that read it.
exits 0 'report: tables of latency are accepted' report "$TMP/my reads.tsv" "$TMP/alone" "$TMP/boundaries.tsv"
matches 'report: latency has a section' '^\[Latency\]$' "$TMP/out"
matches 'report: the section of latency has the caches' '^  L2 read +2\.[78][0-9]* ns, quartiles' "$TMP/out"
matches 'report: the section of latency has the memory' '^  Memory read +80\.[0-9]* ns' "$TMP/out"
latency --quiet "$TMP/quick.tsv" 2>/dev/null | report >"$TMP/out"
matches 'report: the section of latency has cycles' '^  L1 read +4 ns, .*, 8 cycles' "$TMP/out"
matches 'report: the section of latency has several chains' '^  Memory read +10 ns, .*with 4 chains at once$' "$TMP/out"
matches 'report: the section of latency has what is impossible' '^  Note +impossible, less than a cycle' "$TMP/out"
prints 'tojson: a table of latency is accepted' '"idle_cycles"' tojson "$TMP/alone"

# No answer.
points 'print n, "local", 64, "read", 1, 4' >"$TMP/flat.tsv"
exits 1 'latency: a flat curve gives status 1' latency "$TMP/flat.tsv"
same 'latency: a flat curve is a row without a level, noted no_boundary' '- no_boundary' "$(column structure "$TMP/out") $(column note "$TMP/out")"
matches 'latency: a flat curve is reported with the remedy' 'larger --pages' "$TMP/err"
exits 1 'latency: a table without samples gives status 1' latency <<<$'pages\tns'
matches 'latency: a table without samples is reported' 'no measured rows' "$TMP/err"
printf '70\tlocal' | cat "$TMP/chains.tsv" - >"$TMP/cut.tsv"
exits 1 'latency: a last line that is cut gives status 1' latency "$TMP/cut.tsv"
same 'latency: a last line that is cut is dropped' "$(latency "$TMP/chains.tsv" | rows -)" "$(rows "$TMP/out")"
exits 2 'latency: samples of other kernels are refused' latency <<<$'pages\tns\tkernel\n4\t2\tcode'
matches 'latency: samples of other kernels are reported' 'no samples of kernel read or write' "$TMP/err"
exits 2 'latency: text for a number is refused' latency <<<$'pages\tns\n4\tquick'
matches 'latency: text for a number is named with its column' "column 'ns'" "$TMP/err"
exits 2 'latency: a table of another kind is refused' latency <<<$'a\tb\n4\t2'
finish_tests
