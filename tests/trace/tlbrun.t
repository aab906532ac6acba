#!/usr/bin/env bash
# tlbrun.t: programs that know nothing of it run in qemu-user as they do without, and their traces hold
# what they did.
. "${0%/*}/trace.sh"
plain_linux_alone
run() { tlbrun --trace trace -- "$@"; }

# Programs that cannot be run.
exits 2 'tlbrun: without a trace it is wrong usage' tlbrun -- true
exits 2 'tlbrun: without a command it is wrong usage' tlbrun --trace trace
exits 2 'tlbrun: a command that is not there is refused' run no-such-command
exits_saying 2 'tlbrun: no command runs where its trace cannot be written' 'nowhere/trace: cannot be written: No such' \
    tlbrun --trace nowhere/trace -- touch ran
exits_saying 2 'tlbrun: no command runs for a machine that is not there' 'nomachine: no such file' \
    tlbrun --trace trace --misses nomachine -- touch ran
exits 2 "tlbrun: a machine does not come from the command's stdin" tlbrun --trace trace --misses - -- touch ran
same 'tlbrun: none of these commands has run' '' "$(ls ran 2>/dev/null)"
printf '#!/nowhere/sh\n' >script && chmod +x script
exits 2 'tlbrun: a script whose interpreter is not there is refused' run ./script
matches 'tlbrun: it names the interpreter' '^tlbrun: /nowhere/sh: cannot be read: No such file' "$TMP/err"
printf 'no program, but so long that it might be one\n' >words && chmod +x words
exits 2 'tlbrun: what is no program is refused' run ./words
exits 2 'tlbrun: a qemu that is not there is refused' tlbrun --qemu ./nowhere --trace trace -- "$OUT/misses" --help
matches 'tlbrun: of a qemu that is not there it says what to install' 'apt install qemu-user' "$TMP/err"
printf '#!/bin/sh\necho "-help  print this help"\n' >bare && chmod +x bare
exits 2 'tlbrun: a qemu without plugins is refused' tlbrun --qemu ./bare --trace trace -- "$OUT/misses" --help
matches 'tlbrun: of a qemu without plugins it says which has them' 'built without plugins: Debian 12' "$TMP/err"
# shellcheck disable=SC2016 # the script expands it
printf '#!/bin/sh\n[ "$1" = -h ] && echo "-plugin  QEMU_PLUGIN" && exit\nprintf "%%s\\n" "$@"\n' >fake && chmod +x fake
same 'tlbrun: the command reaches qemu with its name and arguments' "-0 misses $OUT/misses --by a b" \
    "$(tlbrun --qemu ./fake --trace trace -- misses --by 'a b' | tail -n 5 | paste -s -d ' ' -)"
ln -s "$OUT/misses" interpreter # by a name without a blank, which would end it
printf '#! %s -q \necho\n' ./interpreter >script
same 'tlbrun: a script runs in its interpreter' "-0 ./interpreter ./interpreter -q ./script a b" \
    "$(tlbrun --qemu ./fake --trace trace -- ./script 'a b' | tail -n 6 | paste -s -d ' ' -)"

needs_qemu 'tlbrun: programs are traced'

gcc -O1 "$ROOT/tests/trace/tlbcc.c" -o program -ldl || exit 2
export TLBLAB_FILTER=1 # of recent pages only the last is left out
for what in none:0 exit:6 _exit:7 segv:139 kill:137; do
    run ./program "${what%:*}" 2>/dev/null
    same "tlbrun: a program that ends by ${what%:*} has its own status" "${what#*:}" $?
    exits 0 "tlbrun: a program that ends by ${what%:*} leaves a whole trace" tlbsim --to table trace
    same "tlbrun: a program that ends by ${what%:*} has all its accesses" 2000 "$(touched trace)"
done 2>/dev/null
run ./program fork
same 'tlbrun: forked processes have a trace each' '20 200 202 204' \
    "$(tlbsim --to table trace | awk -F '\t' '$6 ~ /^0x2000/ && $5 == "read" { n[$3]++ } END { for (p in n) print n[p] }' | sort -n | paste -s -d ' ' -)"
