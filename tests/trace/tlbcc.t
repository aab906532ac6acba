#!/usr/bin/env bash
# tlbcc.t: programs compiled by tlbcc run as they do without, and their traces hold what they did.
. "${0%/*}/trace.sh"
[ "$PLATFORM" = linux ] || skip_all 'it traces programs on Linux'
long_with_sanitizers
command -v gcc >/dev/null || skip_all 'no gcc here'
unset CC
export TLBLAB_FILTER=1 # of recent pages only the last is left out

# readers TRACE: the threads but the first one, which started them.
readers() {
    tlbsim --to table "$1" | awk -F '\t' '$5 == "read" && $3 != $4 { n[$4]++ } END { for (t in n) print t }'
}
# predicted PAGES BYTES THREAD ROUNDS: what sequential.c's thread reads.
predicted() {
    awk -v pages="$1" -v bytes="$2" -v thread="$3" -v rounds="$4" 'BEGIN {
        for (r = 0; r < rounds; r++) for (i = 0; i < pages; i++) {
            n = (thread * pages + i) * bytes
            printf "read 0x1000%08x\n", n } }'
}
sequential() {
    tlbcc -O2 -DPAGES="$1" -DPAGE_BYTES="$2" -DTHREADS="$3" "$ROOT/tests/workloads/sequential.c" -o sequential -pthread
}

# The sequential reader, against its prediction.
for bytes in 4096 2097152; do
    pages=$((bytes == 4096 ? 5000 : 200)) page="pages of $bytes bytes"
    check "tlbcc: it compiles, $page" sequential $pages $bytes 1
    check "tlbcc: it runs, $page" env TLBLAB_START=off TLBLAB_TRACE=trace ./sequential
    same "tlbcc: its whole trace is the prediction, $page" "$(predicted $pages $bytes 0 3 | md5sum)" "$(accesses trace | md5sum)"
    # 5000 pages in turn do not fit into 3072 entries: each access misses. 200 do: the first round does.
    rounds=$((bytes == 4096 ? 3 : 1))
    TLBLAB_START=off TLBLAB_RECORD=misses TLBLAB_MACHINE=zen4 TLBLAB_PAGES=$bytes TLBLAB_TRACE=misses ./sequential
    same "tlbcc: the misses that it records are the prediction, $page" \
        "$(predicted $pages $bytes 0 $rounds | md5sum)" "$(accesses misses | md5sum)"
    same "tlbcc: tlbsim finds the same misses, $page" "$(accesses misses | md5sum)" \
        "$(tlbsim --machine zen4 --page-size $bytes trace | accesses - | md5sum)"
    check "tlbcc: it compiles with four threads, $page" sequential $pages $bytes 4
    check "tlbcc: it runs with four threads, $page" env TLBLAB_START=off TLBLAB_TRACE=trace ./sequential
    same "tlbcc: each of four threads has its predicted trace, $page" \
        "$(for thread in 0 1 2 3; do predicted $pages $bytes $thread 3 | md5sum; done | sort)" \
        "$(for id in $(readers trace); do accesses trace "$id" | md5sum; done | sort)"
done

# Programs that end in every way.
tlbcc -O1 "$ROOT/tests/trace/tlbcc.c" -o program -ldl || exit 2
gcc -O1 "$ROOT/tests/trace/tlbcc.c" -o plain -ldl || exit 2
apart() { nm -t d "$1" | awk '$3 == "data_start" { from = $1 } $3 == "touched_by_alarms" { to = $1 } END { print to - from }'; }
if gcc -Wl,-v 2>&1 | grep -q 'GNU ld'; then
    same 'tlbcc: zeroed variables are as far from initialised ones as without it' "$(apart plain)" "$(apart program)"
else
    skip 'tlbcc: zeroed variables are as far from initialised ones as without it' 'not GNU ld'
fi
for what in none:0 exit:6 _exit:7 segv:139 abort:134 kill:137; do
    TLBLAB_TRACE=trace ./program "${what%:*}" 2>/dev/null
    same "tlbcc: a program that ends by ${what%:*} has its own status" "${what#*:}" $?
    exits 0 "tlbcc: a program that ends by ${what%:*} leaves a whole trace" tlbsim --to table trace
    same "tlbcc: a program that ends by ${what%:*} has all its accesses" 2000 "$(touched trace)"
