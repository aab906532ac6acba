#!/usr/bin/env bash
# slicehash.t: hashes made at random are found again through files and pipes; what it says and does
# where that is not possible. tests/slices/test_slice_solve.c has the many kinds of hash.
. "${0%/*}/../tap.sh"
sanitizers_suffice
data=$ROOT/tests/data
cd "$TMP" || exit 2

# spoil PERCENT SLICES: this share of the entries has a random slice.
spoil() {
    awk -v percent="$1" -v slices="$2" 'BEGIN { FS = OFS = "\t"; srand(1) }
        /^0x/ && rand() * 100 < percent { $2 = int(rand() * slices) } { print }'
}
meta() { sed -n "s/^# $1: //p" "$2" | tail -n 1; }

# ---- there and back ----

slicehash random --slices 6 --block 64 --highest-bit 30 --seed 3 >hash.tsv
slicehash random --slices 6 --block 64 --highest-bit 30 --seed 3 --format published >hash.txt
slicehash predict --hash hash.tsv --block 1024 --at random:48 --seed 1 | spoil 1.2 6 >maps.tsv
exits 0 'slicehash: solve finds a hash' slicehash solve maps.tsv
cp out solved.tsv
same 'slicehash: solve finds the same hash' "$(rows hash.tsv)" "$(rows solved.tsv)"
same 'slicehash: solve says how long the base is, and of how many slices' '6 64 12 30' \
    "$(meta slices solved.tsv) $(meta base_lines solved.tsv) $(meta lowest_bit solved.tsv) $(meta highest_bit solved.tsv)"
exits 0 'slicehash: solve --format published finds it too' slicehash solve --format published maps.tsv
same 'slicehash: solve --format published writes what random writes' "$(cat hash.txt)" "$(cat out)"
matches 'slicehash: the published form has 14 masks, each followed by a blank' '^(0x[0-9a-f]+ ){14}$' out

{ grep -v '^[0#]' maps.tsv && grep '^0' maps.tsv | sort -R; } >shuffled.tsv
exits 0 'slicehash: solve takes lines in any order' slicehash solve shuffled.tsv
same 'slicehash: solve finds the same from lines in any order' "$(rows hash.tsv)" "$(rows out)"
awk '/^0/ { $2 = ($2 + 2) % 6 } { print }' OFS='\t' FS='\t' maps.tsv >permuted.tsv
slicehash solve permuted.tsv >out
same 'slicehash: other names of the slices give the same hash with those' \
    "$(rows hash.tsv | awk '$1 == "base" { $3 = ($3 + 2) % 6 } { print $1, $2, $3 }')" "$(rows out | tr '\t' ' ')"

