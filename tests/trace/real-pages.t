#!/usr/bin/env bash
# real-pages.t: a trace notes which pages were huge, and tlbsim and misses take them as they were.
. "${0%/*}/trace.sh"
plain_linux_alone
command -v gcc >/dev/null || skip_all 'no gcc here'
export TLBLAB_START=off

# A trace by hand: a page of 4 KiB each of a huge page, small again, and one of which nobody is sure.
hand() {
    printf '%s\n' '# record: accesses' '# huge_pages: noted' 'op	address	bytes	site	level	process	thread'
    printf 'pages\t0x200000\t0x200000\t0x200000\t%s\t1\t1\n' "$1"
    for i in 1 2 3 4; do printf 'read\t0x20%d000\t8\t0\t0\t1\t1\n' "$i"; done
    printf 'pages\t0\t0\t0\t0\t1\t1\n'
    for i in 5 6; do printf 'read\t0x20%d000\t8\t0\t0\t1\t1\n' "$i"; done
}
walks() { tlbsim --to summary "$@" | tail -n 1 | cut -f 6; }
same 'real pages: a huge page is missed once, and small ones again where it is one no longer' 3 "$(hand 0 | walks --machine zen4 -)"
same 'real pages: a huge page of which nobody is sure does not count' 6 "$(hand 1 | walks --machine zen4 -)"
same 'real pages: --page-size says otherwise' 6 "$(hand 0 | walks --machine zen4 --page-size 4K -)"
same 'real pages: --page-ranges says otherwise' 6 "$(hand 0 | walks --machine zen4 --page-ranges 0-1 -)"
grep -v 2097152 "$ROOT/labs/18-miss-trace/data/machine.tsv" >small.tsv
same 'real pages: a machine without TLBs for huge pages cuts them' 6 "$(hand 0 | walks --machine small.tsv -)"
same 'real pages: misses of a huge page have its address' '0x200000 1,0x205000 1,0x206000 1' \
    "$(hand 0 | tlbsim --machine zen4 - | misses --by page | grep '^0x' | cut -f 1,2 | tr '\t' ' ' | sort | paste -s -d , -)"
same 'real pages: where they are not used they are not passed on' 0 \
    "$(hand 0 | tlbsim --machine zen4 --page-size 4K - | tlbsim --to table - | grep -c '	pages	')"

# A program whose pages are what it asks for, where the system has huge pages.
huge() { grep -q '\[always\]\|\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; }
tlbcc -O1 "$ROOT/tests/trace/real-pages.c" -o program
TLBLAB_TRACE=base ./program base
check 'real pages: a program on small pages misses each' test "$(walks --machine zen4 base)" -gt 160000
TLBLAB_TRACE=huge ./program huge
if huge && tlbsim --to table huge | grep -q '	pages	.*	0x200000	0$'; then
    check 'real pages: a program on huge pages misses few' test "$(walks --machine zen4 huge)" -lt 40000
    check 'real pages: it misses as many as on small pages where these are assumed' \
        test "$(walks --machine zen4 --page-size 4K huge)" -gt 160000
else
    skip 'real pages: a program on huge pages misses few' 'no huge pages here'
fi
finish_tests
