#!/usr/bin/env bash
# profile.t: the answer at the end of the pipe, in words, with the numbers that arithmetic says.
. "${0%/*}/../tap.sh"
[ "$PLATFORM$VARIANT" = linuxplain ] || skip_all 'programs are traced on Linux, and as the plain build does it'
command -v gcc >/dev/null || skip_all 'no gcc here'
cd "$TMP" || exit 2
export TLBLAB_TLBSIM=$OUT/tlbsim
profile() { "$ROOT/scripts/tlblab" profile "$@"; }

cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
enum { PAGE = 4096 };
static char table[6000L * PAGE];
static __attribute__((noinline)) void write_all(volatile char *memory, long pages)
{
    for (long i = 0; i < pages * PAGE; i += PAGE)
        memory[i] = 1;
}
int main(int argc, char *argv[])
{
    long pages = 14000;
    char *block = aligned_alloc(2 << 20, pages * PAGE);
    (void)argv;
    if (argc > 1) { /* one page again and again: no miss */
        for (int i = 0; i < 100000; i++)
            write_all(table, 1);
        return 3;
    }
    write_all(table, 6000);
    write_all(block, pages);
    puts("done");
    return 0;
}
C
printf 'method\tlevel\tpenalty_ns\ncontrol\t1\t2\ncontrol\twalk\t1e9\n' >penalties.tsv
tlbcc -g -O1 program.c -o program || exit 2
line=$(grep -n 'block = ' program.c | cut -d : -f 1)
same 'profile: stdout is that of the command' 'done' "$(profile -- ./program 2>answer)"
matches 'profile: the objects have a heading' '^The objects with walks, and the function that makes most of them:$' answer
same 'profile: nothing is left in the folder' '' "$(printf '%s\n' * | grep -vxE 'program(\.c)?|penalties\.tsv|answer|out|err|table')"
matches 'profile: walks of a thousand accesses' '^  2000[0-9] walks, .*: 1000 of a thousand' answer
matches 'profile: the object with most of them, with its function' "^   70.0 %  heap main \\(program.c:$line\\): write_all\$" answer
matches 'profile: a global variable' '^   30.0 %  table: write_all$' answer
matches 'profile: what huge pages leave' 'huge pages everywhere (4[0-9]|39): 99.8 % less' answer
matches 'profile: what to put on them' "^  heap main \\(program.c:$line\\),table\$" answer
matches 'profile: how to measure it' "^  tlblab tlbcost --huge 'heap main \\(program.c:$line\\),table' -- ./program\$" answer
exits 3 'profile: the status is that of the command' profile --penalties penalties.tsv -- ./program again
lacks 'profile: of a command whose misses are few it gives no advice' 'Put these' "$TMP/err"
matches 'profile: words of the command are quoted as a shell needs them' "^./program 'a  b' 'it.*s\\\\n': " \
    <(profile -- ./program 'a  b' "it's\\n" 2>&1)
profile --output answer --penalties penalties.tsv -- ./program >/dev/null
matches 'profile: the share of the time' 'take 2e\+04 s at most, 100.0 % of the|takes too little time' answer
profile --trace kept -- ./program >/dev/null 2>&1
check 'profile: the trace is kept' tlbsim --to summary --machine zen4 kept
# From an answer to a change and what it brought, as in tlblab-profile(1).
sed 's/pages = 14000/pages = 7000/' program.c >changed.c && tlbcc -g -O1 changed.c -o changed && profile --trace after -- ./changed >/dev/null 2>&1
for trace in kept after; do tlbsim --machine zen4 --page-size 4K $trace >$trace.misses; done
same 'profile: what a change has brought' 'heap main 14000 7000 -7000 -50,table 6000 6000 0 0' \
    "$(misses --quiet --by object --compare kept.misses after.misses | awk -F '\t' '$2 + 0 > 5000 { print $1, $2, $3, $4, $5 }' | paste -s -d , -)"
exits 2 'profile: without a command it is wrong usage' profile --machine zen4
exits_saying 2 'profile: a command that is not there is refused' '^profile: ./nowhere: not found' profile -- ./nowhere
exits 2 'profile: penalties that are not there are refused' profile --penalties nowhere -- touch ran
exits 2 'profile: so is a table without any' profile --penalties program.c -- touch ran
exits 2 'profile: a machine that is not there is refused' profile --machine nowhere -- touch ran
exits 2 'profile: a trace that cannot be written is refused' profile --trace nowhere/trace -- touch ran
matches 'profile: it names the trace' '^profile: nowhere/trace: cannot be written' "$TMP/err"
same 'profile: none of these commands has run' '' "$(ls ran 2>/dev/null)"
exits 2 'profile: a file that cannot be run is refused' profile --trace kept -- ./program.c
matches 'profile: it says so' '^profile: ./program.c: not a program' "$TMP/err"
same 'profile: an older trace does not stand for that of a command that left none' '' "$(cat kept)"
exits 2 'profile: an answer that cannot be written is reported' profile --output /dev/full -- ./program again
matches 'profile: it names the file' '^profile: /dev/full: the answer could not be written' "$TMP/err"
if "qemu-$(uname -m)" -h 2>/dev/null | grep -q '^-plugin '; then
    gcc -g -O1 program.c -o plain || exit 2
    profile -- ./plain >/dev/null 2>answer
    # As Ctrl-C does. A test in the background inherits that interrupts are ignored.
    printf '#!/bin/sh\nkill -INT 0\nsleep 60\n' >endless && chmod +x endless
    # shellcheck disable=SC2016 # of perl
    setsid -w perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$ROOT/scripts/tlblab" profile -- ./endless 2>interrupted
    matches 'profile: of a command that is interrupted there is an answer' '^./endless: [0-9]+ accesses' interrupted
    matches 'profile: a program as it is' "^   [67][0-9].[0-9] %  heap main \\(program.c:$line\\): write_all\$" answer
else
    skip 'profile: a program as it is' 'no qemu with plugins here'
fi
finish_tests