run ./program signals
same 'tlbrun: accesses of signal handlers are there' 400 "$(accesses trace | grep -c 'write 0x3000')"
same 'tlbrun: signals take nothing from the program' 40000 "$(touched trace)"
gcc -O2 -DPAGES=5000 -DPAGE_BYTES=4096 -DTHREADS=4 "$ROOT/tests/workloads/sequential.c" -o sequential -pthread
run ./sequential
same 'tlbrun: each of four threads has its accesses' '15000 15000 15000 15000' \
    "$(tlbsim --to table trace | awk -F '\t' '$5 == "read" && $6 ~ /^0x1000/ { n[$4]++ } END { for (t in n) print n[t] }' | paste -s -d ' ' -)"
same 'tlbrun: each of five threads has a stack' 5 "$(tlbsim --to table trace | awk -F '\t' '$5 == "stack" && $7 > 0 { print $6 }' | sort -u | wc -l)"
unset TLBLAB_FILTER

# Objects and lines, as for a program that tlbcc has compiled.
gcc -g -O1 "$ROOT/tests/workloads/objects.c" -o objects
run ./objects
tlbsim --machine zen4 --page-size 4K trace >found
same 'tlbrun: a global variable has its misses' 300 "$(hundreds object found table)"
same 'tlbrun: a block of the heap has its name' 410 "$(hundreds object found "heap main (objects.c:41);make_heap (objects.c:$(grep -n 'malloc(' "$ROOT/tests/workloads/objects.c" | cut -d : -f 1))")"
same 'tlbrun: functions have their misses' 400 "$(hundreds function found write_heap)"
same 'tlbrun: lines have their misses' 400 "$(hundreds line found "objects.c:$(grep -n '= 1;$' "$ROOT/tests/workloads/objects.c" | cut -d : -f 1)")"
tlbrun --misses zen4 --trace own -- ./objects
same 'tlbrun: a program that simulates level 1 itself has the same misses' \
    "$(hundreds function found read_table) $(hundreds function found read_some)" \
    "$(hundreds function own read_table) $(hundreds function own read_some)"
# Blocks have their call stacks, be it without frame pointers, or in a static program, before which no library is put.
levels=(-O2)
if [ "$(uname -m)" = x86_64 ] && echo 'int main(void) { return 0; }' | gcc -static -x c - -o static 2>/dev/null; then
    levels+=('-O2 -static' ${LONG:+'-O0 -static' '-O2 -flto -static-pie'})
fi
at() { grep -n "$1 = " "$ROOT/tests/trace/stacks.c" | cut -d : -f 1; }
for level in "${levels[@]}"; do
    # shellcheck disable=SC2086 # several options
    gcc -g $level "$ROOT/tests/trace/stacks.c" -o arrays && run ./arrays
    same "tlbrun: blocks have their call stacks: $level" \
        "heap main (stacks.c:$(at first)) 4,heap main (stacks.c:$(at second)) 5,heap main (stacks.c:$(at third)) 6,heap main (stacks.c:$(at fourth)) 7" \
        "$(tlbsim --machine zen4 --page-size 4K trace | misses --quiet --by object --skip new_array |
            awk -F '\t' '/^heap main[^;]*\t/ { print $1, int($2 / 1000) }' | sort -k 3 -t : -n | paste -s -d , -)"
done
# A word on the stack that was a return address, of another call, is no caller.
cat >stale.c <<'C'
#include <stdlib.h>
static void *stale;
__attribute__((noinline)) static void remember(void) { stale = __builtin_return_address(0); }
__attribute__((noinline)) static char *take(size_t pages)
{
    void *volatile words[16];
    for (int i = 0; i < 16; i++)
        words[i] = stale;
    char *block = malloc(pages << 12);
    return words[7] == stale ? block : NULL;
}
__attribute__((noinline)) static char *taker(void) { char *volatile block = take(2000); return block; }
int main(void)
{
    remember();
    char *block = taker();
    for (long i = 0; i < 2000; i++)
        ((volatile char *)block)[i << 12] = 1;
    return 0;
}
C
for level in "${levels[@]}"; do
    # shellcheck disable=SC2086 # several options
    gcc -g $level stale.c -o stale && run ./stale
    same "tlbrun: old words on the stack are no callers: $level" 'heap taker (stale.c:12);take (stale.c:9) 20' \
        "$(tlbsim --machine zen4 --page-size 4K trace | misses --quiet --by object | awk -F '\t' '/^heap/ && $2 > 1000 { print $1, int($2 / 100) }')"