done 2>/dev/null
TLBLAB_TRACE=trace ./program fork
same 'tlbcc: forked processes have a trace each' '20 200 202 204' \
    "$(tlbsim --to table trace | awk -F '\t' '$6 ~ /^0x2000/ && $5 == "read" { n[$3]++ } END { for (p in n) print n[p] }' | sort -n | paste -s -d ' ' -)"
rm -f trace trace.*
TLBLAB_TRACE=trace ./program exec
check 'tlbcc: a program that another one becomes has its own trace' test "$(touched trace)" -eq 2000
rm -f trace
TLBLAB_TRACE=trace ./program signals
same "tlbcc: accesses of signal handlers are there" 400 "$(accesses trace | grep -c 'write 0x3000')"
same 'tlbcc: signals take nothing from the program' 40000 "$(touched trace)"
for machine in zen4 skylake-client-xor7; do
    written=$(TLBLAB_RECORD=misses TLBLAB_MACHINE=$machine TLBLAB_TRACE=trace ./program alarms)
    check "tlbcc: signals come while misses are recorded: $machine" test "$written" -gt 100
    same "tlbcc: misses are whole whatever signals interrupt: $machine" "$written $written" \
        "$(accesses trace | awk '/write 0x3/ { n++; seen[$2] } END { print n, length(seen) }')"
done
TLBLAB_RECORD=misses TLBLAB_MACHINE=zen4 TLBLAB_TRACE=trace ./program kill 2>/dev/null
same 'tlbcc: a program that is killed has all its misses' 1001 "$(touched trace)"
TLBLAB_TRACE='|cat >slowly; sleep 0.3; mv slowly piped' ./program
same 'tlbcc: a trace goes into a command, which has ended when the program has' 2000 "$(touched piped)"
printf '#include <stdlib.h>\nint main(void) { for (int i = 0; i < 200000; i++) free(malloc(50)); return 3; }\n' >blocks.c
tlbcc -fno-builtin blocks.c -o blocks
TLBLAB_TRACE='|head -c 100 >/dev/null' ./blocks 2>err
same 'tlbcc: a program that takes memory goes on where tlbsim has ended, and its status shows it' 2 $?
matches 'tlbcc: it is reported that tlbsim has ended' 'tlbsim has ended: nothing more is traced' err
same 'tlbcc: without TLBLAB_TRACE nothing is written' '' "$(rm -f trace && ./program && ls trace 2>/dev/null)"
TLBLAB_TRACE=/nowhere/trace ./program exit 2>err
same 'tlbcc: the status shows that a trace cannot be written' 2 $?
matches 'tlbcc: a trace that cannot be written is reported with its name and the reason' \
    "TLBLAB_TRACE: '/nowhere/trace' cannot be written: No such file" err
TLBLAB_TRACE='|cat' ./program exit 2>err >&-
same 'tlbcc: the status shows that stdout is closed' 2 $?
matches 'tlbcc: a closed stdout is reported where a command would have it' 'stdout, which the command would have, is closed' err
TLBLAB_TRACE="|$(printf '%9000s' true)" ./program exit 2>err
matches 'tlbcc: a command that is too long is reported' 'command line of tlbsim is too long' err
TLBLAB_TLBSIM=/nowhere/tlbsim TLBLAB_TRACE=lost ./program exit 2>err
same 'tlbcc: the status shows that tlbsim is missing' 2 $?

# A full disk.
cat >full.c <<'EOS'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile char pages[1000 << 12];
int main(int argc, char **argv)
{
    for (int i = 0; i < 1000; i++)
        pages[i << 12] = 1;
    printf("done");
    if (argc > 1) {
        fflush(stdout);
        _exit(atoi(argv[1]));
    }
    return 0;
}
EOS
tlbcc full.c -o full
for how in '' 0 7; do
    for record in accesses misses; do
        # shellcheck disable=SC2086 # no argument
        said=$(TLBLAB_RECORD=$record TLBLAB_MACHINE=zen4 TLBLAB_TRACE=/dev/full ./full $how 2>err)
        same "tlbcc: on a full disk the status is 2: $record $how" 2 $?
        same "tlbcc: on a full disk the program goes on: $record $how" 'done' "$said"
        matches "tlbcc: a full disk is reported: $record $how" 'No space left on device' err
        matches "tlbcc: it is reported that the trace is not whole: $record $how" 'the trace is not whole' err
    done
