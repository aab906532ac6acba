/* none_threads.c: an unknown system has no threads.
 *
 *     platform_cores(cpus, 8);    -> 0
 */
#include "platform.h"

static const char reason[] = "no platform support was built in";

size_t platform_cores(int *cpus, size_t room)
{
    (void)cpus, (void)room;
    return 0;
}

struct platform_outcome platform_pin_to(int cpu)
{
    struct platform_outcome result = {.verdict = PLATFORM_NO};
    (void)cpu;
    snprintf(result.why, sizeof result.why, "%s", reason);
    return result;
}

struct platform_thread *platform_thread_start(void (*work)(void *context), void *context,
                                              char why[PLATFORM_WHY_ROOM])
{
    (void)work, (void)context;
    snprintf(why, PLATFORM_WHY_ROOM, "%s", reason);
    return NULL;
}

void platform_thread_join(struct platform_thread *thread)
{
    (void)thread;
}

/* There are no other threads to wait for. */
void platform_barrier_wait(struct platform_barrier *barrier)
{
    (void)barrier;
}
