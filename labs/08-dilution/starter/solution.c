/* Exercise 08: dilution: what counts as an access?
 *
 * Usage: ./program words > words.dat    every word of every line
 *        ./program lines > lines.dat    one word of every line
 *        ./program inner > inner.dat    strides from 8 bytes to BLOCK through 1 MiB
 *        ./program outer > outer.dat    the same through 64 MiB
 *        ./program chain BLOCKS BLOCK STRIDE SEED    prints the addresses of the accesses
 * A row for each size or stride: nanoseconds of one access. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef LINES
#define LINES (512L * 1024)
#endif
#ifndef OUTER
#define OUTER (64L * 1024 * 1024)
#endif
#ifndef BLOCK
#define BLOCK 512
#endif
#define INNER    (1024L * 1024)
#define ACCESSES (256L * 1024)
#define LINE     64
#define PAGE     4096
#define MOST     10 /* strides: 8, 16, ... 4096 */
#define SEED     1

/* A random number from 0 to limit - 1. The same state gives the same numbers. */
static long below(uint64_t *state, long limit)
{
    *state += 0x9E3779B97F4A7C15;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return (long)(z % (uint64_t)limit);
}

static void shuffle(long *numbers, long n, uint64_t *state)
{
    for (long i = n - 1; i > 0; i--) {
        long k = below(state, i + 1), other = numbers[k];

        numbers[k] = numbers[i];
        numbers[i] = other;
    }
}

/* A random order of the blocks 0 to blocks - 1: the groups in random order, and within each group
 * its blocks in random order. */
static long *scatter(long blocks, long group, uint64_t seed)
{
    long groups = blocks / group;
    long *order = malloc((size_t)blocks * sizeof *order);
    long *first = malloc((size_t)groups * sizeof *first);

    if (order == NULL || first == NULL)
        exit(2);
    for (long g = 0; g < groups; g++)
        first[g] = g * group;
    shuffle(first, groups, &seed);
    for (long g = 0; g < groups; g++) {
        for (long i = 0; i < group; i++)
            order[g * group + i] = first[g] + i;
        shuffle(order + g * group, group, &seed);
    }
    free(first);
    return order;
}

/* Links words of memory to one cycle: each holds the address of the next. It visits the blocks, of
 * `block` bytes each, in the given order, and in each the words 0, stride, 2 * stride, ... bytes
 * from its start. Returns the number of words. */
long link_words(char *memory, const long *order, long blocks, long block, long stride)
{
    /* HOLE: a loop over the blocks, and one over the words of a block. So far there is one word,
     * which points to itself. */
    (void)order;
    (void)blocks;
    (void)block;
    (void)stride;
    *(void **)(void *)memory = memory;
    return 1;
}

/* Makes `accesses` accesses, beginning with this word; each word holds the address of the next.
 * Returns the address from the last one. The caller uses it, so the compiler keeps the loop. */
void *walk(void *at, long accesses)
{
    /* HOLE */
    (void)accesses;

    return at;
}

/* The time of a miss: `accesses` accesses share a line, one of them misses, the others take hit_ns
 * each, and the average of all is mean_ns. */
double miss_ns(double mean_ns, double hit_ns, long accesses)
{
    /* HOLE: solve for it. */
    (void)hit_ns;
    (void)accesses;
    return mean_ns;
}

/* The size of a line: the largest of n strides whose time is at least 1.25 times that of the stride
 * before it, or the first stride if there is none. */
