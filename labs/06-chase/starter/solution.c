/* Exercise 06: loads that wait for each other.
 *
 * Usage: ./program linear > linear.dat
 *        ./program random > random.dat
 *        ./program linear|random NODES LOADS         this number of nodes alone
 *        ./program chain linear|random NODES SEED    prints the chain instead
 * A row for each number of nodes: nanoseconds for one load. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef NODES
#define NODES (512L * 1024)
#endif
#ifndef LOADS
#define LOADS (1024L * 1024)
#endif
#define SEED 1

struct node {
    struct node *next;
    /* HOLE: a node has 8 bytes, and a cache line of 64 bytes holds eight of them. Make a node as
     * large as a line. */
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

/* Each node points to its neighbour, the last one to the first. */
void link_linear(struct node *nodes, long n)
{
    for (long i = 0; i < n; i++)
        /* HOLE. So far every node points to itself. */
        nodes[i].next = &nodes[i];
}

/* Links all nodes to one cycle in random order, which depends only on the seed. */
void link_random(struct node *nodes, long n, uint64_t seed)
{
    uint64_t state = seed;

    /* HOLE. below(&state, k) draws a random number. Is it surely ONE cycle? */
    (void)below(&state, n);
    link_linear(nodes, n);
}

/* Nanoseconds per load, for this number of loads along the chain. */
double ns_per_load(struct node *start, long loads)
{
    clock_t begin = clock();

    /* HOLE: go from node to node, `loads` times. The last node is not used: will the compiler keep
     * the loop? Look at -O2. */
    (void)start;

    clock_t end = clock();
    return (double)(end - begin) / CLOCKS_PER_SEC * 1e9 / (double)loads;
}

static void link_chain(struct node *nodes, long n, const char *how, uint64_t seed)
{
    if (strcmp(how, "linear") == 0)
        link_linear(nodes, n);
    else
        link_random(nodes, n, seed);
}

static void print_chain(const char *how, long n, uint64_t seed)
{
    struct node *nodes = calloc((size_t)n, sizeof *nodes);

    if (nodes == NULL)
        exit(2);
    link_chain(nodes, n, how, seed);
    printf("# seed: %llu\n# node bytes: %d\nnode\tnext\n", (unsigned long long)seed,
           (int)sizeof *nodes);
    for (long i = 0; i < n; i++)
        printf("%ld\t%ld\n", i, (long)(nodes[i].next - nodes));
    free(nodes);
}

static void measure(const char *how, long first, long last, long loads)
{
    struct node *nodes = calloc((size_t)last, sizeof *nodes);

    if (nodes == NULL)
        exit(2);
    printf("# program: chase\n# chain: %s\n# seed: %d\n# nodes: %p\n", how, SEED, (void *)nodes);
    printf("pages\tlayout\tspacing_bytes\tns\n");
    for (long n = first; n <= last; n *= 2) {
        link_chain(nodes, n, how, SEED);
        ns_per_load(nodes, n); /* one round warms the caches */
        printf("%ld\tline\t%d\t%.3f\n", n, (int)sizeof *nodes, ns_per_load(nodes, loads));
    }
    free(nodes);
}

int main(int argc, char *argv[])
{
    const char *how = argc == 2 || argc == 4 ? argv[1] : argc == 5 ? argv[2] : "";

    if (strcmp(how, "linear") != 0 && strcmp(how, "random") != 0) {
        fprintf(stderr, "Usage: program linear|random [NODES LOADS], or program chain "
                        "linear|random NODES SEED\n");
        return 2;
    }
    if (argc == 5)
        print_chain(how, atol(argv[3]), strtoull(argv[4], NULL, 10));
    else if (argc == 4)
        measure(how, atol(argv[2]), atol(argv[2]), atol(argv[3]));
    else
        measure(how, 64, NODES, LOADS);
    return 0;
}
