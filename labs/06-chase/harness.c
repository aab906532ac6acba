/* Calls ns_per_load() of program.c.
 *
 * Usage: ./harness size                 the size of a node
 *        ./harness loads LINKS LOADS    LOADS loads along a path of LINKS links; one more crashes
 *        ./harness time LOADS           loads along a small cycle: what ns_per_load() says, and the
 *                                       seconds of process time and of wall time that it took */
#include "program.c"
#include "support.h"

enum { HARNESS_SMALL = 64 };

static void harness_follow_path(long links, long loads)
{
    struct node *nodes = harness_guarded((unsigned long)links * sizeof *nodes);

    for (long i = 0; i < links; i++)
        nodes[i].next = &nodes[i + 1];
    ns_per_load(nodes, loads);
}

static double harness_small_cycle(long loads)
{
    static struct node nodes[HARNESS_SMALL];

    for (long i = 0; i < HARNESS_SMALL; i++)
        nodes[i].next = &nodes[(i + 1) % HARNESS_SMALL];
    return ns_per_load(nodes, loads);
}

int harness_main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "size") == 0)
        printf("%d\n", (int)sizeof(struct node));
    else if (strcmp(what, "loads") == 0 && argc == 4)
        harness_follow_path(atol(argv[2]), atol(argv[3]));
    else if (strcmp(what, "time") == 0 && argc == 3)
        harness_tell_time(harness_small_cycle, atol(argv[2]));
    else
        return 2;
    return 0;
}
