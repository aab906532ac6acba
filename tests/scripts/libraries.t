#!/usr/bin/env bash
# libraries.t: a build where no library is installed leaves out the programs that need one, and says so.
. "${0%/*}/../tap.sh"
plain_linux_alone
long_test
unset MAKEFLAGS MFLAGS MAKELEVEL

mkdir "$TAP_FOLDER/tree" "$TAP_FOLDER/none"
cd "$TAP_FOLDER/tree" || exit 2 # make knows no folder with a space in its name
cp -R "$ROOT"/{Makefile,labs,scripts,src} .

# Their headers too are missing.
for header in hwloc.h json-c/json.h zstd.h elfutils/libdwfl.h dwarf.h sha2.h numa.h numaif.h CL/cl.h; do
    mkdir -p "absent/${header%/*}"
    echo '#error not installed' >"absent/$header"
done 2>/dev/null

# without MAKE_ARGUMENT...: make where pkg-config finds nothing.
without() {
    PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR="$TAP_FOLDER/none" make -s -j 2 CFLAGS='-O0 -w' CPPFLAGS=-Iabsent "$@"
}

exits 0 'libraries: without any it builds' without all
while read -r package what; do
    matches "libraries: it says that it leaves out $what" "^make: .*\(Debian: $package\): .*$what" "$TMP/err"
done <<'END'
libhwloc-dev machine
libhwloc-dev pingpong
libhwloc-dev tohwloc
libjson-c-dev tojson
libzstd-dev tlbsim
libzstd-dev misses
libzstd-dev tlbcc
libdw-dev misses
libdw-dev tlbcost
libmd-dev simulate --id
libnuma-dev memory on a chosen node
ocl-icd-opencl-dev graphics cards
END
for program in machine pingpong tohwloc tojson tlbsim misses tlbcost tlbcc tlbc++ tlbrun; do
    check "libraries: $program is left out" test ! -e "bin/$program"
done
check 'libraries: the other programs need the C library alone' \
    awk '/=>/ && !/lib[cm]\.so/ { other = 1 } END { exit other || NR == 0 }' <(ldd bin/sweep bin/chase bin/detect bin/simulate)
check 'libraries: they run' bin/detect --quiet "$ROOT/tests/machines/amd-zen5-guest/quiet-2.tsv"
echo 'a secret of more than 16 bytes' >secret
exits_saying 2 'libraries: without hwloc its XML is refused' 'needs libhwloc' bin/import hwloc secret
exits 2 'libraries: without a hash simulate has no machines of students' bin/simulate --id anna --secret secret
matches 'libraries: it says which library it needs' 'needs libmd' "$TMP/err"

exits 0 'libraries: with all of them nothing is left out' make -s -n all
lacks 'libraries: so make says nothing' 'left out' "$TMP/out"
finish_tests
