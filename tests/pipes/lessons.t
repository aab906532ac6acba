#!/usr/bin/env bash
# lessons.t: the commands of labs/LESSONS.md run: each fenced block that is marked `sh` is one script,
# from the repository's root.
# And labs/best, which they use.
. "${0%/*}/tap.sh"

[ "$VARIANT" = plain ] || skip_all 'the plain build stands for all'
best() { printf "%b" "$1" | "$ROOT/labs/best" "${@:2}" 2>&1 | paste -s -d ' ' - | tr '\t' ' '; }
rows='# what: old\npages\tns\tgb_per_s\n4\t3\t1\n4\t1.0006\t5\n4\t2\t3\n8\t10\t-\n# what: new\nns\tpages\n20\t8\n'
same 'best: the least time of each size, with three decimals' 'pages ns 4 1.001 8 10.000' "$(best "$rows" pages ns)"
same 'best: the median, where it is asked for' 'pages median(ns) 4 2.000 8 10.000' "$(best "$rows" pages 'median(ns)')"
same 'best: the highest rate' 'pages gb_per_s 4 5.000' "$(best "$rows" pages gb_per_s)"
same 'best: the time from a rate' 'pages 8/gb_per_s 4 1.600' "$(best "$rows" pages 8/gb_per_s)"
same 'best: by a line of metadata, with what it shows' 'what ns old 1.001 new 20.000 shown: new is 19.988 times old' \
    "$(best "$rows" what ns 'new > 10 * old')"
matches 'best: a claim that does not hold is CANNOT TELL' 'CANNOT TELL: old is 0.050 times new, not 1 ' \
    <(best "$rows" what ns 'old > 1 * new')
same 'best: nothing measured is CANNOT TELL' 'CANNOT TELL: nothing was measured' "$(best 'pages\tns\n' pages ns)"
exits 2 'best: a missing column gives status 2' "$ROOT/labs/best" pages

# What a lesson promises of a simulated machine holds for every seed. A command ends in the line with
# labs/best, and begins with sweep --plan.
cd "$ROOT" || exit 2
promises() { sed -n '/^bin\/sweep --plan/,/labs\/best/p' labs/LESSONS.md; }
same 'lessons: there is a promise of a simulated machine' 1 "$(promises | grep -c ' > ')"
for seed in {1..10}; do
    promises | sed "s/--seed 1 /--seed $seed /; s,bin/,\"\$OUT\"/,g" >"$TMP/promise"
    matches "lessons: a simulated machine shows what is promised, with seed $seed" '^shown: ' <(bash "$TMP/promise")
done

[ "$PLATFORM" != none ] || skip_all 'nothing can be measured here'
[ -n "${LONG-}" ] || { skip 'lessons: the blocks run' 'it takes long: scripts/test --all' && finish_tests; }
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
