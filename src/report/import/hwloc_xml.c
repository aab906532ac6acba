/* hwloc_xml.c: the claims of a machine that an XML file of hwloc describes. */
#include "base/error.h"
#include "machine/facts.h"
#include "machine/topology.h"
#include "platform.h"
#include "report/import/forms.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char source[] = "hwloc";

static void add_number(struct facts *facts, const char *key, uint64_t number, const char *unit)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    if (number > 0)
        facts_add(facts, key, text, unit, source);
}

/* The values of these infos, in a row: "Linux 6.1.0 x86_64". */
static void add_infos(struct facts *facts, const char *key, hwloc_obj_t object,
                      const char *const names[], const char *const before[])
{
    char text[256] = "";
    for (int i = 0; names[i] != NULL; i++) {
        const char *value = object != NULL ? hwloc_obj_get_info_by_name(object, names[i]) : NULL;
        size_t length = strlen(text);
        if (value != NULL && *value != '\0')
            snprintf(text + length, sizeof text - length, "%s%s%s", length > 0 ? " " : "",
                     before[i], value);
    }
    if (*text != '\0')
        facts_add(facts, key, text, "", source);
}

static void add_names(struct facts *facts, hwloc_topology_t topology)
{
    static const char *const
        system[] = {"OSName", "OSRelease", "Architecture", NULL},
        *const model[] = {"CPUModel", NULL}, *const part[] = {"CPUImplementer", "CPUPart", NULL},
        *const nothing[] = {"", "", ""}, *const words[] = {"implementer ", "part "};
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0),
                root = hwloc_get_root_obj(topology);
    hwloc_obj_t at = package != NULL ? package : root; /* where there is no package */
    add_infos(facts, "system", root, system, nothing);
    add_infos(facts, "cpu", at, model, nothing);
    if (facts_value(facts, "cpu") == NULL)
        add_infos(facts, "cpu", root, model, nothing); /* of hwloc 1 */
    if (facts_value(facts, "cpu") != NULL)
        return;
    const char *maker = hwloc_obj_get_info_by_name(at, part[0]),
               *number = hwloc_obj_get_info_by_name(at, part[1]),
               *name = maker != NULL && number != NULL ? platform_arm_name(maker, number) : NULL;
    if (name != NULL)
        facts_add(facts, "cpu", name, "", source);
    else
        add_infos(facts, "cpu", at, part, words);
}

/* The most efficient kinds come first; kinds whose order is not known are not compared. Returns a
 * processor of the last one, or the first of all. */
static unsigned add_kinds(struct facts *facts, hwloc_topology_t topology)
{
    int kinds = hwloc_cpukinds_get_nr(topology, 0), efficiency = -1;
    hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
    bool known = cpus != NULL && kinds > 1 &&
                 hwloc_cpukinds_get_info(topology, (unsigned)kinds - 1, cpus, &efficiency, NULL,
                                         NULL, 0) == 0 &&
                 efficiency > 0 && hwloc_bitmap_first(cpus) >= 0;
    hwloc_obj_t first = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
    unsigned cpu = known ? (unsigned)hwloc_bitmap_first(cpus) : first != NULL ? first->os_index : 0;
    uint64_t all = (uint64_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    uint64_t fast = known ? (uint64_t)hwloc_bitmap_weight(cpus) : 0;
    add_number(facts, "performance_cores", fast, "cores");
    add_number(facts, "efficiency_cores", known ? all - fast : 0, "cores");
    hwloc_bitmap_free(cpus);
    return cpu;
}

/* The caches of the described processor, then those of others, of which each other size is a
 * row. */
static void add_caches(struct facts *facts, hwloc_topology_t topology, unsigned cpu)
{
    topology_add_caches(topology, cpu, facts);
    hwloc_obj_t other = NULL;
    while ((other = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, other)) != NULL)
        topology_add_caches(topology, other->os_index, facts);
}

static void add_memory(struct facts *facts, hwloc_topology_t topology)
{
    enum { PAGE_MAX = 1 << 20 }; /* of a base page [bound] */
    hwloc_obj_t node = NULL, root = hwloc_get_root_obj(topology);
    uint64_t nodes = 0, page = 0;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL) {
        const struct hwloc_numanode_attr_s *memory = &node->attr->numanode;
        nodes += memory->local_memory > 0;
        if (memory->page_types_len > 0 && page == 0)
            page = memory->page_types[0].size; /* the smallest is first */
    }
    if ((page & (page - 1)) == 0 && page <= PAGE_MAX)
        add_number(facts, "page_bytes", page, "bytes");
    add_number(facts, "mem_total_bytes", root->total_memory, "bytes");
    add_number(facts, "numa_nodes", nodes, "nodes");
}

/* The file and a NUL, without a byte order mark and carriage returns, which hwloc does not take. */
static char *read_text(const char *file, size_t *length)
{
    enum { STEP = 1 << 20 }; /* more than lines_open() has read */
    struct lines lines = lines_open(file);
    char *text = allocate(STEP, 1);
    size_t used = 0, got = lines.end - lines.begin;
    if (got > 0)
        memcpy(text, lines.buffer + lines.begin, got);
    do {
        for (const char *at = text + used, *end = at + got; at < end; at++)
            if (*at != '\r')
                text[used++] = *at;
        text = reallocate(text, used + STEP, 1);
        got = fread(text + used, 1, STEP, lines.file);
    } while (got > 0);
    lines_close(&lines);
    text[used] = '\0';
    *length = used + 1;
    return text;
}

void take_hwloc(const char *file)
{
    struct stat about;
    size_t length;
    struct facts *facts = allocate(1, sizeof *facts);
    if (stat(file, &about) == 0 && S_ISDIR(about.st_mode))
        die("%s: a folder: 'machine --sysroot FOLDER' reads what hwloc-gather-topology took", file);
    char *text = read_text(file, &length);
    hwloc_topology_t topology = topology_load_xml(text, length);
    if (topology == NULL)
        die("%s: hwloc reads no topology from it: it takes XML, as 'lstopo machine.xml' writes "
            "it%s",
            file,
            strstr(text, "<topology version=\"3") != NULL
                ? " (hwloc 3 for older ones: --export-xml-flags v2)"
                : "");
    free(text);
    add_names(facts, topology);
    add_number(facts, "cores", (uint64_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), "cores");
    unsigned cpu = add_kinds(facts, topology);
    add_caches(facts, topology, cpu);
    add_memory(facts, topology);
    hwloc_topology_destroy(topology);
    facts_put(facts);
    facts_free(facts);
}
