/* Exercise 17: how many bytes a second.
 *
 * Usage: ./program > rates.dat
 *        ./program BYTES [BYTES...]
 * A row for each loop and working set. `gb_per_s` counts the bytes that the source of the loop
 * names, as STREAM does; `moved` counts the bytes that memory has to transfer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
    double total = 0;

    for (long i = 0; i < n; i++)
        total += a[i];
    return total;
}

/* The same with four independent sums: number i is added to sum i % 4. n need not be a multiple of
 * 4. */
double sum_four(const double *a, long n)
{
    double part[4] = {0, 0, 0, 0};
    long i = 0;

    for (; i + 4 <= n; i += 4) {
        part[0] += a[i];
        part[1] += a[i + 1];
        part[2] += a[i + 2];
        part[3] += a[i + 3];
    }
    for (; i < n; i++)
        part[i % 4] += a[i];
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* a[i] = b[i] + s * c[i] */
void triad(double *a, const double *b, const double *c, double s, long n)
{
    for (long i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

/* The bytes of a loop. `counted`: bytes for each i that its source names. `moved`: bytes that
 * memory transfers if nothing is in a cache, and a line is read before it is written. */
struct loop {
    const char *name;
    int arrays, counted, moved;
};

const struct loop loops[] = {
    {"sum", 1, 8, 8},
    {"sum_four", 1, 8, 8},
    {"triad", 3, 24, 32},
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

int main(int argc, char *argv[])
{
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
