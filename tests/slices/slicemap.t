#!/usr/bin/env bash
# slicemap.t: the measuring program on simulated machines: maps, contention, moving pages, killed and
# resumed; the events of recorded machines; what it says where something is missing.
. "${0%/*}/../tap.sh"
sanitizers_suffice
data=$ROOT/tests/data hash=$ROOT/tests/data/hash-6-slices.dat uncore=$ROOT/tests/machines/uncore
cd "$TMP" || exit 2
simulated() { slicemap --simulate "$hash" --seed 1 --buffer 1M --page-size 64K "$@"; }
names() { (cd "$1" && find . -name '*.map' | sort); }

exits 0 'slicemap: a simulated machine is mapped' simulated
cp out quiet.tsv
same 'slicemap: every line has a row' 16384 "$(rows out | wc -l | tr -d ' ')"
same 'slicemap: the header has its columns' "$(printf 'paddr\tslice\tcount\tshare')" "$(grep -v '^#' out | head -n 1)"
exits 0 'slicemap: slicehash finds that all slices are right' slicehash check --hash "$hash" quiet.tsv
same 'slicemap: the metadata say which event is believed' 'event=lookups' "$(sed -n 's/^# event: //p' quiet.tsv)"
matches 'slicemap: the metadata say why' '^# event_why: one slice counted 1\.00 lookups per load, on 8 of 8' quiet.tsv
exits 0 'slicemap: contention is measured through' simulated --background 0.05 --bursts 0.2
same 'slicemap: contention costs no answer' "$(rows quiet.tsv | cut -f 1,2)" "$(rows out | cut -f 1,2)"
exits 0 'slicemap: pages that move are measured anew' simulated --moves 3
cp out moved.tsv
exits 0 'slicemap: pages that moved have their slices, at the new address' slicehash check --hash "$hash" moved.tsv
same 'slicemap: pages that moved are other pages' 11 \
    "$(comm -12 <(rows quiet.tsv | cut -c 1-10 | sort -u) <(rows moved.tsv | cut -c 1-10 | sort -u) | wc -l | tr -d ' ')"
for counters in 1 4 5; do
    exits 0 "slicemap: six slices are counted by $counters counters" simulated --counters $counters
    same "slicemap: six slices, $counters counters: each line has its slice" "$(rows quiet.tsv | cut -f 1,2)" "$(rows out | cut -f 1,2)"
done
same 'slicemap: the metadata say how many are counted at once' 3 "$(sed -n 's/^# slices_at_once: //p' out)"
exits 1 'slicemap: a slice that counts nothing gives status 1' simulated --uncounted 1
same 'slicemap: a slice that counts nothing: its lines are missing, no other line is' \
    "$(rows quiet.tsv | awk '{ print $1, $2 == 0 ? "-" : $2 }')" "$(rows out | awk '{ print $1, $2 }')"
exits 0 'slicemap: --max-pages ends after that many' simulated --max-pages 3
same 'slicemap: --max-pages: three pages of 1024 lines' 3072 "$(rows out | wc -l | tr -d ' ')"

# ---- binary maps, resumed ----

whole() { slicemap --simulate "$hash" --seed 2 --buffer 24M --quiet --raw "$@"; }
exits 0 'slicemap: --raw writes binary maps' whole undisturbed
same 'slicemap: --raw has a row for each page' "$(rows out | cut -f 1 | sort)" \
    "$(names undisturbed | sed 's/.*_\(0x[0-9a-f]*\)\.map/\1/')"
for ((k = 1; k <= 10; k++)); do
    slicemap --simulate "$hash" --seed 2 --buffer 24M --quiet --raw killed --bursts 0.02 >log 2>&1 &
    sleep "0.0$((RANDOM % 40 + 10))"
    kill -9 $! 2>>log
    wait $! 2>>log
