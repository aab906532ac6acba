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
matches 'profile: the objects have a heading' '^The objects with walks, each with the function that makes most of them:$' answer
same 'profile: nothing is left in the folder' '' "$(printf '%s\n' * | grep -vxE 'program(\.c)?|penalties\.tsv|answer|out|err|table')"
matches 'profile: walks of a thousand accesses' '^  2000[0-9] walks, .*: 1000 of a thousand' answer
matches 'profile: the object with most of them, with its function' "^   70.0 %  heap main \\(program.c:$line\\): write_all\$" answer
matches 'profile: a global variable' '^   30.0 %  table: write_all$' answer
matches 'profile: what huge pages leave' 'huge pages everywhere (4[0-9]|39): 99.8 % less' answer
matches 'profile: what to put on them' "^  heap main \\(program.c:$line\\),table\$" answer
matches 'profile: how to measure it' "^  tlblab tlbcost --huge 'heap main \\(program.c:$line\\),table' -- ./program\$" answer
exits 3 'profile: the status is that of the command' profile --penalties penalties.tsv -- ./program again
lacks 'profile: of a command whose misses are few it gives no advice' 'Put these' "$TMP/err"
profile --output answer --penalties penalties.tsv -- ./program >/dev/null
matches 'profile: the share of the time' 'take 2e\+04 s at most, 100.0 % of the|takes too little time' answer
profile --trace kept -- ./program >/dev/null 2>&1
check 'profile: the trace is kept' tlbsim --summary --machine zen4 kept
exits 2 'profile: without a command it is wrong usage' profile --machine zen4
exits 2 'profile: a command that is not there is refused' profile -- ./nowhere
matches 'profile: it names it' '^profile: ./nowhere: not found' "$TMP/err"
exits 2 'profile: penalties that are not there are refused' profile --penalties nowhere -- ./program
if "qemu-$(uname -m)" -h 2>/dev/null | grep -q '^-plugin '; then
    gcc -g -O1 program.c -o plain || exit 2
    profile -- ./plain >/dev/null 2>answer
    matches 'profile: a program as it is' "^   [67][0-9].[0-9] %  heap main \\(program.c:$line\\): write_all\$" answer
else
    skip 'profile: a program as it is' 'no qemu with plugins here'
fi
finish_tests