slicemap --quiet --simulate hash.tsv --raw raw --buffer 32M --loads 10 --seed 2 >out
exits 0 'slicehash: solve reads a folder of binary maps' slicehash solve raw --format published
same 'slicehash: solve finds the hash of a folder' "$(cat hash.txt)" "$(cat out)"
mkdir half && find raw -name '*.map' | sort | sed 6q | while read -r map; do mv "$map" half; done
slicehash predict --hash hash.tsv --at "$(cd half && printf '%s\n' *.map | sed 's/PADDR_//; s/\.map//' | paste -s -d , -)" >half.tsv
exits 0 'slicehash: solve reads a folder and a table' slicehash solve raw half.tsv --format published
same 'slicehash: solve finds the hash of a folder and a table' "$(cat hash.txt)" "$(cat out)"
mv half/*.map raw
exits 0 'slicehash: check finds no disagreement' slicehash check --hash hash.txt raw
same 'slicehash: check without disagreements writes the header alone' '' "$(rows out)"
exits 0 'slicehash: check takes a table for a hash' slicehash check --hash - raw <hash.tsv

# ---- predict, check ----

printf 'paddr\tname\n0x4000\ta\n16448\tb\n' >addresses.tsv
exits 0 'slicehash: predict takes addresses in hexadecimal and decimal' slicehash predict --hash hash.txt addresses.tsv
same 'slicehash: predict gives the slices that the base and masks say' "$(
    awk 'NR <= 64 { base[NR - 1] = $1 } NR == 66 { split($0, mask) } END { print base[0] base[1] }' hash.txt
)" "$(slicehash predict --hash hash.txt --block 16 --at 0 | rows - | head -n 2 | cut -f 2 | paste -s -d '' -)"
change slice '"-"' maps.tsv >none.tsv
exits 1 'slicehash: maps without any slice are not solved' slicehash solve none.tsv
slicehash predict --hash hash.tsv --block 1024 --at random:48 --seed 1 >clean.tsv
# shellcheck disable=SC2016 # of change
change slice '5 - $column' clean.tsv 'NR % 1000 == 999' >wrong.tsv
exits 1 'slicehash: check of maps with wrong entries gives status 1' slicehash check --hash hash.tsv wrong.tsv
same 'slicehash: check lists just those, with the slice expected' \
    "$(rows clean.tsv | paste - <(rows wrong.tsv) | awk '$2 != $4 { print $1, $4, $2 }' | sort)" "$(rows out | tr '\t' ' ' | sort)"
matches 'slicehash: check says how many' ' of 49152 lines disagree' err

# ---- too little, or wrong ----

slicehash predict --hash hash.tsv --block 1024 --at random:9 --seed 1 >few.tsv
exits 1 'slicehash: too few blocks give status 1' slicehash solve few.tsv
cp out few-hash.tsv
matches 'slicehash: too few blocks: names the undetermined bits and pages that would settle them' \
    'address bits .* undetermined: [0-9]+ more pages would settle them, such as 0x' err
same 'slicehash: too few blocks: the metadata say the same' \
    "$(sed -n 's/.*address bits \(.*\) are und.*/\1/p' err | sed 's/ and /,/; s/, /,/g')" "$(meta undetermined_bits out)"
exits 1 'slicehash: too few blocks: nothing is written as published' slicehash solve --format published few.tsv
same 'slicehash: too few blocks: nothing at all' '' "$(cat out)"
exits 0 'slicehash: too few blocks: the hash holds for these' slicehash check --hash few-hash.tsv few.tsv
pages=$(meta pages_to_measure few-hash.tsv | tr ' ' ,)
exits 1 'slicehash: too few blocks: no slice is predicted for others' \
    slicehash predict --hash few-hash.tsv <(echo paddr && meta pages_to_measure few-hash.tsv | tr ' ' '\n')
same 'slicehash: too few blocks: none of them has a slice' '-' "$(rows out | cut -f 2 | sort -u)"
slicehash predict --hash hash.tsv --block 1024 --at "$pages" >more.tsv
exits 0 'slicehash: those pages settle the rest' slicehash solve --highest-bit 30 few.tsv more.tsv
same 'slicehash: those pages settle the hash' "$(rows hash.tsv)" "$(rows out)"

slicehash predict --hash hash.tsv --block 32 --at random:100 --seed 1 >short.tsv
exits_saying 1 'slicehash: blocks shorter than the base give status 1' 'larger blocks needed' slicehash solve short.tsv
same 'slicehash: blocks shorter than the base: nothing is guessed' '' "$(cat out)"

# The lines of the first block are those of another.
slicehash predict --hash hash.tsv --block 1024 --at random:48 --seed 1 >clean.tsv
{ head -n "$(grep -c '^[#p]' clean.tsv)" clean.tsv
    paste <(rows clean.tsv | head -n 1024 | cut -f 1) <(slicehash predict --hash hash.tsv --block 1024 --at 0x12340000 | rows - | cut -f 2)
    rows clean.tsv | tail -n +1025; } >mislabelled.tsv
exits 1 'slicehash: a mislabelled block gives status 1' slicehash solve mislabelled.tsv
same 'slicehash: a mislabelled block is named' "$(rows maps.tsv | head -n 1 | cut -f 1)" \
    "$(sed -n 's/slicehash: \(0x[0-9a-f]*\): not believed: mislabelled.*/\1/p' err)"
same 'slicehash: a mislabelled block is not believed' "$(rows hash.tsv)" "$(rows out)"

