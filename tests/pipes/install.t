#!/usr/bin/env bash
# install.t: make install puts everything below DESTDIR, and uninstall takes all of it away.
. "${0%/*}/tap.sh"

if [ "$OUT" != "$ROOT/bin" ]; then
    skip 'install: make install and make uninstall work' 'only the plain build is installed'
    finish_tests
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
root="$TMP/d d"
prefix=/opt/tlblab
share=$root$prefix/share

exits 0 'install: make install succeeds' make -s -C "$ROOT" install DESTDIR="$root" PREFIX="$prefix"
for source in "$ROOT"/src/[!cp]*/*.c; do
    name=$(basename "$source" .c)
    exits 0 "install: $name runs from where it is installed" "$root$prefix/bin/$name" --version
    check "install: $name has its man page installed" test -s "$share/man/man1/$name.1"
done
same 'install: all of plots/ but the picture is installed' "$(cd "$ROOT/plots" && ls -- *.awk *.gp *.p)" \
    "$(ls "$share/tlblab/plots")"
same 'install: all of tests/models/ is installed' "$(cd "$ROOT/tests/models" && ls -- *.tsv)" \
    "$(ls "$share/tlblab/models")"
check 'install: the schema of the payload is installed' test -s "$share/tlblab/tojson.schema.json"
if command -v gnuplot >/dev/null; then
    exits 0 'install: a plot is drawn by what is installed' gnuplot -c "$share/tlblab/plots/montelius.p" \
        "$ROOT/tests/data/lab-4k.dat" "$TMP/lab.png"
else
    skip 'install: a plot is drawn by what is installed' 'no gnuplot here'
fi
# Without the source tree: nothing of it is in PATH, and the folder is another one.
installed() { (cd / && PATH="$root$prefix/bin:/usr/bin:/bin" "$@"); }
same 'install: all of tests/data/ is there' "$(ls "$ROOT/tests/data")" "$(ls "$share/tlblab/data")"
same 'install: all of tests/machines/ is there' "$(ls "$ROOT/tests/machines")" "$(ls "$share/tlblab/machines")"
for name in tlbplot tlbrecord; do
    exits 0 "install: $name runs from there" installed "$name" --help
    matches "install: $name calls itself by that name" "^Usage: $name " "$TMP/out"
    check "install: $name has its page there" test -s "$share/man/man1/$name.1"
done
exits 0 'install: simulate finds a machine by its name from there' \
    installed simulate --seed 1 zen4 "$ROOT/tests/data/points-zen4.tsv"
ln -s "$root$prefix/bin/simulate" "$TMP/link"
exits 0 'install: simulate finds a machine by its name when called through a link' \
    "$TMP/link" --seed 1 zen4 "$ROOT/tests/data/points-zen4.tsv"
if command -v gnuplot >/dev/null; then
    exits 0 'install: tlbplot draws from there' installed tlbplot --output "$TMP/there.png" montelius \
        "$share/tlblab/data/lab-4k.dat"
    check 'install: tlbplot wrote a picture' is_png "$TMP/there.png"
else
    skip 'install: tlbplot draws from there' 'no gnuplot here'
fi
if [ "$PLATFORM" = linux ]; then
    echo 'int main(void) { static volatile char a[9]; return a[0]; }' >"$TMP/one.c"
    exits 0 'install: tlbcc compiles from there' installed tlbcc "$TMP/one.c" -o "$TMP/one"
    exits 0 'install: a traced program finds tlbsim there' \
        env TLBLAB_TLBSIM="$root$prefix/bin/tlbsim" TLBLAB_TRACE="$TMP/one.trace" "$TMP/one"
    exits 0 'install: a traced program has written its trace' installed tlbsim --text "$TMP/one.trace"
    matches 'install: the runtime names the tlbsim of the installation' "$prefix/bin/tlbsim" "$TMP/one"
fi
exits 0 'install: tlbrecord records from there' installed tlbrecord --no-sweep "$TMP/recorded"
exits 0 'install: what tlbrecord recorded is replayed' installed machine --sysroot "$TMP/recorded"
same 'install: nothing is outside PREFIX' '' "$(find "$root" -type f ! -path "$root$prefix/*")"

if [ "$PLATFORM" = linux ]; then
    exits 0 'install: a PREFIX with an apostrophe is accepted' make -s -C "$ROOT" install DESTDIR="$TMP/odd" PREFIX="/it's"
    matches 'install: the runtime names the tlbsim below that PREFIX' "/it's/bin/tlbsim" "$TMP/odd/it's/lib/tlblab/runtime.o"
fi

exits 0 'install: make uninstall succeeds' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
same 'install: make uninstall leaves no file' '' "$(find "$root" ! -type d)"
check 'install: make uninstall removes its folders' test ! -e "$share/tlblab"
exits 0 'install: make uninstall of nothing succeeds' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
exits 0 'install: make uninstall succeeds where nothing was ever installed' \
    make -s -C "$ROOT" uninstall DESTDIR="$TMP/empty" PREFIX="$prefix"
check 'install: make uninstall of nothing makes no folder' test ! -e "$TMP/empty"
finish_tests
