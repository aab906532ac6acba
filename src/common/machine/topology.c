/* topology.c: what hwloc reports about this machine, or a recorded one. */
#include "machine/topology.h"
#include "base/error.h"
#include "machine/recording.h"
#include "platform.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether hwloc can read the nodes of a recorded machine, which is untrusted input: hwloc aborts if
 * the list is empty, and never finishes if it has millions. */
static bool can_list_nodes(void)
{
    enum { NODES_MAX = 1024 }; /* of Linux */
    char list[4096], *end = list;
    unsigned long min = 0;
    if (!platform_read_line("/sys/devices/system/node/online", list, sizeof list))
        return true;
    for (char *at = list; *at != '\0'; at = end + (*end == ',' || *end == '-')) {
        unsigned long node = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || node < min || node >= NODES_MAX)
            return false;
        min = node;
    }
    return *end == '\0';
}

/* For a recorded machine hwloc needs its own path prefix, HWLOC_FSROOT, and must not run CPUID on
 * this processor. */
static bool load_recorded(hwloc_topology_t topology)
{
    char *folder = recording_folder();
    bool set = setenv("HWLOC_FSROOT", folder, 1) == 0 && setenv("HWLOC_COMPONENTS", "-x86", 1) == 0;
    bool loaded = set && hwloc_topology_load(topology) == 0;
    recording_leave_folder(folder);
    if (!set)
        die("cannot set the environment for hwloc");
    return loaded && !hwloc_topology_is_thissystem(topology);
}

/* Messages of hwloc are switched off: what it does not find is missing in our tables. */
static hwloc_topology_t begin(void)
{
    hwloc_topology_t topology;
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    if (hwloc_topology_init(&topology) != 0)
        die("hwloc cannot start: %s", strerror(errno));
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    return topology;
}

static hwloc_topology_t end(hwloc_topology_t topology, bool loaded)
{
    if (loaded)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

hwloc_topology_t topology_load(const char *sysroot)
{
    if (sysroot != NULL && !can_list_nodes())
        return NULL;
    hwloc_topology_t topology = begin();
    return end(topology,
               sysroot != NULL ? load_recorded(topology) : hwloc_topology_load(topology) == 0);
}

hwloc_topology_t topology_load_xml(const char *text, size_t length)
{
    hwloc_topology_t topology = begin();
    return end(topology, length <= INT_MAX &&
                             hwloc_topology_set_xmlbuffer(topology, text, (int)length) == 0 &&
                             hwloc_topology_load(topology) == 0);
}

/* hwloc has 0 for an unknown number, -1 for unknown ways and 0 ways for full associativity. Its
 * first versions did not say whether a cache holds data or code; then the first level is that of
 * data. */
static void add_cache(struct facts *facts, const struct hwloc_cache_attr_s *cache)
{
    bool data = cache->type == HWLOC_OBJ_CACHE_DATA ||
                (cache->type == HWLOC_OBJ_CACHE_UNIFIED && cache->depth == 1);
    char kind = data ? 'd' : cache->type == HWLOC_OBJ_CACHE_INSTRUCTION ? 'i' : '\0';
    uint64_t ways = cache->associativity > 0 ? (uint64_t)cache->associativity : 0;
    facts_add_cache(facts, cache->depth, kind, cache->size, ways, cache->linesize, "hwloc");
}

/* Memory that is used as a cache has a subtype. */
void topology_add_caches(hwloc_topology_t topology, unsigned cpu, struct facts *facts)
{
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, cpu);
    for (; object != NULL; object = object->parent)
        if (hwloc_obj_type_is_cache(object->type) && object->subtype == NULL)
            add_cache(facts, &object->attr->cache);
}
