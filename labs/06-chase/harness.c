/* Prints the size of a node, then makes LOADS loads along a path of LINKS links, which ends with a
 * null pointer: one more load crashes.
 *
 * Usage: ./harness LINKS LOADS */
#define main student_main
#include "program.c"
#undef main

int main(int argc, char *argv[])
{
    long links = argc == 3 ? atol(argv[1]) : 0;
    struct node *nodes = calloc((size_t)links + 1, sizeof *nodes);

    if (nodes == NULL || links < 1)
        return 2;
    for (long i = 0; i < links; i++)
        nodes[i].next = &nodes[i + 1];
    printf("%d\n", (int)sizeof *nodes);
    fflush(stdout);
    ns_per_load(nodes, atol(argv[2]));
    return 0;
}
