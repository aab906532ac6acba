/* sysfs_caches.c: the caches of a core as Linux lists them, live or recorded.
 *
 *     sysfs_cache_claims(&sink, &kinds);    -> "l1d_bytes", "49152", "bytes", "sysfs cpu0"
 */
#include "sysfs.h"
#include <stdlib.h>

long sysfs_cpu_number(long cpu, const char *file)
{
    char path[160], text[32];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/%s", cpu, file);
    if (!platform_read_line(path, text, sizeof text) || *text < '0' || *text > '9')
        return -1;
    long value = strtol(text, NULL, 10);
    return value <= 1L << 30 ? value : -1;
}

static long cache_number(long cpu, int index, const char *file)
{
    char name[64];
    snprintf(name, sizeof name, "cache/index%d/%s", index, file);
    return sysfs_cpu_number(cpu, name);
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
    char path[128], text[32];
    int folder = snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index%d/", cpu,
                          index);
    long level = cache_number(cpu, index, "level");
    if (level < 1 || level > 9)
        return false;
    *cache = (struct cache_claim){.level = (unsigned)level};
    snprintf(path + folder, sizeof path - (size_t)folder, "type");
    if (!platform_read_line(path, text, sizeof text))
        return false;
    cache->kind = *text == 'D' ? 'd' : *text == 'I' ? 'i' : '\0';
    snprintf(path + folder, sizeof path - (size_t)folder, "size");
    cache->bytes = platform_read_line(path, text, sizeof text) ? size_bytes(text) : 0;
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
