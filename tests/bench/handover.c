/* handover.c: the method of core-to-core-latency, written anew, for tests/bench/pingpong to compare
 * with: two pinned threads set and reset one flag by compare-and-swap; a sample is the time of 1000
 * round trips over twice their number; the answer is the mean of 300 samples.
 *
 * usage: handover CORE CORE      -> mean and minimum of the samples, in ns
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUND_TRIPS = 1000, SAMPLES = 300 };

static _Alignas(128) atomic_bool flag;
static pthread_barrier_t start;
static double samples[SAMPLES];

static void pin(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        perror("handover: sched_setaffinity");
        exit(2);
    }
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void swap(bool from, bool to)
{
    bool seen = from;
    while (!atomic_compare_exchange_strong_explicit(&flag, &seen, to, memory_order_relaxed,
                                                    memory_order_relaxed))
        seen = from;
}

static void *answer(void *core)
{
    pin(*(int *)core);
    pthread_barrier_wait(&start);
    for (int i = 0; i < ROUND_TRIPS * SAMPLES; i++)
        swap(false, true);
    return NULL;
}

static void ask(int core)
{
    pin(core);
    pthread_barrier_wait(&start);
    for (int k = 0; k < SAMPLES; k++) {
        double begin = now_ns();
        for (int i = 0; i < ROUND_TRIPS; i++)
            swap(true, false);
        samples[k] = (now_ns() - begin) / ROUND_TRIPS / 2;
    }
}

int main(int argc, char **argv)
{
    pthread_t other;
    if (argc != 3) {
        fputs("usage: handover CORE CORE\n", stderr);
        return 2;
    }
    int cores[] = {atoi(argv[1]), atoi(argv[2])};
    double sum = 0, least = 0;
    pthread_barrier_init(&start, NULL, 2);
    if (pthread_create(&other, NULL, answer, &cores[1]) != 0)
        return 2;
    ask(cores[0]);
    pthread_join(other, NULL);
    for (int k = 0; k < SAMPLES; k++) {
        sum += samples[k];
        least = k == 0 || samples[k] < least ? samples[k] : least;
    }
    printf("%.3f %.3f\n", sum / SAMPLES, least);
    return 0;
}
