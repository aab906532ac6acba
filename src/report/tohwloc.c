/* tohwloc: puts measured times and rates into the topology of a machine, as XML of hwloc.
 *
 * usage: tohwloc [--sysroot FILE] [TABLE...]
 * Reads the tables of nodes, pairs of cores (pingpong) and latencies (latency), in any order.
 * Writes the topology with memory attributes, distances and infos, which lstopo and hwloc-info
 * show.
 *
 * example: pingpong | tohwloc >machine.xml; lstopo --distances -i machine.xml
 */
#include "base/args.h"
#include "base/error.h"
#include "machine/facts.h"
#include "machine/recording.h"
#include "machine/topology.h"
#include "memory/cores/pairs.h"
#include "table/table.h"
#include "tlb/cost/level_latency.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *sysroot;

static const struct flag flags[] = {
    {"sysroot", FLAG_TEXT, &sysroot, "FILE", "the topology of a recorded machine"},
    {0},
};

static const struct program program = {
    .name = "tohwloc",
    .purpose = "put measured times and rates into a topology of hwloc",
    .operands = "[TABLE...]",
    .example = "pingpong | tohwloc >machine.xml; lstopo --distances -i machine.xml",
    .flags = flags,
};

/* The object with the number in this column, which `found` is; dies if the topology has none. */
static hwloc_obj_t must_have(struct table *table, const char *column, hwloc_obj_t found)
{
    if (found == NULL)
        table_die(table, table_column(table, column), "the topology has no such %s",
                  strstr(column, "node") != NULL ? "node" : "core");
    return found;
}

/* A number of an object, or one that none has. */
static unsigned os_index(double number)
{
    return number >= 0 && number < 1e6 && number == floor(number) ? (unsigned)number : UINT_MAX;
}

/* ---- nodes: memory attributes ---- */

/* A row of the table of the script `nodes`. */
struct node_row {
    double core_node, memory_node, ns, gb_per_s;
    const char *node; /* whether the memory is on that node */
};

static const struct column node_columns[] = {
    COLUMN(NUMBER, "core_node", offsetof(struct node_row, core_node), .needed = true),
    COLUMN(NUMBER, "memory_node", offsetof(struct node_row, memory_node), .needed = true),
    COLUMN(NUMBER, "ns", offsetof(struct node_row, ns)),
    COLUMN(NUMBER, "gb_per_s", offsetof(struct node_row, gb_per_s)),
    COLUMN(TEXT, "node", offsetof(struct node_row, node)),
    {0},
};

/* Sets an attribute of a node's memory as seen from some cores; nothing for an unknown value. */
static void set_attribute(hwloc_topology_t topology, hwloc_memattr_id_t attribute,
                          hwloc_obj_t memory, hwloc_cpuset_t cores, double value)
{
    struct hwloc_location from = {.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = cores};
    if (value > 0 && value < 1e15 &&
        hwloc_memattr_set_value(topology, attribute, memory, &from, 0, (uint64_t)llround(value)))
        die("hwloc refuses a memory attribute: %s", strerror(errno));
}

/* False: the row has no time, or that of memory on another node. */
static bool add_node(hwloc_topology_t topology, struct table *table,
                     const struct row_reader *reader)
{
    static const double mib_per_gb = 1e9 / (1 << 20);
    struct node_row row;
    row_read(reader, &row);
    hwloc_obj_t cores = hwloc_get_numanode_obj_by_os_index(topology, os_index(row.core_node));
    hwloc_obj_t memory = hwloc_get_numanode_obj_by_os_index(topology, os_index(row.memory_node));
    must_have(table, "core_node", cores);
    must_have(table, "memory_node", memory);
    if (hwloc_bitmap_iszero(cores->cpuset))
        table_die(table, table_column(table, "core_node"), "this node has no cores");
    if (isnan(row.ns) || strncmp(row.node, "no", 2) == 0) {
        warn("node %.0f to node %.0f: left out, %s", row.core_node, row.memory_node,
             isnan(row.ns) ? "it has no time" : "the memory was on another node");
        return false;
    }
    set_attribute(topology, HWLOC_MEMATTR_ID_LATENCY, memory, cores->cpuset, row.ns);
    set_attribute(topology, HWLOC_MEMATTR_ID_BANDWIDTH, memory, cores->cpuset,
                  row.gb_per_s * mib_per_gb);
    return true;
}

/* ---- latencies: infos of caches ---- */

/* Reads of one chain count. Memory has an attribute if there is only one node. */
static void add_latency(hwloc_topology_t topology, const struct row_reader *reader)
{
    struct latency_row row;
    char text[32];
    row_read(reader, &row);
    bool read = row.kernel == NULL || strcmp(row.kernel->name, "read") == 0;
    if (isnan(row.ns) || !read || (row.chains > 1 && row.chains != COUNT_MISSING))
        return;
    snprintf(text, sizeof text, "%.4g", row.ns);
    hwloc_obj_t cache = NULL;
    while (strcmp(row.structure, "cache") == 0 && row.level >= 1 && row.level <= 5 &&
           (cache = hwloc_get_next_obj_by_type(
                topology, HWLOC_OBJ_L1CACHE + (hwloc_obj_type_t)row.level - 1, cache)) != NULL)
        hwloc_obj_add_info(cache, "LatencyNs", text);
    if (strcmp(row.structure, "memory") == 0 &&
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) == 1)
        set_attribute(topology, HWLOC_MEMATTR_ID_LATENCY,
                      hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, 0),
                      hwloc_get_root_obj(topology)->cpuset, row.ns);
}