done
cat >lists.c <<'C'
#include <stdlib.h>
struct node { struct node *next; char rest[100]; };
__attribute__((noinline)) static struct node *take(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    node->next = next;
    return node;
}
__attribute__((noinline)) static struct node *take_all(struct node *list, int count)
{
    for (int i = 0; i < count; i++)
        list = take(list);
    return list;
}
__attribute__((noinline)) static struct node *longer(void)
{
    struct node *volatile list = take_all(NULL, 200000); /* no jump in place of the call */
    return list;
}
__attribute__((noinline)) static struct node *shorter(void)
{
    struct node *volatile list = take_all(NULL, 100000); /* no jump in place of the call */
    return list;
}
int main(void)
{
    struct node *lists[] = {longer(), shorter()};
    for (int i = 0; i < 4; i++)
        for (struct node *node = lists[i % 2]; node != NULL; node = *(struct node *volatile *)node)
            ;
}
C
gcc -O2 -fomit-frame-pointer lists.c -o lists || exit 2
tlbrun --misses zen4 --trace found -- ./lists
same 'tlbrun: small blocks have their call stacks, through two functions in common' 'heap main;longer 3,heap main;shorter 1' \
    "$(misses --quiet --by object --skip take,take_all found | awk -F '\t' '/^heap main;(long|short)er/ { print $1, int($2 / 5000) }' | paste -s -d , -)"
lacks 'tlbrun: what finds the call stacks is not traced' $'guest.so\t[0-9]{3}' <(misses --quiet --by object found)
lacks 'tlbrun: nor do its functions miss' '^(_Unwind_|uw_)' <(misses --quiet --by function found)
same 'tlbrun: other libraries are put before it as they were' libc.so.6 \
    "$(LD_PRELOAD=libc.so.6 tlbrun --trace trace -- sh -c 'printenv LD_PRELOAD')"
# Signal handlers and coroutines take memory, and the stacks that they were called from go away.
cat >signals.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
static char alternate[65536];
static size_t bytes;
static char *volatile block;
static ucontext_t back, coroutine;
static void handle(int signal)
{
    (void)signal;
    block = malloc(bytes);
}
static void run(void) { raise(SIGUSR1); }
int main(int argc, char *argv[])
{
    stack_t other = {.ss_sp = alternate, .ss_size = sizeof alternate};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    bytes = argc > 1 ? (size_t)atol(argv[1]) : 1;
    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (uintptr_t i = 1; i < 6; i++) {
        char *stack = mmap((void *)(i << 24), 65536, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        getcontext(&coroutine);
        coroutine.uc_stack.ss_sp = stack;
        coroutine.uc_stack.ss_size = 65536;
        coroutine.uc_link = &back;
        makecontext(&coroutine, run, 0);
        swapcontext(&back, &coroutine);
        munmap(stack, 65536);
    }
    return 3;
}
C
gcc -O1 -include stdint.h signals.c -o signals || exit 2
for bytes in 100 20000; do
    timeout 60 tlbrun --trace trace -- ./signals "$bytes" 2>/dev/null
    same "tlbrun: a signal handler takes $bytes bytes, and the stack that it interrupted is unmapped" 3 $?
done
# Threads that end leave nothing.
cat >threads.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *argument)
{
    void *volatile block = malloc(100);
    free(block);
    return argument;
}
static unsigned long mapped(void) /* by the program, not by QEMU */
{
    char line[4096];
    unsigned long begin, end, all = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx rw", &begin, &end) == 2)
            all += end - begin;
    fclose(maps);
    return all;
}
int main(void)
{
    unsigned long before = 0;
    for (int i = 0; i < 250; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL) != 0)
            return 1;
        pthread_join(thread, NULL);
        if (i == 100)
            before = mapped();
    }
    return mapped() > before + (1 << 20) ? 2 : 3;
}
C
gcc -O1 threads.c -o threads -pthread || exit 2
tlbrun --trace trace -- ./threads
same 'tlbrun: threads that have ended keep no memory' 3 $?
# A program of C that loads a library of C++.
if command -v g++ >/dev/null; then
    printf 'extern "C" int work() { int *volatile block = new int[5]; delete[] block; return 3; }\n' >loaded.cc
    printf '#include <dlfcn.h>\nint main(void) { return ((int (*)(void))dlsym(dlopen("./loaded.so", RTLD_NOW), "work"))(); }\n' >loads.c
    g++ -shared -fPIC loaded.cc -o loaded.so && gcc loads.c -o loads -ldl || exit 2
    timeout 60 tlbrun --trace trace -- ./loads 2>/dev/null
    same 'tlbrun: a program of C loads a library of C++' 3 $?