done
TLBLAB_TRACE='|tlbsim --machine zen4 >/dev/full' ./full >out 2>err
same "tlbcc: the status shows that a trace's command has failed" 2 $?
(ulimit -f 1 && TLBLAB_TRACE=limited ./full >/dev/null 2>err)
same 'tlbcc: the status shows that a limit of files leaves no memory for the trace' 2 $?
matches 'tlbcc: that limit is reported' 'no memory for the trace .*ulimit -f' err

# Accesses that gcc leaves to calls.
TLBLAB_TRACE=trace ./program calls
expect_calls='read 0x200000008000
read 0x200000009000
read 0x200000010000
read 0x200000011000
read 0x200000012ffc
read 0x200000013000
write 0x200000014ffd
write 0x200000015000'
same 'tlbcc: copies, atomics and accesses across pages are there' "$expect_calls" \
    "$(accesses trace | grep 0x2000 | awk '!seen[$0]++')"
same 'tlbcc: the target of a copy is written' 'write 0x300000008000 write 0x300000009000' \
    "$(accesses trace | grep 0x3000 | awk '!seen[$0]++' | paste -s -d ' ' -)"
TLBLAB_TRACE=trace ./program library
same 'tlbcc: functions of the C library give the accesses that they make' "write 0x200000000000
write 0x200000001000
read 0x200000000000
write 0x300000000000
read 0x200000001000
write 0x300000001000
read 0x300000000000
read 0x300000001000
read 0x200000000000
read 0x200000001000
read 0x300000000000
read 0x300000001000" "$(accesses trace | grep -E '0x[23]0000000[01]000$')"
TLBLAB_TRACE=trace ./program heap
tlbsim --to table trace >text
matches 'tlbcc: a block of the heap is reported with its size' '	alloc	0x[0-9a-f]+	40960	' text
same 'tlbcc: a block is reported when it is taken, moved and freed, and again when realloc or munmap fails' \
    'alloc free alloc free alloc free alloc free' "$(awk -F '\t' '$7 == 40960 { on = 1 } on && $5 ~ /alloc|free/ { print $5 }' text | paste -s -d ' ' -)"
tlbcc -O1 -D_FILE_OFFSET_BITS=64 "$ROOT/tests/trace/tlbcc.c" -o program64 -ldl
for name in program program64; do
    TLBLAB_TRACE=trace ./$name heap
    matches "tlbcc: a mapping is reported as a block: $name" '	alloc	0x200000000000	8192000	' <(tlbsim --to table trace)
done
for options in -pipe -masm=intel '-flto -g' -fno-plt -fcf-protection; do
    # shellcheck disable=SC2086 # several options
    rm -f variant && tlbcc -O2 $options -DPAGES=50 -DPAGE_BYTES=4096 -DTHREADS=1 \
        "$ROOT/tests/workloads/sequential.c" -o variant -pthread
    TLBLAB_START=off TLBLAB_TRACE=trace ./variant
    same "tlbcc: the trace does not depend on $options" "$(predicted 50 4096 0 3 | md5sum)" "$(accesses trace | md5sum)"
done
printf 'void run(char *p) { for (int i = 0; i < 50; i++) { ((volatile char *)p)[i * 4096]; } }\n' >plugin.c
check 'tlbcc: it makes a shared library' tlbcc -O2 -shared -fPIC plugin.c -o plugin.so
TLBLAB_TRACE=trace ./program plugin ./plugin.so
same 'tlbcc: a library that is loaded later is traced' 50 "$(touched trace)"

