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
for source in "$ROOT"/src/*.c; do
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
same 'install: nothing lies outside PREFIX' '' "$(find "$root" -type f ! -path "$root$prefix/*")"

exits 0 'install: make uninstall succeeds' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
same 'install: make uninstall leaves no file' '' "$(find "$root" ! -type d)"
check 'install: make uninstall leaves no folder of its own' test ! -e "$share/tlblab"
exits 0 'install: make uninstall of nothing succeeds' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
exits 0 'install: make uninstall succeeds where nothing was ever installed' \
    make -s -C "$ROOT" uninstall DESTDIR="$TMP/empty" PREFIX="$prefix"
check 'install: make uninstall of nothing makes no folder' test ! -e "$TMP/empty"
finish_tests