long line_by_stride(const long *stride, const double *ns, int n)
{
    /* HOLE */
    (void)ns;
    (void)n;
    return stride[0];
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds of an access along a cycle of this number of words: the least of some tries. Each try
 * goes on where the last one ended, so that all of the memory is visited. */
static double ns_per_access(void *at, long words, int tries)
{
    double least = 0;

    at = walk(at, words < 4 * ACCESSES ? words : 4 * ACCESSES);
    for (int again = 0; again < tries; again++) {
        double begin = now_ns();
        at = walk(at, ACCESSES);
        double ns = (now_ns() - begin) / ACCESSES;
        least = again == 0 || ns < least ? ns : least;
    }
    if (at == NULL)
        exit(2);
    return least;
}

/* Touched memory that begins at a page boundary. */
static char *allocate(long bytes)
{
    char *memory = aligned_alloc(PAGE, (size_t)bytes);

    if (memory == NULL)
        exit(2);
    memset(memory, 0, (size_t)bytes);
    return memory;
}

static void head(const char *what)
{
    printf("# program: dilution\n# what: %s\n# seed: %d\n", what, SEED);
    printf("pages\tlayout\tspacing_bytes\tns\n");
}

static void measure_sizes(const char *what, long stride)
{
    char *memory = allocate(LINES * LINE);

    head(what);
    for (long lines = 512; lines <= LINES; lines *= 4) {
        long *order = scatter(lines, lines, SEED);
        long words = link_words(memory, order, lines, LINE, stride);

        printf("%ld\tline\t%ld\t%.3f\n", lines, stride, ns_per_access(memory, words, 5));
        free(order);
    }
    free(memory);
}

static void measure_strides(const char *what, long bytes)
{
    char *memory = allocate(bytes);
    long *order = scatter(bytes / BLOCK, PAGE / BLOCK, SEED);
    long stride[MOST];
    double ns[MOST];
    int n = 0;

    head(what);
    for (long s = 8; s <= BLOCK && n < MOST; s *= 2, n++) {
        long words = link_words(memory, order, bytes / BLOCK, BLOCK, s);
        stride[n] = s;
        ns[n] = ns_per_access(memory, words, 5);
        printf("%ld\tline\t%ld\t%.3f\n", words, s, ns[n]);
    }
    fprintf(stderr, "%s: a line has %ld bytes, or so it looks\n", what,
            line_by_stride(stride, ns, n));
    free(order);
    free(memory);
}

static void print_chain(long blocks, long block, long stride, uint64_t seed)
{
    char *memory = allocate((blocks * block + PAGE - 1) / PAGE * PAGE);
    long *order = scatter(blocks, blocks, seed);
    long words = link_words(memory, order, blocks, block, stride);
    char *start = memory + order[0] * block, *at = start;

    printf("# words: %ld\n# seed: %llu\naccess\tbyte\n", words, (unsigned long long)seed);
    for (long a = 0; at != NULL && a <= words; a++) {
        printf("%ld\t%ld\n", a, (long)(at - memory));
        at = *(void **)(void *)at;
    }
    free(order);
    free(memory);
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

static int walk_path(long links, long accesses)
{
    void **path = links < 1 ? NULL : calloc((size_t)links, sizeof *path);

    if (path == NULL)
        return 2;
    for (long i = 0; i < links; i++)
        path[i] = i < links - 1 ? (void *)&path[i + 1] : NULL;
    enter_stage(1);
    void **end = walk(path, accesses);
    enter_stage(2);
    printf("# stage: %p\n# path: %p\n", (void *)&stage, (void *)path);
    printf("%ld\n", end == NULL ? links : (long)(end - path));
    return 0;
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call walk LINKS ACCESSES    the end of a path of LINKS words; a load beyond it crashes
 *   program call miss MEAN HIT ACCESSES
 *   program call line STRIDE NS [STRIDE NS]... */
static int call(int argc, char *argv[])
{
    long stride[16];
    double ns[16];
    int n = 0;

    if (argc == 4 && strcmp(argv[1], "walk") == 0)
        return walk_path(atol(argv[2]), atol(argv[3]));
    if (argc == 5 && strcmp(argv[1], "miss") == 0) {
        printf("%.3f\n", miss_ns(atof(argv[2]), atof(argv[3]), atol(argv[4])));
        return 0;
    }
    for (; n < 16 && 3 + 2 * n < argc; n++) {
        stride[n] = atol(argv[2 + 2 * n]);
        ns[n] = atof(argv[3 + 2 * n]);
    }
    printf("%ld\n", line_by_stride(stride, ns, n));
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    const char *what = argc > 1 ? argv[1] : "";

    if (argc == 6 && strcmp(what, "chain") == 0)
        print_chain(atol(argv[2]), atol(argv[3]), atol(argv[4]), strtoull(argv[5], NULL, 10));
    else if (strcmp(what, "words") == 0)
        measure_sizes(what, 8);
    else if (strcmp(what, "lines") == 0)
        measure_sizes(what, LINE);
    else if (strcmp(what, "inner") == 0)
        measure_strides(what, INNER);
    else if (strcmp(what, "outer") == 0)
        measure_strides(what, OUTER);
    else {
        fprintf(stderr, "Usage: program words|lines|inner|outer, program chain BLOCKS BLOCK STRIDE "
                        "SEED, or program call FUNCTION NUMBER...\n");
        return 2;
    }
    return 0;
}
