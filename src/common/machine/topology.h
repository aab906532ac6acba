/* topology.h: what hwloc reports about this machine, or a recorded one. */
#ifndef TLBLAB_MACHINE_TOPOLOGY_H
#define TLBLAB_MACHINE_TOPOLOGY_H

#include "machine/facts.h"
#include <hwloc.h>

/* The topology with all caches of the recorded machine in `sysroot`, which recording_open() opened,
 * or, for NULL, of this one. NULL if hwloc cannot read it; otherwise the caller destroys it. Dies
 * if hwloc cannot start. */
hwloc_topology_t topology_load(const char *sysroot);

/* The same of the XML of hwloc, which ends with a NUL that counts in the length. */
hwloc_topology_t topology_load_xml(const char *text, size_t length);

/* Adds the caches of a processor, by its number. */
void topology_add_caches(hwloc_topology_t topology, unsigned cpu, struct facts *facts);

#endif
