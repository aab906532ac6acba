/* sysfs.c: facts from Linux's /sys and /proc, live or recorded: the memory this process may use,
 * whether it is a guest. Only reads files, so every platform can replay a
 * recorded machine. */
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* Reads a file that holds one number; "max" is UINT64_MAX. */
static bool read_number(const char *path, uint64_t *value)
{
    char text[64], *end;
    if (!platform_read_line(path, text, sizeof text))
        return false;
    *value = strcmp(text, "max") == 0 ? UINT64_MAX : strtoull(text, &end, 10);
    return true;
}

bool sysfs_read_keyed(const char *path, const char *key, char *text, size_t size)
{
    FILE *file = platform_open(path);
    char line[1200];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        size_t length = strlen(key);
        if (strncmp(line, key, length) != 0 || strchr(" :\t", line[length]) == NULL)
            continue;
        length += strspn(line + length, ": \t");
        line[length + strcspn(line + length, "\n")] = '\0';
        found = line[length] != '\0' && strlen(line + length) < size;
        if (found)
            strcpy(text, line + length);
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* The same as a number; "unlimited" is UINT64_MAX. */
static bool number_keyed(const char *path, const char *key, uint64_t *value)
{
    char text[128];
    if (!sysfs_read_keyed(path, key, text, sizeof text))
        return false;
    *value = *text == 'u' ? UINT64_MAX : strtoull(text, NULL, 10);
    return true;
}

static bool read_kilobytes(const char *path, const char *key, uint64_t *bytes)
{
    bool found = number_keyed(path, key, bytes) && *bytes < UINT64_MAX >> 10;
    *bytes = found ? *bytes << 10 : 0;
    return found;
}

static uint64_t kilobytes(const char *path, const char *key)
{
    uint64_t bytes;
    read_kilobytes(path, key, &bytes);
    return bytes;
}

/* ---- memory this process may use ---- */

void sysfs_limit(struct platform_memory *memory, uint64_t total, uint64_t used, const char *source)
{
    uint64_t rest = total > used ? total - used : 0;
    if (total < memory->total) {
        memory->total = total;
        snprintf(memory->limit_source, sizeof memory->limit_source, "%s", source);
    }
    if (rest < memory->available) {
        memory->available = rest;
        snprintf(memory->source, sizeof memory->source, "%s", source);
    }
}

/* The files of one version of control groups. Version 1 limits memory and swap together. */
struct cgroup {
    const char *line; /* before the path in /proc/self/cgroup */
    const char *mount[2];
    struct limit {
        const char *max, *now, *cache; /* limit, usage, and its reclaimable part ("": none) */
        const char *source;
    } memory, swap;
};

static const struct cgroup cgroups[] = {
    {"0::",
     {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"},
     {"memory.max", "memory.current", "inactive_file", "cgroup memory.max"},
     {"memory.swap.max", "memory.swap.current", "", "cgroup memory.swap.max"}},
    {":memory:",
     {"/sys/fs/cgroup/memory", NULL},
     {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
      "cgroup memory.limit_in_bytes"},
     {"memory.memsw.limit_in_bytes", "memory.memsw.usage_in_bytes", "",
      "cgroup memory.memsw.limit_in_bytes"}},
};

static void limit_cgroup(struct platform_memory *memory, const struct limit *limit,
                         const char *folder)
{
    char path[1400];
    uint64_t max, now = 0, cache = 0;
    snprintf(path, sizeof path, "%s/%s", folder, limit->max);
    bool is_memory = *limit->cache != '\0'; /* without any nobody runs; swap may be none */
    if (!read_number(path, &max) || (max == 0 && is_memory) ||
        max > UINT64_MAX / 4) /* 2^63: none, in version 1 */
        return;
    snprintf(path, sizeof path, "%s/%s", folder, limit->now);
    read_number(path, &now);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (is_memory)
        number_keyed(path, limit->cache, &cache);
    sysfs_limit(memory, max, now > cache ? now - cache : 0, limit->source);
}

/* The limits of all parent groups apply too. In a container the path may be the host's while only
 * the mount's root exists, so every folder on the way up is tried. */
static void limit_cgroups(struct platform_memory *memory, const struct cgroup *kind,
                          const struct limit *limit)
{
    char line[1024], folder[1200];
    FILE *file = platform_open("/proc/self/cgroup");
    const char *path = NULL;
    while (file != NULL && path == NULL && fgets(line, sizeof line, file) != NULL) {
        const char *found = strstr(line, kind->line);
        if (found != NULL)
            path = found + strlen(kind->line);
    }
    if (file != NULL)
        fclose(file);
    for (size_t m = 0; path != NULL && m < 2 && kind->mount[m] != NULL; m++) {
        int root = (int)strlen(kind->mount[m]);
        snprintf(folder, sizeof folder, "%s%.*s", kind->mount[m], (int)strcspn(path, "\n"), path);
        for (char *slash = folder + strlen(folder); slash != NULL && slash >= folder + root;
             slash = strrchr(folder, '/')) {
            *slash = '\0';
            limit_cgroup(memory, limit, folder);
        }
    }
}

struct platform_memory sysfs_memory(void)
{
    static const char meminfo[] = "/proc/meminfo", limits[] = "/proc/self/limits";
    struct platform_memory memory = {UINT64_MAX, UINT64_MAX, "no limit known", "no limit known"};
    uint64_t total, free, value;
    if (read_kilobytes(meminfo, "MemTotal", &total) && total > 0) {
        bool known = read_kilobytes(meminfo, "MemAvailable", &free); /* since Linux 3.14 */
        sysfs_limit(&memory, total, known && total > free ? total - free : 0, "MemTotal");
        if (known)
            snprintf(memory.source, sizeof memory.source, "MemAvailable");
    }
    for (size_t i = 0; i < sizeof cgroups / sizeof *cgroups; i++)
        limit_cgroups(&memory, &cgroups[i], &cgroups[i].memory);
    if (number_keyed(limits, "Max address space", &value))
        sysfs_limit(&memory, value, kilobytes("/proc/self/status", "VmSize"), "RLIMIT_AS");
    if (number_keyed(limits, "Max data size", &value))
        sysfs_limit(&memory, value, kilobytes("/proc/self/status", "VmData"), "RLIMIT_DATA");
    if (read_number("/proc/sys/vm/overcommit_memory", &value) && value == 2 &&
        read_kilobytes(meminfo, "CommitLimit", &total))
        sysfs_limit(&memory, total, kilobytes(meminfo, "Committed_AS"), "CommitLimit");
    return memory;
}

struct platform_outcome sysfs_swap(uint64_t *bytes)
{
    struct platform_memory memory = sysfs_memory(), both = {UINT64_MAX, UINT64_MAX, "", ""};
    uint64_t free = kilobytes("/proc/meminfo", "SwapFree");
    struct platform_memory swap = {UINT64_MAX, free, "SwapFree", ""};
    limit_cgroups(&swap, &cgroups[0], &cgroups[0].swap);
    limit_cgroups(&both, &cgroups[1], &cgroups[1].swap);
    sysfs_limit(&swap, both.available > memory.available ? both.available - memory.available : 0, 0,
                both.source);
    *bytes = swap.available;
    if (kilobytes("/proc/meminfo", "SwapTotal") == 0)
        return platform_result(PLATFORM_NO, "this system has no swap");
    if (strncmp(memory.source, "cgroup", 6) != 0)
        return platform_result(PLATFORM_NO, "no control group limits the memory of this process "
                                            "(systemd-run -p MemoryMax=)");
    if (swap.available == 0)
        return platform_result(PLATFORM_NO, "no swap is left for this process (%s)", swap.source);
    return (struct platform_outcome){.verdict = PLATFORM_YES};
}

/* ---- guests ---- */

bool sysfs_is_guest(void)
{
    struct platform_cpuid r;
    char text[128];
    if (platform_cpuid(1, 0, &r))
        return r.ecx >> 31;
    return platform_read_line("/sys/hypervisor/type", text, sizeof text) ||
           platform_read_line("/proc/device-tree/hypervisor/compatible", text, sizeof text) ||
           (platform_read_line("/sys/class/dmi/id/product_name", text, sizeof text) &&
            (strstr(text, "irtual") != NULL || strstr(text, "KVM") != NULL));
}
