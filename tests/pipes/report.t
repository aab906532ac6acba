#!/usr/bin/env bash
# report.t: the readable report: its three sections, what it says of what was found, why something
# was not found, and what it refuses.
# shellcheck disable=SC2016 # the expressions in single quotes are for awk
. "${0%/*}/tap.sh"
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
    same "$1: its three sections" \
        "[Private Cache Knee Detection] [L1 TLB Detection] [L2 TLB / Page Walk]" \
        "$(grep '^\[' "$TMP/out" | head -n 3 | paste -s -d ' ' -)"
}

# section NAME: what the report in "$TMP/out" says in it, in "$TMP/section".
section() {
    awk -v name="[$1]" '/^\[/ { inside = $0 == name } inside' "$TMP/out" >"$TMP/section"
}

# change COLUMN EXPRESSION FILE: a table with one column computed anew.
change() {
    awk -F '\t' -v OFS='\t' -v name="$1" '
        /^#/ { print; next }
        !column { for (i = 1; i <= NF; i++) if ($i == name) column = i; print; next }
        { $column = '"$2"'; print }' "$3"
}

tables "$example" --method segment
exits 0 'the whitepaper example' report "$example" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
three_sections 'the whitepaper example'
matches 'names the processor' '^  CPU +Apple M4$' "$TMP/out"
matches 'human units' '^  Page size +16 KiB$' "$TMP/out"
matches 'the buffer' '^  Buffer +1 GiB$' "$TMP/out"
matches 'the chain mode' '^  Chain mode +random-box$' "$TMP/out"
matches 'the lock' '^  Memory locked +yes$' "$TMP/out"
printf 'pages\tns\tbacking\tbacked\tlocked\n4\t1\t%s\n8\t1\t%s\n16\t1\t%s\n' 'scattered\tyes\tyes' \
    'contiguous\tno (they are not)\tno (a limit)' 'contiguous\tyes\tyes' | sed 's/\\t/\t/g' >"$TMP/told.tsv"
report "$TMP/told.tsv" >"$TMP/told"
matches 'a lock as the samples tell' '^  Memory locked +no \(a limit\)$' "$TMP/told"
matches 'and backings, what failed above all' \
    '^  Backing +scattered: yes, contiguous: no \(they are not\)$' "$TMP/told"
matches 'the stride' '^  Stride +64 B \(box\)$' "$TMP/out"
matches 'loops and accesses' '^  Loops x accesses +5 x 25000000$' "$TMP/out"
matches 'added and total points' '^  Fine sweep +0 points added, 30 in total$' "$TMP/out"
section 'L1 TLB Detection'
matches 'the locality' '^  Boundary +4 MiB \(3 MiB fits\)$' "$TMP/section"
matches 'the entries' '^  Inferred entries +224 \(192 to 256\)$' "$TMP/section"
matches 'the confidence' '^  Confidence +high: step 2.3 ns \(256 %\) over 0.9 ns$' "$TMP/section"
matches 'the method in words' '^  Method +segment: steps over' "$TMP/section"
section 'L2 TLB / Page Walk'
matches 'Apple: a secondary reach' 'inferred secondary reach: the system-level cache' "$TMP/section"
matches 'the penalty and its ends' '^  Page-walk penalty +81.93 ns \(raw, 16K->512M\)' \
    "$TMP/section"
matches 'the other is not available' '^  Page-walk penalty +N/A \(control\): no packed samples' \
    "$TMP/section"
cp "$TMP/out" "$TMP/report"
sed 's/^# cpu: .*/# cpu: Example/' "$example" >"$TMP/other.tsv"
tables "$TMP/other.tsv" --method segment
exits 0 'another machine' report "$TMP/other.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
lacks 'has no such cache' 'secondary reach' "$TMP/out"

tables "$example" --method segment
cat "$TMP/penalties.tsv" "$TMP/boundaries.tsv" "$example" >"$TMP/joined.tsv"
same 'any order' "$(cat "$TMP/report")" \
    "$(report "$TMP/penalties.tsv" "$TMP/boundaries.tsv" "$example")"
same 'one standard input' "$(cat "$TMP/report")" "$(report <"$TMP/joined.tsv")"

