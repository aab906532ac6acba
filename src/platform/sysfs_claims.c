/* sysfs_claims.c: Linux's claims about the machine in /sys and /proc, live or recorded, each with
 * its source.
 *
 *     sysfs_claims(print, NULL);    -> print(NULL, "l1d_bytes", "49152", "bytes", "sysfs cpu0 …")
 */
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

/* Claims the first line of a file, if the file exists. */
static bool say_file(const struct sink *sink, const char *key, const char *unit, const char *path)
{
    char text[512];
    bool there = platform_read_line(path, text, sizeof text);
    if (there)
        say(sink, key, text, unit, path);
    return there;
}

/* Claims a number in decimal, unless no machine has it; returns it, else 0. */
static uint64_t say_count(const struct sink *sink, const char *key, const char *text, uint64_t min,
                          const char *unit, const char *source)
{
    static const uint64_t max = (uint64_t)1 << 40; /* [bound] */
    char *end;
    uint64_t count = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || count < min || count > max)
        return 0;
    say_number(sink, key, count, unit, source);
    return count;
}

/* ---- processor ---- */

/* The text after "NAME\t*: " in a line of /proc/cpuinfo, or NULL. */
static const char *cpuinfo_value(const char *line, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0)
        return NULL;
    line += length + strspn(line + length, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " ") : NULL;
}

/* The name of a kind of core, or its numbers, at the end of `kinds`. */
static void add_kind(const char *implementer, const char *part, char kinds[512])
{
    const char *name = platform_arm_name(implementer, part);
    size_t length = strlen(kinds), left = 512 - length;
    const char *plus = length > 0 ? " + " : "";
    if (name != NULL)
        snprintf(kinds + length, left, "%s%s", plus, name);
    else
        snprintf(kinds + length, left, "%simplementer %s part %.60s", plus, implementer, part);
}

/* The processor's name on x86, LoongArch, MIPS, POWER and RISC-V. Arm has numbers instead: each
 * kind of core is listed once, in core order. */
static void claim_cpu(const struct sink *sink)
{
    static const char *const names[] = {"model name", "Model Name", "cpu model", "cpu", "uarch"};
    char line[512], implementer[64] = "?", part[64], parts[512] = " ", kinds[512] = "";
    FILE *file = platform_open("/proc/cpuinfo");
    bool named = false;
    while (file != NULL && !named && fgets(line, sizeof line, file) != NULL) {
        const char *value = NULL;
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < sizeof names / sizeof *names && value == NULL; i++)
            value = cpuinfo_value(line, names[i]);
        named = value != NULL;
        if (named)
            say(sink, "cpu", value, "", "/proc/cpuinfo");
        if ((value = cpuinfo_value(line, "CPU implementer")) != NULL)
            snprintf(implementer, sizeof implementer, "%.63s", value);
        if ((value = cpuinfo_value(line, "CPU part")) == NULL)
            continue;
        snprintf(part, sizeof part, " %.60s ", value);
        if (strstr(parts, part) != NULL)
            continue;
        snprintf(parts + strlen(parts), sizeof parts - strlen(parts), "%s", part);
        add_kind(implementer, value, kinds);
    }
    if (file != NULL)
        fclose(file);
    if (!named && kinds[0] != '\0')
        say(sink, "cpu", kinds, "", "/proc/cpuinfo");
    say_file(sink, "board", "", "/proc/device-tree/model");
}

/* A guest's hypervisor, on a processor without CPUID. */
static void claim_hypervisor(const struct sink *sink)
{
    static const char dmi[] = "/sys/class/dmi/id/product_name";
    char text[128];
    if (say_file(sink, "hypervisor", "", "/sys/hypervisor/type") ||
        say_file(sink, "hypervisor", "", "/proc/device-tree/hypervisor/compatible"))
        return;
    if (sysfs_is_guest() && platform_read_line(dmi, text, sizeof text) && !platform_has_cpuid())
        say(sink, "hypervisor", text, "", dmi);
}

static void claim_kinds(const struct sink *sink, const struct sysfs_kinds *kinds)
{
    struct sysfs_set slow = kinds->online;
    char list[512], source[768];
    for (long cpu = sysfs_set_next(&slow, -1); cpu >= 0; cpu = sysfs_set_next(&slow, cpu))
        if (sysfs_is_fast(kinds, cpu))
            sysfs_set_put(&slow, cpu, false);
    size_t count[] = {sysfs_set_count(&slow),
                      sysfs_set_count(&kinds->online) - sysfs_set_count(&slow)};
    for (int fast = 1; fast >= 0; fast--) {
        const char *key = fast ? "performance_cores" : "efficiency_cores";
        if (kinds->verdict == SYSFS_UNKNOWN) {
            say(sink, key, "unknown", "cores", kinds->source);
            continue;
        }
        if (kinds->verdict == SYSFS_SEVERAL)
            snprintf(source, sizeof source, "%s (cpus %s)", kinds->source,
                     sysfs_set_text(fast ? &kinds->fast : &slow, list, sizeof list));
        else
            snprintf(source, sizeof source, "%s (all of one kind)", kinds->source);
        say_number(sink, key, count[fast], "cores", source);
    }
}

