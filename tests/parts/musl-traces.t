#!/usr/bin/env bash
# musl-traces.t: programs linked with musl are traced as those with the GNU C library are: a part of
# scripts/test --all.
. "${0%/*}/../tap.sh"
command -v musl-gcc >/dev/null || skip_all 'no musl-gcc here'
cd "$TMP" || exit 2

# An installation of tlbcc whose runtime is compiled with musl's headers.
mkdir -p 'with musl/libexec/tlblab' 'with musl/lib/tlblab'
cp "$OUT/tlbcc" 'with musl/libexec/tlblab'
check 'musl: the runtime compiles' make -s -C "$ROOT" VARIANT=musl CC=musl-gcc PKG_CONFIG=false \
    CPPFLAGS="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)" bin/.obj/musl/runtime.o
cp "$ROOT/bin/.obj/musl/runtime.o" 'with musl/lib/tlblab'
export TLBLAB_TLBSIM=$OUT/tlbsim TLBLAB_FILTER=1

# traced NAME COMPILER TLBCC: misses of a program by object, function and stack of calls.
traced() {
    local flags=(-g -O1 -no-pie)
    TLBLAB_CC=$2 "$3" "${flags[@]}" "$ROOT/tests/workloads/objects.c" -o "$1" &&
        TLBLAB_TRACE=trace "./$1" && tlbsim --machine zen4 trace >"$1.misses" &&
        misses --by object "$1.misses" | grep -v '^#' | cut -f 1-4 >"$1.objects" &&
        misses --by function "$1.misses" | grep -v '^#' | cut -f 1-4 >"$1.functions" &&
        misses --by object --stack "$1.misses" | grep -v '^#' >"$1.stacks"
}
check 'musl: a program is compiled, runs, and writes its trace' traced musl musl-gcc 'with musl/libexec/tlblab/tlbcc'
check 'musl: the program is of musl' grep -q ld-musl musl
check 'musl: the same with the GNU C library' traced glibc gcc tlbcc
for kind in functions objects stacks; do
    same "musl: the misses by $kind are the same" "$(cat glibc.$kind)" "$(cat musl.$kind)"
done
matches 'musl: among them those of the block that it takes' make_heap musl.stacks
finish_tests
