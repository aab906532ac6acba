#!/usr/bin/env bash
# coming-from.t: tlblab help shows the page of a command; the commands of the page for those who come from
# other programs run, and print something. Where a command measures, a negative answer (1) will do.
. "${0%/*}/../tap.sh"
plain_linux_alone
tlblab=$ROOT/scripts/tlblab

# A stand-in for man prints the title of the page.
mkdir "$TAP_FOLDER/bin"
PATH=$TAP_FOLDER/bin:$PATH
# command_named NAME SCRIPT
command_named() { printf '#!/bin/sh\n%s\n' "$2" >"$TAP_FOLDER/bin/$1" && chmod +x "$TAP_FOLDER/bin/$1"; }
# shellcheck disable=SC2016 # it is sh that expands them
command_named man 'grep "^\.Dt" "$1"'
same 'help: the page of a program' '.Dt SWEEP 1' "$("$tlblab" help sweep)"
same 'help: the page of a script' '.Dt TLBLAB-PLOT 1' "$("$tlblab" help plot)"
same 'help: the page for those who come from other programs' '.Dt TLBLAB-COMING-FROM 1' "$("$tlblab" help coming-from)"
same 'help: alone it lists the commands' "$("$tlblab" --help)" "$("$tlblab" help)"
exits_saying 2 'help: a page that is not there' "no manual page of 'sweeping'" "$tlblab" help sweeping
exits 2 'help: a path is no page' "$tlblab" help ../scripts/tlblab
rm "$TAP_FOLDER/bin/man"

# shellcheck disable=SC2016 # as above
command_named perf 'cat "$ROOT/tests/data/perf-pebs.txt"'
cd "$TMP" || exit 2
cp "$(type -P true)" prog
sed -n 's/^\.Dl //p' "$ROOT/scripts/tlblab-coming-from.1" | grep -v '^\$' | awk '!seen[$0]++' >commands
while IFS= read -r line; do
    case ${LONG-}$line in
    sweep* | chase* | bandwidth* | walkpenalty* | tlbcost*)
        skip "coming-from: $line" 'it measures for some seconds: scripts/test --all'
        continue
        ;;
    *tlbrun* | *prog.trace*)
        if ! command -v qemu-x86_64 >/dev/null; then
            skip "coming-from: $line" 'no qemu-user here'
            continue
        fi
        ;;
    *'--node 0'*)
        if ! grep -q numa <(ldd "$OUT/chase"); then
            skip "coming-from: $line" 'no libnuma here'
            continue
        fi
        ;;
    esac
    status=0
    bash -o pipefail -c "$line" >out 2>err </dev/null || status=$?
    [[ $line != tlbrun* ]] || cp prog.trace out
    same "coming-from: $line" yes "$([ "$status" -le 1 ] && [ -s out ] && echo yes)"
    [ "$status" -le 1 ] || diagnose <err
done <commands
same 'coming-from: there are commands' yes "$([ "$(wc -l <commands)" -gt 15 ] && echo yes)"
finish_tests
