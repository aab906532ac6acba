/* Exercise 10: the same work again and again, from a cold start.
 *
 * Usage: ./program > ramp.dat
 * A row for each piece of work: when it began, and nanoseconds for one addition. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef ADDS
#define ADDS (4L * 1024 * 1024) /* a piece of work: about a millisecond */
#endif
#ifndef SAMPLES
#define SAMPLES 400
#endif

/* Wall-clock seconds. */
static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Makes `adds` additions, a multiple of 64, each of which needs the sum of the one before: a cycle
 * each. Returns the sum. */
uint64_t add(uint64_t step, long adds)
{
    uint64_t sum = 0;

    /* HOLE. One after the other, in a register, and none left out. The compiler could replace a
     * million equal additions by a multiplication. */
    (void)adds;
    (void)step;

    return sum;
}

/* Does SAMPLES pieces of work, one after the other: at_s[k] is the start of piece k, in seconds
 * since the start of the first, and ns[k] the time of each of its additions. */
void observe(double at_s[], double ns[])
{
    /* HOLE. Nothing but the work and the clock: do not print here, the terminal is slow. */
    volatile uint64_t sum;
    for (int k = 0; k < SAMPLES; k++) {
        sum = add(1, ADDS);
        (void)sum;
        at_s[k] = 0;
        ns[k] = now_s() > 0;
    }
}

/* Your rule: whether the machine is warm now, after n pieces of work, ns[0] to ns[n - 1]. Later
 * pieces are not known yet. */
int is_warm(const double ns[], int n)
{
    /* HOLE. True when no later piece will be more than 3 per cent faster than the best so far, at
     * most a hundred pieces late. The clock may rise in steps of up to ten pieces each. Some pieces
     * are interrupted. */
    (void)ns;
    (void)n;
    return 0;
}

/* Sleeps until the processor has lowered its clock frequency. */
static void cool(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
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

static int first_warm(FILE *file)
{
    enum { MOST = 2000 };
    static double ns[MOST];

    /* Later times are not in the array yet. */
    for (int n = 0; n < MOST && fscanf(file, "%lf", &ns[n]) == 1;) {
        n++;
        if (is_warm(ns, n))
            return n;
    }
    return 0;
}

/* Calls one function with the numbers that follow, and prints what it returns:
 *
 *   program call add STEP ADDS    the sum
 *   program call warm FILE        after how many times of FILE is_warm() is true; 0 for never */
static int call(int argc, char *argv[])
{
    if (argc == 4 && strcmp(argv[1], "add") == 0) {
        enter_stage(1);
        uint64_t sum = add(strtoull(argv[2], NULL, 10), atol(argv[3]));
        enter_stage(2);
        printf("# stage: %p\n%llu\n", (void *)&stage, (unsigned long long)sum);
        return 0;
    }
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;

    if (file == NULL)
        return 2;
    printf("%d\n", first_warm(file));
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc > 2 && strcmp(argv[1], "call") == 0)
        return call(argc - 1, argv + 1);
    static double at_s[SAMPLES], ns[SAMPLES];
    int warm = 0;

    cool();
    observe(at_s, ns);
    printf("# program: ramp\n# adds: %ld\n", ADDS);
    printf("sample\tt_s\tns\tghz\twarm\n");
    for (int k = 0; k < SAMPLES; k++) {
        warm = warm || is_warm(ns, k + 1);
        printf("%d\t%.6f\t%.5f\t%.3f\t%d\n", k, at_s[k], ns[k], ns[k] > 0 ? 1 / ns[k] : 0, warm);
    }
    return 0;
}
