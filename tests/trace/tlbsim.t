#!/usr/bin/env bash
# tlbsim.t: traces of all forms through TLBs: misses worked out by hand, what is refused, what is cut.
. "${0%/*}/../tap.sh"
sanitizers_suffice
abc=$ROOT/tests/data/abc.trace.tsv # pages 1 2 3 1 2 2 4 3

# pages FILE...: the pages of the accesses of a trace, on one line.
pages() {
    tlbsim --to table "$@" | rows - | awk -F '\t' '$5 ~ /read|write|execute/ { sub(/...$/, "", $6); print $6 }' |
        paste -s -d ' ' -
}
# small ENTRIES WAYS [REPLACEMENT]: a machine with one level.
small() {
    printf '# name: small\n# page_bytes: 4K\n# line_bytes: 64\n# memory_bytes: 1G\n'
    printf 'structure\tlevel\tentries\tways\tns\treplacement\n'
    printf 'dtlb\t1\t%s\t%s\t0\t%s\nwalk\t-\t-\t-\t9\t-\nmemory\t-\t-\t-\t90\t-\n' "$1" "$2" "${3-lru}"
}
small 3 3 >"$TMP/three.tsv"
small 3 3 fifo >"$TMP/fifo.tsv"
small 3 3 srrip >"$TMP/srrip.tsv"

# Misses.
exits 0 'tlbsim: a trace through a machine gives a trace' tlbsim --machine "$TMP/three.tsv" "$abc"
cp "$TMP/out" "$TMP/misses"
same 'tlbsim: three entries under LRU miss the pages 1 2 3 4 3' '0x1 0x2 0x3 0x4 0x3' "$(pages "$TMP/misses")"
# The use of page 1 does not save it, nor 2, when 4 comes.
same 'tlbsim: three entries under FIFO miss the pages 1 2 3 4' '0x1 0x2 0x3 0x4' \
    "$(tlbsim --machine "$TMP/fifo.tsv" "$abc" | pages)"
tlbsim --to table "$TMP/misses" >"$TMP/text"
matches 'tlbsim: misses say of which machine they are' '^# machine: small$' "$TMP/text"
matches 'tlbsim: misses say that they are misses' '^# record: misses$' "$TMP/text"
matches 'tlbsim: misses keep the number of all accesses' '^8	0	0	0	total	' "$TMP/text"
matches 'tlbsim: the metadata of the source are copied' '^# command: tlbsim --machine ' "$TMP/text"
same 'tlbsim: a summary counts visits and misses' '8 1 8 5' \
    "$(tlbsim --machine "$TMP/three.tsv" --to summary "$abc" | rows - | cut -f 3-6 | tr '\t' ' ')"
same 'tlbsim: pages of 2 MiB miss once' 0x1 "$(tlbsim --machine zen4 --page-size 2M "$abc" | pages)"
same 'tlbsim: a range on huge pages misses once, the rest as before' '0x1 0x400 0x401' \
    "$(printf 'op\taddress\nread\t%s\nread\t%s\nread\t%s\nread\t%s\n' 0x1000 0x5000 0x400000 0x401000 |
        tlbsim --machine zen4 --page-ranges 0-200000 | pages)"
same 'tlbsim: an access across the end of a page counts for both' '0x1 0x2' \
    "$(printf 'op\taddress\tbytes\nread\t0x1ffc\t8\n' | tlbsim --machine zen4 | pages)"
same 'tlbsim: --level 1 writes what the second level holds, and says which missed' '0x1:2 0x2:2 0x1:1' "$(
    {
        printf 'op\taddress\nread\t0x1000\nread\t0x2000\nread\t0x1000\n'
    } | tlbsim --to table --level 1 --machine <(small 1 1 | sed 's/^walk/dtlb\t2\t8\t8\t1\tlru\n&/') |
        rows - | awk -F '\t' '$5 == "read" { sub(/...$/, "", $6); print $6 ":" $9 }' | paste -s -d ' ' -)"
same 'tlbsim: walks of 4 KiB pages read four tables' '4 4' "$(tlbsim --to walks --machine zen4 "$abc" | rows - | tr '\t' ' ')"
same 'tlbsim: walks to addresses of 5-level paging read five tables' '5 2' \
    "$(printf ' L ff12345678a000,8\n L ff12345678b000,8\n' | tlbsim --to walks --machine skylake-sp | rows - | tr '\t' ' ')"
# Four walks of four tables: the first reads four lines, the others the same ones, unless a page is in another table.
same 'tlbsim: neighbouring entries of the page table are read from the cache' '12 - 4' \
    "$(printf ' L %x,8\n' 4096 8192 12288 16384 | tlbsim --to walk-reads --machine zen4 | rows - | awk -F '\t' '$3 > 0 { print $3 }' | paste -s -d - - | sed 's/-/ - /')"
