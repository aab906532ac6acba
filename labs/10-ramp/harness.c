/* Calls the functions of a student's program.
 *
 * Usage: ./harness add STEP ADDS      the sum
 *        ./harness warm FILE          after how many of the times in FILE is_warm() is true for
 *                                     the first time; 0 for never */
#include "program.c"
#include "support.h"
#include <string.h>

static int harness_first_warm(FILE *file)
{
    enum { MOST = 2000 };
    static double ns[MOST];

    /* Later times are not in the array yet. */
    for (int n = 0; n < MOST && fscanf(file, "%lf", &ns[n]) == 1;) {
        n++;
        if (is_warm(ns, n))
            return n;
    }
    return 0;
}

int harness_main(int argc, char *argv[])
{
    if (argc == 4 && strcmp(argv[1], "add") == 0) {
        printf("%llu\n", (unsigned long long)add(strtoull(argv[2], NULL, 10), atol(argv[3])));
        return 0;
    }
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;

    if (file == NULL)
        return 2;
    printf("%d\n", harness_first_warm(file));
    return 0;
}
