/* sysfs_core.c: what the folder of a core in Linux's /sys says, live or recorded: its caches, its
 * clock and its microcode.
 *
 *     sysfs_cache_claims(&sink, &kinds);         -> "l1d_bytes", "49152", "bytes", "sysfs cpu0"
 *     sysfs_clock_claims(&sink, &online, 0);     -> "governor", "powersave", "", …
 */
#include "sysfs.h"
#include <stdlib.h>
#include <string.h>

static bool read_of_cpu(long cpu, const char *file, char *text, size_t size)
{
    char path[160];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/%s", cpu, file);
    return platform_read_line(path, text, size);
}

long sysfs_cpu_number(long cpu, const char *file)
{
    char text[32];
    if (!read_of_cpu(cpu, file, text, sizeof text) || *text < '0' || *text > '9')
        return -1;
    long value = strtol(text, NULL, 10);
    return value <= 1L << 30 ? value : -1;
}

/* ---- caches ---- */

static const char *cache_file(int index, const char *file, char name[64])
{
    snprintf(name, 64, "cache/index%d/%s", index, file);
    return name;
}

static long cache_number(long cpu, int index, const char *file)
{
    return sysfs_cpu_number(cpu, cache_file(index, file, (char[64]){0}));
}

/* "48K", "32M" as bytes; 0 for anything else. */
static uint64_t size_bytes(const char *text)
{
    char *end;
    if (*text < '0' || *text > '9')
        return 0;
    uint64_t value = strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    return value <= UINT64_MAX >> shift ? value << shift : 0;
}

bool sysfs_cache(long cpu, int index, struct cache_claim *cache)
{
    char name[64], text[32];
    long level = cache_number(cpu, index, "level");
    if (level < 1 || level > 9 ||
        !read_of_cpu(cpu, cache_file(index, "type", name), text, sizeof text))
        return false;
    *cache = (struct cache_claim){.level = (unsigned)level,
                                  .kind = *text == 'D'   ? 'd'
                                          : *text == 'I' ? 'i'
                                                         : '\0'};
    if (read_of_cpu(cpu, cache_file(index, "size", name), text, sizeof text))
        cache->bytes = size_bytes(text);
    return true;
}

/* Ways, sets and line of a cache; 0 where the file is missing or states no such number. */
static void add_shape(long cpu, int index, struct cache_claim *cache)
{
    long ways = cache_number(cpu, index, "ways_of_associativity");
    long sets = cache_number(cpu, index, "number_of_sets");
    long line = cache_number(cpu, index, "coherency_line_size");
    long partitions = cache_number(cpu, index, "physical_line_partition");
    cache->ways = ways > 0 ? (uint64_t)ways : 0;
    cache->sets = sets > 0 ? (uint64_t)sets * (uint64_t)(partitions > 0 ? partitions : 1) : 0;
    cache->line = line > 0 ? (uint64_t)line : 0;
}

/* Caches of other cores of the kind that have another size, each size once. */
static void claim_others(const struct sink *sink, const struct sysfs_kinds *kinds, bool fast,
                         int index, const struct cache_claim *first)
{
    enum { SIZES = 8 };
    uint64_t sizes[SIZES] = {first->bytes};
    int count = 1;
    const struct sysfs_set *online = &kinds->online;
    for (long cpu = sysfs_set_next(online, -1); cpu >= 0; cpu = sysfs_set_next(online, cpu)) {
        struct cache_claim cache;
        char source[64];
        int same = 0;
        if (sysfs_is_fast(kinds, cpu) != fast || !sysfs_cache(cpu, index, &cache) ||
            cache.level != first->level || cache.kind != first->kind || cache.bytes == 0)
            continue;
        while (same < count && sizes[same] != cache.bytes)
            same++;
        if (same < count || count == SIZES)
            continue;
        sizes[count++] = cache.bytes;
        snprintf(source, sizeof source, "sysfs cpu%ld", cpu);
        say_cache(sink, fast ? "" : "efficiency_", &cache, source);
    }
}

