/* tlbcost.c: a program for tlbcost.t, which touches this many MiB: of malloc, of mmap, its own, of
 * a wrapper that two functions call, or of one of two similar libraries. It prints "asked" or
 * "not_asked", whether huge pages were asked for this memory, and how many MiB of it the kernel
 * gave as such. `free` is malloc() that gives the memory back after a tenth of a second; `busy MS`
 * after that of processor time. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef TAKE /* a library with one function, at the same place whatever its name */

void *TAKE(size_t bytes);
void *TAKE(size_t bytes)
{
    return malloc(bytes);
}

#else

void *take_this(size_t bytes) __attribute__((weak));
void *take_that(size_t bytes) __attribute__((weak));

static char own[64 << 20];

static __attribute__((noinline)) char *xmalloc(size_t bytes)
{
    char *memory = malloc(bytes);
    if (memory == NULL)
        abort();
    return memory;
}

static __attribute__((noinline)) char *grab_this(size_t bytes)
{
    char *memory = xmalloc(bytes);
    memory[0] = 1;
    return memory;
}

static __attribute__((noinline)) char *grab_that(size_t bytes)
{
    char *memory = xmalloc(bytes);
    memory[0] = 2;
    return memory;
}

static void print_huge(const char *memory, size_t bytes)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    unsigned long begin, end, kib, huge = 0;
    int within = 0, asked = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            within = begin < (uintptr_t)memory + bytes && end > (uintptr_t)memory;
        if (within && sscanf(line, "AnonHugePages: %lu", &kib) == 1)
            huge += kib;
        if (within && strncmp(line, "VmFlags:", 8) == 0)
            asked |= strstr(line, " hg") != NULL;
    }
    printf("%s %lu\n", asked ? "asked" : "not_asked", huge / 1024);
}

int main(int argc, char **argv)
{
    size_t bytes = (size_t)(argc > 2 ? atoi(argv[2]) : 0) << 20;
    char *memory = own;
    int frees = argc > 1 && strcmp(argv[1], "free") == 0;
    if (frees || (argc > 1 && strcmp(argv[1], "malloc") == 0))
        memory = malloc(bytes);
    if (argc > 1 && strcmp(argv[1], "mmap") == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && strcmp(argv[1], "wrapped") == 0)
        memory = grab_this(bytes) != NULL ? grab_that(bytes) : NULL;
    if (argc > 1 && strcmp(argv[1], "libraries") == 0) {
        memory = take_this(bytes);
        memory = memory != NULL ? take_that(bytes) : NULL;
    }
    for (size_t i = 0; i < bytes; i += 4096)
        ((volatile char *)memory)[i] = 1;
    if (bytes > 0)
        print_huge(memory, bytes);
    if (frees)
        usleep(100000);
    if (frees)
        free(memory);
    while (argc > 4 && clock() < atol(argv[4]) * (CLOCKS_PER_SEC / 1000))
        for (volatile int i = 0; i < 200000;) /* clock() itself takes the kernel's time */
            i = i + 1;
    return memory == NULL;
}

#endif
