#!/usr/bin/env bash
# report.t: the readable report: its three sections, what it says of what was found, why something
# was not found, and what it refuses.
# shellcheck disable=SC2016 # the expressions in single quotes are for awk
. "${0%/*}/../tap.sh"
sanitizers_suffice
example=$ROOT/tests/data/whitepaper-m4.tsv
machine=$ROOT/tests/data/penalty-vm.tsv

# tables SAMPLES [OPTION...]: boundaries and penalties of them, in the temporary folder.
tables() {
    local samples=$1
    shift
    detect --quiet "$@" "$samples" >"$TMP/boundaries.tsv" 2>/dev/null
    walkpenalty --quiet "$samples" >"$TMP/penalties.tsv"
}

three_sections() {
    same "report: $1: the three sections are there, in their order" \
        "[Private Cache Knee Detection] [L1 TLB Detection] [L2 TLB / Page Walk]" \
        "$(grep '^\[' "$TMP/out" | head -n 3 | paste -s -d ' ' -)"
}

# section NAME: what the report in "$TMP/out" says in it, in "$TMP/section".
section() {
    awk -v name="[$1]" '/^\[/ { inside = $0 == name } inside' "$TMP/out" >"$TMP/section"
}

tables "$example" --method segment
exits 0 "report: the whitepaper's example is reported" report "$example" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
three_sections "the whitepaper's example"
matches 'report: the processor is named' '^  CPU +Apple M4$' "$TMP/out"
matches 'report: the page size is in human units' '^  Page size +16 KiB$' "$TMP/out"
matches 'report: the buffer is reported' '^  Buffer +1 GiB$' "$TMP/out"
matches 'report: the chain mode is reported' '^  Chain mode +random-box$' "$TMP/out"
matches 'report: the lock of memory is reported' '^  Memory locked +yes$' "$TMP/out"
printf 'pages\tns\tbacking\tbacked\tlocked\n4\t1\t%s\n8\t1\t%s\n16\t1\t%s\n' 'scattered\tyes\tyes' \
    'contiguous\tno (they are not)\tno (a limit)' 'contiguous\tyes\tyes' | sed 's/\\t/\t/g' >"$TMP/told.tsv"
report "$TMP/told.tsv" >"$TMP/told"
lacks 'report: loops are left out where the loads are unknown' 'Loops' "$TMP/told"
matches 'report: the lock of memory is reported as in the samples' '^  Memory locked +no \(a limit\)$' "$TMP/told"
matches 'report: backings are reported, what failed above all' \
    '^  Backing +scattered: yes, contiguous: no \(they are not\)$' "$TMP/told"
matches 'report: the stride is reported' '^  Stride +64 B \(box\)$' "$TMP/out"
matches 'report: loops and accesses are reported' '^  Loops x accesses +30 x 25000000$' "$TMP/out"
matches 'report: added and total points are reported' '^  Fine sweep +0 points added, 16 in total$' "$TMP/out"
section 'L1 TLB Detection'
matches 'report: the boundary of the first level is reported with what fits' '^  Boundary +4 MiB \(2 MiB fits\)$' "$TMP/section"
matches 'report: the entries of the first level are reported with their range' '^  Inferred entries +192 \(128 to 256\)$' "$TMP/section"
matches 'report: the confidence of the first level is reported with its step' '^  Confidence +high: step 4.614 ns \(26 %\) over 18.06 ns$' "$TMP/section"
matches 'report: the method is reported in words' '^  Method +segment: steps over' "$TMP/section"
section 'L2 TLB / Page Walk'
matches 'report: an Apple machine has a secondary reach inferred' 'inferred secondary reach: the system-level cache' "$TMP/section"
matches 'report: the page-walk penalty is reported with its ends' '^  Page-walk penalty +81.93 ns \(raw, 16K->512M\)' \
    "$TMP/section"
matches 'report: the controlled penalty is N/A without packed samples' '^  Page-walk penalty +N/A \(control\): no comparison with packed samples' \
    "$TMP/section"
cp "$TMP/out" "$TMP/report"
sed 's/^# cpu: .*/# cpu: Example/' "$example" >"$TMP/other.tsv"
tables "$TMP/other.tsv" --method segment
exits 0 'report: a machine that is no Apple is reported' report "$TMP/other.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
lacks 'report: a machine that is no Apple has no secondary reach' 'secondary reach' "$TMP/out"

tables "$example" --method segment
cat "$TMP/penalties.tsv" "$TMP/boundaries.tsv" "$example" >"$TMP/joined.tsv"
same 'report: any order of the tables gives the same report' "$(cat "$TMP/report")" \
    "$(report "$TMP/penalties.tsv" "$TMP/boundaries.tsv" "$example")"