void sysfs_cache_claims(const struct sink *sink, const struct sysfs_kinds *kinds)
{
    for (int fast = 1; fast >= 0; fast--) {
        long cpu = kinds->core[fast];
        for (int index = 0; cpu >= 0 && index < SYSFS_CACHES; index++) {
            struct cache_claim cache;
            char source[64];
            if (!sysfs_cache(cpu, index, &cache))
                continue;
            add_shape(cpu, index, &cache);
            snprintf(source, sizeof source, "sysfs cpu%ld", cpu);
            say_cache(sink, fast ? "" : "efficiency_", &cache, source);
            claim_others(sink, kinds, fast, index, &cache);
        }
    }
}

/* ---- clock and microcode ---- */

/* Whether `name` is in a comma-separated list. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* The governors of all cores, each once. */
static bool claim_governor(const struct sink *sink, const struct sysfs_set *online)
{
    char all[256] = "", name[64];
    for (long cpu = sysfs_set_next(online, -1); cpu >= 0; cpu = sysfs_set_next(online, cpu)) {
        size_t used = strlen(all);
        if (read_of_cpu(cpu, "cpufreq/scaling_governor", name, sizeof name) && !lists(all, name) &&
            used + strlen(name) + 2 <= sizeof all)
            snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? "," : "", name);
    }
    if (all[0] != '\0')
        say(sink, "governor", all, "", "sysfs scaling_governor");
    return all[0] != '\0';
}

/* A file that contains `yes` if turbo is on. */
static bool claim_turbo(const struct sink *sink, const char *path, char yes)
{
    char text[16];
    bool there = platform_read_line(path, text, sizeof text);
    if (there)
        say(sink, "turbo", *text == yes ? "yes" : "no", "", path);
    return there;
}

static bool claim_frequency(const struct sink *sink, const char *key, long cpu, const char *file)
{
    char text[32], value[32], source[64];
    if (!read_of_cpu(cpu, file, text, sizeof text) || strtoull(text, NULL, 10) == 0)
        return false;
    snprintf(value, sizeof value, "%.6g", (double)strtoull(text, NULL, 10) / 1e6); /* from kHz */
    snprintf(source, sizeof source, "sysfs cpu%ld %s", cpu, strchr(file, '/') + 1);
    say(sink, key, value, "GHz", source);
    return true;
}

static void claim_microcode(const struct sink *sink, long cpu)
{
    char text[64];
    bool there = read_of_cpu(cpu, "microcode/version", text, sizeof text);
    if (there)
        say(sink, "microcode", text, "", "sysfs microcode/version");
    if (sysfs_read_keyed("/proc/cpuinfo", "microcode", text, sizeof text))
        say(sink, "microcode", text, "", "/proc/cpuinfo");
    else if (!there)
        say(sink, "microcode", "unknown", "", "no file of the system states it");
}

void sysfs_clock_claims(const struct sink *sink, const struct sysfs_set *online, long cpu)
{
    static const char pstate[] = "/sys/devices/system/cpu/intel_pstate/no_turbo",
                      boost[] = "/sys/devices/system/cpu/cpufreq/boost";
    const char *why = sysfs_is_guest() ? "no cpufreq in sysfs: the hypervisor sets the clock"
                                       : "no cpufreq in sysfs";
    if (!claim_governor(sink, online))
        say(sink, "governor", "unknown", "", why);
    bool intel = claim_turbo(sink, pstate, '0');
    if (!claim_turbo(sink, boost, '1') && !intel)
        say(sink, "turbo", "unknown", "", why);
    bool min = claim_frequency(sink, "min_ghz", cpu, "cpufreq/cpuinfo_min_freq");
    if (!claim_frequency(sink, "min_ghz", cpu, "cpufreq/scaling_min_freq") && !min)
        say(sink, "min_ghz", "unknown", "GHz", why);
    bool max = claim_frequency(sink, "max_ghz", cpu, "cpufreq/cpuinfo_max_freq");
    if (!claim_frequency(sink, "max_ghz", cpu, "cpufreq/scaling_max_freq") && !max)
        say(sink, "max_ghz", "unknown", "GHz", why);
    claim_microcode(sink, cpu);
}
