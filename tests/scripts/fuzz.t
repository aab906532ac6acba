#!/usr/bin/env bash
# fuzz.t: a few broken traces; scripts/test --all tables tries many more, and tables. Then the inputs that a
# fuzzer learnt, and all that it ever found; scripts/test --all fuzz looks for more.
. "${0%/*}/../tap.sh"
sanitizers_suffice
exits 0 'tlbsim, misses: broken traces are read or refused' "$ROOT/tests/fuzz/traces" "$([ "$VARIANT" = asan ] && echo 32 || echo 16)" # sanitizers see more
diagnose <"$TMP/out"

objects=$OUT/.obj/plain
[ -d "$objects" ] || objects=$OUT/..
for corpus in "$ROOT"/tests/fuzz/corpus/*; do
    target=${corpus##*/}
    if [ -x "$objects/tests/fuzz/targets/$target" ]; then
        mkdir "$TMP/$target"
        check "$target: it has inputs" "$ROOT/tests/fuzz/seeds" "$target" "$TMP/$target"
        # A read that ends early does not free its memory.
        check "$target: no input of the corpus is a finding" env ASAN_OPTIONS=detect_leaks=0 "$objects/tests/fuzz/targets/$target" "$TMP/$target"/*
    else
        skip "$target: no input of the corpus is a finding" 'it is built on Linux'
    fi
done
finish_tests
