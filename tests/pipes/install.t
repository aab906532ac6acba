#!/usr/bin/env bash
# install.t: make install puts everything below DESTDIR, and uninstall takes all of it away.
. "${0%/*}/tap.sh"

if [ "$OUT" != "$ROOT/bin" ]; then
    skip install 'only the plain build is installed'
    finish_tests
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
root="$TMP/d d"
prefix=/opt/tlblab
share=$root$prefix/share

exits 0 'install' make -s -C "$ROOT" install DESTDIR="$root" PREFIX="$prefix"
for source in "$ROOT"/src/*.c; do
    name=$(basename "$source" .c)
    exits 0 "$name runs from there" "$root$prefix/bin/$name" --version
    check "$name has its page there" test -s "$share/man/man1/$name.1"
done
same 'all of plots/ but the picture is there' "$(cd "$ROOT/plots" && ls -- *.awk *.gp *.p)" \
    "$(ls "$share/tlblab/plots")"
same 'all of tests/models/ is there' "$(cd "$ROOT/tests/models" && ls -- *.tsv)" \
    "$(ls "$share/tlblab/models")"
check 'the schema of the payload is there' test -s "$share/tlblab/tojson.schema.json"
if command -v gnuplot >/dev/null; then
    exits 0 'a plot is drawn from there' gnuplot -c "$share/tlblab/plots/montelius.p" \
        "$ROOT/tests/data/lab-4k.dat" "$TMP/lab.png"
else
    skip 'a plot is drawn from there' 'no gnuplot here'
fi
same 'nothing lies outside' '' "$(find "$root" -type f ! -path "$root$prefix/*")"

exits 0 'uninstall' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
same 'leaves no file' '' "$(find "$root" ! -type d)"
check 'and no folder of its own' test ! -e "$share/tlblab"
exits 0 'uninstall again' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
finish_tests