same 'report: tables joined on stdin give the same report' "$(cat "$TMP/report")" "$(report <"$TMP/joined.tsv")"

# Refined points, and a knee that may be the cache's.
{
    cat "$example"
    awk -F '\t' -v OFS='\t' '$1 == 65536 { $1 = 57344; $5 = "refine"; print }' "$example"
} | change ns '($1 * $3 < 1048576 ? 1 : $1 * $3 < 50331648 ? 4 : 9) + $6 / 1000' - >"$TMP/knee.tsv"
tables "$TMP/knee.tsv" --method segment
exits 0 'report: a private-cache knee is reported' report "$TMP/knee.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
matches 'report: refined points are counted' '^  Fine sweep +1 points added, 17 in total$' "$TMP/out"
section 'Private Cache Knee Detection'
matches 'report: a private-cache knee has its boundary' '^  Boundary +1 MiB \(512 KiB fits\)$' "$TMP/section"
matches 'report: a private-cache knee is reported as what may hide a TLB' 'hide a TLB' "$TMP/section"
section 'L1 TLB Detection'
matches 'report: a first level at the private-cache knee is reported' 'at the private-cache knee' "$TMP/section"

# Method control, under a hypervisor, with claims.
sed 's/^# l1d_bytes/# claim_dtlb1_entries: 64\n&/' "$machine" >"$TMP/claims.tsv"
tables "$TMP/claims.tsv" --claims
exits 0 'report: boundaries of method control are reported' report "$TMP/claims.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
same "report: only the whitepaper's method has its sections" \
    '[First-Level Data TLB] [Second-Level Data TLB] [Cost of a Miss] [Other Boundaries]' "$(grep '^\[' "$TMP/out" | paste -s -d ' ' -)"
same 'report: the answer comes first: levels, costs, what disturbed the run' 'TLB report First-level Second-level miss' \
    "$(sed -n '1p; 3,5 { s/^A first-level //; s/ .*//; p; }' "$TMP/out" | paste -s -d ' ' -)"
matches 'report: a level is a sentence' '^First-level data TLB: 64 entries \(256 KiB\), ' "$TMP/out"
matches 'report: a cost is a sentence' '^A first-level miss costs 1\.99 ns, a page walk 12 ns\.$' "$TMP/out"
matches 'report: the stride of packed nodes is reported' '^  Stride +64 B \(packed\)$' "$TMP/out"
section 'First-Level Data TLB'
matches 'report: the capacity of method control is entries times page' '^  Capacity +256 KiB$' "$TMP/section"
lacks 'report: a capacity of method control is not where the latency is up' 'Boundary|fits' "$TMP/section"
matches 'report: a claim is reported beside the capacity' '^  Claimed +64 \(error 0 %\)$' "$TMP/section"
for claim in 96 '2 or 64'; do
    sed "s/^# claim_dtlb1.*/# claim_dtlb1_entries: $claim/" "$TMP/claims.tsv" | detect --claims >"$TMP/two.tsv"
    report "$TMP/claims.tsv" "$TMP/two.tsv"
done >"$TMP/two"
matches 'report: a claim far from the measurement is doubtful' '^  Claimed +96 \(doubtful\)$' "$TMP/two"
matches 'report: a claim of two units has the error of the nearer one' '^  Claimed +2 or 64 \(error 0 %\)$' "$TMP/two"
matches 'report: a hidden unit is reported in words' 'counts entries, or units of 32: the hypervisor hides which' "$TMP/two"
section 'Cost of a Miss'
matches 'report: the cost of a miss of the first level is reported' '^  Level-1 miss +1\.985 ns \(control, 65->' "$TMP/section"
matches 'report: the cost of a walk is reported' '^  Page-walk penalty +11\.99 ns \(control, 1200->' "$TMP/section"
matches 'report: a nested walk is reported in words' 'under a hypervisor' "$TMP/section"
lacks 'report: a raw penalty that is missing is not, where the controlled one is there' 'N/A' "$TMP/section"
matches 'report: alone it is N/A with its reason' 'N/A \(raw\): no comparison point of 512 MiB' <(sed '/^control.*walk/d' "$TMP/penalties.tsv" | report -)
{ printf '# ghz_estimated: 4\n' && cat "$TMP/penalties.tsv"; } | report - >"$TMP/cycles"
matches 'report: a cost has cycles where the clock is known' '^  Level-1 miss +1\.985 ns, 8 cycles \(control' "$TMP/cycles"
section 'Other Boundaries'
matches 'report: the capacity of a cache without a number is its range' '^  Capacity +between 32 KiB and 40 KiB$' "$TMP/section"

