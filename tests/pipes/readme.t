#!/usr/bin/env bash
# readme.t: the commands of README.md run. Each fenced block that is marked `sh` is one script; they
# run in their order in one folder, since a later one may read what an earlier one wrote. A block
# that measures may end with a negative answer (1), the others must end with 0.
. "${0%/*}/tap.sh"

[ "$VARIANT" != asan ] ||
    skip_all 'the plain build runs them; each program has sanitized tests of its own'

cp -R "$ROOT/scripts" "$ROOT/plots" "$TMP"
ln -s "$ROOT/tests" "$TMP/tests"
rm -f "$TMP"/plots/*.png
sh_blocks "$ROOT/README.md"

# The programs that measure end after some seconds, which is enough to see that they are called right.
brief() {
    mkdir -p "$TMP/bin"
    # shellcheck disable=SC2016 # of sh
    printf '#!/bin/sh\ncase " $* " in *" --plan "*) exec "%s" "$@" ;; esac\n"%s" "$@" --budget 1\n[ $? -le 1 ]\n' \
        "$OUT/$1" "$OUT/$1" >"$TMP/bin/$1"
    chmod +x "$TMP/bin/$1"
}
if [ -z "${LONG-}" ]; then
    for program in sweep chase; do brief "$program"; done
    PATH=$TMP/bin:$PATH
fi

run_block() {
    (cd "$TMP" && bash -e -o pipefail "$1" </dev/null)
}

for ((k = 1; ; k++)); do
    block=$TAP_FOLDER/block.$k
    [ -e "$block" ] || break
    name="README: block $k: $(head -n 1 "$block")"
    measures=no
    grep -qE '(^|[ |])(sweep|chase|bandwidth|pingpong) |samples\.tsv' "$block" && measures=yes
    if [ "$measures" = yes ] && [ "$PLATFORM" = none ]; then
        skip "$name" 'nothing can be measured here'
    elif [ "$PLATFORM" != linux ] && grep -q tlbcc "$block"; then
        skip "$name" 'programs are traced on Linux'
    elif [ -z "${LONG-}" ] && grep -qE -- '--preset|--page-size' "$block"; then
        skip "$name" 'it measures for half a minute: scripts/test --all'
    elif grep -q scripts/plot "$block" && ! command -v gnuplot >/dev/null; then
        skip "$name" 'no gnuplot here'
    else
        status=0
        run_block "$block" >"$TMP/out" 2>"$TMP/err" || status=$?
        [ "$measures$status" != yes1 ] || status=0
        same "$name runs" 0 "$status"
        [ "$status" -eq 0 ] || diagnose <"$TMP/err"
    fi
done
same 'README: it has blocks to run' yes "$([ "$k" -gt 5 ] && echo yes)"

if command -v gnuplot >/dev/null; then
    check 'README: the picture is made from the recorded samples' test -s "$TMP/plots/tlb.png"
fi
grep -oE '\]\([^)]*\)' "$ROOT/README.md" | sed 's/^](//; s/)$//' | sort -u >"$TMP/links"
while IFS= read -r link; do
    check "README: the link $link leads to a file" test -e "$ROOT/$link"
done <"$TMP/links"
finish_tests