done
exits 0 'slicemap: killed ten times, it is resumed' whole killed
same 'slicemap: killed ten times, it has all pages' "$(names undisturbed)" "$(names killed)"
for map in undisturbed/*.map; do cmp "$map" "killed/${map#*/}" || echo "$map"; done >differ 2>&1
same 'slicemap: killed ten times, the maps are those of an undisturbed run' '' "$(cat differ)"
exits 0 'slicemap: with all maps there it measures nothing' whole killed
same 'slicemap: with all maps there it writes no row' '' "$(rows out)"
first=$(find killed -name '*.map' | sort | head -n 1)
head -c 100 "$first" >shorter
cp shorter "$first"
exits 0 'slicemap: a map that is cut is measured again' whole killed
check 'slicemap: a map that is cut is whole again' cmp "$first" "undisturbed/${first#*/}"

# ---- recorded machines ----

config() { # MACHINE EVENT: type, cpu, config, config1 of the last slice
    slicemap --events --sysroot "$uncore/$1.txt" | awk -F '\t' -v event="$2" 'index($3, event) == 1 { last = $4 " " $5 " " $6 " " $7 } END { print last }'
}
same 'slicemap: the event of Skylake servers' '16 0 0x350 0x0' "$(config skylake-sp event=0x50)"
same 'slicemap: the other event of Skylake servers has the filter of states' '16 0 0x334 0x7fe0000' \
    "$(config skylake-sp event=0x34,umask=0x03,filter)"
same 'slicemap: Ice Lake servers have no such filter' '- - - -' "$(config ice-lake-sp event=0x34,umask=0x03,filter)"
same 'slicemap: a long umask goes to both ranges of its format' '27 0 0x1bc10000ff34 0x0' \
    "$(config ice-lake-sp event=0x34,umask=0x1b)"
same 'slicemap: a unit that is switched off leaves its number out' 'uncore_cha_0 uncore_cha_1 uncore_cha_3 uncore_cha_4' \
    "$(slicemap --events --sysroot "$uncore/ice-lake-sp.txt" | awk '/event=0x50/ { print $2 }' | paste -s -d ' ' -)"
same 'slicemap: the event of Sapphire Rapids' '43 0 0x350 0x0' "$(config sapphire-rapids event=0x50)"
same 'slicemap: the event of client processors' '9 0 0x8f34 0x0' "$(config client event=0x34,umask=0x8f)"
same 'slicemap: AMD family 17h selects a slice by a mask' '9 0 0xff0800000000ff04 0x0' "$(config amd-17h event=0x04)"
same 'slicemap: AMD family 19h selects a slice by its number' '12 0 0x30780000000ff04 0x0' "$(config amd-19h event=0x04,umask=0xff)"
cp "$uncore/amd-19h.txt" complexes.txt
for cpu in 0:0-7 8:8-15 12:8-15; do
    printf '/sys/devices/system/cpu/cpu%s/cache/index3/shared_cpu_list\t%s\n' "${cpu%:*}" "${cpu#*:}"
done >>complexes.txt
same 'slicemap: AMD: the counters are those of the L3 that the core shares' '0 8' \
    "$(for core in 0 12; do slicemap --events --cpu $core --sysroot complexes.txt | awk '/event=0x04/ { print $5; exit }'; done | paste -s -d ' ' -)"
sed '/uncore_cha_0.format.umask	/s/	.*/	config:63-60/' "$uncore/skylake-sp.txt" >odd
exits 0 'slicemap: a format that makes no sense is reported' slicemap --events --sysroot odd
matches 'slicemap: a format that makes no sense is named' "uncore_cha_0/format/umask is 'config:63-60'" out

# ---- what is refused ----

mkdir empty
exits_saying 2 'slicemap: no counters give status 2' '^slicemap: no counters of L3 slices' slicemap --events --sysroot empty
same 'slicemap: no counters: it is one line' 1 "$(wc -l <err | tr -d ' ')"
exits 2 'slicemap: --raw of small pages is refused' simulated --raw small
for core in 0zz 0x 1k '' 9999999; do
    exits 2 "slicemap: '$core' is no core" simulated --max-pages 1 --cpu "$core"
done
exits 0 'slicemap: 0 is a core' simulated --max-pages 1 --cpu 0
exits 2 'slicemap: a recorded machine is not measured' slicemap --sysroot "$uncore/skylake-sp.txt"
exits 2 'slicemap: a hash that is none is refused' slicemap --simulate "$data/zen4.tsv"
finish_tests
