/* The ladder: as many look-ups as possible in the least time.
 *
 * Usage: ./program TASK
 * TASK is a file: the number of keys, the number of queries, then each key with its value, then the
 * queries; all numbers have 64 bits, in the machine's own byte order. Prints the sum, modulo 2^64,
 * of the values of all queries; a query that is no key adds nothing.
 *
 * This program sorts the keys and halves their range at each step. It is right, and slow. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
    uint64_t key, value;
};

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
    return (x > y) - (x < y);
}

int main(int argc, char *argv[])
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    uint64_t count[2], sum = 0;

    if (file == NULL || fread(count, sizeof *count, 2, file) != 2)
        return 2;
    struct pair *pairs = malloc(count[0] * sizeof *pairs);
    uint64_t *queries = malloc(count[1] * sizeof *queries);
    if (pairs == NULL || queries == NULL ||
        fread(pairs, sizeof *pairs, count[0], file) != count[0] ||
        fread(queries, sizeof *queries, count[1], file) != count[1])
        return 2;
    qsort(pairs, count[0], sizeof *pairs, by_key);
    for (uint64_t k = 0; k < count[1]; k++) {
        struct pair wanted = {queries[k], 0};
        struct pair *found = bsearch(&wanted, pairs, count[0], sizeof *pairs, by_key);
        if (found != NULL)
            sum += found->value;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
