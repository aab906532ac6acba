/* Exercise 11: a sweep of one's own. As many nodes on as many pages, and on as few as possible.
 *
 * Usage: ./program > sweep.dat
 * A row for each number of nodes, each layout and each pass: nanoseconds for one load. */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef MOST
#define MOST 8192L
#endif
#ifndef LOADS
#define LOADS (256L * 1024)
#endif
#define LEAST  16L
#define PASSES 3
#define LINE   64L
#define SEED   1

enum layout { PAGE, PACKED };

struct node {
    struct node *next;
};

/* A number from 0 to limit - 1. The same state gives the same numbers, always. */
static long below(uint64_t *state, long limit)
{
    *state += 0x9E3779B97F4A7C15;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return (long)(z % (uint64_t)limit);
}

/* Where node i lies, in bytes from the start of the memory.
 * PACKED: one line after the other.
 * PAGE: one node on each page, and never the same line of the page as on the page before. */
long place(long i, enum layout layout, long page_bytes)
{
    /* HOLE. So far each node is at the very start of its page, where exercise 04 had it. Do these
     * nodes wear out all sets of the first cache evenly? And PACKED is not there yet. */
    (void)layout;
    return i * page_bytes;
}

/* One cycle through all n nodes, in random order; the seed alone decides which. */
void link_random(struct node *nodes[], long n, uint64_t seed)
{
    uint64_t state = seed;

    /* HOLE: bring yours from exercise 06. There the nodes were an array; here they lie anywhere,
     * and the array tells where. */
    (void)below(&state, n);
    for (long i = 0; i < n; i++)
        nodes[i]->next = nodes[i];
}

/* Nanoseconds per load, of so many loads along the chain. */
double ns_per_load(struct node *start, long loads)
{
    clock_t begin = clock();

    /* HOLE: as in exercise 06. */
    (void)start;

    clock_t end = clock();
    return (double)(end - begin) / CLOCKS_PER_SEC * 1e9 / (double)loads;
}

/* The number of nodes that is measured after n. */
long next_size(long n)
{
    /* HOLE. Doubling finds a knee to a factor of two. Take at least four sizes to an octave, at
     * most sixteen, and none twice. */
    return 2 * n;
}

/* Memory for one node on each of MOST pages. On small pages, as a large one needs one translation
 * for all; and touched in random order, so that neighbours do not get neighbouring page frames,
 * which some processors join into one translation. */
static char *prepare(long page_bytes)
{
    char *memory = aligned_alloc((size_t)page_bytes, (size_t)(MOST * page_bytes));
    long *order = malloc(MOST * sizeof *order);
    uint64_t state = SEED;

    if (memory == NULL || order == NULL)
        exit(2);
#ifdef MADV_NOHUGEPAGE
    madvise(memory, (size_t)(MOST * page_bytes), MADV_NOHUGEPAGE);
#endif
    for (long i = 0; i < MOST; i++) {
        long k = below(&state, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    for (long i = 0; i < MOST; i++)
        memory[order[i] * page_bytes] = 1;
    free(order);
    return memory;
}

/* Measures n nodes in this layout once, and prints the row. */
static void measure(char *memory, long n, enum layout layout, int pass)
{
    static struct node *nodes[MOST];
    long page_bytes = sysconf(_SC_PAGESIZE);

    for (long i = 0; i < n; i++)
        nodes[i] = (struct node *)(void *)(memory + place(i, layout, page_bytes));
    link_random(nodes, n, SEED + (uint64_t)pass);
    ns_per_load(nodes[0], n); /* once round, so that what can be in a cache is there */
    printf("%ld\t%s\t%ld\t%d\t%.3f\n", n, layout == PAGE ? "page" : "packed",
           layout == PAGE ? page_bytes : LINE, pass, ns_per_load(nodes[0], LOADS));
}

/* All there is to measure, in the order in which it is measured. */
static void sweep(char *memory)
{
    /* HOLE. Both layouts, one right after the other at each size: if the machine becomes slower
     * meanwhile, it does so for both. And all of it PASSES times, from the first size to the last,
     * so that a bad moment spoils one pass and not one size. */
    for (long n = LEAST; n <= MOST; n = next_size(n))
        measure(memory, n, PAGE, 0);
}

int main(void)
{
    char *memory = prepare(sysconf(_SC_PAGESIZE));

    printf("# program: my sweep\n# seed: %d\n", SEED);
    printf("pages\tlayout\tspacing_bytes\tsample\tns\n");
    sweep(memory);
    free(memory);
    return 0;
}
