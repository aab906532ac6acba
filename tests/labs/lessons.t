#!/usr/bin/env bash
# lessons.t: the commands of labs/lib/LESSONS.md run: each fenced block that is marked `sh` is one script,
# from the repository's root. On simulated and recorded machines they show what they promise.
# And labs/lib/best, which they use.
. "${0%/*}/../tap.sh"

plain_linux_alone
best() { printf "%b" "$1" | "$ROOT/labs/lib/best" "${@:2}" 2>&1 | paste -s -d ' ' - | tr '\t' ' '; }
rows='# what: old\npages\tns\tgb_per_s\n4\t3\t1\n4\t1.0006\t5\n4\t2\t3\n8\t10\t-\n# what: new\nns\tpages\n20\t8\n'
same 'best: the least time of each size, with three decimals' 'pages ns 4 1.001 8 10.000' "$(best "$rows" pages ns)"
same 'best: the median, where it is asked for' 'pages median(ns) 4 2.000 8 10.000' "$(best "$rows" pages 'median(ns)')"
same 'best: the highest rate' 'pages gb_per_s 4 5.000' "$(best "$rows" pages gb_per_s)"
same 'best: the time from a rate' 'pages 8/gb_per_s 4 1.600' "$(best "$rows" pages 8/gb_per_s)"
same 'best: by a line of metadata, with what it shows' 'what ns old 1.001 new 20.000 shown: new is 19.988 times old' \
    "$(best "$rows" what ns 'new > 10 * old')"
matches 'best: a claim that does not hold is CANNOT TELL' 'CANNOT TELL: old is 0.050 times new, not 1 ' \
    <(best "$rows" what ns 'old > 1 * new')
same 'best: ... with the note of the table, if it has one' 'CANNOT TELL: no card' "$(best '# note: no card\npages\tns\n' pages ns)"
same 'best: nothing measured is CANNOT TELL' 'CANNOT TELL: nothing was measured' "$(best 'pages\tns\n' pages ns)"
exits 2 'best: a missing column gives status 2' "$ROOT/labs/lib/best" pages

# A block that measures nothing here shows what it promises. Some promise a comparison, which labs/lib/best makes, the
# others a table.
cd "$ROOT" || exit 2
sh_blocks labs/lib/LESSONS.md
measures() { grep -qE 'bin/(chase|bandwidth|pingpong) |bin/sweep --preset|data/own\.sh|scripts/(hierarchy|nodes) |bin/machine \|' "$1"; }
: >"$TMP/recorded"
for block in "$TAP_FOLDER"/block.*; do
    ! measures "$block" || continue
    exits 0 "lessons: $(head -n 1 "$block")" bash -e -o pipefail "$block"
    same "lessons: ... each comparison is shown" "$(grep -c "labs/lib/best .* > " "$block")" "$(grep -c '^shown: ' "$TMP/out")"
    check "lessons: ... and it prints something" test -s "$TMP/out"
    cat "$TMP/out" >>"$TMP/recorded"
done
promises() { matches "lessons: $1" "$2" "$TMP/recorded"; }
promises "2: the text's second cache ends between two sizes" $'^cache\t2\t10982\t524288\t1048576'
promises '10: a card has two levels of cache' $'^cache\t2\t-\t28205\t67307\t.*gradual'
promises '10: and two of TLB' $'^dtlb\t2\t.*contiguous$'
promises '11: plateau finds eleven levels' $'^cache\t11\t'
same '11: jump finds one, in memory' 1 "$(grep -c $'^cache\t1\t1541359\t1541359' "$TMP/recorded")"
promises '11: derivative finds the first cache' $'^cache\t1\t531\t516\t614$'
promises '12: the crossing is at about 60 MiB' $'^cache\t1\t1020513\t.*\t47185920\t67108864\t'
# shellcheck disable=SC2016 # these are for awk
check 'lessons: 12: the range of caches has 96 MiB in it' awk -F '\t' '$3 == "-" && $6 <= 96 * 2 ^ 20 && $7 >= 96 * 2 ^ 20 { found = 1 }
    END { exit !found }' "$TMP/recorded"
promises '15: two kinds of core have two sizes of cache' $'^efficiency_l2_bytes\t524288'
promises '17: the claim of another kind of core' $'^cache\t1\t-\t870\t1232\t.*\t512\t-$'
promises '17: a TLB of twice the claim' $'^dtlb\t1\t72\t72\t72\tclaim_doubtful\t36$'
promises 'hit rates: those of the text make 5.42 cycles' '^5\.42 cycles$'
promises "hit rates: a TLB's second level sees what the first one missed" $'^dTLB 2\t99\.[0-9]+ % of 6[0-9]{5} hit$'
# A machine with two sockets.
printf 'core_node\tmemory_node\tns\n0\t0\t100\n0\t1\t200\n1\t0\t210\n1\t1\t101\n' >"$TMP/nodes.tsv"
sed "s,scripts/nodes[^|]*,cat '$TMP/nodes.tsv' ," "$(grep -l scripts/nodes "$TAP_FOLDER"/block.*)" >"$TMP/sockets"
matches 'lessons: 9: memory of another socket is far' '^shown: far is 2.000 times near$' <(bash "$TMP/sockets")

# Simulated results hold for every seed.
cold() { sed -n '/^bin\/plan/,/labs\/best/p' "$TAP_FOLDER"/block.* | grep -B2 '0 > 2 \* 500'; }
same 'lessons: the cold clock is simulated' 3 "$(cold | wc -l)"
for seed in {1..10}; do
    cold | sed "s/--seed 1 /--seed $seed /; s,bin/,\"\$OUT\"/,g" >"$TMP/promise"
    matches "lessons: a simulated machine shows a cold clock, with seed $seed" '^shown: ' <(bash "$TMP/promise")
done

[ -n "${LONG-}" ] || { skip 'lessons: the blocks run' 'it takes long: scripts/test --all' && finish_tests; }
for ((k = 1; ; k++)); do
    block=$TAP_FOLDER/block.$k
    [ -e "$block" ] || break
    exits 0 "lessons: block $k: $(head -n 1 "$block")" bash -e -o pipefail "$block"
    check "lessons: block $k prints something" test -s "$TMP/out"
done
same 'lessons: there are blocks for all lessons' yes "$([ "$k" -gt 18 ] && echo yes)"
same 'lessons: each lesson has its section' 18 "$(grep -cE '^## [0-9]+ ' labs/lib/LESSONS.md)"
finish_tests
