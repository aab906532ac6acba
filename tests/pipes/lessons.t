#!/usr/bin/env bash
# lessons.t: the commands of labs/LESSONS.md run: each fenced block that is marked `sh` is one script,
# from the repository's root.
. "${0%/*}/tap.sh"

[ "$VARIANT" = plain ] || skip_all 'the plain build stands for all'
[ "$PLATFORM" != none ] || skip_all 'nothing can be measured here'
long_test
cd "$ROOT" || exit 2
sh_blocks labs/LESSONS.md
for ((k = 1; ; k++)); do
    block=$TAP_FOLDER/block.$k
    [ -e "$block" ] || break
    exits 0 "lessons: block $k: $(head -n 1 "$block")" bash -e -o pipefail "$block"
    check "lessons: block $k prints something" test -s "$TMP/out"
done
same 'lessons: there are blocks for all lessons' yes "$([ "$k" -gt 18 ] && echo yes)"
same 'lessons: each lesson has its section' 18 "$(grep -cE '^## [0-9]+ ' labs/LESSONS.md)"
finish_tests