# Refined points, and a knee that may be the cache's.
{
    cat "$example"
    awk -F '\t' -v OFS='\t' '$1 == 49152 { $1 = 57344; $5 = "refine"; print }' "$example"
} | change ns '($1 * $3 < 1048576 ? 1 : $1 * $3 < 50331648 ? 4 : 9) + $6 / 1000' - >"$TMP/knee.tsv"
tables "$TMP/knee.tsv" --method segment
exits 0 'a private-cache knee' report "$TMP/knee.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
matches 'refined points are counted' '^  Fine sweep +1 points added, 31 in total$' "$TMP/out"
section 'Private Cache Knee Detection'
matches 'is found' '^  Boundary +1 MiB \(768 KiB fits\)$' "$TMP/section"
matches 'may interfere' 'hide a TLB' "$TMP/section"
section 'L1 TLB Detection'
matches 'overlaps' 'at the private-cache knee' "$TMP/section"

# Method control, under a hypervisor, with claims.
sed 's/^# l1d_bytes/# claim_dtlb1_entries: 64\n&/' "$machine" >"$TMP/claims.tsv"
tables "$TMP/claims.tsv" --claims
exits 0 'method control' report "$TMP/claims.tsv" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
three_sections 'method control'
matches 'strides of both layouts' '^  Stride +64 B \(packed\)$' "$TMP/out"
section 'L1 TLB Detection'
matches 'the capacity, entries times page' '^  Capacity +256 KiB$' "$TMP/section"
lacks 'is not where the latency is up' 'Boundary|fits' "$TMP/section"
matches 'the claim beside it' '^  Claimed +64 \(error 0 %\)$' "$TMP/section"
section 'L2 TLB / Page Walk'
matches 'what a miss of the first costs' '^  Level-1 miss +2\.[0-9]+ ns \(control, 65->' "$TMP/section"
matches 'what a walk costs' '^  Page-walk penalty +12\.[0-9]+ ns \(control, 1200->' "$TMP/section"
matches 'nested, in words' 'under a hypervisor' "$TMP/section"
matches 'raw: N/A with its reason' 'N/A \(raw\): no comparison point of 512 MiB' "$TMP/section"
section 'Other Boundaries'
matches 'the cache' '^  Inferred lines +' "$TMP/section"
matches 'its capacity with its bounds' '^  Capacity +32 KiB \(31\.88 KiB to 38\.88 KiB\)$' \
    "$TMP/section"

# Every word that a note can hold is told in words.
words=$(cd "$ROOT/src" && grep -hoE '"[a-z]+_[a-zA-Z0-9_]+"|note(_all)?\([^"]*"[a-z]+"' \
    common/detect/control.c common/detect/segment.c common/detect/tlb_levels.c common/cost/penalty.c common/cost/walks.c \
    common/geometry/organisation.c walkpenalty.c | grep -oE '"[a-zA-Z0-9_]+"' |
    tr -d '"' | sort -u)
same 'the words of notes are found' 'contiguous interference negative overlaps_cache_knee' \
    "$(grep -xE 'interference|contiguous|negative|overlaps_cache_knee' <<<"$words" | paste -s -d ' ' -)"
{
    printf 'structure\tlevel\tentries\tmethod\tnote\n'
    while read -r word; do printf 'dtlb\t1\t64\tcontrol\t%s\n' "$word"; done <<<"$words"
} >"$TMP/words.tsv"
exits 0 'a row for each of them' report "$TMP/words.tsv"
lacks 'has no word that is not told' '^  Note +[^ ]+$' "$TMP/out"

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
cache 1 512 512 512 32768 32768 1 2 200 medium control code
END
} >"$TMP/kinds.tsv"
exits 0 'all kinds of boundaries' report "$TMP/kinds.tsv"
three_sections 'all kinds'
section 'L1 TLB Detection'
same 'small pages have the first section for themselves' '  Inferred entries  72 (72)' \
    "$(grep Inferred "$TMP/section")"
