#!/usr/bin/env bash
# install.t: make install puts everything below DESTDIR, and uninstall takes all of it away.
. "${0%/*}/../tap.sh"

if [ "$OUT" != "$ROOT/bin" ]; then
    skip 'install: make install and make uninstall work' 'only the plain build is installed'
    finish_tests
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
root="$TMP/d d"
prefix=/opt/tlblab
share=$root$prefix/share

exits 0 'install: make install succeeds' make -s -C "$ROOT" install DESTDIR="$root" PREFIX="$prefix"
same 'install: bin/ has the front command alone' tlblab "$(ls "$root$prefix/bin")"
tlblab="$root$prefix/bin/tlblab"
programs="$root$prefix/libexec/tlblab"
for source in "$ROOT"/src/[!cp]*/*.c; do
    name=$(basename "$source" .c)
    prints "install: $name runs by the front command" "^$name " "$tlblab" "$name" --version
    exits 0 "install: $name has a page" test -s "$share/man/man1/tlblab-$name.1"
    # Its last line, as it is called, names a page that man finds.
    "$tlblab" "$name" --help >"$TMP/help"
    same "install: $name names its page" "More: man tlblab-$name" "$(tail -n 1 "$TMP/help")"
done
if command -v mandoc >/dev/null; then
    same "install: the pages pass mandoc's lint" '' \
        "$(mandoc -T lint -W warning "$share"/man/man1/tlblab-*.1 | grep -v 'unusual Xr order')"
fi
lacks 'install: no page refers to one by a name that is not there' \
    "^\.Xr ($(cd "$ROOT/src" && basename -s .c -a [!cp]*/*.c | paste -s -d '|')) 1" <(cat "$share"/man/man1/*)
same 'install: all of plots/ but the picture is installed' "$(cd "$ROOT/plots" && ls -R --ignore='*.png')" \
    "$(cd "$share/tlblab/plots" && ls -R)"
same 'install: all of src/tlb/models/ is installed' "$(cd "$ROOT/src/tlb/models" && ls -- *.tsv)" \
    "$(ls "$share/tlblab/models")"
check 'install: the schema of the payload is installed' test -s "$share/tlblab/tojson.schema.json"
if command -v gnuplot >/dev/null; then
    exits 0 'install: a plot is drawn by what is installed' gnuplot -c "$share/tlblab/plots/draw.gp" tlb/montelius \
        "$ROOT/tests/data/lab-4k.dat" "$TMP/lab.png"
else
    skip 'install: a plot is drawn by what is installed' 'no gnuplot here'
fi
# Without the source tree: nothing of it is in PATH, and the folder is another one.
installed() { (cd / && PATH="$root$prefix/bin:/usr/bin:/bin" "$@"); }
same 'install: tlblab path is the folder of the programs' "$programs" "$(installed tlblab path)"
same 'install: tlblab list has every program' "$(cd "$programs" && for file in *; do [ ! -f "$file" ] || echo "$file"; done)" "$(installed tlblab list | awk '{ print $1 }')"
if man --version >/dev/null 2>&1 && man -w ls >/dev/null 2>&1; then
    same 'install: man finds a page by the name of the command' "$share/man/man1/tlblab-sweep.1" \
        "$(installed man -w tlblab-sweep)"
    same 'install: with the programs in PATH man finds a page by the name of the program' \
        "$programs/man/man1/sweep.1" "$(PATH="$programs:/usr/bin:/bin" man -w sweep)"
else
    skip 'install: man finds the pages' 'no man here'
fi
same 'install: all of tests/data/ is there' "$(ls "$ROOT/tests/data")" "$(ls "$share/tlblab/data")"
same 'install: all of tests/machines/ is there' "$(ls "$ROOT/tests/machines")" "$(ls "$share/tlblab/machines")"
for name in plot record measure; do
    prints "install: tlblab $name runs from there" "^Usage: tlblab $name " installed tlblab "$name" --help
done
for name in tlblab tlblab-plot tlblab-record tlblab-page tlblab-profile tlblab-fleet; do
    check "install: $name has its page there" test -s "$share/man/man1/$name.1"
done
for file in bash-completion/completions/tlblab zsh/site-functions/_tlblab fish/vendor_completions.d/tlblab.fish; do
    matches "install: $file completes" geometry "$share/$file"
done
exits 0 'install: simulate finds a machine by its name from there' \
    installed tlblab simulate --seed 1 zen4 "$ROOT/tests/data/points-zen4.tsv"
ln -s "$programs/simulate" "$TMP/link"
exits 0 'install: simulate finds a machine by its name when called through a link' \
    "$TMP/link" --seed 1 zen4 "$ROOT/tests/data/points-zen4.tsv"
