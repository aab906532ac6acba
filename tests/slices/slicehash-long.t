#!/usr/bin/env bash
# slicehash-long.t: hashes of all kinds, at random, are found again byte for byte from binary maps of
# random pages: linear or not, with symmetries and near symmetries, of any number of slices, clean and
# with up to 30 % of wrong entries, with missing entries and a mislabelled page; and how long that takes.
. "${0%/*}/../tap.sh"
long_test
plain_linux_alone
cd "$TMP" || exit 2

# draw SEED: sets the options of a random hash and of its maps. 24 pages do for 1 %, 48 for 30 %.
draw() {
    RANDOM=$1
    lines=$((16 << RANDOM % 11)) kind=$((RANDOM % 3)) flaws=$((RANDOM % 4)) missing=$((RANDOM % 3 * 15))
    slices=$((2 + RANDOM % 63)) mislabelled=$((RANDOM % 4 == 0))
    [ "$slices" -le $((lines / 16)) ] || slices=$((2 + RANDOM % 3))
    case $kind in
    0) options=(--slices $((2 << RANDOM % 4)) --linear) ;;
    1) options=(--slices "$slices" --symmetries $((1 << RANDOM % 2)) --near-symmetries $((1 << RANDOM % 2))) ;;
    *) options=(--slices "$slices") ;;
    esac
    wrongs=(0 1 10 30) pages=(32 32 32 48)
}

for seed in $(seq 1 60); do
    draw "$seed"
    name="slices of ${options[*]} --lines $lines, ${wrongs[flaws]} % wrong, $missing % missing (seed $seed)"
    rm -rf maps
    slicehash random "${options[@]}" --lines "$lines" --seed "$seed" --format published >hash.txt || continue
    slicehash predict --hash hash.txt --random-pages "${pages[flaws]}" --wrong "${wrongs[flaws]}" \
        --missing "$missing" --seed "$seed" --raw maps
    exits 0 "slicehash-long: $name: are solved" slicehash solve --raw maps --format published
    same "slicehash-long: $name: give the same hash" "$(cat hash.txt)" "$(cat out)"
    if [ "$mislabelled" = 0 ] || [ "$kind" = 0 ]; then continue; fi
    page=$(find maps -name '*.map' | sort | sed -n 5p) other=$(find maps -name '*.map' | sort | sed -n 9p)
    cp "$other" "$page"
    slicehash solve --raw maps >out 2>err
    page=${page##*/PADDR_}
    # If nothing distinguishes two pages, naming both is also an answer.
    if grep -q 'one of several' err; then
        matches "slicehash-long: $name: a mislabelled page is among those that are named" "${page%.map}: not believed" err
    elif ! cmp -s <(slicehash predict --hash hash.txt --block 16 --pages "${page%.map}" | tail -n 16 | cut -f 2) \
        <(slicehash predict --hash hash.txt --block 16 --pages "0x${other#*_0x}" 2>/dev/null | tail -n 16 | cut -f 2); then
        matches "slicehash-long: $name: a mislabelled page is named" "${page%.map}: not believed" err
    fi
done

slicehash random --slices 60 --lines 16k --seed 1 --format published >hash.txt
slicehash predict --hash hash.txt --random-pages 1000 --seed 1 --raw many
exits 0 'slicehash-long: 1000 pages are solved' slicehash solve --raw many --format published
same 'slicehash-long: 1000 pages give the same hash' "$(cat hash.txt)" "$(cat out)"
if command -v /usr/bin/time >/dev/null; then
    held=$(/usr/bin/time -f %M slicehash solve --raw many --format published 2>&1 >/dev/null)
    check 'slicehash-long: 1000 pages take no more than twice the memory of their maps' test "$held" -le 64000
else
    skip 'slicehash-long: 1000 pages take no more than twice the memory of their maps' 'no /usr/bin/time here'
fi
finish_tests