section 'L2 TLB / Page Walk'
matches 'interference is told' 'may have held entries meanwhile: a range, not a number' "$TMP/section"
section 'Instruction TLB'
same 'the instruction TLB: its levels' '1 not known' \
    "$(sed -n 's/^  Level  *//p' "$TMP/section" | paste -s -d ' ' -)"
matches 'what may be another' "may be the front end's" "$TMP/section"
section 'Contiguous Pages'
matches 'coalesced: how many pages' '^  Pages per entry +4, where' "$TMP/section"
matches 'coalesced: how many is not known' '^  Pages per entry +several' "$TMP/section"
matches 'nothing to compare with' '^  Pages per entry +not known: no such level' "$TMP/section"
matches 'not coalesced' '^  Pages per entry +1: frames .* make no difference$' "$TMP/section"
matches 'the reach' '^  Capacity +1\.125 MiB$' "$TMP/section"
section 'Huge Pages'
same 'huge pages: what an entry reaches' '2 MiB 4 KiB' \
    "$(sed -n 's/^  Reach of an entry  *//p' "$TMP/section" | paste -s -d ' ' -)"
matches 'splintered' 'the hypervisor backs these huge pages with small ones' "$TMP/section"
section 'Other Boundaries'
same 'a fourth level and the cache are left' '  dtlb 4   cache 1' \
    "$(grep -E '^  [a-z]+ [0-9]' "$TMP/section" | paste -s -d ' ' -)"
grep -v '^dtlb.*control	\(-\|gradual,interference\)$' "$TMP/kinds.tsv" >"$TMP/rest.tsv"
printf 'pages\tkernel\tns\n4\tcode\t1\n' >"$TMP/code.tsv"
exits 0 'samples of code' report "$TMP/rest.tsv" "$TMP/code.tsv"
section 'L1 TLB Detection'
matches 'say nothing of loads' 'Not looked for: no loads from scattered small pages' "$TMP/section"
printf 'pages\tlayout\tspacing_bytes\tns\n64\tlocal\t64\t1\n128\tlocal\t64\t1\n' >"$TMP/local.tsv"
detect --quiet --method caches "$TMP/local.tsv" >"$TMP/nothing.tsv" 2>"$TMP/err"
exits 0 'nor do loads that keep to a page' report "$TMP/local.tsv" "$TMP/nothing.tsv"
matches 'which is said' 'Not looked for: no loads from scattered small pages' "$TMP/out"
lacks 'and no level is missed' 'Likely causes' "$TMP/out"

# Walks in depth.
{
    printf '# page_bytes: 4096\n'
    tr ' ' '\t' <<'END'
method level penalty_ns low_ns high_ns note
control walk 8 7.9 8.1 609->4096_pages
control walk1 8 7.9 8.1 609->4096_pages
control walk2 11 10.9 11.1 512->1024_pages,reach=32,nested
control walk3 - - - held_by_tlb
control walk4 - - - address_space
END
} >"$TMP/depths.tsv"
exits 0 'walks in depth' report "$TMP/depths.tsv"
section 'L2 TLB / Page Walk'
same 'the walk has its old place' 1 "$(grep -c 'ns (control' "$TMP/section")"
section 'Walks in Depth'
matches 'distances' '^  4 KiB apart +8 ns \(control, 609->4096 pages\), quartiles 7\.9 to 8\.1$' \
    "$TMP/section"
matches 'the next table' '^  2 MiB apart +11 ns' "$TMP/section"
matches 'a paging-structure cache' 'cheaper up to 32 pages: a paging-structure cache' "$TMP/section"
matches 'too few pages' '^  1 GiB apart +N/A .*the TLB still holds' "$TMP/section"
matches 'no room' '^  512 GiB apart +N/A .*address space$' "$TMP/section"
matches 'nested' "guest's tables and the host's" "$TMP/section"

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
exits 0 'the organisation' report "$TMP/organisation.tsv"
section 'Organisation'
matches 'full' '^  dtlb 1 +72 entries$' "$TMP/section"
matches 'how' 'fully associative' "$TMP/section"
matches 'replacement' 'least recently used entry goes \(LRU\)$' "$TMP/section"
matches 'sets and ways' '^  dtlb 2 +3072 entries, 128 sets of 24 ways$' "$TMP/section"
matches 'the index and its bits' 'exclusive or: bits 0\^7,1\^8$' "$TMP/section"
matches 'the relation' 'not known; what leaves this level leaves the one before too' "$TMP/section"
matches 'the confidence' '^  Confidence +medium$' "$TMP/section"
matches 'the note' 'ways times sets is not what' "$TMP/section"
matches 'a level of which nothing is known' '^  dtlb 3 +an unknown number of entries$' "$TMP/section"
lacks 'no missing value is printed' '[(^ ]-$|nan' "$TMP/section"

