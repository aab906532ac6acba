/* Another system: what a program may take for a constant is something else here, so that only one
 * that asks is right. CLOCKS_PER_SEC is 250000, and the processor time of a process begins just
 * before a whole second. Real pages have twice the bytes. Memory that is allocated ends where a
 * page ends, begins inside one where it can, and is followed by one that nobody may use; what
 * mmap() returns begins a page after where a huge page can; what madvise() is asked is printed. A
 * check compiles programs with
 * `-include elsewhere.h`. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static inline int elsewhere_clock_gettime(clockid_t which, struct timespec *t)
{
    int status = clock_gettime(which, t);

    t->tv_nsec += which == CLOCK_PROCESS_CPUTIME_ID ? 990000000 : 0;
    t->tv_sec += t->tv_nsec / 1000000000;
    t->tv_nsec %= 1000000000;
    return status;
}

static inline int elsewhere_getrusage(int who, struct rusage *usage)
{
    int status = getrusage(who, usage);

    usage->ru_utime.tv_usec += 990000;
    usage->ru_utime.tv_sec += usage->ru_utime.tv_usec / 1000000;
    usage->ru_utime.tv_usec %= 1000000;
    return status;
}

/* `bytes` of memory, `past` bytes after a multiple of `unit`, with a page behind them that nobody
 * may use. */
static inline char *elsewhere_memory(size_t bytes, size_t unit, size_t past)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (bytes + page - 1) / page * page;
    char *memory = bytes > SIZE_MAX / 2 ? MAP_FAILED
                                        : mmap(NULL, all + 2 * unit + page, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        return NULL;
    memory += (unit - (uintptr_t)memory % unit) % unit + past;
    mprotect(memory + all, page, PROT_NONE);
    return memory;
}

static inline void *elsewhere_malloc(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (bytes + 15) / 16 * 16;
    char *memory = elsewhere_memory(rounded, 2 * page, 0);

    return memory == NULL ? NULL : memory + (page - rounded % page) % page;
}

static inline void *elsewhere_mmap(void *at, size_t bytes, int access, int flags, int file,
                                   off_t from)
{
    char *memory;

    if (file >= 0)
        return mmap(at, bytes, access, flags, file, from);
    memory = elsewhere_memory(bytes, 2 << 20, (size_t)sysconf(_SC_PAGESIZE));
    return memory == NULL ? MAP_FAILED : memory;
}

static inline int elsewhere_madvise(void *at, size_t bytes, int advice)
{
    printf("# advised: %p %zu\n", at, bytes);
    return madvise(at, bytes, advice);
}

#undef CLOCKS_PER_SEC
#define CLOCKS_PER_SEC          ((clock_t)250000)
#define clock()                 (clock() / 4)
#define clock_gettime(which, t) elsewhere_clock_gettime(which, t)
#define getrusage(who, usage)   elsewhere_getrusage(who, usage)
#define malloc(bytes)           elsewhere_malloc(bytes)
#define calloc(count, bytes)    elsewhere_malloc((count) * (bytes))
#define free(memory)            ((void)(memory))
#define mmap(at, bytes, access, flags, file, from)                                                 \
    elsewhere_mmap(at, bytes, access, flags, file, from)
#define madvise(at, bytes, advice) elsewhere_madvise(at, bytes, advice)
#define sysconf(name)              (sysconf(name) * ((name) == _SC_PAGESIZE ? 2 : 1))
