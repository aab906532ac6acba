/* darwin_cores.c: cores on macOS, which cannot pin threads: a "core" is a thread that may run
 * anywhere. Written from Apple's documentation, and not yet run on a Mac. */
#define _DARWIN_C_SOURCE
#include "platform.h"
#include <sys/sysctl.h>

/* Only counts cores; threads of the highest quality of service run on performance cores first. */
size_t platform_cores(int *cpus, size_t capacity)
{
    int32_t cores = 0;
    size_t length = sizeof cores;
    if (sysctlbyname("hw.logicalcpu", &cores, &length, NULL, 0) != 0 || cores < 1)
        cores = 1;
    for (int32_t i = 0; i < cores && (size_t)i < capacity; i++)
        cpus[i] = i;
    return (size_t)cores;
}

struct platform_outcome platform_pin_to(int cpu)
{
    int now;
    (void)cpu;
    return platform_pin(&now);
}
