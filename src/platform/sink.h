/* sink.h: a receiver of claims: its function and its context. For the sources of claims. */
#ifndef TLBLAB_SINK_H
#define TLBLAB_SINK_H

#include "platform.h"
#include <inttypes.h>

struct sink {
    platform_claim *claim;
    void *context;
};

static inline void say(const struct sink *sink, const char *key, const char *value,
                       const char *unit, const char *source)
{
    sink->claim(sink->context, key, value, unit, source);
}

static inline void say_number(const struct sink *sink, const char *key, uint64_t number,
                              const char *unit, const char *source)
{
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, number);
    say(sink, key, value, unit, source);
}

/* No cache is larger. [bound] */
#define SINK_CACHE_MAX ((uint64_t)1 << 36)

/* A cache as one source states it; 0: unknown. */
struct cache_claim {
    unsigned level;
    char kind; /* 'd', 'i'; '\0': of both */
    uint64_t bytes, ways, sets, line;
};

/* Claims `l2_bytes`, `l2_ways`, …, and `line_bytes` of the first data cache, each after the prefix;
 * a data cache beyond the first level is named as a cache of both. A number that no cache has, and
 * ways that contradict the other numbers, are not claimed. */
void say_cache(const struct sink *sink, const char *prefix, const struct cache_claim *cache,
               const char *source);

#endif
