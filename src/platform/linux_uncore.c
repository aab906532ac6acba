/* linux_uncore.c: counters outside the cores, through perf_event_open(). */
#define _GNU_SOURCE
#include "platform.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The reason and remedy for an error from perf_event_open(). */
static void counter_why(int error, char why[PLATFORM_WHY_ROOM])
{
    char paranoid[16] = "unknown";
    if (error == EACCES || error == EPERM) {
        platform_read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
        snprintf(
            why, PLATFORM_WHY_ROOM,
            "%s: counters of the uncore need kernel.perf_event_paranoid of 0 or less (it is %s) "
            "or CAP_PERFMON",
            strerror(error), paranoid);
    } else if (error == EMFILE)
        snprintf(why, PLATFORM_WHY_ROOM, "%s: one for each slice is needed (ulimit -n)",
                 strerror(error));
    else
        snprintf(why, PLATFORM_WHY_ROOM, "perf_event_open: %s", strerror(error));
}

int platform_counter_open(const struct platform_event *event, char why[PLATFORM_WHY_ROOM])
{
    struct perf_event_attr attr = {.type = event->type,
                                   .size = sizeof attr,
                                   .config = event->config,
                                   .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                  PERF_FORMAT_TOTAL_TIME_RUNNING};
    attr.config1 = event->config1;
    attr.config2 = event->config2;
    if (platform_root()[0] != '\0') {
        snprintf(why, PLATFORM_WHY_ROOM, "%s is a recorded machine: it counts nothing",
                 platform_root());
        return -1;
    }
    long descriptor = syscall(SYS_perf_event_open, &attr, -1, event->cpu, -1, 0UL);
    if (descriptor < 0)
        counter_why(errno, why);
    return (int)descriptor;
}

bool platform_counter_read(int counter, uint64_t *count)
{
    struct {
        uint64_t value, enabled, running;
    } now;
    if (read(counter, &now, sizeof now) != (ssize_t)sizeof now)
        return false;
    *count = now.value;
    return now.enabled == now.running;
}

void platform_counter_close(int counter)
{
    close(counter);
}

void platform_sleep(double seconds)
{
    struct timespec rest = {.tv_sec = (time_t)seconds};
    rest.tv_nsec = (long)((seconds - (double)rest.tv_sec) * 1e9);
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        ;
}