ln -s "$tlblab" "$TMP/a link"
exits 0 'install: the front command finds its programs when called through a link' "$TMP/a link" machine --version
exits 2 'install: the front command refuses what it does not have' installed tlblab nothing
matches 'install: the front command names what it does not have' "^tlblab: no command 'nothing'" "$TMP/err"
exits_saying 2 'install: a program refuses a wrong option' "^Try 'tlblab sweep --help'" installed tlblab sweep --loud
if command -v gnuplot >/dev/null; then
    exits 0 'install: tlblab plot draws from there' installed tlblab plot --output "$TMP/there.png" montelius \
        "$share/tlblab/data/lab-4k.dat"
    check 'install: tlblab plot wrote a picture' is_png "$TMP/there.png"
    exits 0 'install: a page is written from there' installed "$share/tlblab/scripts/page" "$share/tlblab/data/plot-samples.tsv"
    matches 'install: the page has its picture' '^<svg' "$TMP/out"
else
    skip 'install: tlblab plot draws from there' 'no gnuplot here'
fi
if [ "$PLATFORM" = linux ]; then
    echo 'int main(void) { static volatile char a[9]; return a[0]; }' >"$TMP/one.c"
    exits 0 'install: tlbcc compiles from there' installed tlblab tlbcc "$TMP/one.c" -o "$TMP/one"
    exits 0 'install: a traced program finds tlbsim there' \
        env TLBLAB_TLBSIM="$programs/tlbsim" TLBLAB_TRACE="$TMP/one.trace" "$TMP/one"
    exits 0 'install: a traced program has written its trace' installed tlblab tlbsim --to table "$TMP/one.trace"
    matches 'install: the runtime names the tlbsim of the installation' "$prefix/libexec/tlblab/tlbsim" "$TMP/one"
fi
if [ "$PLATFORM" = linux ]; then
    exits 1 'install: tlbcost finds its library, and shows no difference for a command without memory' \
        installed tlblab tlbcost --quiet --runs 8 -- true
fi
if [ -n "${LONG-}" ]; then
    exits 0 'install: tlblab record records from there' installed tlblab record --no-sweep "$TMP/recorded"
    exits 0 'install: what it recorded is replayed' installed tlblab machine --sysroot "$TMP/recorded/system.txt"
fi

exits 0 'install: with PLAIN=yes it succeeds' make -s -C "$ROOT" install DESTDIR="$root" PREFIX="$prefix" PLAIN=yes
exits 0 'install: with PLAIN=yes a program runs by its name' installed simulate --seed 1 zen4 "$ROOT/tests/data/points-zen4.tsv"
check 'install: with PLAIN=yes a program has a page by its name' test -s "$share/man/man1/simulate.1"
same 'install: with PLAIN=yes every program is in bin/' "$(installed tlblab list | awk '{ print $1 }' | cat - <(echo tlblab) | sort)" \
    "$(ls "$root$prefix/bin")"
if [ "$PLATFORM" = linux ]; then
    exits 0 'install: with PLAIN=yes tlbcc compiles by its name' installed tlbcc "$TMP/one.c" -o "$TMP/one"
fi
same 'install: nothing is outside PREFIX' '' "$(find "$root" -type f ! -path "$root$prefix/*")"

if [ "$PLATFORM" = linux ] && [ -n "${LONG-}" ]; then
    exits 0 'install: a PREFIX with an apostrophe is accepted' make -s -C "$ROOT" install DESTDIR="$TMP/odd" PREFIX="/it's"
    matches 'install: the runtime names the tlbsim below that PREFIX' "/it's/libexec/tlblab/tlbsim" "$TMP/odd/it's/lib/tlblab/runtime.o"
fi

rm "$root$prefix/bin/sweep"
echo 'of another package' >"$root$prefix/bin/sweep"
exits 0 'install: make uninstall succeeds' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
same 'install: make uninstall leaves only what it did not install' "$root$prefix/bin/sweep" "$(find "$root" ! -type d)"
check 'install: make uninstall removes its folders' test ! -e "$share/tlblab"
exits 0 'install: make uninstall of nothing succeeds' make -s -C "$ROOT" uninstall DESTDIR="$root" PREFIX="$prefix"
exits 0 'install: make uninstall succeeds where nothing was ever installed' \
    make -s -C "$ROOT" uninstall DESTDIR="$TMP/empty" PREFIX="$prefix"
check 'install: make uninstall of nothing makes no folder' test ! -e "$TMP/empty"
finish_tests
