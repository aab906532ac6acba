/* Exercise 14: asking for huge pages, and checking whether they came.
 *
 * Usage: ./program pages [MIB] > pages.dat
 *        ./program look SMAPS ADDRESS      KiB in huge pages of the mapping with this address
 * A row for each of three ways to ask for memory: KiB of it in huge pages, page faults until all of
 * it was touched, and the time that took. */
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define HUGE_PAGE (2L * 1024 * 1024)

/* The first multiple of a huge page at or after this address. */
char *next_huge(char *address)
{
    /* HOLE: (uintptr_t)address is an address as a number. */
    return address;
}

/* Allocates this number of bytes (a multiple of a huge page), aligned to a huge page, gives the
 * system `advice` (MADV_HUGEPAGE or MADV_NOHUGEPAGE) for them, and writes to every page. NULL if
 * out of memory. */
char *allocate(long bytes, int advice)
{
    /* HOLE: mmap() more private anonymous memory than that; madvise() the part that begins at
     * next_huge(); and only then write to each page, of 4096 bytes. man 2 madvise. */
    (void)next_huge;
    (void)advice;
    return malloc((size_t)bytes);
}

/* KiB in huge pages of the mapping that contains this address, from /proc/PID/smaps. Each mapping
 * begins with a line FROM-TO in hexadecimal, where TO is the first address beyond it, and goes on
 * with lines like `AnonHugePages:      2048 kB`. -1 when no mapping contains the address. */
long huge_kib(FILE *smaps, unsigned long address)
{
    /* HOLE: read line by line with fgets(), and parse with sscanf(). Remember whether the current
     * mapping contains the address. */
    (void)smaps;
    (void)address;
    return 0;
}

static long look(const char *path, unsigned long address)
{
    FILE *smaps = fopen(path, "r");
    if (smaps == NULL) {
        perror(path);
        exit(2);
    }
    long kib = huge_kib(smaps, address);
    fclose(smaps);
    return kib;
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* `late`: madvise() comes after the memory was touched. */
static void print_row(const char *asked, long bytes, int advice, int late)
{
    long before = faults();
    double begin = now_ms();
    char *memory = allocate(bytes, advice);
    double took = now_ms() - begin;
    long count = faults() - before;

    if (memory == NULL) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    if (late && madvise(memory, (size_t)bytes, MADV_HUGEPAGE) != 0)
        perror("madvise");
    printf("%s\t%ld\t%ld\t%ld\t%.3f\n", asked, bytes, look("/proc/self/smaps", (uintptr_t)memory),
           count, took);
    munmap(memory, (size_t)bytes);
}

/* In the list of all accesses to memory it shows when the system got its advice, and what was
 * touched then. */
static int print_allocated(long bytes, int advice)
{
    char *memory = allocate(bytes, advice);

    printf("# memory: %p\n", (void *)memory);
    return memory == NULL;
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call next ADDRESS
 *   program call kib FILE ADDRESS
 *   program call allocate MIB huge|small */
static int call(int argc, char *argv[])
{
    if (argc == 3 && strcmp(argv[1], "next") == 0) {
        printf("%lu\n", (unsigned long)(uintptr_t)next_huge((char *)strtoul(argv[2], NULL, 10)));
    } else if (argc == 4 && strcmp(argv[1], "kib") == 0) {
        FILE *smaps = fopen(argv[2], "r");
        if (smaps == NULL)
            return 2;
        printf("%ld\n", huge_kib(smaps, strtoul(argv[3], NULL, 16)));
    } else if (argc == 4) {
        return print_allocated(atol(argv[2]) << 20,
                               strcmp(argv[3], "huge") == 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    if (argc == 4 && strcmp(argv[1], "look") == 0)
        return printf("%ld\n", look(argv[2], strtoul(argv[3], NULL, 16))) < 0;
    if (argc < 2 || strcmp(argv[1], "pages") != 0) {
        fprintf(stderr, "Usage: program pages [MIB], or program look SMAPS ADDRESS\n");
        return 2;
    }
    long bytes = (argc > 2 ? atol(argv[2]) : 64) * 1024 * 1024;
    if (bytes < HUGE_PAGE || bytes % HUGE_PAGE != 0) {
        fprintf(stderr, "program: MIB wants an even number\n");
        return 2;
    }
    printf("asked\tbytes\thuge_kib\tfaults\tms\n");
    print_row("small", bytes, MADV_NOHUGEPAGE, 0);
    print_row("huge", bytes, MADV_HUGEPAGE, 0);
    print_row("late", bytes, MADV_NOHUGEPAGE, 1);
    return 0;
}
