/* Makes READS reads along a path of LINKS elements: one more read crashes. Or calls possible() for
 * reads of NS and a cycle of CYCLE.
 *
 * Usage: ./harness WAY LINKS READS
 *        ./harness possible NS CYCLE */
#include "program.c"
#include "support.h"

int harness_main(int argc, char *argv[])
{
    if (argc != 4)
        return 2;
    if (strcmp(argv[1], "possible") == 0) {
        printf("%d\n", possible(atof(argv[2]), atof(argv[3])) != 0);
        return 0;
    }
    long links = atol(argv[2]);
    long *next = harness_guarded((unsigned long)links * sizeof *next);
    for (long i = 0; i < links; i++)
        next[i] = i + 1;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
        if (strcmp(argv[1], ways[w].name) == 0)
            ways[w].walk(next, atol(argv[3]));
    return 0;
}