# Every word a note can contain is explained, and one from another version is kept.
words=$(sed -n 's/^ *WORD([A-Z_0-9]*, "\([a-zA-Z0-9_]*\)", false,.*/\1/p' "$ROOT/src/common/table/note.h")
same 'report: the words of notes are found in the source' 'negative interference contiguous' \
    "$(grep -xE 'interference|contiguous|negative' <<<"$words" | paste -s -d ' ' -)"
{
    printf 'structure\tlevel\tentries\tmethod\tnote\n'
    while read -r word; do printf 'dtlb\t1\t64\tcontrol\t%s\n' "$word"; done <<<"$words"
} >"$TMP/words.tsv"
exits 0 'report: a row for each word of notes is reported' report "$TMP/words.tsv"
lacks 'report: each word of notes is explained' '^  Note +[^ ]+$' "$TMP/out"
printf 'structure\tlevel\tentries\tmethod\tnote\ndtlb\t1\t64\tcontrol\tgradual,newer\n' >"$TMP/newer.tsv"
prints 'report: a note of another version is reported' '^  Note +newer$' report "$TMP/newer.tsv"

# Instructions, contiguous frames, huge pages.
columns='structure level entries entries_min entries_max bytes_min bytes_max plateau_ns step_ns'
columns+=' step_percent confidence method note'
{
    tr ' ' '\t' <<<"$columns"
    tr ' ' '\t' <<'END'
dtlb 1 72 72 72 294912 294912 0.8 1.6 200 high control -
itlb 1 64 64 64 262144 262144 1 2 200 high control -
itlb - 256 256 303 1048576 1241088 3 1 33 medium control may_be_front_end
dtlb 1 72 72 72 1179648 1179648 0.8 1.6 200 high control contiguous,coalesced,pages_per_entry=4
dtlb 2 - - - 4194304 4194304 2.4 8 300 medium control contiguous,coalesced
dtlb 3 3072 3072 3072 12582912 12582912 2.4 8 300 high control contiguous
dtlb 4 9000 9000 9000 36864000 36864000 2.4 8 300 high control contiguous
dtlb 4 9000 9000 9000 36864000 36864000 2.4 8 300 high control -
dtlb 1 64 64 64 134217728 134217728 0.8 1.6 200 high control huge
dtlb 2 11 11 12 45056 49152 2.6 5.7 219 medium control huge,splintered
dtlb 2 2050 1700 2200 6963200 9011200 2.4 8 300 medium control gradual,interference
cache 1 512 512 512 32768 32768 1 2 200 medium control contiguous
cache - 512 512 512 32768 32768 1 2 200 medium control contiguous
END
} >"$TMP/kinds.tsv"
exits 0 'report: all kinds of boundaries are reported' report "$TMP/kinds.tsv"
section 'First-Level Data TLB'
same 'report: small pages have the first section for themselves' '  Inferred entries  72' \
    "$(grep Inferred "$TMP/section")"
section 'Second-Level Data TLB'
matches 'report: interference is reported in the section of the second level' 'other work may have held entries meanwhile: a range, not a number' "$TMP/section"
section 'Instruction TLB'
same 'report: the instruction TLB has its levels' '1 not known' \
    "$(sed -n 's/^  Level  *//p' "$TMP/section" | paste -s -d ' ' -)"
matches "report: a level that may belong to the front end is reported" "may belong to the front end" "$TMP/section"
section 'Contiguous Pages'
matches 'report: coalesced entries are reported with their pages' '^  Pages per entry +4, if' "$TMP/section"
matches 'report: coalesced entries of an unknown number of pages are reported as several' '^  Pages per entry +several' "$TMP/section"
matches 'report: contiguous pages with nothing to compare with are reported' '^  Pages per entry +unknown: no such level' "$TMP/section"
matches 'report: contiguous pages that are not coalesced are reported' '^  Pages per entry +1: contiguous frames make no difference$' "$TMP/section"
matches 'report: the reach of contiguous pages is reported' '^  Capacity +1\.125 MiB$' "$TMP/section"
section 'Huge Pages'
same 'report: huge pages have the reach of an entry' '2 MiB 4 KiB' \
    "$(sed -n 's/^  Reach of an entry  *//p' "$TMP/section" | paste -s -d ' ' -)"
matches 'report: splintered huge pages are explained' 'the hypervisor backs these huge pages with small ones' "$TMP/section"
section 'Other Boundaries'
same 'report: a fourth level and the cache are in the last section' '  dtlb 4   cache 1' \
    "$(grep -E '^  [a-z]+ [0-9]' "$TMP/section" | paste -s -d ' ' -)"
