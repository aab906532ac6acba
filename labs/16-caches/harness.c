/* Calls the functions of program.c and prints their results for the values:
 *
 *   filter RADIUS VALUE...   median_filter()
 *   slope STEP VALUE...      derive()
 *
 * On either side of the values lie others, which the functions must not read. */
#include "program.c"
#include "support.h"

enum { HARNESS_MARGIN = 8 };

int harness_main(int argc, char *argv[])
{
    static double memory[MOST + 2 * HARNESS_MARGIN], slope[MOST];
    double *y = memory + HARNESS_MARGIN;
    int n = argc - 3;

    if (n < 1 || n > MOST)
        return 2;
    for (int i = 0; i < n + 2 * HARNESS_MARGIN; i++)
        memory[i] = i % 2 == 0 ? 1e6 + i : -1e6 - i;
    for (int i = 0; i < n; i++)
        y[i] = atof(argv[3 + i]);
    if (strcmp(argv[1], "filter") == 0)
        median_filter(y, n, atoi(argv[2]));
    else
        derive(y, n, atof(argv[2]), slope);
    for (int i = 0; i < n; i++)
        printf("%s%.4f", i > 0 ? " " : "", (argv[1][0] == 'f' ? y[i] : slope[i]) + 0.0);
    printf("\n");
    return 0;
}
