/* trace-peers.c: what tests/bench/trace-peers traces: pages that the program, a function of the C
 * library and a second thread touch, each of its own.
 *
 *     trace-peers LAPS
 *
 * Prints the seconds that its own loop took, which goes over a line of each page LAPS times: a TLB
 * of less than 1000 entries misses once in 32 accesses. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAGE = 4096, LINE = 64, OWN = 1000, OF_LIBRARY = 3000, OF_THREAD = 1000 };

static void *touch(void *pages)
{
    for (int i = 0; i < OF_THREAD; i++)
        ((volatile char *)pages)[i * PAGE] = 1;
    return NULL;
}

/* Adds 1 to each number in a line of each page; lines of one place in all pages would be too many
 * for the sets of a cache. */
static void change_own(char *own)
{
    for (int page = 0; page < OWN; page++) {
        volatile int *line = (volatile int *)(own + page * PAGE + page * LINE % PAGE);
        for (size_t i = 0; i < LINE / sizeof *line; i++)
            line[i] = line[i] + 1;
    }
}

int main(int argc, char **argv)
{
    int laps = argc == 2 ? atoi(argv[1]) : 1;
    char *own = aligned_alloc(PAGE, (size_t)OWN * PAGE);
    char *of_library = malloc((size_t)OF_LIBRARY * PAGE),
         *of_thread = malloc((size_t)OF_THREAD * PAGE);
    struct timespec begin, end;
    pthread_t thread;
    if (own == NULL || of_library == NULL || of_thread == NULL)
        return 2;
    touch(own); /* the system gives the pages */
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int k = 0; k < laps; k++)
        change_own(own);
    clock_gettime(CLOCK_MONOTONIC, &end);
    for (int i = 0; i < OF_LIBRARY; i++)
        memfrob(of_library + (size_t)i * PAGE, 1);
    pthread_create(&thread, NULL, touch, of_thread);
    pthread_join(thread, NULL);
    printf("%.9f\n",
           (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    return 0;
}