static void claim_cores(const struct sink *sink, const struct sysfs_kinds *kinds)
{
    struct sysfs_set set;
    char file[128];
    say_number(sink, "cores", sysfs_set_count(&kinds->online), "cores", kinds->online_source);
    if (sysfs_set_keyed("/proc/self/status", "Cpus_allowed_list", &set))
        say_number(sink, "cores_allowed", sysfs_set_count(&set), "cores",
                   "/proc/self/status Cpus_allowed_list");
    snprintf(file, sizeof file, "/sys/devices/system/cpu/cpu%ld/topology/thread_siblings_list",
             kinds->core[1]);
    if (sysfs_set_read(file, &set))
        say_number(sink, "threads_per_core", sysfs_set_count(&set), "threads",
                   sysfs_is_guest()
                       ? "sysfs thread_siblings_list (a guest may not see its siblings)"
                       : "sysfs thread_siblings_list");
    claim_kinds(sink, kinds);
    say_number(sink, "described_cpu", (uint64_t)kinds->core[1], "",
               "the core that the lines on caches are read from");
}

/* ---- pages and memory ---- */

/* 2048 (kB) as "2m". */
static void page_name(char *text, size_t size, unsigned long kb)
{
    const char *unit = kb >= 1UL << 20 ? "g" : kb >= 1UL << 10 ? "m" : "k";
    snprintf(text, size, "%lu%s",
             kb >= 1UL << 20   ? kb >> 20
             : kb >= 1UL << 10 ? kb >> 10
                               : kb,
             unit);
}

/* The word in brackets of a file such as "always [madvise] never". */
static void claim_choice(const struct sink *sink, const char *key, const char *path)
{
    char text[128];
    char *from = platform_read_line(path, text, sizeof text) ? strchr(text, '[') : NULL;
    if (from == NULL)
        return;
    from[strcspn(from, "]")] = '\0';
    say(sink, key, from + 1, "", path);
}

