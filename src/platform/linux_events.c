/* linux_events.c: event names of the processor's counters, through libpfm; a separate file, since
 * few programs link with that library. */
#include "platform.h"
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

bool platform_event_named(const char *name, struct platform_event *event)
{
    struct perf_event_attr attr = {.size = sizeof attr};
    pfm_perf_encode_arg_t encoded = {.attr = &attr, .size = sizeof encoded};
    if (pfm_initialize() != PFM_SUCCESS ||
        pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &encoded) != PFM_SUCCESS)
        return false;
    *event = (struct platform_event){.type = attr.type,
                                     .config = attr.config,
                                     .config1 = attr.config1,
                                     .config2 = attr.config2,
                                     .cpu = -1};
    return true;
}
