/* topology.c: what hwloc says of this machine, or of a recorded one. */
#include "machine/topology.h"
#include "base/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* For a recorded machine hwloc takes its own path prefix, HWLOC_FSROOT, and must not run CPUID on
 * this processor. */
hwloc_topology_t topology_load(const char *sysroot)
{
    hwloc_topology_t topology;
    if (sysroot != NULL &&
        (setenv("HWLOC_FSROOT", sysroot, 1) || setenv("HWLOC_COMPONENTS", "-x86", 1)))
        die("cannot set the environment for hwloc");
    if (hwloc_topology_init(&topology) != 0)
        die("hwloc cannot start: %s", strerror(errno));
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology) == 0 &&
        (sysroot == NULL || !hwloc_topology_is_thissystem(topology)))
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}