matches 'report: a boundary without a level ends its line with its structure' '^  cache$' "$TMP/section"
grep -v '^dtlb.*control	\(-\|gradual,interference\)$' "$TMP/kinds.tsv" >"$TMP/rest.tsv"
printf 'pages\tkernel\tns\n4\tcode\t1\n' >"$TMP/code.tsv"
exits 0 'report: samples of code alone are reported' report "$TMP/rest.tsv" "$TMP/code.tsv"
section 'First-Level Data TLB'
matches 'report: samples of code alone are the reason why no load was looked into' 'Not looked for: no successive loads from scattered small pages' "$TMP/section"
printf 'pages\tlayout\tspacing_bytes\tns\n64\tlocal\t64\t1\n128\tlocal\t64\t1\n' >"$TMP/local.tsv"
detect --quiet --method caches "$TMP/local.tsv" >"$TMP/nothing.tsv" 2>"$TMP/err"
exits 0 'report: loads that keep to a page are reported' report "$TMP/local.tsv" "$TMP/nothing.tsv"
matches 'report: loads that keep to a page are the reason why no level was looked for' 'Not looked for: no successive loads from scattered small pages' "$TMP/out"
lacks 'report: loads that keep to a page have no likely causes' 'Likely causes' "$TMP/out"

# Walks in depth.
{
    printf '# page_bytes: 4096\n'
    tr ' ' '\t' <<'END'
method level penalty_ns low_ns high_ns note
control walk 8 7.9 8.1 609->4096_pages
control walk1 8 7.9 8.1 609->4096_pages
control walk2 11 10.9 11.1 512->1024_pages,reach=32,nested
control walk3 - - - not_reached
control walk4 - - - address_space
END
} >"$TMP/depths.tsv"
exits 0 'report: walks in depth are reported' report "$TMP/depths.tsv"
section 'Cost of a Miss'
same 'report: walks in depth leave the ordinary walk where it was' 1 "$(grep -c 'ns (control' "$TMP/section")"
section 'Walks in Depth'
matches 'report: walks in depth have their distances' '^  4 KiB apart +8 ns \(control, 609->4096 pages\), quartiles 7\.9 to 8\.1$' \
    "$TMP/section"
matches 'report: walks in depth have the next table' '^  2 MiB apart +11 ns' "$TMP/section"
matches 'report: walks in depth show a paging-structure cache' 'cheaper up to 32 pages: a paging-structure cache' "$TMP/section"
matches 'report: walks in depth report too few pages' '^  1 GiB apart +N/A .*before' "$TMP/section"
matches 'report: walks in depth report missing address space' '^  512 GiB apart +N/A .*address space$' "$TMP/section"
matches 'report: walks in depth report nested tables' "guest's tables and the host's" "$TMP/section"

# The organisation.
organisation='structure level entries ways sets index index_bits replacement relation confidence note'
{
    tr ' ' '\t' <<<"$organisation"
    tr ' ' '\t' <<'END'
dtlb 1 72 72 1 full - lru - high -
dtlb 2 3072 24 128 xor 0^7,1^8 unknown inclusive medium entries_disagree
dtlb 3 - - - unknown - unknown unknown low -
END
} >"$TMP/organisation.tsv"
exits 0 'report: the organisation is reported' report "$TMP/organisation.tsv"
section 'Organisation'
matches 'report: a full level has its entries' '^  dtlb 1 +72 entries$' "$TMP/section"
matches 'report: a full level is called fully associative' 'fully associative' "$TMP/section"
matches 'report: the replacement is reported' 'Replaces the least recently used entry \(LRU\)$' "$TMP/section"
matches 'report: sets and ways are reported' '^  dtlb 2 +3072 entries, 128 sets of 24 ways$' "$TMP/section"
matches 'report: the index is reported with its bits' 'exclusive or: bits 0\^7,1\^8$' "$TMP/section"
matches 'report: the relation is reported' 'Replacement unknown; evictions here also evict from the previous level' "$TMP/section"
matches 'report: the confidence of the organisation is reported' '^  Confidence +medium$' "$TMP/section"
matches 'report: the note of the organisation is reported' 'ways times sets differs from' "$TMP/section"
matches 'report: a level of which nothing is known is reported' '^  dtlb 3 +an unknown number of entries$' "$TMP/section"
lacks 'report: a missing value is not printed' '[(^ ]-$|nan' "$TMP/section"

