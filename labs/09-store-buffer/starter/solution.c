/* Exercise 09: how long does a store take?
 *
 * Usage: ./program read|freely|ask|go > NAME.dat
 *        ./program show read|freely|ask|go NODES STEPS SEED
 * A row for each number of nodes: nanoseconds of one load, or of one store and the load that it
 * waits for. With `show` it makes so many steps once, and prints what is in the nodes then. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef NODES
#define NODES (512L * 1024)
#endif
#ifndef STEPS
#define STEPS (256L * 1024)
#endif
#define SEED 1

/* A cache line: `next` is loaded, `word` is stored to. */
struct node {
    struct node *next;
    long word;
    char fill[64 - sizeof(struct node *) - sizeof(long)];
};

/* A fast random number from 0 to limit - 1: a multiplication and an addition (Knuth's MMIX
 * generator). The same state gives the same numbers. */
static long draw(uint64_t *state, long limit)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (long)((*state >> 32) * (uint64_t)limit >> 32);
}

/* Goes `steps` nodes along the chain, and returns the node where it ends. */
struct node *read_chain(struct node *node, long steps)
{
    /* HOLE */
    (void)steps;

    return node;
}

/* Stores the number of the step, 0, 1, 2, ..., to the word of a random one of the n nodes. */
void store_freely(struct node *nodes, long n, long steps, uint64_t seed)
{
    /* HOLE: draw(&seed, n) draws a number from 0 to n - 1. */
    (void)draw(&seed, n);
    (void)nodes;
    (void)steps;
}

/* Begins at node 0. In each step draws the number of a node, stores it to the word of the current
 * node, loads it from there again, and goes to the node of that number. Returns the last number. */
long store_and_ask(struct node *nodes, long n, long steps, uint64_t seed)
{
    /* HOLE: the compiler knows what you have just stored. Will it load it? */
    (void)draw(&seed, n);
    (void)nodes;
    (void)steps;
    return 0;
}

/* Stores the number of the step, 0, 1, 2, ..., to the word of the node, then goes along the chain
 * to the next node. Returns the node where it ends. */
struct node *store_and_go(struct node *node, long steps)
{
    /* HOLE */
    (void)steps;

    return node;
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One cycle through all nodes, in random order (exercise 06). */
static void link_random(struct node *nodes, long n, uint64_t seed)
{
    for (long i = 0; i < n; i++)
        nodes[i].next = &nodes[i];
    for (long i = n - 1; i > 0; i--) {
        long k = draw(&seed, i);
        struct node *other = nodes[k].next;

        nodes[k].next = nodes[i].next;
        nodes[i].next = other;
    }
}

enum way { READ, FREELY, ASK, GO, WAYS };
static const char *const names[WAYS] = {"read", "freely", "ask", "go"};

/* Makes `steps` steps from node `at`, and returns the node where they end. */
static long step(enum way way, struct node *nodes, long n, long at, long steps, uint64_t seed)
{
    switch (way) {
    case READ:
        return (long)(read_chain(&nodes[at], steps) - nodes);
    case FREELY:
        store_freely(nodes, n, steps, seed);
        return at;
    case ASK:
        return store_and_ask(nodes, n, steps, seed);
    default:
        return (long)(store_and_go(&nodes[at], steps) - nodes);
    }
}

/* Nanoseconds of a step: the least of some tries. */
static double ns_per_step(enum way way, struct node *nodes, long n)
{
    double least = 0;
    long at = step(way, nodes, n, 0, n, SEED);

    for (int again = 0; again < 5; again++) {
        double begin = now_ns();
        at = step(way, nodes, n, at, STEPS, SEED + 1 + (uint64_t)again);
        double ns = (now_ns() - begin) / (double)STEPS;
        least = again == 0 || ns < least ? ns : least;
    }
    return least;
}

static struct node *allocate(long n)
{
    struct node *nodes = aligned_alloc(4096, (size_t)(n + 63) / 64 * 64 * sizeof *nodes);

    if (nodes == NULL)
        exit(2);
    memset(nodes, 0, (size_t)n * sizeof *nodes);
    return nodes;
}

static void measure(enum way way)
{
    struct node *nodes = allocate(NODES);

    printf("# program: stores\n# way: %s\n# seed: %d\n", names[way], SEED);
    printf("pages\tlayout\tspacing_bytes\tns\n");
    for (long n = 512; n <= NODES; n *= 4) {
        link_random(nodes, n, SEED);
        printf("%ld\tline\t%d\t%.3f\n", n, (int)sizeof *nodes, ns_per_step(way, nodes, n));
    }
    free(nodes);
}

/* In a list of all accesses to memory, two stores to `stage` mark where the steps begin and end.
 * The compiler moves no access across them. */
static volatile int stage;

static void enter_stage(int now)
{
    atomic_signal_fence(memory_order_seq_cst);
    stage = now;
    atomic_signal_fence(memory_order_seq_cst);
}

static void show(enum way way, long n, long steps, uint64_t seed)
{
    struct node *nodes = allocate(n);
    long end;

    link_random(nodes, n, seed);
    for (long i = 0; i < n; i++)
        nodes[i].word = -1;
    enter_stage(1);
    end = step(way, nodes, n, 0, steps, seed);
    enter_stage(2);
    printf("# stage: %p\n# nodes: %p\n# end: %ld\n", (void *)&stage, (void *)nodes, end);
    printf("node\tnext\tword\n");
    for (long i = 0; i < n; i++)
        printf("%ld\t%ld\t%ld\n", i, (long)(nodes[i].next - nodes), nodes[i].word);
    free(nodes);
}

int main(int argc, char *argv[])
{
    int shows = argc == 6 && strcmp(argv[1], "show") == 0;
    const char *name = shows ? argv[2] : argc == 2 ? argv[1] : "";

    for (enum way way = 0; way < WAYS; way++) {
        if (strcmp(name, names[way]) != 0)
            continue;
        if (shows)
            show(way, atol(argv[3]), atol(argv[4]), strtoull(argv[5], NULL, 10));
        else
            measure(way);
        return 0;
    }
    fprintf(stderr, "Usage: program read|freely|ask|go\n"
                    "       program show read|freely|ask|go NODES STEPS SEED\n");
    return 2;
}
