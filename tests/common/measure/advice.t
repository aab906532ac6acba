#!/usr/bin/env bash
# advice.t: a refusal by the system of advice on memory is reported, and so is an option that would be of no
# effect.
. "${0%/*}/../../tap.sh"
plain_linux_alone
shim=$TAP_FOLDER/allocation.so # LD_PRELOAD ends a name at a space
cp "$ROOT/bin/.obj/plain/tests/allocation.so" "$shim"
quick=(--quiet --samples 1 --loads 1000)

# refused ADVICE COMMAND...
refused() {
    local advice=$1
    shift
    env ADVICE_FAILS="$advice" LD_PRELOAD="$shim" "$@"
}

exits_saying 0 'sweep --density goes on where MADV_WILLNEED is refused' '^sweep: .*MADV_WILLNEED.: Cannot allocate memory' \
    refused 3 sweep "${quick[@]}" --density low --buffer 32M
exits 0 'chase goes on where MADV_NOHUGEPAGE is refused' refused 15 chase "${quick[@]}" --pages 16
if [ -r /sys/kernel/mm/transparent_hugepage/enabled ]; then
    matches 'the samples record that MADV_NOHUGEPAGE is refused' \
        'no \(madvise.MADV_NOHUGEPAGE.: Cannot allocate memory' "$TMP/out"
fi
if grep -q '\[\(always\|madvise\)\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; then
    exits 0 'chase goes on where MADV_HUGEPAGE is refused' \
        refused 14 chase "${quick[@]}" --pages 16 --backing contiguous
    lacks 'a refused hint does not claim that huge pages are off' \
        'switched off' "$TMP/out"
else
    skip 'MADV_HUGEPAGE is refused' 'huge pages are switched off here'
fi
for option in '--backing contiguous' '--page-size 2M' '--kernel write' '--preset walk' '--pages 16'; do
    # shellcheck disable=SC2086 # two words
    exits 2 "sweep --density refuses $option" plan --density low --buffer 32M $option
    matches "sweep --density says that it fixes what $option asks for" "^plan: --density does not go with ${option% *}" "$TMP/err"
done
finish_tests