fi
printf '#include <unistd.h>\nint main(void) { char *words[] = {"printenv", NULL}; execve("/usr/bin/printenv", words, (void *)0); }\n' >bare.c
gcc -w bare.c -o bare.program || exit 2
exits 0 'tlbrun: a program is executed without an environment' run ./bare.program
# An allocator of the program's own, which holds a lock while it maps memory.
cat >allocator.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *malloc(size_t bytes)
{
    pthread_mutex_lock(&lock);
    void *block = mmap(NULL, bytes + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_unlock(&lock);
    return block;
}
void free(void *block) { (void)block; }
int main(void)
{
    char *block = malloc(1), *heap = sbrk(400 << 12);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 400; i++)
            heap[i << 12] = *block = 1;
    return 3;
}
C
gcc -O1 allocator.c -o allocator
timeout 60 tlbrun --trace trace -- ./allocator
same 'tlbrun: an allocator that maps memory under a lock is not entered again' 3 $?
grep -v '^dtlb	2' "$ROOT/src/tlb/models/zen4.tsv" >one-level.tsv
tlbsim --machine one-level.tsv --page-size 4K trace >found
# Of its 800 misses, those that are read together with the growth come before the mappings.
same 'tlbrun: a heap that has grown is mapped memory' yes "$(misses --quiet --by object found | awk -F '\t' '$1 == "mapped" { print ($4 > 600 ? "yes" : $4) }')"
cat >untouched.c <<'C'
#include <stdlib.h>
static void *volatile blocks[10000];
int main(int argc, char *argv[])
{
    for (int i = 0; i < 10000; i++)
        blocks[i] = malloc(1000);
    for (int i = 0; i < 10000 && argc > 1; i++)
        free(blocks[i * 7919 % 10000]); /* mostly on another page than before */
    return argv == NULL;
}
C
gcc -g -O1 untouched.c -o untouched
tlbrun --trace trace -- ./untouched
tlbsim --machine one-level.tsv --page-size 4K trace >found
# 10 000 blocks with a header of 8 bytes each are 2461 pages.
same 'tlbrun: pages that malloc itself touches are those of the blocks that lie there' 24 \
    "$(misses --quiet --by object found | awk -F '\t' '/^heap main .untouched.c:6/ { print int($2 / 100) }')"
tlbrun --trace trace -- ./untouched free
tlbsim --machine one-level.tsv --page-size 4K trace >found
same 'tlbrun: so are those that free() touches, at its blocks and in front of them' 'many 0' \
    "$(misses --quiet --by object found | awk -F '\t' '/^heap main .untouched.c:6/ { heap = $2 } $1 == "mapped" { mapped = $2 } END { print (heap > 10000 ? "many" : heap), int(mapped / 100) }')"
printf 'banana\napple\n' >words
same 'tlbrun: a program of the system runs as it should' 'apple banana' \
    "$(tlbrun --trace '|tlbsim --to summary --machine zen4 >summary' -- sort words | paste -s -d ' ' -)"
matches 'tlbrun: a program of the system has its accesses' '	2	[0-9]+	[0-9]+	0\.' summary
for options in '' '--misses zen4'; do
    # shellcheck disable=SC2086 # several words
    exits 2 "tlbrun: on a full disk the status is 2: $options" tlbrun $options --trace /dev/full -- sort words
    same "tlbrun: on a full disk the program goes on: $options" 'apple banana' "$(paste -s -d ' ' "$TMP/out")"
    matches "tlbrun: a full disk is reported, also where the program has closed stderr: $options" 'No space left on device' "$TMP/err"
done
tlbsim --itlb 4 trace | misses --quiet --by object --fetches >objects.tsv
matches 'tlbrun: what is executed is code, also of libraries' '^code libc' objects.tsv
lacks 'tlbrun: no data is executed' '^(data|mapped|heap) ' objects.tsv
matches 'tlbrun: code of libraries is there' '^(_dl_|do_lookup_x|strc|mem|_IO_)' <(run sort words >/dev/null
    tlbsim --machine zen4 --level 1 trace | misses --quiet --by function -)
finish_tests
