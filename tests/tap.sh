# tap.sh: what every pipe test is made of. A test tests/FAMILY/NAME.t sources it first:
#
#     . "${0%/*}/../tap.sh"
#     exits 1 'detect: a header alone finds nothing' detect "$TMP/empty.tsv"
#     matches 'detect: says why' 'no samples' "$TMP/err"
#     finish_tests
#
# It sets ROOT (the repository), OUT (the built programs, also first in PATH), PLATFORM, VARIANT
# (as the Makefile's) and TMP (a temporary folder, removed at the end; its name has a space in it,
# so that a missing quote is found), and prints TAP.
# shellcheck shell=bash

set -u
export LC_ALL=C
unset COLUMNS LINES
ROOT=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P) || exit 2
. "$ROOT/scripts/columns.sh"
OUT=${OUT:-$ROOT/bin}
VARIANT=${VARIANT:-plain}
PLATFORM=${PLATFORM:-$(uname -s | tr '[:upper:]' '[:lower:]')}
case $PLATFORM in linux | darwin) ;; *) PLATFORM=none ;; esac
export ROOT OUT VARIANT PLATFORM PATH="$OUT:$PATH"
# A sanitizer's finding must not pass for a partial answer, which is status 1 as well.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 LSAN_OPTIONS=exitcode=99

TAP_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/tlblab.XXXXXX") || exit 2
trap 'rm -rf "$TAP_FOLDER"' EXIT
trap 'exit 130' INT TERM
TMP="$TAP_FOLDER/with space"
export TMP
mkdir "$TMP"
TAP_COUNT=0
TAP_FAILED=0

# Prints the lines of stdin as TAP diagnostics, the first forty of them.
diagnose() {
    sed -n '1,40s/^/# /p'
}

pass() {
    TAP_COUNT=$((TAP_COUNT + 1))
    printf 'ok %d - %s\n' "$TAP_COUNT" "$1"
}

fail() {
    TAP_COUNT=$((TAP_COUNT + 1))
    TAP_FAILED=$((TAP_FAILED + 1))
    printf 'not ok %d - %s\n' "$TAP_COUNT" "$1"
}

# skip NAME REASON
skip() {
    TAP_COUNT=$((TAP_COUNT + 1))
    printf 'ok %d - %s # SKIP %s\n' "$TAP_COUNT" "$1" "$2"
}

# skip_all REASON: ends a test of which nothing can or need be run here.
skip_all() {
    skip "${0##*/}" "$1"
    finish_tests
}

# Endings of a test that need not go on: long_test where LONG is not set, long_with_sanitizers where it
# takes too long with them for the fast tier and WHOLE is not set, sanitizers_suffice in the plain half of the
# fast tier where the sanitized half runs all of it again, plain_linux_alone where the plain build on Linux
# represents all.
long_test() {
    [ -n "${LONG-}" ] || skip_all 'it takes long: scripts/test --all'
}

long_with_sanitizers() {
    [ "$VARIANT" != asan ] || [ -n "${LONG-}${WHOLE-}" ] ||
        skip_all 'with sanitizers it runs in scripts/test --all'
}

sanitizers_suffice() {
    [ "$VARIANT" != plain ] || [ -z "${SANITIZED_NEXT-}" ] || skip_all 'the part with sanitizers runs it'
}

plain_linux_alone() {
    { [ "$VARIANT" = plain ] && [ "$PLATFORM" = linux ]; } ||
        skip_all 'the plain build on Linux stands for all'
}

# sh_blocks FILE: the fenced blocks of a document that are marked `sh`, each as "$TAP_FOLDER/block.K",
# from 1; those of the file before are gone.
sh_blocks() {
    rm -f "$TAP_FOLDER"/block.*
    awk -v folder="$TAP_FOLDER" '
        /^```sh$/ { inside = 1; n++; next }
        /^```/ { inside = 0 }
        inside { print >(folder "/block." n) }' "$1"
}

is_png() {
    [ "$(od -An -tx1 -N8 "$1" | tr -d ' \n')" = 89504e470d0a1a0a ]
}

# plain_inputs PROGRAM...: where these only make inputs for what is tested with sanitizers, the plain
# ones do, which are faster.
plain_inputs() {
    local program
    [ "$VARIANT" = asan ] || return 0
    for program; do
        [ ! -x "$ROOT/bin/$program" ] || eval "$program() { \"\$ROOT/bin/$program\" \"\$@\"; }"
    done
}

# check NAME COMMAND...: passes when the command exits 0.
check() {
    local name=$1
    shift
    if "$@" >"$TAP_FOLDER/log" 2>&1; then
        pass "$name"
    else
        fail "$name"
        { echo "exit status not 0: $*" && cat "$TAP_FOLDER/log"; } | diagnose
    fi
}