/* Folders are tried by name rather than listed, so the order is always the same. */
static void claim_pages(const struct sink *sink)
{
    static const char mm[] = "/sys/kernel/mm";
    char path[128], name[16], key[32], text[32];
    for (unsigned long kb = 16; kb <= 16UL << 20; kb *= 2) {
        page_name(name, sizeof name, kb);
        snprintf(key, sizeof key, "huge_%s_pages", name);
        snprintf(path, sizeof path, "%s/hugepages/hugepages-%lukB/nr_hugepages", mm, kb);
        if (platform_read_line(path, text, sizeof text))
            say_count(sink, key, text, 0, "pages", path);
        snprintf(key, sizeof key, "huge_%s_free", name);
        snprintf(path, sizeof path, "%s/hugepages/hugepages-%lukB/free_hugepages", mm, kb);
        if (platform_read_line(path, text, sizeof text))
            say_count(sink, key, text, 0, "pages", path);
    }
    claim_choice(sink, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
    snprintf(path, sizeof path, "%s/transparent_hugepage/hpage_pmd_size", mm);
    if (platform_read_line(path, text, sizeof text))
        say_count(sink, "thp_bytes", text, 1, "bytes", path);
    for (unsigned long kb = 8; kb <= 1UL << 20; kb *= 2) {
        page_name(name, sizeof name, kb);
        snprintf(key, sizeof key, "mthp_%s", name);
        snprintf(path, sizeof path, "%s/transparent_hugepage/hugepages-%lukB/enabled", mm, kb);
        claim_choice(sink, key, path);
    }
}

static void claim_memory(const struct sink *sink)
{
    struct platform_memory memory = sysfs_memory();
    char text[64];
    if (sysfs_read_keyed("/proc/meminfo", "MemTotal", text, sizeof text) &&
        strtoull(text, NULL, 10) > 0)
        say_number(sink, "mem_total_bytes", strtoull(text, NULL, 10) << 10, "bytes",
                   "/proc/meminfo MemTotal");
    if (memory.total < UINT64_MAX) {
        say_number(sink, "memory_limit_bytes", memory.total, "bytes", memory.limit_source);
        say_number(sink, "memory_available_bytes", memory.available, "bytes", memory.source);
    }
    if (sysfs_read_keyed("/proc/self/limits", "Max locked memory", text, sizeof text)) {
        text[strcspn(text, " ")] = '\0';
        say(sink, "memlock_limit_bytes", text, "bytes", "RLIMIT_MEMLOCK");
    }
}

/* Whether a text has numbers from 1 to 255, as Linux keeps distances. */
static bool are_distances(const char *text)
{
    for (char *end; *text != '\0'; text = end + strspn(end, " ")) {
        long distance = strtol(text, &end, 10);
        if (end == text || distance < 1 || distance > 255)
            return false;
    }
    return true;
}

/* The nodes, and the distances from each to all of them: 10 is local memory. */
static void claim_nodes(const struct sink *sink)
{
    struct sysfs_set nodes;
    char key[40], path[72], text[1024];
    const char *source = sysfs_nodes(&nodes);
    if (source == NULL)
        return;
    say_number(sink, "numa_nodes", sysfs_set_count(&nodes), "nodes", source);
    for (long node = sysfs_set_next(&nodes, -1); node >= 0; node = sysfs_set_next(&nodes, node)) {
        snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/distance", node);
        if (!platform_read_line(path, text, sizeof text) || !are_distances(text))
            continue;
        snprintf(key, sizeof key, "node%ld_distances", node);
        say(sink, key, text, "", path);
    }
}

/* The base page; 0: unknown. */
static uint64_t claim_base_page(const struct sink *sink)
{
    static const char gathered[] = "/proc/hwloc-nofile-info"; /* hwloc-gather-topology's */
    static const char key[] = "page_bytes", library[] = "sysconf _SC_PAGESIZE";
    char text[64];
    if (platform_root()[0] == '\0') {
        say_number(sink, key, platform_page_bytes(), "bytes", library);
        return platform_page_bytes();
    }
    if (sysfs_read_keyed("/getconf.txt", "PAGESIZE", text, sizeof text))
        return say_count(sink, key, text, 1, "bytes", library);
    if (sysfs_read_keyed(gathered, "PageSize", text, sizeof text))
        return say_count(sink, key, text, 1, "bytes", gathered);
    return 0;
}

void sysfs_claims(platform_claim *claim, void *context)
{
    struct sink sink = {claim, context};
    struct sysfs_kinds kinds = sysfs_kinds();
    claim_cpu(&sink);
    claim_hypervisor(&sink);
    if (kinds.online_source != NULL) {
        claim_cores(&sink, &kinds);
        sysfs_clock_claims(&sink, &kinds.online, kinds.core[1]);
    }
    uint64_t page = claim_base_page(&sink);
    sysfs_cache_claims(&sink, &kinds);
    claim_pages(&sink);
    claim_memory(&sink);
    claim_nodes(&sink);
    sysfs_memory_claims(&sink);
    say_file(&sink, "perf_event_paranoid", "", "/proc/sys/kernel/perf_event_paranoid");
    if (!platform_has_cpuid())
        sysfs_arm_claims(&sink, kinds.core[1] > 0 ? kinds.core[1] : 0, page > 0 ? page : 4096);
}

/* ---- claims of the C library ---- */

static const char *const getconf_keys[][3] = {
    {"LEVEL1_DCACHE_SIZE", "l1d_bytes", "bytes"},      {"LEVEL1_DCACHE_ASSOC", "l1d_ways", "ways"},
    {"LEVEL1_DCACHE_LINESIZE", "line_bytes", "bytes"}, {"LEVEL1_ICACHE_SIZE", "l1i_bytes", "bytes"},
    {"LEVEL1_ICACHE_ASSOC", "l1i_ways", "ways"},       {"LEVEL2_CACHE_SIZE", "l2_bytes", "bytes"},
    {"LEVEL2_CACHE_ASSOC", "l2_ways", "ways"},         {"LEVEL3_CACHE_SIZE", "l3_bytes", "bytes"},
    {"LEVEL3_CACHE_ASSOC", "l3_ways", "ways"},
};

void sysfs_sysconf(long (*ask)(const char *name), platform_claim *claim, void *context)
{
    struct sink sink = {claim, context};
    char text[64];
    for (size_t i = 0; i < sizeof getconf_keys / sizeof *getconf_keys; i++) {
        const char *const *row = getconf_keys[i];
        long value = 0;
        if (ask != NULL)
            value = ask(row[0]);
        else if (sysfs_read_keyed("/getconf.txt", row[0], text, sizeof text))
            value = strtol(text, NULL, 10);
        if (value > 0 && (uint64_t)value <= SINK_CACHE_MAX) /* 0: unknown to the C library */
            say_number(&sink, row[1], (uint64_t)value, row[2], "sysconf");
    }
}
