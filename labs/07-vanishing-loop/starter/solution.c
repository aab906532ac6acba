/* Exercise 07: a loop whose result is not used.
 *
 * Usage: ./program plain|half|volatile|sink|barrier > NAME.dat
 *        ./program show LINES READS [WAY]      each way once, with this number of lines and reads
 *        ./program call possible NS CYCLE      what possible() returns
 * A row for each number of lines: nanoseconds and cycles of one read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef LINES
#define LINES (64L * 1024)
#endif
#ifndef READS
#define READS (256L * 1024)
#endif

#define STRIDE 8 /* numbers of 8 bytes in a line of 64 */

long sink; /* other files of the program could read it */

/* Each of the following functions begins at element 0 and makes `reads` reads; the number in an
 * element is the index of the next one. */

/* The obvious loop. */
void walk_plain(const long *next, long reads)
{
    /* HOLE: make the reads. Here and below, the next two lines only keep the compiler quiet. */
    (void)next;
    (void)reads;
}

/* With an empty asm statement that does not use the index. */
void walk_half(const long *next, long reads)
{
    /* HOLE: the same, and after each read:  __asm__ volatile("");  */
    (void)next;
    (void)reads;
}

/* Each read is through a pointer to volatile, so it must happen. */
void walk_volatile(const long *next, long reads)
{
    /* HOLE: *(const volatile long *)&next[at] is a read that must happen. */
    (void)next;
    (void)reads;
}

/* Stores the last index in sink. */
void walk_sink(const long *next, long reads)
{
    /* HOLE: no volatile and no asm here. */
    (void)next;
    (void)reads;
}

/* An empty asm statement needs each index in a register. */
void walk_barrier(const long *next, long reads)
{
    /* HOLE: __asm__ volatile("" : "+r"(x));  tells the compiler that the statement reads x and may
     * change it. It adds no instruction. */
    (void)next;
    (void)reads;
}

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds of one cycle: the time of an addition in a long row of additions that wait for each
 * other. The empty asm statements keep the compiler from joining the additions, and hide from it
 * that `one` is 1: some processors add small constants without a cycle of their own. `register` is
 * for -O0, where other variables are in memory. The least of many tries counts, because the
 * processor may have been idle. */
static double cycle_ns(void)
{
    enum { ADDITIONS = 100000, TRIES = 200 };
    double least = 0;

    for (int try = 0; try < TRIES; try++) {
        register long x = 0, one = 1;
        double begin = now_ns();

        for (register long i = 0; i < ADDITIONS; i++) {
            __asm__ volatile("" : "+r"(x), "+r"(one));
            x += one;
        }
        __asm__ volatile("" : : "r"(x));
        double ns = (now_ns() - begin) / ADDITIONS;
        least = try == 0 || ns < least ? ns : least;
    }
    return least;
}

/* Can reads that wait for each other take `ns` each? Both numbers are measured, and each may be off
 * by some per cent: your answer must not depend on that. */
int possible(double ns, double cycle)
{
    /* HOLE */
    (void)ns;
    (void)cycle;
    return 1;
}

static const struct way {
    const char *name;
    void (*walk)(const long *next, long reads);
} ways[] = {
    {"plain", walk_plain}, {"half", walk_half},       {"volatile", walk_volatile},
    {"sink", walk_sink},   {"barrier", walk_barrier},
};

/* One cycle through n lines, n a power of two, each line's number followed by another one's. */
static void link_lines(long *next, long n)
{
    for (long i = 0; i < n; i++)
        next[STRIDE * i] = STRIDE * ((5 * i + 3) % n);
}

/* Nanoseconds of one read: the least of some tries, because other programs may disturb some. */
static double read_ns(const struct way *way, const long *next)
{
    double least = 0;

    for (int again = 0; again < 7; again++) {
        double begin = now_ns();
        way->walk(next, READS);
        double ns = (now_ns() - begin) / (double)READS;
        least = again == 0 || ns < least ? ns : least;
    }
    return least;
}

static void measure(const struct way *way)
{
    long *next = calloc(LINES * STRIDE, sizeof *next);
    double cycle = cycle_ns();

    if (next == NULL)
        exit(2);
    printf("# program: walk\n# way: %s\n# cycle_ns: %.3f\n", way->name, cycle);
    printf("pages\tlayout\tspacing_bytes\tns\tcycles\n");
    for (long n = 64; n <= LINES; n *= 4) {
        link_lines(next, n);
        way->walk(next, n); /* one round warms the caches */
        double ns = read_ns(way, next);

        printf("%ld\tline\t64\t%.6f\t%.3f\n", n, ns, ns / cycle);
        if (!possible(ns, cycle))
            fprintf(stderr, "%s, %ld lines: %.6f ns, impossible\n", way->name, n, ns);
    }
    free(next);
}

/* Between two readings of the clock a list of all accesses to memory has the reads of one way: of
 * all ways, or of that with this name. */
static int show(long lines, long reads, const char *name)
{
    long *next = calloc((size_t)(lines * STRIDE), sizeof *next);

    if (next == NULL)
        return 2;
    link_lines(next, lines);
    printf("# next: %p\n# sink: %p\nway\tns\n", (void *)next, (void *)&sink);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        if (name != NULL && strcmp(name, ways[w].name) != 0)
            continue;
        double begin = now_ns();
        ways[w].walk(next, reads);
        double ns = (now_ns() - begin) / (double)reads;

        printf("%s\t%.6f\n", ways[w].name, ns);
    }
    free(next);
    return 0;
}

int main(int argc, char *argv[])
{
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "show") == 0)
        return show(atol(argv[2]), atol(argv[3]), argv[4]); /* argv[argc] is NULL */
    if (argc == 5 && strcmp(argv[1], "call") == 0)
        return printf("%d\n", possible(atof(argv[3]), atof(argv[4])) != 0) < 0;
    for (size_t w = 0; argc == 2 && w < sizeof ways / sizeof ways[0]; w++)
        if (strcmp(argv[1], ways[w].name) == 0) {
            measure(&ways[w]);
            return 0;
        }
    fprintf(stderr, "Usage: program plain|half|volatile|sink|barrier\n");
    return 2;
}
