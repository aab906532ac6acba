/* Calls the functions of program.c and prints their results for known numbers:
 *
 *   shift N A... B...            find_shift() of two runs of N lines
 *   repeat N SLICE...            repeat_length() of N lines
 *   bits BIT SHIFT [BIT SHIFT]   the first four masks after add_bit() of each pair
 *   slice LINES BASE... T MASK... PADDR   slice_of() with T masks
 */
#define main student_main
#include "program.c"
#undef main

static int numbers(char *argv[], int n, int *into)
{
    for (int i = 0; i < n; i++)
        into[i] = atoi(argv[i]);
    return n;
}

static int a[256], b[256];
static unsigned long masks[64];

int main(int argc, char *argv[])
{
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (argc > 2 && strcmp(argv[1], "shift") == 0) {
        numbers(argv + 3, n, a);
        numbers(argv + 3 + n, n, b);
        printf("%d\n", find_shift(a, b, n));
    } else if (argc > 2 && strcmp(argv[1], "repeat") == 0) {
        numbers(argv + 3, n, a);
        printf("%d\n", repeat_length(a, n));
    } else if (argc > 3 && strcmp(argv[1], "bits") == 0) {
        for (int i = 2; i + 1 < argc; i += 2)
            add_bit(masks, atoi(argv[i]), atoi(argv[i + 1]));
        printf("%lx %lx %lx %lx\n", masks[0], masks[1], masks[2], masks[3]);
    } else if (argc > 4) {
        numbers(argv + 3, n, a);
        int count = atoi(argv[3 + n]);
        for (int t = 0; t < count; t++)
            masks[t] = strtoul(argv[4 + n + t], NULL, 0);
        printf("%d\n", slice_of(a, n, masks, strtoul(argv[4 + n + count], NULL, 0)));
    }
    return 0;
}
