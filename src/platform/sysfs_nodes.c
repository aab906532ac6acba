/* sysfs_nodes.c: the memory nodes that Linux lists in /sys, live or recorded: which exist, how much
 * of each is free, and the node of a core. */
#include "sysfs.h"
#include <stdlib.h>

static const char folder[] = "/sys/devices/system/node";

/* Whether a node has memory, or does not say so. */
static bool may_have_memory(long node)
{
    char path[96], key[64], text[64];
    snprintf(path, sizeof path, "%s/node%ld/meminfo", folder, node);
    snprintf(key, sizeof key, "Node %ld MemTotal", node);
    return !sysfs_read_keyed(path, key, text, sizeof text) || strtoull(text, NULL, 10) > 0;
}

/* Older systems and recordings list only all nodes, or have only their folders. */
const char *sysfs_nodes(struct sysfs_set *nodes)
{
    static const char memory[] = "/sys/devices/system/node/has_memory",
                      online[] = "/sys/devices/system/node/online",
                      folders[] = "/sys/devices/system/node/node*";
    enum { NODES_MAX = 1024 }; /* of Linux */
    if (sysfs_set_read(memory, nodes))
        return memory;
    const char *source = sysfs_set_read(online, nodes) ? online : folders;
    for (long node = 0; source == folders && node < NODES_MAX; node++) {
        char path[64];
        snprintf(path, sizeof path, "%s/node%ld", folder, node);
        if (platform_has_folder(path))
            sysfs_set_put(nodes, node, true);
    }
    for (long node = sysfs_set_next(nodes, -1); node >= 0; node = sysfs_set_next(nodes, node))
        if (!may_have_memory(node))
            sysfs_set_put(nodes, node, false);
    return sysfs_set_next(nodes, -1) >= 0 ? source : NULL;
}

/* Reads "Node 1 MemFree: 1234 kB" and adds the bytes; adds nothing if unreadable. */
static bool add_free(unsigned node, const char *what, uint64_t *bytes)
{
    char path[96], key[64], text[64];
    snprintf(path, sizeof path, "%s/node%u/meminfo", folder, node);
    snprintf(key, sizeof key, "Node %u %s", node, what);
    if (!sysfs_read_keyed(path, key, text, sizeof text))
        return false;
    *bytes += strtoull(text, NULL, 10) << 10;
    return true;
}

/* Memory bound to a node comes from nowhere else: if it runs out, the system kills the program.
 * Cached files can be evicted. */
struct platform_outcome platform_node_has(struct platform_node node, double bytes)
{
    struct sysfs_set nodes;
    char list[100];
    uint64_t free = 0;
    const char *source = sysfs_nodes(&nodes);
    if (source == NULL)
        return platform_result(PLATFORM_NO, "this system does not list its nodes (%s)", folder);
    if (!sysfs_set_has(&nodes, (long)node.number))
        return platform_result(PLATFORM_NO, "the nodes with memory are %s (%s)",
                               sysfs_set_text(&nodes, list, sizeof list), source);
    if (add_free(node.number, "MemFree", &free) &&
        (add_free(node.number, "Inactive(file)", &free), bytes > (double)free))
        return platform_result(
            PLATFORM_NO,
            "%.0f MiB are needed, and %.0f MiB of that node are free (%s/node%u/meminfo)",
            bytes / 0x1p20, (double)free / 0x1p20, folder, node.number);
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

int platform_node_of(int cpu)
{
    struct sysfs_set nodes, cpus;
    char path[96];
    snprintf(path, sizeof path, "%s/online", folder);
    if (cpu < 0 || !sysfs_set_read(path, &nodes))
        return -1;
    for (long node = sysfs_set_next(&nodes, -1); node >= 0; node = sysfs_set_next(&nodes, node)) {
        snprintf(path, sizeof path, "%s/node%ld/cpulist", folder, node);
        if (sysfs_set_read(path, &cpus) && sysfs_set_has(&cpus, cpu))
            return (int)node;
    }
    return -1;
}
