/* trace-peers.c: what tests/bench/trace-peers traces: pages that the program, a function of the C
 * library and a second thread touch, each of its own. Prints the seconds that the program's own
 * part took. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAGE = 4096, OWN = 1000, OF_LIBRARY = 3000, OF_THREAD = 1000, LAPS = 20 };

static void *touch(void *pages)
{
    for (int i = 0; i < OF_THREAD; i++)
        ((volatile char *)pages)[i * PAGE] = 1;
    return NULL;
}

int main(void)
{
    volatile char *own = malloc((size_t)OWN * PAGE);
    char *of_library = malloc((size_t)OF_LIBRARY * PAGE),
         *of_thread = malloc((size_t)OF_THREAD * PAGE);
    struct timespec begin, end;
    pthread_t thread;
    if (own == NULL || of_library == NULL || of_thread == NULL)
        return 2;
    touch((void *)own); /* the system gives the pages */
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int k = 0; k < LAPS * OWN; k++)
        own[k % OWN * PAGE] = 2;
    clock_gettime(CLOCK_MONOTONIC, &end);
    for (int i = 0; i < OF_LIBRARY; i++)
        memfrob(of_library + (size_t)i * PAGE, 1);
    pthread_create(&thread, NULL, touch, of_thread);
    pthread_join(thread, NULL);
    printf("%.9f\n",
           (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    return 0;
}
