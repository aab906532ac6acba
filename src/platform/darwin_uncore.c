/* darwin_uncore.c: counters outside the cores and physical addresses: macOS has neither. */
#include "platform.h"
#include <time.h>

int platform_counter_open(const struct platform_event *event, char why[PLATFORM_WHY_ROOM])
{
    (void)event;
    if (platform_root()[0] != '\0')
        snprintf(why, PLATFORM_WHY_ROOM, "%s is a recorded machine: it counts nothing",
                 platform_root());
    else
        snprintf(why, PLATFORM_WHY_ROOM, "macOS keeps hardware counters for its own tools");
    return -1;
}

bool platform_counter_read(int counter, uint64_t *count)
{
    (void)counter, (void)count;
    return false;
}

void platform_counter_close(int counter)
{
    (void)counter;
}

struct platform_outcome platform_physical(const void *memory, uint64_t *paddr)
{
    struct platform_outcome outcome = {.verdict = PLATFORM_NO};
    (void)memory, (void)paddr;
    snprintf(outcome.why, sizeof outcome.why, "macOS shows no physical addresses");
    return outcome;
}

void platform_sleep(double seconds)
{
    struct timespec rest = {.tv_sec = (time_t)seconds};
    nanosleep(&rest, NULL);
}
