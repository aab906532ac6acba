/* sysfs_nodes.c: the memory nodes that Linux lists in /sys, live or recorded: which exist, how much
 * of each is free, and the node of a core. */
#include "sysfs.h"
#include <stdlib.h>

static const char folder[] = "/sys/devices/system/node";

/* The list of nodes with memory, "0-1", and the file it is from; false if there is none. A node
 * without memory has only cores; older systems and recordings list only all nodes. */
static bool list_nodes(char *list, size_t size, char path[64])
{
    static const char *const files[] = {"has_memory", "online"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, 64, "%s/%s", folder, files[i]);
        if (platform_read_line(path, list, size))
            return true;
    }
    return false;
}

static bool is_listed(const char *list, long number)
{
    return sysfs_list_next(list, number - 1) == number;
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
    char list[1024], path[64];
    uint64_t free = 0;
    if (!list_nodes(list, sizeof list, path))
        return platform_result(PLATFORM_NO, "this system does not list its nodes (%s)", path);
    if (!is_listed(list, (long)node.number))
        return platform_result(PLATFORM_NO, "the nodes with memory are %.100s (%s)", list, path);
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
    char nodes[1024], cpus[4096], path[96];
    snprintf(path, sizeof path, "%s/online", folder);
    if (cpu < 0 || !platform_read_line(path, nodes, sizeof nodes))
        return -1;
    for (long node = sysfs_list_next(nodes, -1); node >= 0; node = sysfs_list_next(nodes, node)) {
        snprintf(path, sizeof path, "%s/node%ld/cpulist", folder, node);
        if (platform_read_line(path, cpus, sizeof cpus) && is_listed(cpus, cpu))
            return (int)node;
    }
    return -1;
}
