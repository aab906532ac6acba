/* line.c: the points that show the cache line. */
#include "access/layout.h"
#include "tlb/detect/cache_line.h"
#include "tlb/plan/presets.h"
#include <math.h>

/* Sizes and samples: the cost of a sweep against its precision. [tuned: unknown] */
enum {
    SHORT_NODES = 1 << 14, /* a sample takes a fraction of a millisecond up to here */
    NODES_MAX = 1 << 30,   /* half a TiB of pairs */
    SAMPLES = 5,
    SAMPLES_LONG = 3,
    SAMPLES_NOISY = 12,
    LARGE_SPACINGS = 4 /* doublings of the spacing of long chains, from half a line on */
};

static void request_pairs(struct batch *batch, uint64_t nodes, uint64_t from, uint64_t to,
                          uint64_t want)
{
    for (uint64_t spacing = from; spacing <= to; spacing *= 2) {
        batch->like.spacing = spacing;
        request(batch, &layouts[LAYOUT_PAIR], nodes, ROLE_SWEEP, want);
    }
}

/* Two sizes an octave, counted from `from`, above `above` and up to `to` nodes, at the spacings
 * `least` × 2^0 to `least` × 2^doublings. */
struct octaves {
    uint64_t from, above, to;
    uint64_t least;
    unsigned doublings;
};

static void request_octaves(struct batch *batch, const struct octaves *o, uint64_t samples)
{
    uint64_t most = o->least << o->doublings < PAIR_MAX ? o->least << o->doublings : PAIR_MAX;
    for (int step = 0;; step++) {
        uint64_t nodes = (uint64_t)((double)o->from * exp2(step / 2.0) + 0.5);
        if (nodes > o->to)
            return;
        if (nodes > o->above)
            request_pairs(batch, nodes, o->least, most, samples);
    }
}

/* The given number of samples each, then SAMPLES_NOISY while they leave the answer open. */
static void request_until(struct batch *batch, const struct octaves *o, uint64_t samples,
                          bool settled)
{
    size_t before = batch->count;
    request_octaves(batch, o, samples);
    if (batch->count == before && !settled)
        request_octaves(batch, o, SAMPLES_NOISY);
}

void plan_line(struct batch *batch)
{
    const struct range *bounds = &batch->options->pages;
    uint64_t from = bounds->values[0], to = bounds->values[bounds->count - 1];
    to = to < NODES_MAX ? to : NODES_MAX;
    from = from < to ? from : to;
    struct cache_line line = cache_line_of(batch->series);
    struct octaves octaves = {from, 0, to < SHORT_NODES ? to : SHORT_NODES, PAIR_MIN, 6};
    request_until(batch, &octaves, SAMPLES, line.bytes > 0);
    if (line.bytes == 0 || batch->count > 0)
        return;
    octaves = (struct octaves){from, SHORT_NODES, to, line.bytes / 2, LARGE_SPACINGS};
    request_until(batch, &octaves, SAMPLES_LONG, line.fetched > 0 || line.beyond < 2);
}
