/* workload.h: what the workloads share: memory by name, on huge pages where HUGE names it, random
 * numbers, the time of the part that counts, and tracing of that part alone.
 *
 * HUGE: a list with commas of names of arrays, or "all". What is between begin_work() and
 * end_work() is traced where TLBLAB_START=off; its time is printed.
 *
 * Work in parts is done one part after the other; compiled with -fopenmp, each part has a thread of
 * its own. What a part accesses does not depend on how far the others are, so that both have the
 * same misses. PART=K traces part K alone, in a program without threads. */
#ifndef TLBLAB_WORKLOAD_H
#define TLBLAB_WORKLOAD_H

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#pragma weak tlb_trace_on
#pragma weak tlb_trace_off
void tlb_trace_on(void);
void tlb_trace_off(void);

static int is_named(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL && *at != '\0'; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return 1;
    }
    return list != NULL && strcmp(list, "all") == 0;
}

/* Zeroed memory. Inlined, so that it is called after the function that takes it. */
static inline __attribute__((always_inline)) void *take(const char *name, size_t bytes)
{
    size_t huge = (size_t)2 << 20, whole = (bytes + huge - 1) / huge * huge;
    void *memory = aligned_alloc(huge, whole);
    if (memory == NULL) {
        fprintf(stderr, "%s: no memory for %zu bytes\n", name, bytes);
        exit(2);
    }
    const char *list = getenv("HUGE");
    if (list != NULL)
        madvise(memory, whole, is_named(list, name) ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    memset(memory, 0, whole);
    return memory;
}

/* Defines new_NAME(count), which takes an array of this type. */
#define ARRAY(name, type)                                                                          \
    static __attribute__((noinline)) type *new_##name(size_t count)                                \
    {                                                                                              \
        return take(#name, count * sizeof(type));                                                  \
    }

static uint64_t random_state = 1;

/* xorshift64* (Vigna 2016). */
static inline uint64_t next_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545f4914f6cdd1d;
}

/* The numbers below `count` in random order. */
static __attribute__((unused)) uint32_t *random_order(size_t count)
{
    uint32_t *order = malloc(count * sizeof *order);
    if (order == NULL) {
        fprintf(stderr, "no memory for a random order\n");
        exit(2);
    }
    for (size_t i = 0; i < count; i++) {
        size_t k = next_random() % (i + 1);
        order[i] = order[k];
        order[k] = (uint32_t)i;
    }
    return order;
}

#ifdef _OPENMP
#define EACH_PART(part)                                                                            \
    _Pragma("omp parallel for schedule(static, 1) num_threads((int)parts)") for (long part = 0;    \
                                                                                 part < parts;     \
                                                                                 part++)
#else
#define EACH_PART(part) for (long part = 0; part < parts; part++)
#endif

static int working; /* between begin_work() and end_work() */

/* Its own accesses are not traced. */
static __attribute__((unused, no_sanitize_thread)) void begin_part(long part)
{
    const char *traced = getenv("PART");
    if (traced != NULL && working && tlb_trace_on)
        (strtol(traced, NULL, 10) == part ? tlb_trace_on : tlb_trace_off)();
}

static struct timespec work_began;

static void begin_work(void)
{
    if (tlb_trace_on)
        tlb_trace_on();
    working = 1;
    clock_gettime(CLOCK_MONOTONIC, &work_began);
}

static void end_work(double operations)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    working = 0;
    if (tlb_trace_off)
        tlb_trace_off();
    double s = (double)(now.tv_sec - work_began.tv_sec) +
               1e-9 * (double)(now.tv_nsec - work_began.tv_nsec);
    printf("%.6f s, %.2f ns per operation\n", s, 1e9 * s / operations);
}

/* The k-th argument as a number, or the default. */
static long argument(int argc, char **argv, int k, long otherwise)
{
    long value = argc > k ? strtol(argv[k], NULL, 10) : otherwise;
    if (value <= 0) {
        fprintf(stderr, "argument %d: %s is no number above 0\n", k, argv[k]);
        exit(2);
    }
    return value;
}

static void check(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "wrong result: %s\n", what);
    exit(1);
}

#endif
