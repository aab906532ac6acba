#!/usr/bin/env bash
# fetches.t: fetches of instructions through an iTLB: of texts, and of a program whose code lies on known
# pages.
. "${0%/*}/trace.sh"

printf '%s\n' 'I  00001000,4' ' L 00002000,8' 'I  00003000,4' 'I  00001004,4' 'I  00001008,4' >lackey
fetched() { awk -F '\t' '$5 == "execute" { print $6 }' | paste -s -d ' ' -; }
same 'tlbsim --itlb: one entry, in which two pages take turns' '0x1000 0x3000 0x1004' "$(tlbsim --itlb 1 --to table lackey | fetched)"
same 'tlbsim --itlb: two entries hold both' '0x1000 0x3000' "$(tlbsim --itlb 2 --to table lackey | fetched)"
same 'tlbsim --itlb: of two levels, the last misses' '0x1000 0x3000' "$(tlbsim --itlb 1,2 --to table lackey | fetched)"
same 'tlbsim --itlb: of two levels, the first misses' '0x1000 0x3000 0x1004' "$(tlbsim --itlb 1,2 --level 1 --to table lackey | fetched)"
same 'tlbsim --itlb --to summary: visits and misses are those of fetches' '4	3' \
    "$(tlbsim --itlb 1 --to summary lackey | tail -n 1 | cut -f 5,6)"
for list in 0 "," "64," 64,,64 x 1,1,1,1,1 99999999; do
    exits 2 "tlbsim --itlb: $list is refused" tlbsim --itlb "$list" --to table lackey
done
same 'tlbsim --dtlb: all accesses but fetches, which an iTLB given too sees' '1 0 1 2' \
    "$(for list in '--dtlb 1' '--dtlb 1 --itlb 2'; do
        # shellcheck disable=SC2086 # several options
        tlbsim $list --to table lackey | tail -n +1 | awk -F '\t' '$5 ~ /^(read|write|execute)$/ { n[$5]++ } END { print n["read"] + 0, n["execute"] + 0 }'
    done | paste -s -d ' ' -)"
exits 2 'tlbsim --itlb: a machine beside it is refused' tlbsim --itlb 64 --machine zen4 --to table lackey
sed 's/^I / L/' lackey >data
exits 1 'misses --fetches: of data alone there are none' misses --fetches <(tlbsim --machine zen4 data)
tlbsim --machine zen4 lackey >both
same 'misses: fetches are neither reads nor writes' '0x1000 1 0 0,0x2000 1 1 0,0x3000 1 0 0' \
    "$(misses both | awk -F '\t' '/^0x/ { print $1, $2, $3, $4 }' | sort | paste -s -d , -)"
same 'misses --fetches: of both those of fetches' '0x1000 0x3000' \
    "$(misses --fetches both | awk -F '\t' '/^0x/ { print $1 }' | sort | paste -s -d ' ' -)"

[ "$PLATFORM$VARIANT" = linuxplain ] || finish_tests
if ! command -v gcc >/dev/null; then
    skip 'fetches of programs' 'no gcc here'
    finish_tests
fi
tlbcc -O1 "$ROOT/tests/trace/fetches.c" -o compiled || exit 2
TLBLAB_TRACE=trace ./compiled >/dev/null
exits 2 'tlbsim --itlb: a trace of tlbcc has no fetches' tlbsim --itlb 64 --to table trace
matches 'tlbsim --itlb: of a trace of tlbcc it says what to use' 'tlbcc does not record them, tlbrun does' "$TMP/err"
tlbsim --machine zen4 trace >found
exits 2 'misses --fetches: a trace of tlbcc has no fetches' misses --fetches found
matches 'misses --fetches: of a trace of tlbcc it says what to use' 'tlbcc does not record them, tlbrun does' "$TMP/err"

needs_qemu 'tlbrun: fetches are recorded'
# 80 functions, each on a page, are called in one order, 1000 times, from an 81st page.
gcc -O1 "$ROOT/tests/trace/fetches.c" -o program || exit 2
tlbrun --trace trace -- ./program >/dev/null
same 'tlbrun: each change of page is there, and nothing else' '1 80001,80 1000' \
    "$(tlbsim --to table trace | awk -F '\t' '$5 == "execute" { n[substr($6, 1, length($6) - 3)]++ }
        END { for (p in n) if (n[p] > 500) pages[n[p]]++; for (k in pages) print pages[k], k }' | sort -n | paste -s -d , -)"
# each COMMAND...: how many of the functions have how many misses of fetches.
each() {
    "$@" | misses --quiet --by function --fetches | awk -F '\t' '/^page_/ { n[$2]++ } END { for (k in n) print n[k], k }'
}
same 'tlbsim --itlb: as many entries as functions, which the caller makes one too few' '80 1000' "$(each tlbsim --itlb 80 trace)"
same 'tlbsim --itlb: with an entry for the caller each function misses once' '80 1' "$(each tlbsim --itlb 81 trace)"
same 'tlbsim --itlb: a second level serves them all' '80 1' "$(each tlbsim --itlb 16,128 trace)"
grep -v '^itlb	2' "$ROOT/src/tlb/models/zen4.tsv" >one-level.tsv
same 'tlbsim --machine: the iTLB of a machine' '80 1000' "$(each tlbsim --machine one-level.tsv --page-size 4K trace)"
tlbrun --misses "$PWD/one-level.tsv" --trace own -- ./program >/dev/null
same 'tlbrun: a program that simulates level 1 of the iTLB itself has the same misses' '80 1000' "$(each cat own)"
reads() { misses --quiet --by permission "$1" | awk -F '\t' '/^(read|write)/ { n += $2 } END { print int(n / 100) }'; }
tlbsim --machine one-level.tsv --page-size 4K trace >found
same 'tlbrun: beside fetches the misses of data are as they were' "$(reads found)" "$(reads own)"
lacks 'tlbsim --to curve: fetches are not among the accesses' '	80[0-9]{3}	' <(tlbsim --to curve trace)
finish_tests
