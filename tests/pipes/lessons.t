#!/usr/bin/env bash
# lessons.t: the commands of labs/LESSONS.md run: each fenced block that is marked `sh` is one script,
# from the repository's root.
. "${0%/*}/tap.sh"

if [ "$VARIANT" != plain ] || [ "$PLATFORM" = none ] || [ -z "${LONG-}" ]; then
    skip 'the commands of LESSONS.md' 'they measure for half a minute: scripts/test --all'
    finish_tests
fi
cd "$ROOT" || exit 2
awk -v folder="$TAP_FOLDER" '
    /^```sh$/ { inside = 1; n++; next }
    /^```/ { inside = 0 }
    inside { print >(folder "/block." n) }' labs/LESSONS.md
for ((k = 1; ; k++)); do
    block=$TAP_FOLDER/block.$k
    [ -e "$block" ] || break
    exits 0 "block $k: $(head -n 1 "$block")" bash -e -o pipefail "$block"
    check 'and it prints something' test -s "$TMP/out"
done
same 'there are blocks for all lessons' yes "$([ "$k" -gt 18 ] && echo yes)"
same 'and a section for each' 18 "$(grep -cE '^## [0-9]+ ' labs/LESSONS.md)"
finish_tests
