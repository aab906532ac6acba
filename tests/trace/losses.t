#!/usr/bin/env bash
# losses.t: nothing is lost where a program ends soon, forks, loads a library, asks for huge pages or names its
# objects; by tlbcc and by tlbrun, with the counts that arithmetic says.
. "${0%/*}/trace.sh"
plain_linux_alone
command -v gcc >/dev/null || skip_all 'no gcc here'

cat >library.c <<'C'
#include <stddef.h>
static char table[2100 << 12];
int probe(void)
{
    int sum = 0;
    for (size_t i = 0; i < 2100; i++)
        sum += ((volatile char *)table)[i << 12];
    return sum;
}
C
cat >program.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
void tlb_trace_on(void) __attribute__((weak));
void tlb_trace_object(const void *, size_t, const char *) __attribute__((weak));
enum { PAGE = 4096 };
static void write_pages(char *memory, size_t pages)
{
    for (size_t i = 0; i < pages; i++)
        *(volatile char *)(memory + i * PAGE) = 1;
}
/* Loads the library in a child of a child, which ends without a word. */
static int fork_and_load(void)
{
    if (fork() != 0 || fork() != 0)
        return wait(NULL) < 0;
    void *library = dlopen("./library.so", RTLD_NOW);
    int (*probe)(void) = (int (*)(void))dlsym(library, "probe");
    probe();
    dlclose(library);
    _exit(0);
}
/* A block that a child takes and its child writes. */
static int fork_with_block(void)
{
    if (fork() != 0)
        return wait(NULL) < 0;
    char *block = aligned_alloc(PAGE, (size_t)5000 * PAGE);
    if (fork() != 0)
        return wait(NULL) < 0;
    write_pages(block, 5000);
    _exit(0);
}
static int name_parts(void)
{
    char *pool = aligned_alloc(PAGE, (size_t)20000 * PAGE);
    if (tlb_trace_on)
        tlb_trace_on();
    if (tlb_trace_object) {
        tlb_trace_object(pool + 4000 * PAGE, (size_t)5000 * PAGE, "tree of the index");
        tlb_trace_object(pool + 9000 * PAGE, (size_t)6000 * PAGE, "rows");
    }
    write_pages(pool, 20000);
    return 0;
}
static int use_huge_pages(void)
{
    size_t bytes = 64 << 20;
    char *block = aligned_alloc(2 << 20, bytes);
    madvise(block, bytes, MADV_HUGEPAGE);
    for (int lap = 0; lap < 4; lap++)
        write_pages(block, bytes / PAGE);
    return 0;
}
static char table[9000 * PAGE];
static void before(void) { write_pages(table, 3000); }
static void region(void) { write_pages(table + 3000 * PAGE, 5000); }
static void after(void) { write_pages(table, 9000); }
static int run_parts(int laps)
{
    before();
    region();
    for (int i = 0; i < laps; i++)
        after();
    return 5;
}
int main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    return strcmp(what, "load") == 0    ? fork_and_load()
           : strcmp(what, "block") == 0 ? fork_with_block()
           : strcmp(what, "names") == 0 ? name_parts()
           : strcmp(what, "huge") == 0  ? use_huge_pages()
           : strcmp(what, "parts") == 0 ? run_parts(100)
                                        : 0;
}
C
# found [OPTION...]: objects and their misses in tens.
found() { tlbsim --machine zen4 "$@" trace | misses --quiet --by object | awk -F '\t' '!/^#/ && $2 + 0 > 1000 { print $1 "=" int($2 / 10) }' | paste -s -d , -; }