# Runs that agree, and those that don't.
{
    tr ' ' '\t' <<<"$columns file"
    for run in a b c; do
        printf 'dtlb 1 96 96 96 1 1 1 1 1 high control - %s.tsv\n' "$run" | tr ' ' '\t'
    done
    tr ' ' '\t' <<<'dtlb 1 48 48 48 1 1 1 1 1 high control - d.tsv'
} >"$TMP/runs.tsv"
exits 0 'report: several runs are reported' report "$TMP/runs.tsv"
section 'Agreement of the Runs'
matches 'report: several runs have their agreement' '^  dtlb 1: 96 in 3 of 4 runs; 48 in d\.tsv$' "$TMP/section"
sed '/d\.tsv/d; /[bc]\.tsv/d' "$TMP/runs.tsv" >"$TMP/run.tsv"
exits 0 'report: one run is reported' report "$TMP/run.tsv"
lacks 'report: one run has nothing to agree with' Agreement "$TMP/out"

# Answers by host.
for host in ares hera; do sed "s/^# cpu/# host: $host\n&/" "$machine" >"$TMP/$host.tsv"; done
detect --by host "$TMP/ares.tsv" "$TMP/hera.tsv" >"$TMP/boundaries.tsv"
walkpenalty --by host "$TMP/ares.tsv" "$TMP/hera.tsv" >"$TMP/penalties.tsv"
exits 0 'report: two hosts are reported' report "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
section 'First-Level Data TLB'
same 'report: two hosts have their own boundaries' 'ares hera' \
    "$(awk '$1 == "Of" { print $2 }' "$TMP/section" | paste -s -d ' ' -)"
section 'Cost of a Miss'
same 'report: two hosts have their own penalties' "$(awk -F '\t' '/^control/ { print $7 }' "$TMP/penalties.tsv")" \
    "$(awk '$1 == "Of" { of = $2 } /(miss|penalty) / { print of }' "$TMP/section")"

# Samples are read as everywhere: the printed lab's, and columns that are not there.
lab=$ROOT/tests/data/lab-4k.dat
detect --quiet --method segment "$lab" >"$TMP/boundaries.tsv" 2>/dev/null
prints "report: the printed lab's table is reported" '^  Stride +4 KiB \(line\)$' report "$lab" "$TMP/boundaries.tsv"
section 'L1 TLB Detection'
matches "report: the printed lab's table has its boundary" '^  Boundary +4 MiB \(2 MiB fits\)$' "$TMP/section"
lacks "report: the printed lab's table is not given the command for other tables" datamash "$TMP/out"
printf '# page_bytes: 16384\npages\tlayout\tns\n4\tpage\t1\n4\tpacked\t1\n' >"$TMP/bare.tsv"
exits 0 'report: samples without a column of spacings are reported' report "$TMP/bare.tsv"
same 'report: samples without a column of spacings are a page, or a line, apart' 'Stride 64 B (packed) 16 KiB (page)' \
    "$(grep -A 1 '^  Stride' "$TMP/out" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"
printf 'pages\tkernel\tns\n4\tread\t1\n4\twrote\t1\n' >"$TMP/kernel.tsv"
exits_saying 2 'report: an unknown kernel is refused' "kernel.tsv:3: column 'kernel'" report "$TMP/kernel.tsv"
printf 'pages\tns\n4\t-\n-\t1\n8\t1\n' >"$TMP/missing.tsv"
exits 0 'report: rows that were not measured are accepted' report "$TMP/missing.tsv"
matches 'report: rows that were not measured do not count' '^  Fine sweep +0 points added, 1 in total$' "$TMP/out"

# Nothing found: why.
nothing() { # NAME FILE
    tables "$2" --method segment
    exits 0 "report: $1: the tables are reported" report "$2" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
    three_sections "$1"
    section 'L1 TLB Detection'
    matches "report: $1: nothing is detected" '^  Not detected\.$' "$TMP/section"
    matches "report: $1: the command for the raw medians is given" 'datamash -C -H -s -g layout,pages median ns <' "$TMP/section"
}
change ns 1 "$example" >"$TMP/flat.tsv"
nothing 'a flat curve' "$TMP/flat.tsv"
lacks 'report: a flat curve shows no cause' '(small|large|noise): the' "$TMP/section"
cp "$TMP/flat.tsv" "$TMP/it's flat.tsv"
report "$TMP/it's flat.tsv" "$TMP/boundaries.tsv" >"$TMP/quoted"
same "report: a flat curve's command reads the file in spite of its name" "$TMP/it's flat.tsv" \
    "$(eval "printf '%s' $(sed -n 's/.* median ns <//p' "$TMP/quoted" | head -n 1)")"
