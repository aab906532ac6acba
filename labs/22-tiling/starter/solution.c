/* Exercise 22: a matrix product in tiles.
 *
 * Usage: ./program product N BLOCK            one product, for a trace; BLOCK 0 makes none
 *        ./program block BOUNDARIES           the blocks that fit, from a table of `detect`, or -
 *        ./program times > times.dat          this machine: the time of a product for each block
 * Numbers are doubles. Rows are longer than n: they begin on a page, or on another line of a page.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef QUICK /* for tests of this exercise; labs/run */
#define N     96L
#define TRIES 1
#else
#define N     480L
#define TRIES 2
#endif
#define NUMBER 8L  /* bytes of a double */
#define LINE   64L /* bytes of a cache line */

/* Adds the product of a and b to c, tile by tile. Each matrix has n rows of n numbers; a row begins
 * `row` numbers after the one before. A tile has at most `block` rows and columns. */
void multiply(const double *a, const double *b, double *c, long n, long row, long block)
{
    /* HOLE: three loops over tiles, and in them three loops i, j, k over the numbers of the tiles.
     * Where `block` does not divide n, the last tiles are smaller. */
    (void)a;
    (void)b;
    (void)c;
    (void)n;
    (void)row;
    (void)block;
}

/* The largest block whose pages a TLB with so many entries holds until they are used again, if each
 * row is on a page of its own. At least 1. */
long block_for_tlb(long entries)
{
    /* HOLE: which pages are used between two uses of a page of b's tile? */
    (void)entries;
    return 1;
}

/* The largest block whose lines a cache of so many bytes holds until they are used again: a
 * multiple of the numbers in a line, so that the rows of a tile have whole lines. At least those of
 * one line. */
long block_for_cache(long bytes)
{
    /* HOLE: which lines are used between two uses of a line of b's tile? */
    (void)bytes;
    return LINE / NUMBER;
}

/* ---- the rest is complete ---- */

/* A matrix of n rows, filled with a pattern. It begins on a page. */
static double *new_matrix(long n, long row)
{
    double *matrix = aligned_alloc(4096, (size_t)((n * row * NUMBER + 4095) / 4096 * 4096));

    if (matrix == NULL)
        exit(2);
    for (long at = 0; at < n * row; at++)
        matrix[at] = (double)(at % 7);
    return matrix;
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The least time of a multiplication and addition, of some tries; `sum` is that of c. */
static double time_product(long n, long row, long block, double *sum)
{
    double *a = new_matrix(n, row), *b = new_matrix(n, row), *c = new_matrix(n, row), best = 0;

    for (int k = 0; k < TRIES; k++) {
        double begin = now_ns(), ns;
        multiply(a, b, c, n, row, block);
        ns = (now_ns() - begin) / ((double)n * (double)n * (double)n);
        best = k == 0 || ns < best ? ns : best;
    }
    *sum = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            *sum += c[i * row + j];
    free(a);
    free(b);
    free(c);
    return best;
}

static void print_times(void)
{
    static const long blocks[] = {8, 16, 24, 32, 48, 64, 96, 160, 240, N};
    double sum;

    printf("# program: tiling\n# n: %ld\nblock\trow_bytes\tns\tsum\n", N);
    for (long row_bytes = 4096; row_bytes <= 4096 + LINE; row_bytes += LINE)
        for (int k = 0; k < (int)(sizeof blocks / sizeof *blocks) && blocks[k] <= N; k++) {
            double ns = time_product(N, row_bytes / NUMBER, blocks[k], &sum);
            printf("%ld\t%ld\t%.4f\t%.0f\n", blocks[k], row_bytes, ns, sum);
        }
}

/* The number in column `name` of a row; 0 where it has none. */
static long cell(char *const *names, char *const *cells, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return atol(cells[k]);
    return 0;
}

static int cut(char *line, char **cells, int most)
{
    int count = 0;

    for (char *word = strtok(line, "\t\n"); word != NULL && count < most;
         word = strtok(NULL, "\t\n"))
        cells[count++] = word;
    return count;
}

/* From a table of boundaries: what the first levels hold for certain, and the blocks for that. */
static int print_blocks(FILE *file)
{
    char header[4096], line[4096], *names[64], *cells[64];
    int columns = 0;
    long entries = 0, bytes = 0, block = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        if (columns == 0) {
            columns = cut(strcpy(header, line), names, 64);
            continue;
        }
        int count = cut(line, cells, 64);
        if (count == 0 || cell(names, cells, count, "level") != 1)
            continue;
        if (strcmp(cells[0], "dtlb") == 0)
            entries = cell(names, cells, count, "entries_min");
        if (strcmp(cells[0], "cache") == 0)
            bytes = cell(names, cells, count, "bytes_min");
    }
    if (columns == 0) {
        fprintf(stderr, "program: no table of boundaries\n");
        return 2;
    }
    printf("structure\tholds\tblock\n");
    if (entries > 0)
        printf("dtlb\t%ld\t%ld\n", entries, block = block_for_tlb(entries));
    if (bytes > 0)
        printf("cache\t%ld\t%ld\n", bytes, block_for_cache(bytes));
    if (bytes > 0 && (block == 0 || block_for_cache(bytes) < block))
        block = block_for_cache(bytes);
    if (block > 0)
        printf("both\t-\t%ld\n", block);
    return 0;
}

