/* Calls the functions of a student's program.
 *
 * Usage: ./harness packed                nodes of 1000 that lie one line after the other
 *        ./harness page PAGE_BYTES       nodes of 1000 that lie on a page of their own, at a line
 *        ./harness lines PAGE_BYTES      lines that as many nodes as a page has lines lie in, at
 * least
 *        ./harness chain NODES SEED      the chain, as a table: node, next
 *        ./harness sizes                 the sizes from 16 to 8192
 *        ./harness loads LINKS LOADS     LOADS loads along a path of LINKS links; one more crashes
 *        ./harness time LOADS            loads along a small cycle: what ns_per_load() says, and
 * the seconds of process time and of wall time that it took */
#include "program.c"
#include "support.h"

static int harness_count_packed(void)
{
    int good = 0;

    for (long i = 0; i < 1000; i++)
        good += place(i, PACKED, 4096) == i * 64;
    return good;
}

static int harness_count_page(long page_bytes)
{
    int good = 0;

    for (long i = 0; i < 1000; i++) {
        long at = place(i, PAGE, page_bytes);

        good += at >= 0 && at / page_bytes == i && at % 64 == 0;
    }
    return good;
}

static long harness_count_lines(long page_bytes)
{
    long lines = page_bytes / 64, least = lines;

    for (long from = 0; from < 1000; from += 10) {
        char *seen = calloc((size_t)lines, 1);
        long count = 0;

        for (long i = from; i < from + lines; i++) {
            char *line = &seen[(unsigned long)place(i, PAGE, page_bytes) / 64 % (size_t)lines];

            count += *line == 0;
            *line = 1;
        }
        least = count < least ? count : least;
        free(seen);
    }
    return least;
}

static void harness_print_chain(long n, uint64_t seed)
{
    struct node *memory = calloc((size_t)n * 3, sizeof *memory);
    struct node **nodes = calloc((size_t)n, sizeof *nodes);

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

static void harness_print_sizes(void)
{
    int rows = 0;

    for (long n = 16; n <= 8192 && rows < 20000; n = next_size(n), rows++)
        printf("%ld\n", n);
}

static void harness_walk(long links, long loads)
{
    struct node *nodes = harness_guarded((unsigned long)links * sizeof *nodes);

    for (long i = 0; i < links; i++)
        nodes[i].next = &nodes[i + 1];
    ns_per_load(nodes, loads);
}

static double harness_small_cycle(long loads)
{
    static struct node nodes[64];

    for (long i = 0; i < 64; i++)
        nodes[i].next = &nodes[(i + 1) % 64];
    return ns_per_load(nodes, loads);
}

int harness_main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    long first = argc > 2 ? atol(argv[2]) : 0, second = argc > 3 ? atol(argv[3]) : 0;

    if (strcmp(what, "packed") == 0)
        printf("%d\n", harness_count_packed());
    else if (strcmp(what, "page") == 0)
        printf("%d\n", harness_count_page(first));
    else if (strcmp(what, "lines") == 0)
        printf("%ld\n", harness_count_lines(first));
    else if (strcmp(what, "chain") == 0)
        harness_print_chain(first, (uint64_t)second);
    else if (strcmp(what, "sizes") == 0)
        harness_print_sizes();
    else if (strcmp(what, "loads") == 0)
        harness_walk(first, second);
    else if (strcmp(what, "time") == 0)
        harness_tell_time(harness_small_cycle, first);
    else
        return 2;
    return 0;
}