for ((k = 0; k < 20; k++)); do printf '0x12%02x0000,0x55%02x0000,' $((k * 37 % 256)) $((k * 101 % 256)); done >pages
slicehash predict --hash hash.tsv --block 1024 --at "$(sed 's/,$//' pages)" >partial.tsv
sed -i '1i # paddr_bits: 24' partial.tsv
exits 1 'slicehash: address bits that are not known leave the base open' slicehash solve partial.tsv
same 'slicehash: address bits that are not known: the masks of the others are found' \
    "$(rows hash.tsv | awk '$1 == "mask" { print $3 }' | while read -r mask; do printf '0x%x\n' $((mask & 0xffffff)); done)" \
    "$(rows out | awk '$1 == "mask" { print $3 }')"

cp -R raw broken
first=$(find broken -name '*.map' | sort | head -n 1)
head -c 1000 "$first" >shorter
mv shorter "$first"
exits_saying 1 'slicehash: a binary map that is cut gives status 1' "${first##*/}: left out: " slicehash solve broken
same 'slicehash: a binary map that is cut: the others are enough' "$(rows hash.tsv)" "$(rows out)"

# ---- what is refused ----

is_refused 'no command' 'which command' slicehash
is_refused 'an unknown command' "no command 'sove'" slicehash sove
is_refused 'an option of another command' '--slices does not go with solve' slicehash solve --slices 3 maps.tsv
is_refused 'a hash that is not named' 'which hash' slicehash predict addresses.tsv
is_refused 'a folder without maps' 'no maps' slicehash solve "$TMP"
is_refused 'a folder beside partial addresses' 'raw: binary maps have full addresses' slicehash solve partial.tsv raw
is_refused 'more pages than there are' '5 blocks are too many: below address bit 23 there are only 3' \
    slicehash predict --hash hash.txt --at random:5 --highest-bit 22
is_refused 'no number of pages' 'random:N, a number of pages' slicehash predict --hash hash.txt --at random:x
is_refused 'an address that is missing' "'': expected the address of a block" slicehash predict --hash hash.txt --at 0x200000,
is_refused 'an address within a block' 'the address of a block of 16 lines' slicehash predict --hash hash.txt --block 16 --at 0x40
is_refused 'a block that is no power of two' 'power of two' slicehash solve --block 48 maps.tsv
printf 'paddr\tslice\n0x4000\t128\n' >bad.tsv
is_refused 'a slice of 128' "bad.tsv:2: column 'slice': '128'" slicehash solve bad.tsv
printf 'paddr\tslice\n0x40g0\t1\n' >bad.tsv
is_refused 'an address that is none' "bad.tsv:2: column 'paddr': '0x40g0'" slicehash solve bad.tsv
printf 'paddr\tslice\n0xfffffffffffff\t1\n0x10000000000000\t1\n' >bad.tsv
is_refused 'an address of 53 bits' "bad.tsv:3: column 'paddr'" slicehash solve bad.tsv
head -n 60 hash.txt >bad.txt
is_refused 'a published base without masks' 'no masks' slicehash predict --hash bad.txt addresses.tsv
{ head -n 60 hash.txt && tail -n 2 hash.txt; } >bad.txt
is_refused 'a base of 60 lines' 'not a power of two' slicehash predict --hash bad.txt addresses.tsv
grep -v '	17	' hash.tsv >bad.tsv
is_refused 'a hash that lacks a line' 'no power of two|lacks line 17' slicehash predict --hash bad.tsv addresses.tsv
is_refused 'more slices than lines' 'too few' slicehash random --slices 20 --block 16
same 'slicehash: the shipped hash is what its page says' "$(cat "$data/hash-6-slices.dat")" \
    "$(slicehash random --slices 6 --block 16 --highest-bit 30 --seed 2 --format published)"

# ---- many pages ----

if [ -z "${LONG-}" ] || [ "$VARIANT" != plain ] || [ ! -x /usr/bin/time ]; then finish_tests; fi
slicehash random --slices 60 --block 16k --seed 1 --format published >hash.txt
slicemap --quiet --simulate hash.txt --raw many --buffer 2000M --loads 10 --seed 1 >out
exits 0 'slicehash: 1000 pages are solved' /usr/bin/time -o held -f %M slicehash solve many --format published
same 'slicehash: 1000 pages give the same hash' "$(cat hash.txt)" "$(cat out)"
check 'slicehash: 1000 pages take no more than twice the memory of their maps' test "$(cat held)" -le 64000
finish_tests
