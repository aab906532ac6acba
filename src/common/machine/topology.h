/* topology.h: what hwloc says of this machine, or of a recorded one. */
#ifndef TLBLAB_MACHINE_TOPOLOGY_H
#define TLBLAB_MACHINE_TOPOLOGY_H

#include <hwloc.h>

/* The topology with all caches, of the recorded machine in `sysroot` or, for NULL, of this one.
 * NULL where hwloc cannot read it; else the caller destroys it. Dies where hwloc cannot start. */
hwloc_topology_t topology_load(const char *sysroot);

#endif