# Runs that agree, and those that don't.
{
    tr ' ' '\t' <<<"$columns file"
    for run in a b c; do
        printf 'dtlb 1 96 96 96 1 1 1 1 1 high control - %s.tsv\n' "$run" | tr ' ' '\t'
    done
    tr ' ' '\t' <<<'dtlb 1 48 48 48 1 1 1 1 1 high control - d.tsv'
} >"$TMP/runs.tsv"
exits 0 'several runs' report "$TMP/runs.tsv"
section 'Agreement of the Runs'
matches 'in how many' '^  dtlb 1: 96 in 3 of 4 runs; 48 in d\.tsv$' "$TMP/section"
sed '/d\.tsv/d; /[bc]\.tsv/d' "$TMP/runs.tsv" >"$TMP/run.tsv"
exits 0 'one run' report "$TMP/run.tsv"
lacks 'has nothing to agree with' Agreement "$TMP/out"

# Answers by host.
for host in ares hera; do sed "s/^# cpu/# host: $host\n&/" "$machine" >"$TMP/$host.tsv"; done
detect --by host "$TMP/ares.tsv" "$TMP/hera.tsv" >"$TMP/boundaries.tsv"
walkpenalty --by host "$TMP/ares.tsv" "$TMP/hera.tsv" >"$TMP/penalties.tsv"
exits 0 'two hosts' report "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
section 'L1 TLB Detection'
same 'each boundary has its host' 'ares hera' \
    "$(awk '$1 == "Of" { print $2 }' "$TMP/section" | paste -s -d ' ' -)"
section 'L2 TLB / Page Walk'
same 'each penalty too' "$(awk -F '\t' '/^(raw|control)/ { print $7 }' "$TMP/penalties.tsv")" \
    "$(awk '$1 == "Of" { of = $2 } /(miss|penalty) / { print of }' "$TMP/section")"

# Samples are read as everywhere: the printed lab's, and columns that are not there.
lab=$ROOT/tests/data/lab-4k.dat
detect --quiet "$lab" >"$TMP/boundaries.tsv" 2>/dev/null
exits 0 "the printed lab's table" report "$lab" "$TMP/boundaries.tsv"
matches 'has the stride of its page size' '^  Stride +4 KiB \(line\)$' "$TMP/out"
section 'L1 TLB Detection'
matches 'has its boundary' '^  Boundary +4 MiB \(2 MiB fits\)$' "$TMP/section"
lacks 'the command for other tables is left out' datamash "$TMP/out"
printf '# page_bytes: 16384\npages\tlayout\tns\n4\tpage\t1\n4\tpacked\t1\n' >"$TMP/bare.tsv"
exits 0 'no column of spacings' report "$TMP/bare.tsv"
same 'a page, and a line' 'Stride 64 B (packed) 16 KiB (page)' \
    "$(grep -A 1 '^  Stride' "$TMP/out" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"
printf 'pages\tkernel\tns\n4\tread\t1\n4\twrote\t1\n' >"$TMP/kernel.tsv"
exits 2 'an unknown kernel' report "$TMP/kernel.tsv"
matches 'is named' "kernel.tsv:3: column 'kernel'" "$TMP/err"
printf 'pages\tns\n4\t-\n-\t1\n8\t1\n' >"$TMP/missing.tsv"
exits 0 'rows that were not measured' report "$TMP/missing.tsv"
matches 'do not count' '^  Fine sweep +0 points added, 1 in total$' "$TMP/out"

