#!/usr/bin/env bash
# slicehash-conflicts.t: slicehash conflicts, choose and traffic against counts by awk.
. "${0%/*}/../tap.sh"
sanitizers_suffice
hash=$ROOT/tests/data/hash-6-slices.dat grid=$ROOT/tests/data/grid-6-slices.tsv
cd "$TMP" || exit 2
meta() { sed -n "s/^# $1: //p" "$2" | tail -n 1; }
conflicts() { slicehash conflicts --hash "$hash" --seed 1 "$@"; }

# ---- conflicts ----

slicehash predict --hash "$hash" --block 1024 --at 0x40000000,0x51230000,0x60000000,0x7fff0000 >map.tsv
# Lines of each set of 128, from the slices and addresses of the map.
rows map.tsv | awk '
    { digits = "0123456789abcdef"; value = 0
      for (k = length($1) - 3; k <= length($1); k++) value = 16 * value + index(digits, substr($1, k, 1)) - 1
      lines[int(value / 64) % 128 " " $2]++ }
    END { for (at in lines) print at, lines[at], (lines[at] > 5 ? lines[at] - 5 : 0) }' | sort >counted
exits 0 'conflicts: addresses are counted' conflicts --sets 128 --ways 5 map.tsv
cp out sets.tsv
same 'conflicts: the lines of each set are those that awk counts' "$(cat counted)" "$(rows sets.tsv | tr '\t' ' ' | sort)"
same 'conflicts: the overflow is the share of the lines beyond the ways' \
    "$(awk '{ n += $3; o += $4 } END { printf "%.6g", o / n }' counted)" "$(meta overflow sets.tsv)"
same 'conflicts: the cyclic bound is the share of the lines in such sets' \
    "$(awk '{ n += $3 } $4 > 0 { c += $3 } END { printf "%.6g", c / n }' counted)" "$(meta cyclic sets.tsv)"
exits 0 'conflicts: offsets are compared' conflicts --sets 128 --ways 5 --bytes 64K --offsets 1G:1100M:+1M
cp out offsets.tsv
slicehash predict --hash "$hash" --block 1024 --at 0x40000000 | conflicts --sets 128 --ways 5 >lines.tsv
same 'conflicts: an offset has the overflow of its lines' "$(meta overflow lines.tsv)" "$(rows offsets.tsv | head -n 1 | cut -f 3)"
same 'conflicts: an offset does not depend on the one before' 1 \
    "$(conflicts --sets 128 --ways 5 --bytes 64K --offsets 1G,1G | rows - | sort -u | grep -c .)"
exits 0 'conflicts: random pages are drawn' conflicts --draws 50 --bytes 3M --ways 5
cp out draws.tsv
same 'conflicts: a row for each draw' 50 "$(rows draws.tsv | wc -l | tr -d ' ')"
same 'conflicts: a draw has the lines of the memory, which ends within a page' 49152 "$(rows draws.tsv | cut -f 2 | sort -u)"
check 'conflicts: draws differ' test "$(rows draws.tsv | cut -f 3 | sort -u | wc -l)" -gt 2
{ echo paddr && for ((k = 1; k <= 20; k++)); do printf '0x%012x\n' $((k * 37 % 512 << 21)) $((k * 37 % 512 << 21 | 0x12340)); done; } >pages.tsv
choose() { slicehash choose --hash "$hash" "$@"; }
exits 0 'choose: pages are chosen' choose --bytes 8M pages.tsv
same 'choose: as many as the memory needs, each once' 4 "$(rows out | cut -f 1 | sort -u | grep -c .)"
same 'choose: they are among those given' '' "$(rows out | cut -f 1 | sort | comm -23 - <(sort pages.tsv))"
# overflow_of PAGE...: of all of their lines, which conflicts counts.
overflow_of() { slicehash predict --hash "$hash" --at "$(paste -s -d , -)" | conflicts | sed -n 's/# overflow: //p'; }
same 'choose: the overflow is that of their lines' "$(rows out | cut -f 1 | overflow_of)" "$(rows out | tail -n 1 | cut -f 3)"
check 'choose: they overflow less than the first ones' \
    awk -v chosen="$(rows out | tail -n 1 | cut -f 3)" -v first="$(awk 'NR % 2 == 0' pages.tsv | head -n 4 | overflow_of)" \
    'BEGIN { exit !(chosen < first) }'
