/* sink.h: a receiver of claims: its function and its context. Private to the platforms and x86. */
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

#endif