# exits STATUS NAME COMMAND...: runs it; stdout goes to "$TMP/out", stderr to "$TMP/err".
# exits_saying STATUS NAME REGEX COMMAND...: and some line of stderr matches (grep -E).
# prints NAME REGEX COMMAND...: it exits 0, and some line of stdout matches.
exits() { exits_matching "$1" "$2" '' out "${@:3}"; }
exits_saying() { exits_matching "$1" "$2" "$3" err "${@:4}"; }
prints() { exits_matching 0 "$1" "$2" out "${@:3}"; }

# exits_matching STATUS NAME REGEX out|err COMMAND...: an empty REGEX takes any output.
exits_matching() {
    local wanted=$1 name=$2 regex=$3 stream=$4 status=0
    shift 4
    "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
    if [ "$status" -eq "$wanted" ] && { [ -z "$regex" ] || grep -Eq -- "$regex" "$TMP/$stream"; }; then
        pass "$name"
    else
        fail "$name"
        { echo "exit status $status, not $wanted${regex:+, or no line of std$stream matches $regex}: $*" &&
            head -n 20 "$TMP/err" && { [ -z "$regex" ] || head -n 20 "$TMP/$stream"; }; } | diagnose
    fi
}

# is_refused NAME REGEX COMMAND...: a message, exit status 2, nothing on stdout.
is_refused() {
    local name="$3 refuses $1" regex=$2
    shift 2
    exits_saying 2 "$name" "$regex" "$@"
    same "$name without a table" '' "$(cat "$TMP/out")"
}

# same NAME EXPECTED ACTUAL: two strings.
same() {
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1"
        printf '%s\n' "$2" >"$TAP_FOLDER/expected"
        printf '%s\n' "$3" >"$TAP_FOLDER/actual"
        diff "$TAP_FOLDER/expected" "$TAP_FOLDER/actual" | diagnose
    fi
}

# matches NAME REGEX FILE: some line of the file matches (grep -E).
matches() {
    if grep -Eq -- "$2" "$3"; then
        pass "$1"
    else
        fail "$1"
        { echo "no line matches: $2" && head -n 20 "$3"; } 2>&1 | diagnose
    fi
}

# lacks NAME REGEX FILE: no line of the file matches; the file must be there.
lacks() {
    if [ -r "$3" ] && ! grep -Eq -- "$2" "$3"; then
        pass "$1"
    else
        fail "$1"
        { echo "should not match: $2" && grep -En -- "$2" "$3"; } 2>&1 | diagnose
    fi
}

# shellcheck disable=SC2034 # the tests use it
tab=$(printf '\t')
# rows FILE: a table without metadata and header.
rows() { grep -v '^#' "$1" | sed 1d; }

# columns NAMES FILE: these columns of every row, `-` where its table has none. Tables may be joined.
columns() {
    awk -F '\t' -v names="$1" "$by_name"'
        BEGIN { n = split(names, name, " ") }
        { for (i = 1; i <= n; i++) printf "%s%s", name[i] in at ? $at[name[i]] : "-", i < n ? FS : RS }' "$2"
}
# Columns that identify a point and its sample, and all that is measured of it.
# shellcheck disable=SC2034 # the tests use them
point_columns='pages layout spacing_bytes page_bytes role sample kernel backing chains targets others others_spacing_bytes moment'
# shellcheck disable=SC2034
sample_columns="$point_columns ns loads min_ns runs run_s t_s"

# change COLUMN EXPRESSION FILE [CONDITION]: the table with one column computed anew, where $column is the
# previous value, in the rows of the condition.
change() {
    awk -F '\t' -v OFS='\t' -v name="$1" "$by_name_in_full"'
        { column = at[name] }
        '"${4-}"' { $column = '"$2"' }
        { print }' "$3"
}

# writes_before_memory NAME MIB COMMAND...: a command that takes this much memory has not begun to when it
# first writes. Into a full pipe it cannot, so there it waits, and its memory shows.
writes_before_memory() {
    local name=$1 much=$(($2 * 1024)) waiting held
    shift 2
    if [ ! -r /proc/self/status ]; then
        skip "$name" 'no /proc here'
        return
    fi
    mkfifo "$TAP_FOLDER/full"
    exec 7<>"$TAP_FOLDER/full"
    dd if=/dev/zero of="$TAP_FOLDER/full" bs=64 oflag=nonblock 2>"$TAP_FOLDER/log" || :
    "$@" >&7 2>"$TAP_FOLDER/log" &
    waiting=$!
    sleep 1.5
    held=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$waiting/status")
    check "$name" test "${held:-$much}" -lt "$much"
    kill "$waiting"
    wait "$waiting" 2>/dev/null || :
    exec 7>&-
    rm -f "$TAP_FOLDER/full"
}

# The last line of a test: prints the plan; the status is 1 when a check failed or none was made.
finish_tests() {
    printf '1..%d\n' "$TAP_COUNT"
    [ "$TAP_FAILED" -eq 0 ] && [ "$TAP_COUNT" -gt 0 ]
    exit
}