# Leaving out four recent pages leaves out no miss, and changes none.
if setarch -R true 2>/dev/null; then
    tlbcc -O2 "$ROOT/tests/workloads/bfs.c" -o bfs
    TLBLAB_START=off TLBLAB_TRACE=one setarch -R ./bfs 13 >/dev/null
    TLBLAB_FILTER=4 TLBLAB_START=off TLBLAB_TRACE=four setarch -R ./bfs 13 >/dev/null
    # misses_of TRACE OPTION...: the number, operation and address of each miss. The stack begins below
    # the environment, which differs.
    misses_of() {
        tlbsim --to table "${@:2}" "$1" | awk -F '\t' '!/^#/ && $1 != 0 { sub(/^0x7ff.*/, "stack", $6); print $1, $5, $6 }'
    }
    small=small.tsv # below $ROOT a name with a blank would be two options
    cp "$ROOT/labs/18-miss-trace/data/machine.tsv" "$small"
    for options in "--machine $small" '--machine skylake-client-xor7 --page-size 2M' '--machine zen4'; do
        # shellcheck disable=SC2086 # several options
        same "tlbcc: four recent pages left out give the same misses: $options" \
            "$(misses_of one $options | md5sum)" "$(misses_of four $options | md5sum)"
    done
    # A program that simulates level 1 itself writes what tlbsim finds in a whole trace. The length of
    # the environment moves the stack, so it is the same for both.
    for machine in "$small" skylake-client-xor7 zen4 fifo-inclusive; do
        for what in accesses:1 misses:two; do
            TLBLAB_RECORD=${what%:*} TLBLAB_MACHINE=$machine TLBLAB_START=off TLBLAB_TRACE=${what#*:} \
                setarch -R ./bfs 13 >/dev/null
        done
        same "tlbcc: misses are recorded as they are in a trace of accesses: $machine" \
            "$(misses_of 1 --machine "$machine" --page-size 4K | md5sum)" "$(misses_of two | md5sum)"
    done
    check 'tlbcc: there are many misses to compare' test "$(misses_of four --machine "$small" | wc -l)" -gt 1000
    curve_of() { tlbsim --to curve "$1" | grep -v '^#' | awk '$1 >= 5 { print $1, $4, $5 }'; }
    same 'tlbcc: four recent pages left out give the same curve' "$(curve_of one | md5sum)" "$(curve_of four | md5sum)"
    same 'tlbcc: a curve begins where it is known' 4 "$(tlbsim --to curve four | grep -v '^#' | sed -n 2p | cut -f 1)"
    exits_saying 2 'tlbcc: other replacement is refused where four recent pages are left out' 'trace again with TLBLAB_FILTER=1' \
        tlbsim --machine fifo-inclusive four
    exits 2 'tlbcc: fewer ways are refused where four recent pages are left out' tlbsim --to curve --ways 2 four
    check 'tlbcc: four recent pages left out make a shorter trace' test \
        "$(tlbsim --to table four | wc -l)" -lt "$(tlbsim --to table one | wc -l)"
else
    skip 'tlbcc: four recent pages left out give the same misses' 'no setarch -R here'
fi

# Programs that cannot be recorded.
TLBLAB_RECORD=misses TLBLAB_TRACE=trace ./program 2>err
matches 'tlbcc: misses without a machine are reported' 'needs TLBLAB_MACHINE: accesses are recorded' err
TLBLAB_RECORD=misses TLBLAB_MACHINE=nowhere TLBLAB_TRACE=trace ./program exit 2>err
same 'tlbcc: the status shows that a machine is not there' 2 $?
matches 'tlbcc: a machine that is not there is reported' 'nowhere: no such file' err

# The compiler's other uses.
for option in -static-pie ${LONG:+-flto -static -no-pie}; do
    if gcc -O2 "$option" "$ROOT/tests/workloads/objects.c" -o objects 2>/dev/null; then
        exits 0 "tlbcc: it compiles with $option" tlbcc -O2 "$option" "$ROOT/tests/workloads/objects.c" -o objects
        TLBLAB_TRACE=trace ./objects
        same "tlbcc: $option gives all accesses" '31000 40000' \
            "$(accesses trace | awk '{ n[$1]++ } END { print n["read"], n["write"] }')"
    else
        skip "tlbcc: $option gives all accesses" 'gcc cannot do that here'
    fi
done
exits 0 'tlbcc: it compiles to an object' tlbcc -c plugin.c -o plugin.o
exits 0 'tlbcc: it only preprocesses' tlbcc -E plugin.c
printf 'long head, me, tell;\nint main(void) { return (int)(head + me + tell); }\n' >names.c
exits 0 'tlbcc: a program may have the names that the runtime has inside' tlbcc names.c -o names
printf 'int main(void) { return no_such_name; }\n' >wrong.c
tlbcc wrong.c -o wrong 2>err
same "tlbcc: the compiler's error is its status" 1 $?
matches "tlbcc: the compiler's message is passed on" 'no_such_name' err
for name in none exit _exit library; do
    ./plain $name
    before=$?
    TLBLAB_TRACE=trace ./program $name
    same "tlbcc: a traced program does the same as a plain one: $name" "$before" $?
done
if command -v g++ >/dev/null; then
    cat >vector.cc <<'END'
#include <map>
#include <string>
#include <vector>
#include <iostream>
int main()
{
    std::vector<long> v(1 << 16);
    std::map<std::string, long> m;
    for (size_t i = 0; i < v.size(); i++)
        m[std::to_string(i % 1000)] += v[i] += i;
    try {
        v.at(v.size());
    } catch (const std::exception &) {
        std::cout << m.size() << '\n';
    }
    return 0;
}
END
    check 'tlbc++: it compiles C++' tlbc++ -O2 vector.cc -o vector
    same 'tlbc++: a program of C++ runs as it should' 1000 "$(TLBLAB_TRACE=trace ./vector)"
    matches 'tlbc++: new is reported as a block' '	alloc	0x[0-9a-f]+	524288	' <(tlbsim --to table trace)
    cat >new.cc <<'END'
#include <new>
struct alignas(4096) wide {
    char bytes[3 * 4096];
};
int main()
{
    volatile int two = 2;
    char *c = new (std::nothrow) char[777777 + two];
    wide *w = new wide, *all = new wide[two], *n = new (std::nothrow) wide, *some = new (std::nothrow) wide[two + 1];
    delete[] c;
    delete w;
    delete[] all;
    delete n;
    delete[] some;
    return 0;
}
END
    tlbc++ -O1 -std=c++17 new.cc -o new
    TLBLAB_TRACE=trace ./new
    same 'tlbc++: over-aligned and nothrow new and their delete are reported' \
        '777779 12288 24576 12288 36864 free free free free free' "$(tlbsim --to table trace |
            awk -F '\t' '$5 == "alloc" { at[$6]; print $7 } $5 == "free" && $6 in at { print $5 }' | paste -s -d ' ' -)"
