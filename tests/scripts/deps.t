#!/usr/bin/env bash
# deps.t: scripts/deps asks for no more than the tier's packages, and is silent when all are there.
# Nothing is installed here: PATH holds stand-ins only.
. "${0%/*}/../tap.sh"

# world NAME: a folder with what the script itself calls; the loader knows no hwloc there.
world() {
    local tool
    mkdir -p "$TMP/$1"
    for tool in awk bash env cat; do ln -s "$(command -v "$tool")" "$TMP/$1/$tool"; done
    stub "$1" ldconfig 'echo'
    stub "$1" id 'echo 0'
}

stub() {
    printf '#!/bin/sh\n%s\n' "$3" >"$TMP/$1/$2"
    chmod +x "$TMP/$1/$2"
}

deps_in() {
    local world=$1
    shift
    PATH="$TMP/$world" "$ROOT/scripts/deps" "$@"
}

exits 2 'deps: a missing tier gives status 2' "$ROOT/scripts/deps"
exits 2 'deps: an unknown tier gives status 2' "$ROOT/scripts/deps" everything
matches 'deps: the usage names the tiers' 'demo\|build\|labs\|test\|marks\|site\|all' "$TMP/err"

world bare
exits_saying 2 'deps: without apt-get it installs nothing and gives status 2' '^  gnuplot-nox +draws' deps_in bare build
matches 'deps: without apt-get it has a line for apt' '  apt-get install gnuplot-nox gcc g\+\+ libc6-dev make ' "$TMP/err"
matches 'deps: without apt-get it has a line for brew' 'brew install gnuplot gcc make pkg-config hwloc json-c libmd zstd$' "$TMP/err"
lacks 'deps: without apt-get it names nothing of a later tier' 'cunit' "$TMP/err"
deps_in bare demo 2>"$TMP/err"
same 'deps: the demo needs a compiler, make and gnuplot alone' 'gnuplot-nox gcc libc6-dev make' \
    "$(awk '/^  [^ ]+  +/ { print $1 }' "$TMP/err" | paste -s -d ' ')"
same 'deps: without apt-get all messages are on stderr' '' "$(cat "$TMP/out")"

exits 2 'deps: where tools are missing nobody can mark' deps_in bare marks
matches 'deps: it says what marking needs' '^  libarchive-tools +unpacks what learning platforms' "$TMP/err"
lacks 'deps: marking needs no unit tests and no second compiler' 'cunit|clang' "$TMP/err"

world complete
for tool in gnuplot bwrap qemu-x86_64 gcc g++ cc make pkg-config prove objdump valgrind datamash jq python3; do stub complete "$tool" 'exit 0'; done
stub complete apt-get "echo called >'$TMP/apt'"
exits 0 'deps: nothing is missing where every tool is there' deps_in complete test
same 'deps: it is silent where nothing is missing' '' "$(cat "$TMP/out" "$TMP/err")"
check 'deps: it does not call apt-get where nothing is missing' test ! -e "$TMP/apt"

# This apt-get brings gnuplot, but only once its lists are fresh.
cp -R "$TMP/complete" "$TMP/stale"
rm "$TMP/stale/gnuplot"
# shellcheck disable=SC2016 # the stub expands it
stub stale apt-get '
here=${0%/*}
echo "$*" >>"$here/calls"
case "$*" in
*update*) : >"$here/fresh" ;;
*) [ -e "$here/fresh" ] && printf "#!/bin/sh\n" >"$here/gnuplot" && /bin/chmod +x "$here/gnuplot" ;;
esac'
prints 'deps: it installs what is missing' '^  gnuplot-nox +draws the plots' deps_in stale demo
same 'deps: it fetches the lists only when needed, and installs nothing else' \
    'install update install' "$(awk '{ print $2 }' "$TMP/stale/calls" | paste -s -d ' ' -)"
same 'deps: it installs one package where one is missing' gnuplot-nox "$(awk 'NR == 1 { print $NF }' "$TMP/stale/calls")"
exits 0 'deps: the second time there is nothing to do' deps_in stale demo
same 'deps: the second time apt-get is not called' 3 "$(($(wc -l <"$TMP/stale/calls")))"

stub stale id 'echo 1000'
rm "$TMP/stale/gnuplot" "$TMP/stale/calls"
exits_saying 2 'deps: without root and sudo it gives status 2' '^  apt-get install gnuplot-nox$' deps_in stale demo
check 'deps: without root and sudo it does not try' test ! -e "$TMP/stale/calls"
stub stale sudo '"$@"'
exits 0 'deps: with sudo it installs' deps_in stale demo
stub stale apt-get 'exit 100'
rm "$TMP/stale/gnuplot"
exits 2 'deps: an apt-get that fails is an error' deps_in stale demo
finish_tests