same 'tlbsim: the entries of tables that hold no other page are read from memory' '3 - 9' \
    "$(printf ' L %x,8\n' 0x200000 0x40000000 0x8000000000 | tlbsim --to walk-reads --machine zen4 | rows - | awk -F '\t' '$3 > 0 { print $3 }' | paste -s -d - - | sed 's/-/ - /')"
grep -v '^cache' "$ROOT/src/tlb/models/zen4.tsv" >"$TMP/bare.tsv"
exits 2 'tlbsim: a machine without caches serves no walks' tlbsim --to walk-reads --machine "$TMP/bare.tsv" "$abc"
same 'tlbsim: nested walks read 24' '24 4' "$(tlbsim --to walks --nested 4K --machine zen4 "$abc" | rows - | tr '\t' ' ')"

# Curves.
same 'tlbsim: the curve of the trace worked out by hand' '1:7 3:5 4:4' \
    "$(tlbsim --to curve "$abc" | rows - | awk '{ print $1 ":" $5 }' | paste -s -d ' ' -)"
printf 'I  00001000,3\n L 00002000,8\nI  00003000,3\n L 00002000,8\n' >"$TMP/code.lackey"
same 'tlbsim: a curve is of data alone' '1:1' "$(tlbsim --to curve "$TMP/code.lackey" | rows - | awk '{ print $1 ":" $5 }' | paste -s -d ' ' -)"
same 'tlbsim: shards that follow all pages give the same curve' "$(tlbsim --to curve "$abc" | rows -)" \
    "$(tlbsim --to curve --shards 100 "$abc" | rows -)"
# Two sets by the lowest bit: 1 3 1 3 all miss, of 2 2 2 4 the first and the last.
same 'tlbsim: one way and two sets miss six times, four sets four times' '1:7 2:6 4:4' \
    "$(tlbsim --to curve --ways 1 "$abc" | rows - | head -n 3 | awk '{ print $3 ":" $5 }' | paste -s -d ' ' -)"
printf 'op\taddress\nread\t0x800000\nread\t0x100000000\n' >"$TMP/alike.tsv" # pages 0x800 of 4K and of 2M
for options in '--to curve' '--to curve --ways 4'; do
    # shellcheck disable=SC2086 # several options
    same "tlbsim: $options: pages of two sizes that have the same number both miss" 2 \
        "$(tlbsim $options --page-ranges 100000000-100200000 "$TMP/alike.tsv" | rows - | awk 'NR == 1 { print $5 }')"
done
draw() { # a skewed trace, seeded
    awk -v seed="$1" 'BEGIN { srand(seed); print "op\taddress"
        for (i = 0; i < 20000; i++) printf "%s\t%d\n", rand() < 0.3 ? "write" : "read", int(5000 * rand() ^ 3) * 4096 }'
}
draw 7 >"$TMP/skewed.tsv"
for entries in 16 100 1000; do
    small "$entries" "$entries" >"$TMP/lru.tsv"
    same "tlbsim: the curve at $entries entries is what a machine of that size misses" \
        "$(tlbsim --machine "$TMP/lru.tsv" --to summary "$TMP/skewed.tsv" | rows - | cut -f 6)" \
        "$(tlbsim --to curve "$TMP/skewed.tsv" | rows - | awk -v n="$entries" '$1 <= n { m = $5 } END { print m }')"
done

# Forms.
tlbsim "$TMP/skewed.tsv" >"$TMP/skewed.trace"
for form in binary table lackey perf drmemtrace; do
    same "tlbsim: a trace as $form has the same misses" \
        "$(tlbsim --machine zen4 "$TMP/skewed.tsv" | pages | md5sum)" \
        "$(tlbsim --to "$form" "$TMP/skewed.trace" | tlbsim --machine zen4 | pages | md5sum)"
done
check 'tlbsim: the binary form is smaller than a fifth of the table' test \
    $(($(wc -c <"$TMP/skewed.trace") * 5)) -lt "$(tlbsim --to table "$TMP/skewed.trace" | wc -c)"

