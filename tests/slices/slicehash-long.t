#!/usr/bin/env bash
# slicehash-long.t: hashes at random are found again byte for byte from maps of random pages: of any number
# of slices, clean and with up to 30 % of wrong entries, with missing entries and a mislabelled page; and how
# long that takes. tests/slices/test_slice_solve.c has linear ones, and those with symmetries.
. "${0%/*}/../tap.sh"
long_test
plain_linux_alone
cd "$TMP" || exit 2

# draw SEED: sets the options of a random hash and of its maps. 24 pages do for 1 %, 48 for 30 %.
draw() {
    RANDOM=$1
    lines=$((16 << RANDOM % 11)) flaws=$((RANDOM % 4)) missing=$((RANDOM % 3 * 15))
    slices=$((2 + RANDOM % 63)) mislabelled=$((RANDOM % 4 == 0))
    [ "$slices" -le $((lines / 16)) ] || slices=$((2 + RANDOM % 3))
    wrongs=(0 1 10 30) pages=(32 32 32 48)
}

# spoil FOLDER WRONG MISSING SLICES SEED: this share of the bytes of binary maps is another slice, or 255: none.
spoil() {
    perl -e 'my ($folder, $wrong, $missing, $slices, $seed) = @ARGV; srand $seed; $/ = undef;
        for my $file (sort glob "$folder/*.map") {
            open my $in, "<", $file or die; my @lines = unpack "C*", <$in>;
            for (@lines) {
                $_ = ($_ + 1 + int rand($slices - 1)) % $slices if rand() * 100 < $wrong;
                $_ = 255 if rand() * 100 < $missing;
            }
            open my $out, ">", $file or die; print $out pack "C*", @lines;
        }' "$@"
}

for seed in $(seq 1 60); do
    draw "$seed"
    name="$slices slices of $lines lines, ${wrongs[flaws]} % wrong, $missing % missing (seed $seed)"
    rm -rf maps
    slicehash random --slices "$slices" --lines "$lines" --seed "$seed" --format published >hash.txt || continue
    slicehash predict --hash hash.txt --random-pages "${pages[flaws]}" --seed "$seed" --raw maps
    spoil maps "${wrongs[flaws]}" "$missing" "$slices" "$seed"
    exits 0 "slicehash-long: $name: are solved" slicehash solve --raw maps --format published
    same "slicehash-long: $name: give the same hash" "$(cat hash.txt)" "$(cat out)"
    [ "$mislabelled" = 1 ] || continue
    page=$(find maps -name '*.map' | sort | sed -n 5p) other=$(find maps -name '*.map' | sort | sed -n 9p)
    cp "$other" "$page"
    slicehash solve --raw maps >out 2>err
    page=${page##*/PADDR_}
    # If nothing distinguishes two pages, naming both is also an answer.
    if grep -q 'one of several' err; then
        matches "slicehash-long: $name: a mislabelled page is among those that are named" "${page%.map}: not believed" err
    elif ! cmp -s <(slicehash predict --hash hash.txt --block 16 --at "${page%.map}" | tail -n 16 | cut -f 2) \
        <(slicehash predict --hash hash.txt --block 16 --at "0x${other#*_0x}" 2>/dev/null | tail -n 16 | cut -f 2); then
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