/* ---- pairs: distances ---- */

/* For each two cores, by logical index, the shortest time in ns; 0: none. On the diagonal, whether
 * the core is in a pair. */
struct pairs {
    size_t count;
    hwloc_uint64_t *ns;
};

static void add_pair(hwloc_topology_t topology, struct table *table,
                     const struct row_reader *reader, struct pairs *pairs)
{
    struct pair_row row;
    row_read(reader, &row);
    hwloc_obj_t a = hwloc_get_pu_obj_by_os_index(topology, os_index(row.core_a));
    hwloc_obj_t b = hwloc_get_pu_obj_by_os_index(topology, os_index(row.core_b));
    size_t i = must_have(table, "core_a", a)->logical_index;
    size_t k = must_have(table, "core_b", b)->logical_index;
    if (i == k)
        table_die(table, table_column(table, "core_b"), "a pair is two different cores");
    if (pairs->ns == NULL)
        pairs->ns = allocate(pairs->count * pairs->count, sizeof *pairs->ns);
    pairs->ns[i * pairs->count + i] = pairs->ns[k * pairs->count + k] = 1;
    hwloc_uint64_t *there = &pairs->ns[i * pairs->count + k];
    if (!(row.min_ns > 0 && row.min_ns < 1e15))
        return;
    hwloc_uint64_t ns = row.min_ns < 1 ? 1 : (hwloc_uint64_t)llround(row.min_ns);
    if (*there == 0 || ns < *there)
        *there = pairs->ns[k * pairs->count + i] = ns;
}

static void put_distances(hwloc_topology_t topology, hwloc_obj_t *cores, size_t count,
                          hwloc_uint64_t *ns)
{
    hwloc_distances_add_handle_t handle = hwloc_distances_add_create(
        topology, "CacheLineNs",
        HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
    if (handle == NULL ||
        hwloc_distances_add_values(topology, handle, (unsigned)count, cores, ns, 0) ||
        hwloc_distances_add_commit(topology, handle, 0))
        die("hwloc refuses the distances: %s", strerror(errno));
}

/* Distances need a time for each two of their cores. False: some pair has none. */
static bool add_distances(hwloc_topology_t topology, const struct pairs *pairs)
{
    size_t count = 0, n = pairs->count;
    hwloc_obj_t *cores = allocate(n + 1, sizeof(hwloc_obj_t));
    hwloc_uint64_t *ns = allocate(n * n + 1, sizeof *ns);
    bool complete = true;
    for (size_t i = 0; i < n; i++)
        if (pairs->ns[i * n + i] != 0)
            cores[count++] = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, (unsigned)i);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            hwloc_uint64_t time = pairs->ns[cores[i]->logical_index * n + cores[k]->logical_index];
            ns[i * count + k] = i == k ? 0 : time;
            complete = complete && time != 0;
        }
    if (complete)
        put_distances(topology, cores, count, ns);
    else
        warn("no distances: a pair of cores has no time (was pingpong interrupted?)");
    free(cores);
    free(ns);
    return complete;
}

/* ---- all tables ---- */

static const struct column *columns_of(struct table *table)
{
    if (table_has(table, table_column(table, "core_node")))
        return node_columns;
    if (table_has(table, table_column(table, "core_a")))
        return pair_columns;
    if (table_has(table, table_column(table, "idle_cycles")))
        return latency_columns;
    table_die(table, table_column(table, "core_a"),
              "not a table of nodes, pairs of cores or latencies");
}

/* False: part of the input gave nothing. */
static bool add_tables(hwloc_topology_t topology, struct table *table)
{
    struct pairs pairs = {.count = (size_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU)};
    struct row_reader reader;
    unsigned long head = 0;
    size_t rows = 0;
    bool complete = true;
    for (; table_next(table); rows++) {
        if (table_head(table) != head)
            reader = row_reader_open(table, columns_of(table));
        head = table_head(table);
        if (reader.columns == node_columns)
            complete = add_node(topology, table, &reader) && complete;
        else if (reader.columns == pair_columns)
            add_pair(topology, table, &reader, &pairs);
        else
            add_latency(topology, &reader);
    }
    if (rows == 0)
        warn("the tables have no rows: the topology is unchanged");
    if (pairs.ns != NULL)
        complete = add_distances(topology, &pairs) && complete;
    free(pairs.ns);
    return complete && rows > 0;
}

static void put_xml(hwloc_topology_t topology)
{
    char *xml;
    int length;
    if (hwloc_topology_export_xmlbuffer(topology, &xml, &length, 0) != 0)
        die("hwloc cannot write the topology: %s", strerror(errno));
    fputs(xml, stdout);
    hwloc_free_xmlbuffer(topology, xml);
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    if (sysroot != NULL)
        recording_open(sysroot);
    hwloc_topology_t topology = topology_load(sysroot);
    if (topology == NULL)
        die("%s: hwloc cannot read the topology there", sysroot != NULL ? sysroot : "this system");
    struct table *table = table_open(argv + first, argc - first);
    bool complete = add_tables(topology, table) && table_partial(table) == STATUS_DONE;
    put_xml(topology);
    table_close(table);
    hwloc_topology_destroy(topology);
    return finish(complete ? STATUS_DONE : STATUS_PARTIAL);
}
