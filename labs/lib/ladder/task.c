/* task.c: makes a task of the ladder, and its answer.
 *
 * Usage: task SEED KEYS QUERIES FILE    writes the task to FILE and prints the answer
 *
 * FILE is, in the machine's own byte order: the number of keys, the number of queries, then each
 * key with its value, then the queries; all of 64 bits. Nine of ten queries are keys, in random
 * order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A bijection of 64 bits: different numbers stay different. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

static uint64_t state;
static uint64_t draw(void)
{
    return mix(state += 0x9E3779B97F4A7C15);
}

static void put(FILE *file, uint64_t number)
{
    if (fwrite(&number, sizeof number, 1, file) != 1)
        exit(2);
}

int main(int argc, char *argv[])
{
    if (argc != 5)
        return 2;
    uint64_t keys = strtoull(argv[2], NULL, 10), queries = strtoull(argv[3], NULL, 10);
    FILE *file = fopen(argv[4], "w");
    uint64_t *values = malloc((keys + 1) * sizeof *values), sum = 0;

    if (file == NULL || values == NULL || keys == 0)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    uint64_t secret = draw();
    put(file, keys);
    put(file, queries);
    for (uint64_t k = 0; k < keys; k++) {
        put(file, mix(k ^ secret));
        put(file, values[k] = draw());
    }
    for (uint64_t k = 0; k < queries; k++) {
        uint64_t which = draw() % (keys + keys / 9 + 1); /* from `keys` on: not there */
        put(file, mix(which ^ secret));
        if (which < keys)
            sum += values[which];
    }
    free(values);
    if (fclose(file) != 0)
        return 2;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
