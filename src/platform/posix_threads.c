/* posix_threads.c: threads and barriers. */
#include "platform.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct platform_thread {
    pthread_t id;
    void (*work)(void *context);
    void *context;
};

static void *run(void *argument)
{
    struct platform_thread *thread = argument;
    thread->work(thread->context);
    return NULL;
}

struct platform_thread *platform_thread_start(void (*work)(void *context), void *context,
                                              char why[PLATFORM_WHY_ROOM])
{
    struct platform_thread *thread = malloc(sizeof *thread);
    why[0] = '\0';
    if (thread == NULL) {
        snprintf(why, PLATFORM_WHY_ROOM, "out of memory");
        return NULL;
    }
    *thread = (struct platform_thread){.work = work, .context = context};
    int error = pthread_create(&thread->id, NULL, run, thread);
    if (error == 0)
        return thread;
    snprintf(why, PLATFORM_WHY_ROOM, "pthread_create: %s", strerror(error));
    free(thread);
    return NULL;
}

void platform_thread_join(struct platform_thread *thread)
{
    pthread_join(thread->id, NULL);
    free(thread);
}

/* A waiting thread gives up its core gradually: others may need it, and a run may wait a long time
 * for a reader of its output. */
static void rest(unsigned turn)
{
    enum { SPINS = 10000, YIELDS = 20000 };
    if (turn > YIELDS)
        platform_sleep(2e-4);
    else if (turn > SPINS)
        sched_yield();
}

void platform_barrier_wait(struct platform_barrier *barrier)
{
    size_t round = atomic_load(&barrier->round);
    if (atomic_fetch_add(&barrier->arrived, 1) + 1 == barrier->count) {
        atomic_store(&barrier->arrived, 0);
        atomic_store(&barrier->round, round + 1);
        return;
    }
    for (unsigned turn = 0; atomic_load(&barrier->round) == round;)
        rest(turn < UINT32_MAX ? turn++ : turn);
}