# Nothing found: why.
nothing() { # NAME FILE
    tables "$2" --method segment
    exits 0 "$1" report "$2" "$TMP/boundaries.tsv" "$TMP/penalties.tsv"
    three_sections "$1"
    section 'L1 TLB Detection'
    matches "$1: not detected" '^  Not detected\.$' "$TMP/section"
    matches "$1: the raw medians" 'datamash -C -H -s -g layout,pages median ns <' "$TMP/section"
}
change ns 1 "$example" >"$TMP/flat.tsv"
nothing 'flat' "$TMP/flat.tsv"
lacks 'flat: no cause shows' '(small|large|noise): the' "$TMP/section"
cp "$TMP/flat.tsv" "$TMP/it's flat.tsv"
report "$TMP/it's flat.tsv" "$TMP/boundaries.tsv" >"$TMP/quoted"
same "flat: the command reads the file in spite of its name" "$TMP/it's flat.tsv" \
    "$(eval "printf '%s' $(sed -n 's/.* median ns <//p' "$TMP/quoted" | head -n 1)")"
matches 'flat: and it says so' 'do not show in the samples' "$TMP/section"
section 'L2 TLB / Page Walk'
matches 'flat: the second is not looked for' 'behind the first level only' "$TMP/section"
awk -F '\t' '/^[^0-9]/ || $1 <= 4096' "$TMP/flat.tsv" >"$TMP/short.tsv"
nothing 'a small buffer' "$TMP/short.tsv"
matches 'is the cause' 'buffer too small: the sweep ends at 256 KiB, 16 pages' "$TMP/section"
awk -F '\t' '/^[^0-9]/ || $1 > 4096' "$TMP/flat.tsv" >"$TMP/late.tsv"
nothing 'a late start' "$TMP/late.tsv"
matches 'is the cause' 'stride too large: the sweep starts at 384 KiB, 24 pages' "$TMP/section"
change ns '1 + $6 / 10' "$example" >"$TMP/noisy.tsv"
nothing 'scattered samples' "$TMP/noisy.tsv"
matches 'are the cause' 'throttling or noise: the samples scatter by 17 %' "$TMP/section"
lacks 'and no other' 'too (small|large)' "$TMP/section"
awk -F '\t' '/^[^0-9]/ || $1 <= 65536' "$example" >"$TMP/first.tsv"
tables "$TMP/first.tsv" --method segment
exits 0 'a sweep that ends at the first level' report "$TMP/first.tsv" "$TMP/boundaries.tsv"
section 'L2 TLB / Page Walk'
matches 'has no second' 'buffer too small: the sweep ends at 4 MiB, 256 pages' "$TMP/section"

# Missing tables, and other input.
exits 0 'samples alone' report "$example"
matches 'were not looked into' 'Not looked for: no boundaries among the input' "$TMP/out"
matches 'nor for a penalty' 'N/A: no penalties among the input' "$TMP/out"
exits 0 'boundaries alone' report "$TMP/boundaries.tsv"
matches 'without samples' '^  Samples +none among the input$' "$TMP/out"
tables "$TMP/flat.tsv" --method segment
exits 0 'a header of detect alone' report "$TMP/boundaries.tsv"
matches 'means that nothing was detected' '^  Not detected\.$' "$TMP/out"
exits 1 'a cut last line' bash -c "head -c -9 '$example' | report"
matches 'is dropped with a warning' 'the last line has no newline' "$TMP/err"
three_sections 'a cut last line'
: >"$TMP/empty.tsv"
exits 2 'an empty file' report "$TMP/empty.tsv"
grep -v '^[0-9]' "$example" >"$TMP/header.tsv"
exits 1 'a header alone' report "$TMP/header.tsv"
matches 'is nothing, with a likely cause' '^report: nothing to report: .*interrupted' "$TMP/err"
same 'and not a heading over nothing' '' "$(cat "$TMP/out")"
exits 2 'another table' report "$ROOT/tests/models/zen4.tsv"
matches 'is refused with its line' 'zen4.tsv:[0-9]+: the table is neither' "$TMP/err"
change ns -1 "$example" >"$TMP/bad.tsv"
exits 2 'a negative time' report "$TMP/bad.tsv"
matches 'is named' "bad.tsv:11: column 'ns'" "$TMP/err"
exits 2 'an unknown layout' bash -c "sed 's/	box	/	bix	/' '$example' | report"
exits 2 'a missing file' report "$TMP/none.tsv"

