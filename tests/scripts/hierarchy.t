#!/usr/bin/env bash
# hierarchy.t: the picture of a machine from its registers to the disk, and the row of the disk.
. "${0%/*}/../tap.sh"
long_with_sanitizers

[ "$VARIANT" = plain ] || skip_all 'the plain build stands for all'
[ "$PLATFORM" != none ] || skip_all 'the platform does not matter'

# ---- the disk: scripts/hierarchy --disk, with a dd and a stat that say what the test wants ----

tools=$TMP/tools
mkdir "$tools" "$TMP/place"
# says NAME SHELL: a command of that name.
says() { printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1" && chmod +x "$tools/$1"; }
# shellcheck disable=SC2016 # of the commands
direct='case "$*" in *bs=4k*) n=$(cat "$0.count" 2>/dev/null || echo 0); echo $((n + 1)) >"$0.count"; s=0.000${n}1 ;; *) s=0.5 ;; esac
echo "x bytes (y MB) copied, $s s, z MB/s" >&2'
# disk STATUS NAME: its row, with blanks for tabs, is in `row`.
disk() {
    exits "$1" "hierarchy: the disk: $2" env PATH="$tools:$PATH" "$ROOT/scripts/hierarchy" --disk "$TMP/place"
    row=$(grep '^disk' "$TMP/out" | tr '\t' ' ')
}
says stat 'echo ext2/ext3'
says dd "$direct"
disk 0 'past the cache'
middle=$(for ((n = 0; n < 31; n++)); do echo "0.000${n}1"; done | sort -g | awk '{ s[NR] = $1 } END { printf "%.0f", 1e9 * s[16] }')
same 'hierarchy: the disk has the middle one of its reads, and the rate of its whole file' "disk 67108864 $middle 0.134 -" "$row"
says dd 'case "$*" in *iflag=direct*) echo "dd: failed to open: Invalid argument" >&2; exit 1 ;; esac'
disk 1 'no direct reads'
same 'hierarchy: a file system without direct reads is not measured' 'disk 67108864 - - no_direct' "$row"
says dd 'exit 1'
disk 1 'no room'
same 'hierarchy: a full disk is not measured' 'disk 67108864 - - no_room' "$row"
says dd "$direct"
says stat 'echo tmpfs'
disk 1 'memory'
same 'hierarchy: memory is no disk' 'disk 67108864 - - no_disk' "$row"
same 'hierarchy: the file of the disk is removed' '' "$(ls -A "$TMP/place")"
exits 2 'hierarchy: an unknown option is refused' "$ROOT/scripts/hierarchy" --disc
exits 2 'hierarchy: two folders are refused' "$ROOT/scripts/hierarchy" "$TMP" "$TMP"

# ---- the picture ----

command -v gnuplot >/dev/null || { skip 'plot: the hierarchy is drawn' 'no gnuplot here' && finish_tests; }
plot=$ROOT/scripts/plot
printf '# cpu: Some Processor\n# ghz_estimated: 4.00\nstructure\tlevel\tbytes_min\tbytes_max\tlayout\tkernel\tchains\tns\tidle_cycles
cache\t1\t4096\t32768\tlocal\tread\t1\t1.25\t4\ncache\t1\t4096\t32768\tlocal\twrite\t1\t7\t4\ncache\t1\t4096\t32768\tlocal\tread\t4\t0.3\t4
cache\t2\t65536\t524288\tlocal\tread\t1\t3.5\t9\nmemory\t-\t-\t-\tlocal\tread\t1\t-\t-\n' >"$TMP/latency.tsv"
printf 'op\tbytes\tthreads\tdelay_ns\tgb_per_s\nread\t8192\t1\t-\t100\nread\t8192\t1\t-\t120\nread\t8192\t2\t-\t240\nwrite\t8192\t1\t-\t300
read\t40000\t1\t-\t999\nread\t131072\t1\t-\t60\n' >"$TMP/rates.tsv"
printf 'structure\tbytes\tns\tgb_per_s\tnote\ndisk\t67108864\t250000\t1.5\t-\n' >"$TMP/disk.tsv"
# rows FILE...: the data of the picture.
rows() { awk -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/hierarchy.awk" "$@" 2>&1 | sed 1,/^step/d | cut -f 1,3,4 | tr '\t' ' ' | paste -s -d , -; }
same 'plot: the hierarchy has a cycle, the levels, the best read of one thread in each, and the disk' \
    'registers 0.25 -,L1 1.25 120,L2 3.5 60,memory - -,disk 250000 1.5' \
    "$(rows "$TMP/latency.tsv" "$TMP/rates.tsv" "$TMP/disk.tsv")"
sed '/ghz/d' "$TMP/latency.tsv" >"$TMP/no-clock.tsv"
same 'plot: a hierarchy without rates, a clock and a disk has none of them' \
    'registers - -,L1 1.25 -,L2 3.5 -,memory - -,disk - -' "$(rows "$TMP/no-clock.tsv")"
# A guest that has a part of a large third cache: a rise beyond it, and no sample as large as is claimed.
{ sed '/^memory/d; s/^# ghz.*/# ghz_estimated: 4\n# l3_bytes: 503316480/; s/idle_cycles$/&\tnote/; s/4$/&\t-/; s/9$/&\t-/' "$TMP/latency.tsv" &&
    printf 'cache\t3\t3329024\t4194304\tlocal\tread\t1\t23\t95\t-\ncache\t4\t5284480\t84551872\tlocal\tread\t1\t187\t783\t-
memory\t-\t106528704\t268435456\tlocal\tread\t1\t222\t927\tbelow_claimed_cache\n'; } >"$TMP/guest.tsv"
same 'plot: a rise after the third cache is no fourth one' \
    'registers 0.25 -,L1 1.25 -,L2 3.5 -,L3 23 -,L3 or memory 222 -,disk - -' "$(rows "$TMP/guest.tsv")"
same 'plot: a fourth cache that the machine states is one' 'L4 187 -' "$(rows <(sed 's/^# l3_bytes.*/&\n# l4_bytes: 1006632960/' "$TMP/guest.tsv") | tr , '\n' | grep 187)"
exits 0 'plot: the hierarchy is drawn' "$plot" hierarchy "$TMP/latency.tsv" "$TMP/rates.tsv" "$TMP/disk.tsv"
check 'plot: the hierarchy is a PNG' is_png "$TMP/out"
prints 'plot: the hierarchy is drawn as SVG' 'not measured' "$plot" --format svg hierarchy "$TMP/no-clock.tsv"
exits 0 'plot: the hierarchy is drawn in characters' "$plot" --terminal hierarchy "$TMP/latency.tsv" "$TMP/rates.tsv" "$TMP/disk.tsv"
matches 'plot: the hierarchy has its title' 'From registers to the disk: Some Processor' "$TMP/out"
matches 'plot: the hierarchy has the time of the disk' '250 us' "$TMP/out"
matches 'plot: the hierarchy has its steps' 'registers +L1 +L2 +memory +disk' "$TMP/out"
exits 2 'plot: a hierarchy of samples is refused' "$plot" hierarchy <<<$'pages\tns\n4\t1'
matches 'plot: a hierarchy of samples is reported with what is wrong' 'neither latencies, nor rates, nor a disk' "$TMP/err"
exits 2 'plot: a hierarchy of rates alone is refused' "$plot" hierarchy "$TMP/rates.tsv"
finish_tests
