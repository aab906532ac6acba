#!/usr/bin/env bash
# frames.t: the page table of a process, where the system shows it.
. "${0%/*}/../tap.sh"
sleep 100 &
process=$!
trap 'kill "$process"' EXIT
exits 2 'frames: without a process it is wrong usage' frames
exits 2 'frames: a process has a number' frames 1.5
exits 2 'frames: a process that is not there is refused' frames 2147483647
frames "$process" >"$TMP/runs" 2>"$TMP/err"
status=$?
if [ "$status" -eq 2 ]; then
    matches 'frames: without frames it gives the reason' '^frames: .*(hides frame numbers|shows no page frames|ermission)' "$TMP/err"
    finish_tests
fi
same 'frames: a process has pages' 0 "$status"
frames --entries "$process" >"$TMP/entries"
same 'frames: the runs have all pages, which need as many entries of one page each' \
    "$(awk -F '\t' '$1 == 1 { print $2 }' "$TMP/entries")" \
    "$(awk -F '\t' '/^# page_bytes/ { split($0, part, ": ") } /^0x/ { bytes += $3 } END { print bytes / part[2] }' "$TMP/runs")"
matches 'frames: mappings have their names' '	[^	]*/[^	]*sleep$' "$TMP/runs"
check 'frames: addresses ascend' sort -c <(grep -o '^0x[0-9a-f]*' "$TMP/runs" | awk '{ printf "%16s\n", substr($0, 3) }')
# 64 TiB: before Linux 6.7 each of these pages is looked at.
if printf '6.7\n%s\n' "$(uname -r)" | sort -VC && gcc -x c -o "$TMP/wide" - 2>/dev/null <<'C'
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    if (mmap(NULL, 1L << 46, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        return 1;
    printf("%d\n", (int)getpid());
    fflush(stdout);
    return pause();
}
C
then
    read -r wide < <(exec "$TMP/wide")
    trap 'kill "$process" "$wide"' EXIT
    exits 0 'frames: pages that are only reserved take no time' timeout 20 frames --entries "$wide"
else
    skip 'frames: pages that are only reserved take no time' 'no gcc here, or an older Linux'
fi
finish_tests