matches 'report: a flat curve is reported as showing no cause' 'do not show in the samples' "$TMP/section"
section 'L2 TLB / Page Walk'
matches "report: a flat curve's second level is not looked for" 'only looked for beyond a first level' "$TMP/section"
awk -F '\t' '/^[^0-9]/ || $1 <= 4096' "$TMP/flat.tsv" >"$TMP/short.tsv"
nothing 'a small buffer' "$TMP/short.tsv"
matches 'report: a small buffer is reported as the cause' 'buffer too small: the sweep ends at 256 KiB, 16 pages' "$TMP/section"
awk -F '\t' '/^[^0-9]/ || $1 > 4096' "$TMP/flat.tsv" >"$TMP/late.tsv"
nothing 'a late start' "$TMP/late.tsv"
matches 'report: a late start is reported as the cause' 'stride too large: the sweep starts at 512 KiB, 32 pages' "$TMP/section"
change ns '1 + $6 / 75' "$example" >"$TMP/noisy.tsv"
nothing 'scattered samples' "$TMP/noisy.tsv"
matches 'report: scattered samples are reported as the cause' 'throttling or noise: the samples scatter by 16 %' "$TMP/section"
lacks 'report: scattered samples are the only cause' 'too (small|large)' "$TMP/section"
awk -F '\t' '/^[^0-9]/ || $1 <= 65536' "$example" >"$TMP/first.tsv"
tables "$TMP/first.tsv" --method segment
exits 0 'report: a sweep that ends at the first level is reported' report "$TMP/first.tsv" "$TMP/boundaries.tsv"
section 'L2 TLB / Page Walk'
matches 'report: a sweep that ends at the first level has no second one, with the cause' 'buffer too small: the sweep ends at 4 MiB, 256 pages' "$TMP/section"

# Missing tables, and other input.
prints 'report: samples alone are reported' 'Not looked for: no boundaries in the input' report "$example"
matches 'report: samples alone have no penalties' 'N/A: no penalties in the input' "$TMP/out"
prints 'report: boundaries alone are reported' '^  Samples +none in the input$' report "$TMP/boundaries.tsv"
tables "$TMP/flat.tsv" --method segment
prints 'report: a header of detect alone is accepted' '^  Not detected\.$' report "$TMP/boundaries.tsv"
exits 1 'report: a last line that is cut gives status 1' bash -c "head -c -9 '$example' | report"
matches 'report: a last line that is cut is dropped with a warning' 'the last line has no newline' "$TMP/err"
three_sections 'a last line that is cut'
: >"$TMP/empty.tsv"
exits 2 'report: an empty file is refused' report "$TMP/empty.tsv"
grep -v '^[0-9]' "$example" >"$TMP/header.tsv"
exits 1 'report: a header of samples alone gives status 1' report "$TMP/header.tsv"
matches 'report: a header of samples alone is reported with a likely cause' '^report: nothing to report: .*interrupted' "$TMP/err"
same 'report: a header of samples alone gives no heading' '' "$(cat "$TMP/out")"
exits_saying 2 'report: a header of no kind is refused, also without rows' '-:1: the table is neither samples' report <<<'garbage'
exits 2 'report: a table of another kind is refused' report "$ROOT/src/tlb/models/zen4.tsv"
matches 'report: a table of another kind is named with its line' 'zen4.tsv:[0-9]+: the table is neither' "$TMP/err"
change ns -1 "$example" >"$TMP/bad.tsv"
exits_saying 2 'report: a negative time is refused' "bad.tsv:11: column 'ns'" report "$TMP/bad.tsv"
printf 'structure\tmethod\tentries\ncache\tcontrol\t%s\n' -5 >"$TMP/bad.tsv"
exits_saying 2 'report: a negative number of entries is refused' "bad.tsv:2: column 'entries': '-5' is not a number from 0" \
    report "$TMP/bad.tsv"
exits 2 'report: an unknown layout is refused' bash -c "sed 's/	box	/	bix	/' '$example' | report"
machines=$ROOT/tests/machines
detect --quiet "$machines/amd-epyc-guest/sweep.tsv" >"$TMP/epyc.tsv" 2>"$TMP/err"
exits_saying 2 'report: boundaries of another machine are refused' "epyc.tsv:[0-9]+: a table of another machine: cpu 'AMD EPYC', but 'Intel.*' in .*intel-xeon-guest/sweep.tsv" \
    report "$machines/intel-xeon-guest/sweep.tsv" "$TMP/epyc.tsv"
exits_saying 2 'report: machines whose processors have one name differ by their caches' "another machine: l2_bytes '1048576', but '524288'" \
    report "$machines/amd-zen3-guest/geometry.tsv" "$TMP/epyc.tsv"
head -n 900 "$machines/intel-xeon-guest/held.tsv" >"$TMP/cut.tsv"
for program in report detect latency geometry; do
    exits_saying 1 "$program: a sweep that was cut before its curve is a part of one" "cut.tsv:900: the samples end here, before those of the curve" \
        "$program" "$TMP/cut.tsv"
