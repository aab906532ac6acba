/* Exercise 10: the same work again and again, from a cold start.
 *
 * Usage: ./program > ramp.dat
 * A row for each piece of work: when it began, and nanoseconds for one addition. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef ADDS
#define ADDS (4L * 1024 * 1024) /* a piece of work: a millisecond or so */
#endif
#ifndef SAMPLES
#define SAMPLES 400
#endif

/* Seconds on the clock on the wall. */
static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* So many additions, each of which needs the sum of the one before: a cycle each. They are a
 * multiple of 64. Returns the sum. */
uint64_t add(uint64_t step, long adds)
{
    uint64_t sum = 0;

    /* HOLE. One after the other, in a register, and none left out. The compiler knows what comes of
     * a million times the same addition. */
    (void)adds;
    (void)step;
    return sum;
}

/* SAMPLES pieces of work, one after the other: at_s[k] is when piece k began, in seconds since the
 * first one did, and ns[k] what each of its additions took. */
void observe(double at_s[], double ns[])
{
    volatile uint64_t sum;

    /* HOLE. Nothing but the work and the clock: who prints meanwhile measures the terminal. */
    for (int k = 0; k < SAMPLES; k++) {
        sum = add(1, ADDS);
        (void)sum;
        at_s[k] = 0;
        ns[k] = now_s() > 0;
    }
}

/* Your rule: whether the machine is warm now, after n pieces of work, ns[0] to ns[n - 1]. What
 * comes later nobody knows yet. */
int is_warm(const double ns[], int n)
{
    /* HOLE. True when no later piece will be more than 3 per cent faster than the best so far, and
     * a hundred pieces after that at the latest. Where the clock goes up in steps, a step may last
     * for ten pieces. And now and then a piece is interrupted. */
    (void)ns;
    (void)n;
    return 0;
}

/* The processor gets nothing to do, for as long as it may want to slow down. */
static void cool(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
}

int main(void)
{
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