else
    skip 'tlbc++: it compiles C++' 'no g++ here'
fi

# More threads than are traced at once, one after the other, while tlbsim does not read.
cat >many.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *run(void *page) { *(volatile char *)page = 1; return NULL; }
int main(void)
{
    char *page = malloc(4096);
    for (int i = 0; i < 3000; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, page) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 0;
}
END
tlbcc -O1 many.c -o many -pthread || exit 2
printf '#!/bin/sh\n"%s" "$@" &\nsleep 0.05; kill -STOP $!; sleep 0.5; kill -CONT $!; wait $!\n' "$OUT/tlbsim" >slow && chmod +x slow
TLBLAB_TLBSIM=./slow TLBLAB_TRACE=trace ./many 2>err
same 'tlbcc: threads that have ended make room for others' '' "$(cat err)"
same 'tlbcc: each of many short threads is in the trace' 3001 \
    "$(tlbsim --to table trace | awk -F '\t' '!/^#/ && $1 != "sequence" && !seen[$4]++ { n++ } END { print n }')"

# Ctrl-C: the program's whole group gets it.
cat >endless.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    volatile char *page = malloc(100 << 12);
    for (long i = 0;; i++) {
        page[i % 100 << 12] = 1;
        if (i == 100000)
            rmdir("waits");
    }
}
END
tlbcc -O1 endless.c -o endless && mkdir waits || exit 2
set -m # or the shell has it ignore SIGINT
TLBLAB_TRACE=trace ./endless 2>/dev/null &
set +m
for ((i = 0; i < 1000; i++)); do [ -d waits ] || break; sleep 0.01; done
kill -INT -- -$!
wait $! 2>/dev/null
same 'tlbcc: an interrupted program has its own status' 130 $?
exits 0 'tlbcc: an interrupted program leaves a whole trace' tlbsim --to table trace
check 'tlbcc: an interrupted program has its accesses' test "$(grep -c 'write' "$TMP/out")" -ge 100000
finish_tests