done
report "$TMP/cut.tsv" <(detect --quiet "$TMP/cut.tsv" 2>/dev/null) 2>"$TMP/err" >"$TMP/out"
section 'Second-Level Data TLB'
matches 'report: what a cut sweep cannot show was not looked for' 'Not looked for: the samples end before' "$TMP/section"
exits 2 'report: a missing file is refused' report "$TMP/none.tsv"

# Rates.
cliff=$ROOT/tests/data/swap-cliff.tsv
exits 0 'report: rates of a laptop that swaps are reported' report "$cliff"
matches 'report: the cliff of swapping is reported' '^ +beyond 1 GiB the rate falls 14\.9-fold, to 3\.32 GB/s: likely swap' "$TMP/out"
matches 'report: a size beyond the cliff is not the largest' '^ +49\.5 GB/s at 1 GiB$' "$TMP/out"
lacks 'report: rates say nothing of TLBs' 'TLB' "$TMP/out"
awk -F '\t' '/^#|^op/ || $2 < 4 * 2 ^ 30' "$cliff" >"$TMP/before.tsv"
exits 0 'report: rates of memory alone are reported' report "$TMP/before.tsv"
lacks 'report: rates of memory alone have no cliff' 'likely swap' "$TMP/out"
sed 's/^# memory_limit_bytes: .*/# memory_limit_bytes: 68719476736/' "$cliff" >"$TMP/large.tsv"
exits 0 'report: a cliff far below the memory is reported' report "$TMP/large.tsv"
lacks 'report: a cliff far below the memory is no swap' 'likely swap' "$TMP/out"
grep -v '^# memory_limit' "$cliff" >"$TMP/unknown.tsv"
exits 0 'report: a cliff in a memory of unknown size is reported' report "$TMP/unknown.tsv"
matches 'report: a cliff in a memory of unknown size is reported as swap' 'beyond 1 GiB the rate falls 14\.9-fold' "$TMP/out"
{ cat "$cliff" && printf 'read\t17179869184\t-\t-\t-\t0\t50\t-\n'; } >"$TMP/back.tsv"
exits 0 'report: a rate that comes back is reported' report "$TMP/back.tsv"
lacks 'report: a rate that comes back is no swap' 'likely swap' "$TMP/out"
{
    printf 'op\tthreads\tbytes\tgb_per_s\tns\tdelay_ns\n'
    printf '%s\t2\t1048576\t%s\t-\t-\n' write 30 read 40 write 32 write 10 read 40
    printf 'read\t2\t1048576\t5\t-\t0\nchase\t1\t1048576\t-\t80\t-\nchase\t2\t1048576\t-\t95.5\t0\n'
    printf 'write\t2\t2097152\t24\t-\t-\nread\t2\t2097152\t32\t-\t-\n'
} >"$TMP/rates.tsv"
exits 0 'report: rates of two ops are reported' report "$TMP/rates.tsv"
same 'report: rates have medians of each size, writes relative to reads, and a chase its times' \
    '[Bandwidth] read x 2 up to 40 GB/s (1 MiB) 32 GB/s at 2 MiB write x 2 up to 30 GB/s (1 MiB) 24 GB/s at 2 MiB, 0.75 of read chase 80 to 95.5 ns, depending on the other threads' \
    "$(sed -n '/^\[Bandwidth\]/,$p' "$TMP/out" | tr -s ' \n' ' ' | sed 's/ $//')"
exits 0 'report: rates along with samples are reported' report "$example" "$TMP/rates.tsv"
three_sections 'rates along with samples'
matches 'report: rates along with samples have a section' '^\[Bandwidth\]$' "$TMP/out"
for known in '52 61.5 % of the memory' '20 160 % of the memory.s theoretical peak: a cache'; do
    printf '# memory_peak_gb_per_s: %s\n# l3_bytes: 262144\n' "${known%% *}" | cat - "$TMP/rates.tsv" >"$TMP/peak.tsv"
    report "$TMP/peak.tsv" >"$TMP/out"
    matches "report: of a peak of ${known%% *} GB/s the share is reported" "^ +${known#* }" "$TMP/out"
done
sed 's/262144/1048576/' "$TMP/peak.tsv" | report >"$TMP/out"
lacks "report: a rate of what the caches hold has no share of the memory's peak" '% of the memory' "$TMP/out"
sed 's/	40	/	-40	/' "$TMP/rates.tsv" >"$TMP/bad.tsv"
exits 2 'report: a negative rate is refused' report "$TMP/bad.tsv"
matches 'report: a negative rate is named with line and column' "bad.tsv:3: column 'gb_per_s': expected more than 0" "$TMP/err"

