#!/usr/bin/env bash
# make.t: make where the names are odd: that of the folder that it runs in, and those of the archives
# that it packs.
. "${0%/*}/../tap.sh"
plain_linux_alone
unset MAKEFLAGS MFLAGS MAKELEVEL

# macOS has GNU make 3.81.
newer='^[^#]*(\$\((file|let|intcmp|guile) |::=|[^ =]* != |&:)|^\.(ONESHELL|SHELLFLAGS|RECIPEPREFIX)|^(undefine|private) |: *private |(override|export) +(override|export) |^define .*=$'
lacks 'make: nothing in the Makefile is newer than GNU make 3.81' "$newer" <(cat "$ROOT"/{Makefile,scripts/make/*.mk})

tree="$TMP/it's a \$tree"
mkdir "$tree"
cd "$tree" || exit 2
cp -R "$ROOT"/{Makefile,labs,scripts,src} .

if [ -n "${LONG-}" ]; then
    exits 0 'make: the runtime of traced programs is built below a path with an apostrophe' make -s bin/.obj/plain/runtime.o
    check 'make: it has the path of tlbsim there' grep -qF "$tree/bin/tlbsim" bin/.obj/plain/runtime.o
fi

{ git init -q . && git add . && git -c user.name=test -c user.email=test@localhost commit -qm test; } 2>"$TMP/err" ||
    skip_all 'no git here'
exits_saying 2 'make: a folder that cannot be written to is said, and what to do' \
    "^make: cannot write to .*/bin as .*: build in a copy of your own\$" make -s OBJ=/dev/null/x /dev/null/x/commit
exits 0 "make: git's doubts about the owner of the folder do not matter" env GIT_TEST_ASSUME_DIFFERENT_OWNER=1 make -s bin/.obj/plain/commit
same 'make: the commit is the same' "$(git describe --always --abbrev=12)" "$(sed 's/-dirty//' bin/.obj/plain/commit)"
version=$(sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' src/common/base/args.h)
# shellcheck disable=SC2016 # for make and the shell not to expand
hostile='a$(shell touch made)`touch run`$HOME.tgz'
# packs TARGET VARIABLE NAME: the names of the archive, by default and by the variable.
packs() {
    exits 0 "make $1: it packs" make -s "$1"
    matches "make $1: it says what it wrote" "^wrote $3-$version.tar.gz: (.* )?$(printf '%s\n' labs/[0-9]*/check | wc -l) exercises\$" "$TMP/out"
    check "make $1: the name has the version" tar -tzf "$3-$version.tar.gz"
    exits 0 "make $1: a name that is given is accepted" make -s "$1" "$2=$hostile"
    check "make $1: a name that is given is taken literally" tar -tzf "$hostile"
    rm -f "$hostile"
    exits 0 "make $1: a name from the environment is accepted" env "$2=$hostile" make -s "$1"
    check "make $1: a name from the environment is taken literally" tar -tzf "$hostile"
    check "make $1: nothing in a name is run" test ! -e made -a ! -e run
}
exits_saying 2 'make handout: a file that cannot be written to is said' \
    '^make: cannot write to /dev/null/x as .*: HANDOUT=FILE names another$' make -s handout HANDOUT=/dev/null/x
packs handout HANDOUT tlblab-labs
packs dist-students STUDENTS tlblab-students
finish_tests
