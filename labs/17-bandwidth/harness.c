/* Calls the functions of program.c and prints their results for known numbers:
 *
 *   sum ORDER VALUE...    sum() or, with ORDER four, sum_four() of the values
 *   triad N               how many of N numbers are right, and how many beside them were written
 *   bytes NAME            counted and moved bytes of that loop, for each i
 */
#include "program.c"
#include "support.h"
#include <string.h>

static double harness_values[1024], harness_a[1024], harness_b[1024], harness_c[1024];

static void harness_ask_sum(int argc, char *argv[])
{
    long n = 0;
    for (; n + 3 < argc && n < 1000; n++)
        harness_values[n] = atof(argv[n + 3]);
    for (long i = n; i < 1024; i++)
        harness_values[i] = 1e9; /* beyond the end: must not be added */
    printf("%.17g\n", argv[2][0] == 'f' ? sum_four(harness_values, n) : sum(harness_values, n));
}

static void harness_ask_triad(long n)
{
    long right = 0, beside = 0;
    for (long i = 0; i < 1024; i++) {
        harness_a[i] = -1;
        harness_b[i] = (double)(i % 17);
        harness_c[i] = (double)(i % 5);
    }
    triad(harness_a, harness_b, harness_c, 0.5, n);
    for (long i = 0; i < 1024; i++) {
        double wanted = (double)(i % 17) + 0.5 * (double)(i % 5);
        right += i < n && harness_a[i] >= wanted && harness_a[i] <= wanted;
        beside += i >= n && harness_a[i] >= 0;
    }
    printf("%ld %ld\n", right, beside);
}

int harness_main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "sum") == 0)
        harness_ask_sum(argc, argv);
    else if (argc == 3 && strcmp(argv[1], "triad") == 0)
        harness_ask_triad(atol(argv[2]));
    else
        for (int i = 0; i < (int)(sizeof loops / sizeof *loops); i++)
            if (strcmp(loops[i].name, argv[argc - 1]) == 0)
                printf("%d %d\n", loops[i].counted, loops[i].moved);
    return 0;
}
