/* Calls functions of the program one at a time.
 *
 * Usage: ./harness distinct START PAGES SPACING COVERS
 *        ./harness quantile Q VALUE...
 *        ./harness differences SPACING FIRST LAST TABLE    prints their number and the sum of
 *                                                     their squares */
#include "program.c"
#include "support.h"

int harness_main(int argc, char *argv[])
{
    static struct sample samples[1000];
    double values[1000], sum = 0;
    long number[5] = {0};

    if (argc < 4)
        return 2;
    for (int i = 2; i < argc && i < 6; i++)
        number[i - 1] = atol(argv[i]);
    if (strcmp(argv[1], "distinct") == 0) {
        printf("%ld\n", distinct(number[1], number[2], number[3], number[4]));
    } else if (strcmp(argv[1], "quantile") == 0) {
        for (int i = 3; i < argc; i++)
            values[i - 3] = atof(argv[i]);
        printf("%.4f\n", quantile(values, argc - 3, atof(argv[2])));
    } else {
        FILE *file = fopen(argv[5], "r");
        long n = 0, count;

        if (file == NULL)
            return 2;
        while (n < 1000 &&
               fscanf(file, "%ld %ld %ld %d %lf", &samples[n].pages, &samples[n].spacing,
                      &samples[n].number, &samples[n].packed, &samples[n].ns) == 5)
            n++;
        count = differences(samples, n, number[1], number[2], number[3], values);
        for (long i = 0; i < count && i < 1000; i++)
            sum += values[i] * values[i];
        printf("%ld %.4f\n", count, sum);
    }
    return 0;
}