# Misses of a program; a table of two traces, in which one has no misses before.
printf '# machine: a Zen 4\nobject\tfunction\tmisses\treads\twrites\tshare\tseconds\nheap\tread\t6\t6\t0\t0.75\t3e-06\nstack\tmain\t2\t0\t2\t0.25\t1e-06\n' >"$TMP/misses.tsv"
printf 'function\tbefore\tafter\tchange\tchange_percent\nread\t8\t1\t-7\t-87.5\nmain\t0\t3\t3\t-\n' >"$TMP/changes.tsv"
exits 0 'report: misses of programs are reported' report "$TMP/misses.tsv" "$TMP/misses.tsv" "$TMP/changes.tsv"
found='[TLB Misses] Misses 8, by object Their cost at most 4e-06 s 75.0 % heap: read 25.0 % stack: main'
same 'report: each table of misses has its section, and nothing else' \
    "Report on TLB misses TLBs of a Zen 4 $found $found [Changed TLB Misses] Misses 8 before, 4 after (-50.0 %), by function -7 8 to 1: read +3 0 to 3: main" \
    "$(tr -s ' \n' ' ' <"$TMP/out" | sed 's/ $//')"
exits 0 'report: misses along with samples are reported' report "$example" "$TMP/misses.tsv"
three_sections 'misses along with samples'

# Disturbed samples.
printf 'pages\tlayout\tspacing_bytes\tns\tloads\tfaults\tmigrations\n' >"$TMP/spoilt.tsv"
printf '%s\tpage\t4096\t%s\t1000\t%s\t%s\n' 4 1 0 0 8192 9 9 1 8193 900 10 2 9000 9999 1000 - >>"$TMP/spoilt.tsv"
prints 'report: page faults and moves are reported' '^  Page faults +from 32 MiB on: likely swap' report "$TMP/spoilt.tsv"
matches 'report: moves to another core are counted' '^  Moved +to another core during 2 samples' "$TMP/out"
report "$example" >"$TMP/out"
lacks 'report: no page faults or moves are reported where there are none' 'Page faults|Moved' "$TMP/out"
# disturbed CONDITION CHANGE: the answer for samples with a switch in the rows of the condition, which are changed.
simulate --seed 1 zen4 >"$TMP/calm.tsv"
disturbed() {
    awk -F '\t' -v OFS='\t' -v more='\tswitches' "$by_name_in_full
        { disturbed = $1; if (disturbed) { $2 } print \$0, disturbed ? 1 : 0 }" "$TMP/calm.tsv" >"$TMP/disturbed.tsv"
    tables "$TMP/disturbed.tsv"
    report "$TMP/disturbed.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv" >"$TMP/out"
    sed -n '3,/^$/p' "$TMP/out" | paste -s -d ' '
}
disturbed 0 '' >"$TMP/answer"
matches 'report: a run without disturbances has an answer that says so' 'ns\. No disturbance was counted during the run\.' "$TMP/answer"
disturbed 'NR % 50 == 0' '' >"$TMP/answer"
matches 'report: disturbances that do no harm are counted' \
    ' ns\. [0-9]+ of [0-9]+ samples were disturbed .*, which did not matter\.' "$TMP/answer"
disturbed '$2 == "page" && $1 > 1000 && $1 <= 3072' '$at["ns"] += 5; $at["min_ns"] += 5' >"$TMP/answer"
matches 'report: disturbances that do harm are reported with the other answer' ', which mattered: without them the answer differs \(dtlb 2: .*\)\.' "$TMP/answer"
report "$TMP/calm.tsv" "$TMP/boundaries.tsv" >"$TMP/answer"
lacks 'report: a run whose disturbances were not counted says nothing of them' disturb "$TMP/answer"

# A cache that ends somewhere in a rise: with its bounds, as far as there are any; and one with a number.
{
    printf 'structure\tlevel\tentries\tentries_min\tentries_max\tbytes_min\tbytes_max\tconfidence\tmethod\tnote\n'
    printf 'cache\t2\t-\t8192\t-\t524288\t-\tlow\tcontrol\tgradual\n'
    printf 'cache\t3\t-\t16384\t32768\t1048576\t2097152\tlow\tcontrol\tgradual\n'
    printf 'cache\t1\t512\t509\t605\t32576\t38720\tlow\tcontrol\t-\n'
} >"$TMP/open.tsv"
prints 'report: caches without a number are reported' '^  Inferred lines +512 \(509 to 605\)$' report "$TMP/open.tsv"
same 'report: a cache without a number has its bounds, to three digits if it is uncertain' \
    'above 512 KiB, between 1 MiB and 2 MiB, 32 KiB (31.8 KiB to 37.8 KiB)' \
    "$(sed -n 's/^  Capacity  *//p' "$TMP/out" | paste -s -d , - | sed 's/,/, /g')"
finish_tests