# Cut, damaged, refused.
head -c 20000 "$TMP/skewed.trace" >"$TMP/cut.trace"
exits 1 'tlbsim: a trace that is cut gives status 1' tlbsim --to table "$TMP/cut.trace"
matches 'tlbsim: a trace that is cut is reported' 'is cut after record [0-9]+: ' "$TMP/err"
same 'tlbsim: a trace that is cut has what is before the cut' \
    "$(tlbsim --to table "$TMP/skewed.trace" | rows - | head -n "$(rows "$TMP/out" | wc -l)" | md5sum)" \
    "$(rows "$TMP/out" | md5sum)"
{
    head -c 5000 "$TMP/skewed.trace"
    printf 'X'
    tail -c +5002 "$TMP/skewed.trace"
} >"$TMP/damaged.trace"
exits 2 'tlbsim: a damaged trace gives status 2' tlbsim --to table "$TMP/damaged.trace"
matches 'tlbsim: a damaged trace is reported with the block' 'block [0-9]+ is damaged: its checksum' "$TMP/err"
# Bytes after the end of a trace are never skipped silently.
for form in binary table lackey perf drmemtrace; do
    form_is_lackey=0
    [ "$form" != lackey ] || form_is_lackey=1
    tlbsim --to "$form" "$TMP/skewed.trace" >"$TMP/one"
    cat "$TMP/one" "$TMP/one" >"$TMP/joined"
    cat "$TMP/one" "$TMP/cut.trace" >"$TMP/joined-binary"
    { cat "$TMP/one" && printf 'garbage\n'; } >"$TMP/garbage"
    case $form in
    binary | table) exits 2 "tlbsim: joined traces are refused: $form" tlbsim --machine zen4 --to summary "$TMP/joined" ;;
    *) same "tlbsim: joined traces are read as one: $form" 40000 "$(tlbsim --machine zen4 --to summary "$TMP/joined" | rows - | cut -f 3 | tail -n 1)" ;;
    esac
    exits 2 "tlbsim: a binary trace after another is refused: $form" tlbsim --machine zen4 --to summary "$TMP/joined-binary"
    # After lackey's lines it may be what the program writes.
    exits $((form_is_lackey ? 1 : 2)) "tlbsim: garbage after a trace is noticed: $form" tlbsim --machine zen4 --to summary "$TMP/garbage"
done
exits 2 'tlbsim: a joined trace from a pipe is refused' tlbsim --to curve < <(cat "$TMP/skewed.trace" "$TMP/skewed.trace")
matches 'tlbsim: it says what follows' '^tlbsim: -: another trace follows the end of this one' "$TMP/err"
exits 2 'tlbsim: one byte after a trace is refused' tlbsim --to curve < <(cat "$TMP/skewed.trace" && printf '\n')
matches 'tlbsim: it says what is left' '^tlbsim: -: bytes that are no part of the trace follow its end' "$TMP/err"
exits 2 'tlbsim: misses of one machine are refused for another' tlbsim --machine zen4 "$TMP/misses"
matches 'tlbsim: misses of one machine are reported with the remedy' 'only the misses.*record accesses' "$TMP/err"
exits 2 'tlbsim: misses have no curve' tlbsim --to curve "$TMP/misses"
sed '1i # filter_bytes: 4096' "$abc" >"$TMP/filtered.tsv"
exits 2 'tlbsim: srrip is refused where repeated accesses are left out' tlbsim --machine "$TMP/srrip.tsv" "$TMP/filtered.tsv"
matches 'tlbsim: srrip is reported with its reason' 'srrip.*age' "$TMP/err"
exits 0 'tlbsim: srrip is simulated from a trace of all accesses' tlbsim --machine "$TMP/srrip.tsv" "$abc"
exits 2 'tlbsim: pages below the resolution of the trace are refused' tlbsim --to curve --page-size 1K "$TMP/filtered.tsv"
exits 2 'tlbsim: a machine without such pages is refused' tlbsim --machine skylake-sp --page-size 2M "$abc"
matches 'tlbsim: a machine without such pages is named' 'Skylake-SP has no dTLB for pages of 2097152 bytes' "$TMP/err"
exits 2 'tlbsim: text that is no trace is refused' tlbsim --to table "$ROOT/README.md"
exits 2 'tlbsim: an empty file is refused' tlbsim --to table /dev/null
exits 2 'tlbsim: a bad line is refused' tlbsim --to table <<<$'op\taddress\nread\tfour'
matches 'tlbsim: a bad line is named with its column' "-:2: column 'address': 'four' is not a number" "$TMP/err"
exits 2 'tlbsim: a bad line of a long word is refused' tlbsim --to table <<<$'op\taddress\nread\t'"$(printf 'x%.0s' {1..5000})"
check 'tlbsim: ... and the word is cut short' test "$(wc -c <"$TMP/err")" -lt 160
# Accesses that no processor makes: one that is too large, one past the last address.
printf 'op\taddress\tbytes\nalloc\t0x1000\t1099511627776\nread\t0x1000\t67108864\nread\t0xfffffffffffffff8\t8\n' >"$TMP/largest.tsv"
exits 0 'tlbsim: accesses of 64 MiB, or up to the last address, and blocks of any size are read' \
    tlbsim --machine zen4 --to summary "$TMP/largest.tsv"
