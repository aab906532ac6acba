/* Exercise 17: how many bytes a second.
 *
 * Usage: ./program > rates.dat
 *        ./program BYTES [BYTES...]
 * A row for each loop and working set. `gb_per_s` counts the bytes that the source of the loop
 * names, as STREAM does; `moved` counts the bytes that memory has to transfer. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef QUICK /* for tests of this exercise; labs/run */
#define MOST (1024L * 1024)
#else
#define MOST (256L * 1024 * 1024)
#endif
#ifndef LEAST_NS
#define LEAST_NS 5e6
#endif
enum { TRIES = 3 };

/* The sum of n numbers, one after the other. */
double sum(const double *a, long n)
{
    /* HOLE */
    (void)a, (void)n;
    return 0;
}

/* The same with four independent sums: number i is added to sum i % 4. n need not be a multiple of
 * 4. */
double sum_four(const double *a, long n)
{
    /* HOLE. Four numbers per step, with one line of code for each sum; then the rest. */
    return sum(a, n);
}

/* a[i] = b[i] + s * c[i] */
void triad(double *a, const double *b, const double *c, double s, long n)
{
    /* HOLE */
    (void)a, (void)b, (void)c, (void)s, (void)n;
}

/* The bytes of a loop. `counted`: bytes for each i that its source names. `moved`: bytes that
 * memory transfers if nothing is in a cache, and a line is read before it is written. */
struct loop {
    const char *name;
    int arrays, counted, moved;
};

const struct loop loops[] = {
    /* HOLE: a double has 8 bytes. The numbers below are not right. */
    {"sum", 1, 1, 1},
    {"sum_four", 1, 1, 1},
    {"triad", 3, 1, 1},
};

/* ---- measuring ---- */

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static volatile double sink; /* so that the sums are used */

static void run(int which, double *memory, long n)
{
    if (which == 0)
        sink = sum(memory, n);
    else if (which == 1)
        sink = sum_four(memory, n);
    else
        triad(memory, memory + n, memory + 2 * n, 3, n);
}

/* Nanoseconds of one round over n numbers: the best of several tries of 5 ms or more. */
static double round_ns(int which, double *memory, long n)
{
    double best = 0;
    long rounds = 1;

    run(which, memory, n); /* warms the caches */
    for (int i = 0; i < TRIES;) {
        double begin = now_ns();
        for (long k = 0; k < rounds; k++)
            run(which, memory, n);
        double took = now_ns() - begin;
        if (took < LEAST_NS && rounds < 1L << 40) {
            rounds *= 2;
            continue;
        }
        best = i++ == 0 || took / (double)rounds < best ? took / (double)rounds : best;
    }
    return best;
}

static void measure(double *memory, long bytes)
{
    for (int i = 0; i < (int)(sizeof loops / sizeof *loops); i++) {
        long n = bytes / 8 / loops[i].arrays;
        double ns = round_ns(i, memory, n);
        printf("%s\t%ld\t%ld\t%.3f\t%.3f\t%.3f\n", loops[i].name, bytes, n, ns,
               loops[i].counted * (double)n / ns, loops[i].moved * (double)n / ns);
        fflush(stdout);
    }
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

static double values[1024], a[1024], b[1024], c[1024];

static void ask_sum(int argc, char *argv[])
{
    long n = 0;
    for (; n + 3 < argc && n < 1000; n++)
        values[n] = atof(argv[n + 3]);
    for (long i = n; i < 1024; i++)
        values[i] = 1e9; /* beyond the end: must not be added */
    enter_stage(1);
    double total = argv[2][0] == 'f' ? sum_four(values, n) : sum(values, n);
    enter_stage(2);
    printf("# stage: %p\n# values: %p\n%.17g\n", (void *)&stage, (void *)values, total);
}

static void ask_triad(long n)
{
    for (long i = 0; i < 1024; i++) {
        a[i] = -1;
        b[i] = (double)(i % 17);
        c[i] = (double)(i % 5);
    }
    enter_stage(1);
    triad(a, b, c, 0.5, n);
    enter_stage(2);
    printf("# stage: %p\n# a: %p\n# b: %p\n# c: %p\ni\ta\n", (void *)&stage, (void *)a, (void *)b,
           (void *)c);
    for (long i = 0; i < n + 16 && i < 1024; i++)
        printf("%ld\t%g\n", i, a[i]);
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call sum one|four VALUE...
 *       sum() or sum_four() of the values
 *   program call triad N
 *       the numbers a[i] for b[i] = i % 17, c[i] = i % 5, and s = 0.5, and some beside them, which
 *       are -1
 *   program call bytes NAME
 *       counted and moved bytes of that loop, for each i */
static int call(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "sum") == 0)
        ask_sum(argc, argv);
    else if (argc == 3 && strcmp(argv[1], "triad") == 0)
        ask_triad(atol(argv[2]));
    else
        for (int i = 0; i < (int)(sizeof loops / sizeof *loops); i++)
            if (strcmp(loops[i].name, argv[argc - 1]) == 0)
                printf("%d %d\n", loops[i].counted, loops[i].moved);
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    long most = MOST;

    for (int i = 1; i < argc; i++)
        most = atol(argv[i]) > most ? atol(argv[i]) : most;
    double *memory = malloc((size_t)most);
    if (memory == NULL)
        return 2;
    for (long i = 0; i < most / 8; i++)
        memory[i] = 1;
    printf("# program: rates\nop\tbytes\tn\tns\tgb_per_s\tmoved\n");
    if (argc == 1)
        for (long bytes = 16 * 1024; bytes <= MOST; bytes *= 4)
            measure(memory, bytes);
    for (int i = 1; i < argc; i++)
        measure(memory, atol(argv[i]));
    free(memory);
    return 0;
}