/* In a list of all accesses to memory, two stores to `stage` mark where those of a function begin
 * and end. The compiler moves no access across them. */
static volatile int stage;

static void enter_stage(int now)
{
    atomic_signal_fence(memory_order_seq_cst);
    stage = now;
    atomic_signal_fence(memory_order_seq_cst);
}

/* A matrix with room around: halves of whole numbers are drawn, whose products are exact; what does
 * not belong to it is NAN. */
static void draw(double *matrix, long n, long row, uint64_t *seed)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < row; j++) {
            *seed = *seed * 1103515245 % 2147483648 + 12345;
            matrix[i * row + j] = j < n ? (double)(*seed / 65536 % 32768) / 2 : NAN;
        }
}

/* Adds the product of two drawn matrices to a third, and prints all four. */
static void print_product(long n, long row, long block, uint64_t seed)
{
    double *all = malloc((size_t)(3 * n * row) * sizeof *all);
    const char *const names[] = {"a", "b", "c"};

    if (all == NULL)
        exit(2);
    printf("matrix\ti\tj\tnumber\n");
    for (int m = 0; m < 3; m++) {
        draw(all + m * n * row, n, row, &seed);
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                printf("%s\t%ld\t%ld\t%.1f\n", names[m], i, j, all[(m * n + i) * row + j]);
    }
    multiply(all, all + n * row, all + 2 * n * row, n, row, block);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < row; j++)
            printf("product\t%ld\t%ld\t%.2f\n", i, j, all[(2 * n + i) * row + j]);
    free(all);
}

/* One product of matrices whose rows begin on pages. */
static void trace_product(long n, long block)
{
    const long row = 4096 / NUMBER;
    double *all = aligned_alloc(4096, (size_t)(3 * n * 4096));

    if (all == NULL)
        exit(2);
    for (long at = 0; at < 3 * n * row; at += row)
        memset(all + at, 0, (size_t)n * sizeof *all);
    enter_stage(1);
    multiply(all, all + n * row, all + 2 * n * row, n, row, block);
    enter_stage(2);
    printf("# stage: %p\n# matrices: %p\n", (void *)&stage, (void *)all);
    free(all);
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call product N ROW BLOCK SEED    the matrices, and what multiply() makes of them
 *   program call trace N BLOCK               a product, for the list of all accesses to memory
 *   program call tlb|cache NUMBER            block_for_tlb() or block_for_cache() */
static int call(int argc, char *argv[])
{
    long given[4] = {0};

    for (int k = 2; k < argc && k < 6; k++)
        given[k - 2] = atol(argv[k]);
    if (argc == 6)
        print_product(given[0], given[1], given[2], (uint64_t)given[3]);
    else if (argc == 4)
        trace_product(given[0], given[1]);
    else if (argc == 3)
        printf("%ld\n",
               strcmp(argv[1], "tlb") == 0 ? block_for_tlb(given[0]) : block_for_cache(given[0]));
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    if (argc == 4 && strcmp(argv[1], "product") == 0) {
        long n = atol(argv[2]), block = atol(argv[3]), row = (n + 511) / 512 * 512;
        double *a = new_matrix(n, row), *b = new_matrix(n, row), *c = new_matrix(n, row);
        if (block > 0)
            multiply(a, b, c, n, row, block);
        printf("%.0f\n", c[n * row - 1]);
    } else if (argc == 3 && strcmp(argv[1], "block") == 0) {
        return print_blocks(strcmp(argv[2], "-") == 0 ? stdin : fopen(argv[2], "r"));
    } else if (argc == 2 && strcmp(argv[1], "times") == 0) {
        print_times();
    } else {
        fprintf(stderr, "Usage: program product N BLOCK, program block FILE, or program times\n");
        return 2;
    }
    return 0;
}