# checks TRACER: run() runs the program so that it writes the trace.
checks() {
    run load
    same "$1: a library that is unloaded at once keeps its names" table=2"$2" "$(found --page-size 4K)"
    run block
    same "$1: a child of a child has the blocks of its parent" "heap main (program.c:$((line + 1)));fork_with_block (program.c:$taken)=500" "$(found --page-size 4K)"
    run names
    same "$1: parts of a pool have the names that the program gives them" \
        "heap main (program.c:$((line + 2)));name_parts (program.c:$pooled)=900,rows=600,tree of the index=500" "$(found --page-size 4K)"
}
at() { grep -nF "$1" program.c | head -n 1 | cut -d : -f 1; }
taken=$(at 'char *block = aligned_alloc(PAGE') pooled=$(at 'char *pool = ')
line=$(at 'return strcmp')
tlbcc -g -O1 -fPIC -shared library.c -o library.so && tlbcc -g -O1 -fno-inline program.c -o program || exit 2
run() { TLBLAB_TRACE=trace ./program "$1"; }
checks tlbcc 10
# bounded COMMAND...: its status, and whether its trace is whole and short.
bounded() {
    "$@" parts 2>err
    echo "$? $(($(wc -c <trace) < 60000)) $(tlbsim --machine zen4 --to summary trace >/dev/null && echo whole)"
}
same 'tlbcc: a trace ends at the size that it may have, and the program goes on' '5 1 whole' \
    "$(TLBLAB_TRACE=trace TLBLAB_MAX_BYTES=20k bounded ./program)"
matches 'tlbcc: it says so' 'the trace ends here \(--max-bytes\)' err
same 'tlbcc: a trace ends after the time that it may take' '5 1 whole' \
    "$(TLBLAB_TRACE=trace TLBLAB_MAX_SECONDS=1e-9 bounded ./program)"
matches 'tlbcc: it names the bound' 'the trace ends here \(--max-seconds\)' err
TLBLAB_TRACE=trace TLBLAB_MAX_BYTES=20x ./program parts 2>err
matches 'tlbcc: what is no size is refused' "TLBLAB_MAX_BYTES: '20x' is not a size" err
TLBLAB_START=off TLBLAB_TRACE=trace ./program block 2>err
matches 'tlbcc: a program that never begins to trace says so' 'nothing is traced: the program has not called tlb_trace_on' err

gives_huge() { ! grep -q '\[never\]' /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null; }
if gives_huge; then
    run huge
    same 'tlbcc: huge pages that the program asks for are huge' '' "$(found)"
    TLBLAB_RECORD=misses TLBLAB_MACHINE=zen4 run huge 2>err
    matches 'tlbcc: where they pass for small ones, it says so' 'the program has huge pages, which pass for small ones' err
else
    skip 'tlbcc: huge pages that the program asks for are huge' 'the system gives none'
fi

needs_qemu 'tlbrun: nothing is lost'
gcc -g -O1 -fPIC -shared library.c -o library.so && gcc -g -O1 -fno-inline program.c -o program -ldl || exit 2
run() { tlbrun --trace trace -- ./program "$1"; }
checks tlbrun 09
same 'tlbrun: a trace ends at the size that it may have, and the program goes on' '5 1 whole' \
    "$(bounded tlbrun --max-bytes 20k --trace trace -- ./program)"
same 'tlbrun: a trace ends after the time that it may take' '5 1 whole' \
    "$(bounded tlbrun --max-seconds 1e-9 --trace trace -- ./program)"
tlbrun --from region --to after --trace trace -- ./program parts
same 'tlbrun: from one function to another' 500 \
    "$(tlbsim --machine zen4 --page-size 4K trace | misses --quiet --by page | awk -F '\t' '/^0x/ { n += $4 } END { print int(n / 10) }')"
TLBLAB_START=off run names
same 'tlbrun: tracing begins where the program says so' 20000 \
    "$(tlbsim --machine zen4 --page-size 4K trace | misses --quiet --by function | awk -F '\t' '$1 == "write_pages" { print $4 }')"
TLBLAB_START=off run block 2>err
matches 'tlbrun: a program that never begins to trace says so' 'nothing is traced: the program has not called tlb_trace_on' err
if ! gives_huge; then
    skip 'tlbrun: huge pages that the program asks for are huge' 'the system gives none'
else
    run huge
    same 'tlbrun: huge pages that the program asks for are huge' '' "$(found)"
    tlbrun --misses zen4 --trace misses -- ./program huge
    # shellcheck disable=SC2016 # of awk
    check 'tlbrun: so they are with --misses' \
        awk -F '\t' '/^heap/ && $2 > 1000 { exit 1 }' <(misses --quiet --by object misses)
fi
finish_tests
