/* Calls a function of program.c, and prints `right` or what is wrong.
 *
 * Usage: ./harness read|go NODES STEPS          a path; a load beyond its end crashes
 *        ./harness freely|ask NODES STEPS SEED */
#include "program.c"
#include "support.h"

enum { HARNESS_UNTOUCHED = -1, HARNESS_MARGIN = 64 };

/* draw() as in the starter. */
static long harness_drawn(uint64_t *state, long limit)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (long)((*state >> 32) * (uint64_t)limit >> 32);
}

/* Compares the words of all nodes, and of the margins, with the expected values. */
static void harness_compare(const struct node *nodes, const long *wanted, long n)
{
    for (long i = -HARNESS_MARGIN; i < n + HARNESS_MARGIN; i++) {
        long want = i < 0 || i >= n ? HARNESS_UNTOUCHED : wanted[i];
        if (nodes[i].word != want) {
            printf("node %ld of %ld holds %ld, not %ld\n", i, n, nodes[i].word, want);
            return;
        }
    }
    printf("right\n");
}

int harness_main(int argc, char *argv[])
{
    long n = argc > 3 ? atol(argv[2]) : 0, steps = argc > 3 ? atol(argv[3]) : 0, end = 0, at = 0;
    uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 0, state = seed;
    if (n < 1)
        return 2;
    struct node *memory = calloc((size_t)(n + 2 * HARNESS_MARGIN), sizeof *memory),
                *nodes = memory + HARNESS_MARGIN;
    long *wanted = calloc((size_t)n, sizeof *wanted);
    if (memory == NULL || wanted == NULL)
        return 2;
    for (long i = -HARNESS_MARGIN; i < n + HARNESS_MARGIN; i++)
        nodes[i].word = HARNESS_UNTOUCHED;
    for (long i = 0; i < n; i++) {
        nodes[i].next = i < n - 1 ? &nodes[i + 1] : NULL;
        wanted[i] = HARNESS_UNTOUCHED;
    }
    for (long s = 0; s < steps; s++) {
        if (argv[1][0] == 'f')
            wanted[harness_drawn(&state, n)] = s;
        else if (argv[1][0] == 'a')
            at = wanted[at] = harness_drawn(&state, n);
        else if (argv[1][0] == 'g' && s < n)
            wanted[s] = s;
    }
    if (argv[1][0] == 'f')
        store_freely(nodes, n, steps, seed);
    else if (argv[1][0] == 'a')
        end = store_and_ask(nodes, n, steps, seed);
    else {
        struct node *node = argv[1][0] == 'g' ? store_and_go(nodes, steps)
                                              : read_chain(nodes, steps);
        end = node == NULL ? n : (long)(node - nodes);
        at = steps;
    }
    if (end != at)
        printf("ends at node %ld, not %ld\n", end, at);
    else
        harness_compare(nodes, wanted, n);
    return 0;
}
