#!/usr/bin/env bash
# readme.t: the commands of README.md run. Each fenced block that is marked `sh` is one script; the first
# sets up the shell, the others run after it, in their order and in one folder, since a later one may read
# what an earlier one wrote. A command that measures may give a negative answer (1), the others must end with
# 0. They print something, read no file that none of them made, leave no empty file, and change nothing
# outside their folder. What the page shows of a recorded machine is what the programs print.
. "${0%/*}/../tap.sh"

[ "$VARIANT" != asan ] ||
    skip_all 'the plain build runs them; each program has sanitized tests of its own'

tree=$TMP/tree
mkdir "$tree" "$tree/bin"
cp -RL "$ROOT/scripts" "$ROOT/plots" "$tree"
ln -s "$ROOT/tests" "$tree/tests"
contents() { (cd "$tree" && find . -path ./bin/mine -prune -o -type f -exec cksum {} +) | sort; }
before=$(contents)
sh_blocks "$ROOT/README.md"

# Briefly, sweep shows that it is called right.
programs=$OUT
if [ -z "${LONG-}" ]; then
    # shellcheck disable=SC2016 # it is sh that expands them
    printf '#!/bin/sh\n"%s" "$@" --budget 1\n' "$OUT/sweep" >"$TAP_FOLDER/sweep"
    chmod +x "$TAP_FOLDER/sweep"
    programs=$TAP_FOLDER:$OUT
fi

# run_block BLOCK WORST: ends with the first status above WORST. Its own setting of PATH comes first.
run_block() {
    (cd "$tree" && bash -c 'set -E -o pipefail; . "$1"; PATH=$2:$PATH
        trap "s=\$?; [ \$s -le $4 ] || exit \$s" ERR; . "$3"; exit 0' \
        sh "$TAP_FOLDER/block.1" "$programs" "$1" "$2" </dev/null)
}

# files: those that a script names, in their order, each behind what it is: `made`, or `read`.
files() {
    grep -oE '(>|tee |--output |-o |TLBLAB_TRACE=|)[A-Za-z0-9._/-]+\.(tsv|trace|misses|png|json|c)\b' "$1" |
        sed -E 's/^(>|tee |--output |-o |TLBLAB_TRACE=)/made /; t; s/^/read /'
}

same 'README: the first block sets up the shell' 'mkdir -p bin/mine && cd bin/mine' "$(sed -n '2p' "$TAP_FOLDER/block.1")"
for ((k = 2; ; k++)); do
    block=$TAP_FOLDER/block.$k
    [ -e "$block" ] || break
    name="README: block $k: $(head -n 1 "$block")"
    worst=0
    ! grep -qE '^(sweep|bandwidth|pingpong)' "$block" || worst=1
    if [ "$worst" = 1 ] && [ "$PLATFORM" = none ]; then
        skip "$name" 'nothing can be measured here'
    elif [ "$PLATFORM" != linux ] && grep -q tlbcc "$block"; then
        skip "$name" 'programs are traced on Linux'
    elif [ -z "${LONG-}" ] && grep -q -- --preset "$block"; then
        skip "$name" 'it measures for a minute: scripts/test --all'
    elif grep -q 'tlblab plot' "$block" && ! command -v gnuplot >/dev/null; then
        skip "$name" 'no gnuplot here'
    else
        exits 0 "$name runs" run_block "$block" "$worst"
        check "$name prints something" test -s "$TMP/out"
        same "$name leaves no empty file" '' "$(find "$tree/bin/mine" -type f -size 0)"
        ! grep -q 'plot --output tlb.png' "$block" ||
            check 'README: the picture is made from the recorded samples' is_png "$tree/bin/mine/tlb.png"
    fi
    while read -r what file; do
        if [ "$what" = made ]; then
            made=${made-}$file$'\n'
        elif [ ! -e "$ROOT/${file#../../}" ] && ! grep -qxF -- "$file" <<<"${made-}"; then
            fail "$name reads $file, which no command before has made"
        fi
    done < <(files "$block")
done
same 'README: it has blocks to run' yes "$([ "$k" -gt 5 ] && echo yes)"
same 'README: the commands change nothing of the tree' "$before" "$(contents)"

# The answer at its top, and the picture above it, are those of a recorded machine.
recorded=$ROOT/tests/machines/intel-xeon-guest/laps.tsv
# shellcheck disable=SC2016 # backquotes of Markdown
same 'README: it shows what detect prints' "$(detect --claims --pretty "$recorded" 2>/dev/null)" \
    "$(sed -n '/^```console/,/^```$/p' "$ROOT/README.md" | sed '1,2d;$d')"
check 'README: it is short' test "$(wc -w <"$ROOT/README.md")" -le 1400

grep -oE '\]\[[^]]*\]|[^])]\[[^]]*\] \|' "$ROOT/README.md" | grep -oE '\[[^]]*\]( \|)?$' | sed 's/ |$//' | sort -u >"$TMP/names"
while IFS= read -r source; do
    check "README: the source $source has an address" grep -qF -- "$source: https://" "$ROOT/README.md"
done <"$TMP/names"
grep -oE '\]\([^)]*\)' "$ROOT/README.md" | sed 's/^](//; s/)$//' | sort -u >"$TMP/links"
while IFS= read -r link; do
    check "README: the link $link leads to a file" test -e "$ROOT/$link"
done <"$TMP/links"
finish_tests
