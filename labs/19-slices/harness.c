/* Calls the functions of program.c and prints their results for known numbers:
 *
 *   shift N A... B...            find_shift() of two runs of N lines
 *   repeat N SLICE...            repeat_length() of N lines
 *   bits BIT SHIFT [BIT SHIFT]   the first four masks after add_bit() of each pair
 *   slice LINES BASE... T MASK... PADDR   slice_of() with T masks
 */
#include "program.c"
#include "support.h"

static int harness_numbers(char *argv[], int n, int *into)
{
    for (int i = 0; i < n; i++)
        into[i] = atoi(argv[i]);
    return n;
}

static int harness_a[256], harness_b[256];
static unsigned long harness_masks[64];

int harness_main(int argc, char *argv[])
{
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 2 && strcmp(argv[1], "shift") == 0) {
        harness_numbers(argv + 3, n, harness_a);
        harness_numbers(argv + 3 + n, n, harness_b);
        printf("%d\n", find_shift(harness_a, harness_b, n));
    } else if (argc > 2 && strcmp(argv[1], "repeat") == 0) {
        harness_numbers(argv + 3, n, harness_a);
        printf("%d\n", repeat_length(harness_a, n));
    } else if (argc > 3 && strcmp(argv[1], "bits") == 0) {
        for (int i = 2; i + 1 < argc; i += 2)
            add_bit(harness_masks, atoi(argv[i]), atoi(argv[i + 1]));
        printf("%lx %lx %lx %lx\n", harness_masks[0], harness_masks[1], harness_masks[2],
               harness_masks[3]);
    } else if (argc > 4) {
        harness_numbers(argv + 3, n, harness_a);
        int count = atoi(argv[3 + n]);
        for (int t = 0; t < count; t++)
            harness_masks[t] = strtoul(argv[4 + n + t], NULL, 0);
        printf("%d\n",
               slice_of(harness_a, n, harness_masks, strtoul(argv[4 + n + count], NULL, 0)));
    }
    return 0;
}
