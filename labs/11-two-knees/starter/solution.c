/* Exercise 11: a sweep. The same number of nodes on as many pages, and on as few as possible.
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

/* A random number from 0 to limit - 1. The same state gives the same numbers. */
static long below(uint64_t *state, long limit)
{
    *state += 0x9E3779B97F4A7C15;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return (long)(z % (uint64_t)limit);
}

/* The position of node i, in bytes from the start of the memory.
 * PACKED: one line after the other.
 * PAGE: one node on each page, and not on the same line of the page as on the page before. */
long place(long i, enum layout layout, long page_bytes)
{
    /* HOLE. So far each node is at the start of its page, as in exercise 04. Do these nodes use all
     * sets of the first-level cache evenly? PACKED is missing. */
    (void)layout;
    return i * page_bytes;
}

/* Links all n nodes to one cycle in random order, which depends only on the seed. */
void link_random(struct node *nodes[], long n, uint64_t seed)
{
    uint64_t state = seed;

    for (long i = 0; i < n; i++)
        nodes[i]->next = nodes[i];
    /* HOLE: copy yours from exercise 06. There the nodes were an array; here the array has pointers
     * to them. */
    (void)below(&state, n);
}

/* Nanoseconds per load, for this number of loads along the chain. */
double ns_per_load(struct node *start, long loads)
{
    clock_t begin = clock();

    /* HOLE: as in exercise 06. */
    (void)start;

    clock_t end = clock();
    return (double)(end - begin) / CLOCKS_PER_SEC * 1e9 / (double)loads;
}

/* The number of nodes to measure after n. */
long next_size(long n)
{
    /* HOLE. Doubling finds a knee only to a factor of two. Take four to sixteen sizes per octave,
     * and none twice. */
    return 2 * n;
}

/* Allocates memory for one node on each of MOST pages. The pages are small, because a huge one
 * would need one translation for all. They are touched in random order, so that neighbours do not
 * get neighbouring page frames, which some processors coalesce into one TLB entry. */
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
    ns_per_load(nodes[0], n); /* one round warms caches and TLB */
    printf("%ld\t%s\t%ld\t%d\t%.3f\n", n, layout == PAGE ? "page" : "packed",
           layout == PAGE ? page_bytes : LINE, pass, ns_per_load(nodes[0], LOADS));
}

/* Measures everything, in this order. */
static void sweep(char *memory)
{
    /* HOLE. Measure both layouts, one right after the other, at each size, so that a change of the
     * machine's speed affects both. Repeat all sizes PASSES times, so that a disturbance affects
     * one pass and not one size. */
    for (long n = LEAST; n <= MOST; n = next_size(n))
        measure(memory, n, PAGE, 0);
}

static void print_places(enum layout layout, long page_bytes, long count)
{
    printf("i\tplace\n");
    for (long i = 0; i < count; i++)
        printf("%ld\t%ld\n", i, place(i, layout, page_bytes));
}

static void print_chain(long n, uint64_t seed)
{
    struct node *memory = calloc((size_t)n * 3, sizeof *memory);
    struct node **nodes = calloc((size_t)n, sizeof *nodes);

    if (memory == NULL || nodes == NULL)
        exit(2);

    for (long i = 0; i < n; i++) {
        long k = i % 2 ? n - 1 - i / 2 : i / 2; /* positions are not in the order of the array */

        nodes[i] = &memory[k * 3 + 1];
    }
    link_random(nodes, n, seed);
    printf("node\tnext\n");
    for (long i = 0; i < n; i++) {
        long next = -1;

        for (long k = 0; k < n && next < 0; k++)
            if (nodes[i]->next == nodes[k])
                next = k;
        printf("%ld\t%ld\n", i, next);
    }
}

static void print_sizes(void)
{
    int rows = 0;

    for (long n = 16; n <= 8192 && rows < 20000; n = next_size(n), rows++)
        printf("%ld\n", n);
}

/* Loads along a cycle of n nodes. */
static void follow_cycle(long n, long loads)
{
    struct node *nodes = calloc((size_t)n, sizeof *nodes);

    if (nodes == NULL)
        exit(2);
    for (long i = 0; i < n; i++)
        nodes[i].next = &nodes[(7 * i + 3) % n];
    printf("# nodes: %p\n", (void *)nodes);
    printf("%.6g\n", ns_per_load(nodes, loads));
    free(nodes);
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call packed|page PAGE_BYTES COUNT   where place() puts the first COUNT nodes
 *   program call chain NODES SEED               the chain of link_random()
 *   program call sizes                          the sizes from 16 to 8192
 *   program call loads NODES LOADS              what ns_per_load() returns for a cycle of NODES */
static int call(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    long first = argc > 2 ? atol(argv[2]) : 0, second = argc > 3 ? atol(argv[3]) : 0;

    if (strcmp(what, "packed") == 0)
        print_places(PACKED, first, second);
    else if (strcmp(what, "page") == 0)
        print_places(PAGE, first, second);
    else if (strcmp(what, "chain") == 0)
        print_chain(first, (uint64_t)second);
    else if (strcmp(what, "sizes") == 0)
        print_sizes();
    else if (strcmp(what, "loads") == 0)
        follow_cycle(first, second);
    else
        return 2;
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    char *memory = prepare(sysconf(_SC_PAGESIZE));

    printf("# program: my sweep\n# seed: %d\n", SEED);
    printf("pages\tlayout\tspacing_bytes\tsample\tns\n");
    sweep(memory);
    free(memory);
    return 0;
}
