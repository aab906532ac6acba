#!/usr/bin/env bash
# rebuild.t: make builds an object anew when its compiler or its flags are others than before, and
# leaves it alone when they are the same; a build for 32 bits ends with the reason.
. "${0%/*}/../tap.sh"
plain_linux_alone
unset MAKEFLAGS MFLAGS MAKELEVEL

mkdir "$TAP_FOLDER/tree"
cd "$TAP_FOLDER/tree" || exit 2 # make knows no folder with a space in its name
cp -R "$ROOT"/{Makefile,scripts,src} .
object=bin/.obj/plain/common/base/random.o

# built NAME yes|no VARIABLE=VALUE...: whether that make builds the object.
built() {
    local name=$1 wanted=$2
    shift 2
    touch -d @0 "$object" 2>/dev/null && touch -d @0 bin/.obj/plain/built-with
    find src -exec touch -h -d @0 {} +
    exits 0 "$name: make ends well" make -s "$@" "$object"
    same "$name" "$wanted" "$(if [ "$object" -nt Makefile ]; then echo yes; else echo no; fi)"
}

touch -d @1 Makefile
built 'the first make builds' yes
built 'the same make builds nothing' no
built 'other CFLAGS build anew' yes CFLAGS=-O1
built 'the same CFLAGS build nothing' no CFLAGS=-O1
built 'back to those of before, it is built anew' yes
built 'other CPPFLAGS build anew' yes "CPPFLAGS=-DWORD='\"it is\"'"
built 'another compiler builds anew' yes CC="env $(command -v gcc || echo cc)"
exits_saying 2 'a build for 32 bits fails' 'error.*64-bit' \
    make -s CPPFLAGS='-U__SIZEOF_POINTER__ -D__SIZEOF_POINTER__=4' bin/.obj/plain/platform/root.o
finish_tests
