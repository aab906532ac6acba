/* sink.c: claims about a cache, the same from every source.
 *
 *     say_cache(&sink, "", &(struct cache_claim){.level = 3, .bytes = 32 << 20}, "hwloc");
 */
#include "sink.h"

/* No line is longer. [bound] */
static const uint64_t line_max = 4096;

/* Whether the ways fit the other numbers, as far as those are known. */
static bool ways_agree(const struct cache_claim *cache, uint64_t bytes, uint64_t line)
{
    if (cache->ways == 0 || cache->ways > SINK_CACHE_MAX)
        return false;
    if (bytes == 0 || line == 0)
        return true;
    uint64_t lines = bytes / line;
    return bytes % line == 0 && lines % cache->ways == 0 &&
           (cache->sets == 0 || lines / cache->ways == cache->sets);
}

void say_cache(const struct sink *sink, const char *prefix, const struct cache_claim *cache,
               const char *source)
{
    char key[64], name[16];
    uint64_t bytes = cache->bytes <= SINK_CACHE_MAX ? cache->bytes : 0;
    uint64_t line = cache->line <= line_max ? cache->line : 0;
    bool plain = cache->kind == '\0' || (cache->kind == 'd' && cache->level > 1);
    snprintf(name, sizeof name, plain ? "l%u" : "l%u%c", cache->level, cache->kind);
    snprintf(key, sizeof key, "%s%s_bytes", prefix, name);
    if (bytes > 0)
        say_number(sink, key, bytes, "bytes", source);
    snprintf(key, sizeof key, "%s%s_ways", prefix, name);
    if (ways_agree(cache, bytes, line))
        say_number(sink, key, cache->ways, "ways", source);
    snprintf(key, sizeof key, "%sline_bytes", prefix);
    if (cache->level == 1 && cache->kind == 'd' && line > 0)
        say_number(sink, key, line, "bytes", source);
}
