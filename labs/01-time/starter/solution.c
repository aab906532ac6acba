/* Exercise 01: process time and wall-clock time.
 *
 * Usage: ./program > time.dat
 * Each row is one try: a number of references, then a time of sleep; seconds by both clocks. */
#include <stdio.h>
#include <time.h>

#ifndef REFS
#define REFS (16L * 1024 * 1024) /* the most references of a try */
#endif
#define TRIES    5
#define SLEEP_MS 50

/* Seconds that the processor has spent on this process. */
double process_seconds(void)
{
    /* HOLE: ask clock(), and let CLOCKS_PER_SEC turn the answer into seconds. */
    return 0;
}

/* Wall-clock seconds since some moment in the past. */
double wall_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The work to measure. */
static long count(long refs)
{
    long sum = 0;

    for (long i = 0; i < refs; i++)
        sum++;
    return sum;
}

static void doze(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

static void try(long refs, long sleep_ms, int number)
{
    double wall = wall_seconds();
    double process = process_seconds();
    long sum = count(refs);

    doze(sleep_ms);
    process = process_seconds() - process;
    wall = wall_seconds() - wall;
    printf("%ld\t%ld\t%d\t%.6f\t%.6f\t%ld\n", refs, sleep_ms, number, process, wall, sum);
}

int main(void)
{
    printf("# program: time\n");
    printf("refs\tsleep_ms\tsample\tproc\twall\tsum\n");
    for (long refs = 1024; refs <= REFS; refs *= 4)
        for (int number = 0; number < TRIES; number++)
            try(refs, 0, number);
    for (int number = 0; number < TRIES; number++)
        try(0, SLEEP_MS, number);
    return 0;
}