same 'tlbsim: they miss in each page' 16385 "$(rows "$TMP/out" | awk 'END { print $6 }')"
refused() { # refused NAME PLACE WHY OPTION... <TRACE
    local name=$1 place=$2 why=$3
    shift 3
    exits 2 "tlbsim: $name is refused" tlbsim "$@"
    matches "tlbsim: $name is named with its place" "^tlbsim: -:$place: an access of [0-9]+ bytes at 0x[0-9a-f]+: $why" "$TMP/err"
}
large='more than 64 MiB' past='it reaches past the last address'
refused 'a large access in a table' 3 "$large" --machine zen4 <<<$'op\taddress\tbytes\nread\t0x1000\t8\nwrite\t0x1000\t67108865'
refused 'an access past the end in a table' 2 "$past" --to curve <<<$'op\taddress\tbytes\nread\t0xfffffffffffffff9\t8'
refused "a large access in lackey's text" 2 "$large" --to table <<<$' L 00001000,8\n L 00001000,999999999999999'
refused "an access past the end in drmemtrace's text" 1 "$past" --to curve \
    <<<'1 1: 5 write 9 byte(s) @ 0xfffffffffffffff8 by PC 0x0'
exits 2 "tlbsim: an address of more than 64 bits is refused" tlbsim --to table <<<$' L 1000,8\n L 10000000000000000,8'
exits 2 'tlbsim: a level that no trace has is refused' tlbsim --to table <<<$'op\taddress\tlevel\nread\t0\t16'
exits 2 'tlbsim: a thread of more than 32 bits is refused' tlbsim --to table <<<$'op\taddress\tthread\nread\t0\t4294967296'
exits 2 'tlbsim: a number with a plus sign is a bad line' tlbsim --to table <<<$'op\taddress\nread\t+4'
for options in '--to curve --machine zen4' '--to summary' '--shards 5' '--to nothing' '--to curve --ways 2 --shards 4' \
    '--page-size 3000 --machine zen4' '--page-ranges 1-2' \
    '--machine zen4 --page-ranges +400000-+600000'; do
    # shellcheck disable=SC2086 # several options
    exits 2 "tlbsim: $options is wrong usage" tlbsim $options "$abc"
done
sed 's/\tshared$/\tshared/; s/^dtlb\t2\t3072/dtlb\t2\t1536/;' "$ROOT/src/tlb/models/zen4.tsv" |
    awk -F '\t' -v OFS='\t' '/^dtlb\t2\t1536/ { if (!n++) $3 = 3072; else $4 = 6 } { print }' >"$TMP/unlike.tsv"
exits 2 'tlbsim: rows that share a structure but differ are refused' tlbsim --machine "$TMP/unlike.tsv" "$abc"
matches "tlbsim: rows that share a structure but differ are named" "column 'shared': line [0-9]+ shares 'dtlb2'" "$TMP/err"
# with_bits BITS BITS: zen4 with these index bits of the second level for pages of 4 KiB and of 2 MiB.
with_bits() {
    awk -F '\t' -v OFS='\t' -v first="$1" -v second="$2" '
        $1 == "dtlb" && $2 == 2 && $3 == 3072 { $5 = n++ ? second : first } { print }' "$ROOT/src/tlb/models/zen4.tsv"
}
gap=0,1,2,3,4,5,6,10
with_bits $gap $gap >"$TMP/gap.tsv"
with_bits $gap 0,1,2,3,4,5,6,8 >"$TMP/unlike.tsv"
exits 0 'tlbsim: rows that share a structure have the same index bits' tlbsim --machine "$TMP/gap.tsv" "$abc"
exits_saying 2 'tlbsim: rows that share a structure but differ in an index bit are refused' "column 'shared': line [0-9]+ shares 'dtlb2'" \
    tlbsim --machine "$TMP/unlike.tsv" "$abc"
# sum MACHINE: a fingerprint that distinguishes the misses of machines.
sum() { tlbsim --machine "$1" "$abc" | tlbsim --to table | grep '^# machine_sum'; }
with_bits 0,1,2,3,4,5,6,8 0,1,2,3,4,5,6,8 >"$TMP/other.tsv"
check 'tlbsim: machines of other index bits have another sum' test "$(sum "$TMP/gap.tsv")" != "$(sum "$TMP/other.tsv")"
finish_tests