# Rates.
cliff=$ROOT/tests/data/swap-cliff.tsv
exits 0 'rates of a laptop that swaps' report "$cliff"
matches 'the cliff is named' '^ +beyond 1 GiB the rate falls 14\.9-fold, to 3\.32 GB/s: likely swap' "$TMP/out"
matches 'what is beyond is not the largest size' '^ +49\.5 GB/s at 1 GiB$' "$TMP/out"
lacks 'nothing is said of TLBs' 'TLB' "$TMP/out"
awk -F '\t' '/^#|^op/ || $2 < 4 * 2 ^ 30' "$cliff" >"$TMP/before.tsv"
exits 0 'rates of memory alone' report "$TMP/before.tsv"
lacks 'have no cliff' 'likely swap' "$TMP/out"
sed 's/^# memory_limit_bytes: .*/# memory_limit_bytes: 68719476736/' "$cliff" >"$TMP/large.tsv"
exits 0 'the same, where memory is much larger' report "$TMP/large.tsv"
lacks 'is no swap' 'likely swap' "$TMP/out"
grep -v '^# memory_limit' "$cliff" >"$TMP/unknown.tsv"
exits 0 'and where nobody tells how large it is' report "$TMP/unknown.tsv"
matches 'it is' 'beyond 1 GiB the rate falls 14\.9-fold' "$TMP/out"
{ cat "$cliff" && printf 'read\t17179869184\t-\t-\t-\t0\t50\t-\n'; } >"$TMP/back.tsv"
exits 0 'a rate that comes back' report "$TMP/back.tsv"
lacks 'was disturbed, not swapped out' 'likely swap' "$TMP/out"
{
    printf 'op\tthreads\tbytes\tgb_per_s\tns\tdelay_ns\n'
    printf '%s\t2\t1048576\t%s\t-\t-\n' write 30 read 40 write 32 write 10 read 40
    printf 'read\t2\t1048576\t5\t-\t0\nchase\t1\t1048576\t-\t80\t-\nchase\t2\t1048576\t-\t95.5\t0\n'
    printf 'write\t2\t2097152\t24\t-\t-\nread\t2\t2097152\t32\t-\t-\n'
} >"$TMP/rates.tsv"
exits 0 'two ops' report "$TMP/rates.tsv"
same 'medians of each size, writes beside reads, a chase by its times' \
    '[Bandwidth] read x 2 40 GB/s at most (1 MiB) 32 GB/s at 2 MiB write x 2 30 GB/s at most (1 MiB) 24 GB/s at 2 MiB, 0.75 of read chase 80 to 95.5 ns, by what the others do' \
    "$(sed -n '/^\[Bandwidth\]/,$p' "$TMP/out" | tr -s ' \n' ' ' | sed 's/ $//')"
exits 0 'rates beside samples' report "$example" "$TMP/rates.tsv"
three_sections 'rates beside samples'
matches 'are there' '^\[Bandwidth\]$' "$TMP/out"
sed 's/	40	/	-40	/' "$TMP/rates.tsv" >"$TMP/bad.tsv"
exits 2 'a negative rate' report "$TMP/bad.tsv"
matches 'is named' "bad.tsv:3: column 'gb_per_s': expected more than 0" "$TMP/err"

# What spoils samples.
printf 'pages\tlayout\tspacing_bytes\tns\tloads\tfaults\tmigrations\n' >"$TMP/spoilt.tsv"
printf '%s\tpage\t4096\t%s\t1000\t%s\t%s\n' 4 1 0 0 8192 9 9 1 8193 900 10 2 9000 9999 1000 - >>"$TMP/spoilt.tsv"
exits 0 'page faults and moves' report "$TMP/spoilt.tsv"
matches 'from what size on' '^  Page faults +from 32 MiB on: likely swap' "$TMP/out"
matches 'in how many samples' '^  Moved +to another core during 2 samples' "$TMP/out"
report "$example" >"$TMP/out"
lacks 'nothing is said where there are none' 'Page faults|Moved' "$TMP/out"
finish_tests
