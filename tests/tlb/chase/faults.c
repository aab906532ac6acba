/* faults: a system with a fault, put before the C library by LD_PRELOAD.
 *
 * CLOCK_JUMPS="CALL EVERY SECONDS": the clock jumps by so much at this reading of it, and at every
 * EVERYth from there on. HUGE_PAGES=half: of memory for which huge pages are asked, the second half
 * gets none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

/* dlsym() returns a pointer to data, which ISO C converts to no function. */
union function {
    void *found;
    int (*clock)(clockid_t, struct timespec *);
    int (*advise)(void *, size_t, int);
};

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static union function real;
    static long calls, at, every, seconds;
    if (real.found == NULL) {
        const char *jumps = getenv("CLOCK_JUMPS");
        real.found = dlsym(RTLD_NEXT, "clock_gettime");
        if (jumps == NULL || sscanf(jumps, "%ld %ld %ld", &at, &every, &seconds) != 3)
            at = 1L << 62;
    }
    int result = real.clock(clock, time);
    if (++calls >= at)
        time->tv_sec += seconds * (1 + (calls - at) / every);
    return result;
}

int madvise(void *memory, size_t bytes, int advice)
{
    static union function real;
    if (real.found == NULL)
        real.found = dlsym(RTLD_NEXT, "madvise");
    if (advice != MADV_HUGEPAGE || getenv("HUGE_PAGES") == NULL)
        return real.advise(memory, bytes, advice);
    return real.advise(memory, bytes / 2, advice);
}
