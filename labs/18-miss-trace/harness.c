/* Calls functions of the program one at a time.
 *
 * Usage: ./harness share PERCENT MISSES...
 *        ./harness lru ENTRIES PAGE...
 */
#include "program.c"
#include "support.h"

int harness_main(int argc, char *argv[])
{
    static long numbers[1000];
    int count = argc - 3;

    if (argc < 4 || count > 1000)
        return 2;
    for (int i = 0; i < count; i++)
        numbers[i] = atol(argv[3 + i]);
    if (strcmp(argv[1], "share") == 0)
        printf("%.3f\n", hottest_share(numbers, count, atof(argv[2])));
    else
        printf("%ld\n", lru_misses(numbers, count, atoi(argv[2])));
    return 0;
}