exits 0 'choose: all pages are needed' choose --bytes 40M pages.tsv
same 'choose: of all pages each is taken once' 20 "$(rows out | cut -f 1 | sort -u | grep -c .)"
same 'choose: of pages that overflow alike, the one whose sets hold fewer lines is taken' '0x000000000000 0x000000000400' \
    "$(printf '%s\n' paddr 0x0 0x400 0x60000 | choose --block 16 --bytes 2K | rows - | cut -f 1 | paste -s -d ' ' -)"
exits_saying 2 'choose: too few pages are refused' '32 pages are needed, only 20 are given' choose --bytes 64M pages.tsv
exits 2 'conflicts: draws and offsets together are refused' conflicts --draws 2 --offsets 1G,2G
exits 2 'conflicts: sets that are no power of two are refused' conflicts --sets 100 map.tsv

# ---- traffic ----

exits 0 'traffic: addresses are counted' slicehash traffic --hash "$hash" map.tsv
same 'traffic: lines and bytes of each slice' "$(rows map.tsv | cut -f 2 | sort -n | uniq -c | awk '{ print $2, $1, 64 * $1 }')" \
    "$(rows out | cut -f 1-3 | tr '\t' ' ')"
cp out slices.tsv
# Core 2, at (2, 0), reads a line of each slice: 0 and 1 from the left, 3 to 5 from below.
for slice in 0 1 2 3 4 5; do awk -F '\t' -v slice="$slice" '$2 == slice { print $1; exit }' map.tsv; done |
    awk 'BEGIN { print "paddr\tcore\tbytes" } { print $1 "\t2\t100" }' >reads.tsv
exits 0 'traffic: the links of a grid are loaded' slicehash traffic --hash "$hash" --grid "$grid" reads.tsv
same 'traffic: lines go along the column, then along the row' '0 0 1 0 200
0 1 0 0 100
1 0 2 0 400
1 1 1 0 100
2 1 2 0 100' "$(rows out | awk '$5 > 0 { print $1, $2, $3, $4, $5 }' | sort)"
cp out links.tsv
same 'traffic: each link is a row' 14 "$(rows links.tsv | grep -c .)"
awk 'BEGIN { OFS = FS = "\t" } NR == 1 { print; next } { for (core = 0; core < 6; core++) print $1, core, $3 }' reads.tsv >cores.tsv
change core '"-"' reads.tsv | sed 's/100$/600/' >alike.tsv
exits 0 'traffic: without a core all take alike' slicehash traffic --hash "$hash" --grid "$grid" alike.tsv
same 'traffic: without a core each takes its part' "$(slicehash traffic --hash "$hash" --grid "$grid" cores.tsv | rows -)" "$(rows out)"
exits 2 'traffic: a core that the grid lacks is refused' slicehash traffic --hash "$hash" --grid "$grid" <(change core 9 reads.tsv)
matches 'traffic: a core that the grid lacks: its line is named' ":2: column 'core': this core is not on the grid" err
sed 's/^5/9/' "$grid" >lacks.tsv
exits 2 'traffic: a grid that lacks a slice is refused' slicehash traffic --hash "$hash" --grid lacks.tsv map.tsv
matches 'traffic: a grid that lacks a slice: it is named' 'slice.* 5.* not on the grid' err

# ---- pictures ----

if command -v gnuplot >/dev/null; then
    slicehash random --slices 6 --block 64 --seed 1 >hash.tsv
    for pair in map:'Slices of the lines from 0x000040000000 on' hash:'Address bits' sets:'Lines of each set' \
        draws:'Overflow of 50 draws' offsets:'Overflow by the address' links:'Bytes on each link' slices:'Traffic of each slice'; do
        prints "plot: slices draws ${pair%%:*}" "${pair#*:}" "$ROOT/scripts/plot" --terminal slices "${pair%%:*}.tsv"
    done
    exits 2 'plot: slices of another table are refused' "$ROOT/scripts/plot" slices reads.tsv
    matches 'plot: slices of another table: the message names columns' "no table of slicemap or slicehash" err
else
    skip 'plot: slices' 'no gnuplot here'
fi
finish_tests
