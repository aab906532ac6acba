#!/usr/bin/env bash
# readme.t: the commands of README.md run. Each fenced block that is marked `sh` is one script; they
# run in their order in one folder, since a later one may read what an earlier one wrote. A block
# that measures may end with a negative answer (1), the others must end with 0. They read no file that
# none of them made, leave no empty file, and change nothing of the tree.
. "${0%/*}/tap.sh"

[ "$VARIANT" != asan ] ||
    skip_all 'the plain build runs them; each program has sanitized tests of its own'

tree=$TMP/tree
mkdir "$tree" "$tree/bin"
cp -R "$ROOT/scripts" "$ROOT/plots" "$ROOT/bin/.gitignore" "$tree"
mv "$tree/.gitignore" "$tree/bin"
[ ! -e "$ROOT/.gitignore" ] || cp "$ROOT/.gitignore" "$tree"
ln -s "$ROOT/tests" "$tree/tests"
in_git=no
(cd "$tree" && git init -q && git add . && git -c user.name=test -c user.email=test@localhost commit -qm tree) \
    >"$TMP/log" 2>&1 && in_git=yes
sh_blocks "$ROOT/README.md"

# A card for gpu, which the tests simulate. The loader wants no blank in the path of a driver.
mkdir "$TAP_FOLDER/drivers" "$TAP_FOLDER/none"
cp "$ROOT/bin/.obj/plain/card.so" "$TAP_FOLDER/card.so" 2>/dev/null &&
    echo "$TAP_FOLDER/card.so" >"$TAP_FOLDER/drivers/card.icd"
export OCL_ICD_VENDORS=$TAP_FOLDER/drivers

# brief PROGRAM OPTION...: it ends after some seconds, which is enough to see that it is called right.
brief() {
    mkdir -p "$TMP/bin"
    # shellcheck disable=SC2016 # of sh
    printf '#!/bin/sh\ncase " $* " in *" --plan "*) exec "%s" "$@" ;; esac\n"%s" "$@" %s\n[ $? -le 1 ]\n' \
        "$OUT/$1" "$OUT/$1" "${*:2}" >"$TMP/bin/$1"
    chmod +x "$TMP/bin/$1"
}
if [ -z "${LONG-}" ]; then
    for program in sweep chase; do brief "$program" --budget 1; done
    brief gpu
    PATH=$TMP/bin:$PATH
fi

run_block() {
    (cd "$tree" && bash -e -o pipefail "$1" </dev/null)
}

# files: those that a script names, in their order, each behind what it is: `made`, or `read`.
files() {
    grep -oE '(>|tee |--output |-o |TLBLAB_TRACE=|)[A-Za-z0-9._/-]+\.(tsv|trace|misses|png|json|c)\b' "$1" |
        sed -E 's/^(>|tee |--output |-o |TLBLAB_TRACE=)/made /; t; s/^/read /'
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
    elif grep -q '^gpu' "$block" && [ ! -e "$TAP_FOLDER/drivers/card.icd" ]; then
        skip "$name" 'no OpenCL here'
    elif [ -z "${LONG-}" ] && ! grep -q '^gpu' "$block" && grep -qE -- '--preset|--page-size' "$block"; then
        skip "$name" 'it measures for half a minute: scripts/test --all'
    elif grep -q scripts/plot "$block" && ! command -v gnuplot >/dev/null; then
        skip "$name" 'no gnuplot here'
    else
        status=0
        run_block "$block" >"$TMP/out" 2>"$TMP/err" || status=$?
        [ "$measures$status" != yes1 ] || status=0
        same "$name runs" 0 "$status"
        [ "$status" -eq 0 ] || diagnose <"$TMP/err"
        same "$name leaves no empty file" '' "$(cd "$tree" && find . -type f -size 0 ! -path './.git/*')"
        ! grep -q 'method segment' "$block" || matches 'README: the method of the whitepaper answers what the text says' \
            '^dtlb	1	192	.*	low	segment	.*	72	' "$TMP/out"
    fi
    while read -r what file; do
        if [ "$what" = made ]; then
            made=${made-}$file$'\n'
        elif [ ! -e "$ROOT/$file" ] && ! grep -qxF -- "$file" <<<"${made-}"; then
            fail "$name reads $file, which no command before has made"
        fi
    done < <(files "$block")
    ! grep -q '^gpu' "$block" || without_card=$block
done
same 'README: it has blocks to run' yes "$([ "$k" -gt 5 ] && echo yes)"


if [ "$in_git" = yes ]; then
    same 'README: the commands change nothing of the tree' '' "$(git -C "$tree" status --porcelain)"
else
    skip 'README: the commands change nothing of the tree' 'no git here'
fi
if command -v gnuplot >/dev/null; then
    check 'README: the picture is made from the recorded samples' is_png "$tree/tlb.png"
fi
mkdir "$tree/bare"
ln -s ../scripts "$tree/bare/scripts"
(cd "$tree/bare" && OCL_ICD_VENDORS=$TAP_FOLDER/none bash "${without_card-}" </dev/null) >"$TMP/out" 2>&1
same 'README: without a card no command leaves a picture' '' "$(cd "$tree/bare" && find . -name '*.png')"
grep -oE '\]\([^)]*\)' "$ROOT/README.md" | sed 's/^](//; s/)$//' | sort -u >"$TMP/links"
while IFS= read -r link; do
    check "README: the link $link leads to a file" test -e "$ROOT/$link"
done <"$TMP/links"
finish_tests
