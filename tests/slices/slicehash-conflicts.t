#!/usr/bin/env bash
# slicehash-conflicts.t: slicehash conflicts and traffic against counts by awk; their pictures.
. "${0%/*}/../tap.sh"
sanitizers_suffice
hash=$ROOT/tests/data/hash-6-slices.dat grid=$ROOT/tests/data/grid-6-slices.tsv plot=$ROOT/scripts/plot
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
exits 0 'conflicts: pages are counted' conflicts --sets 128 --ways 5 --block 1024 --bytes 256K \
    --at 0x40000000,0x51230000,0x60000000,0x7fff0000
same 'conflicts: pages give the same as their lines' "$(rows sets.tsv)" "$(rows out)"
exits 0 'conflicts: offsets are compared' conflicts --sets 128 --ways 5 --bytes 64K --offsets 1G:1100M:+1M
cp out offsets.tsv
same 'conflicts: an offset has the overflow of its lines' \
    "$(conflicts --sets 128 --ways 5 --bytes 64K --block 1024 --at 0x40000000 | sed -n 's/# overflow: //p')" \
    "$(rows offsets.tsv | head -n 1 | cut -f 3)"
exits 0 'conflicts: --suggest chooses an offset' conflicts --sets 128 --ways 5 --bytes 64K --offsets 1G:1100M:+1M --suggest
same 'conflicts: --suggest chooses the minimum overflow' "$(rows offsets.tsv | sort -s -k 3,3g -k 4,4g | head -n 1)" "$(rows out)"
exits 0 'conflicts: random pages are drawn' conflicts --draws 50 --bytes 3M --ways 5
cp out draws.tsv
same 'conflicts: a row for each draw' 50 "$(rows draws.tsv | wc -l | tr -d ' ')"
check 'conflicts: draws differ' test "$(rows draws.tsv | cut -f 3 | sort -u | wc -l)" -gt 2
same 'conflicts: --suggest chooses the best draw' "$(rows draws.tsv | sort -s -k 3,3g -k 4,4g | head -n 1)" \
    "$(conflicts --draws 50 --bytes 3M --ways 5 --suggest | rows -)"
exits 0 'conflicts: --suggest chooses pages' conflicts --random-pages 20 --bytes 8M --ways 12 --suggest
chosen=$(rows out | cut -f 1 | paste -s -d , -)
check 'conflicts: the pages chosen overflow less than those drawn' \
    awk -v chosen="$(conflicts --at "$chosen" --bytes 8M | sed -n 's/# overflow: //p')" \
    -v drawn="$(conflicts --random-pages 20 --bytes 8M | sed -n 's/# overflow: //p')" 'BEGIN { exit !(chosen < drawn) }'
exits 2 'conflicts: too few pages are refused' conflicts --random-pages 2 --bytes 8M
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
exits 0 'traffic: without cores all take alike' slicehash traffic --hash "$hash" --grid "$grid" map.tsv
sed 's/^5/9/' "$grid" >lacks.tsv
exits 2 'traffic: a grid that lacks a slice is refused' slicehash traffic --hash "$hash" --grid lacks.tsv map.tsv
matches 'traffic: a grid that lacks a slice: it is named' 'slice.* 5.* not on the grid' err

# ---- pictures ----

if command -v gnuplot >/dev/null; then
    slicehash random --slices 6 --lines 64 --seed 1 >hash.tsv
    for pair in map:'Slices of the lines from 0x000040000000 on' hash:'Address bits' sets:'Lines of each set' \
        draws:'Overflow of 50 draws' offsets:'Overflow by the address' links:'Bytes on each link' slices:'Traffic of each slice'; do
        exits 0 "plot: slices draws ${pair%%:*}" "$plot" slices "${pair%%:*}.tsv"
        check "plot: slices: ${pair%%:*} is a PNG" is_png out
        exits 0 "plot: slices draws ${pair%%:*} in characters" "$plot" --terminal slices "${pair%%:*}.tsv"
        matches "plot: slices: ${pair%%:*} has its title" "${pair#*:}" out
    done
    exits 2 'plot: slices of another table are refused' "$plot" slices reads.tsv
    matches 'plot: slices of another table: the message names columns' "no table of slicemap or slicehash" err
else
    skip 'plot: slices' 'no gnuplot here'
fi
finish_tests
