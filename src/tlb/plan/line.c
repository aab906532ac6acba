/* line.c: the points that show the cache line. */
#include "access/layout.h"
#include "tlb/detect/cache_line.h"
#include "tlb/plan/batch.h"

/* Sizes an octave; samples of each, and of all while they leave the answer open; the first chains,
 * whose samples take a fraction of a millisecond; half a TiB of pairs. [tuned: unknown] */
enum {
    PER_OCTAVE = 2,
    SAMPLES = 3,
    SAMPLES_NOISY = 12,
    SHORT_NODES = 1 << 14,
    NODES_MAX = 1 << 30
};

/* Every size up to `to` at every spacing. */
static void request_pairs(struct batch *batch, uint64_t to, uint64_t samples)
{
    const struct plan_options *o = batch->options;
    to = to < o->most ? to : o->most;
    for (uint64_t nodes = 0; nodes < to;) {
        nodes = next_size(o->least, to, nodes, PER_OCTAVE);
        for (batch->like.spacing = PAIR_MIN; batch->like.spacing <= PAIR_MAX;
             batch->like.spacing *= 2)
            request(batch, &layouts[LAYOUT_PAIR], nodes, samples);
    }
}

/* The samples, then more while they leave the answer open. */
static void request_until(struct batch *batch, uint64_t to, bool settled)
{
    request_pairs(batch, to, SAMPLES);
    if (batch->count == 0 && !settled)
        request_pairs(batch, to, SAMPLES_NOISY);
}

void plan_line(struct batch *batch)
{
    struct cache_line line = cache_line_of(batch->series);
    request_until(batch, SHORT_NODES, line.bytes > 0);
    if (batch->count == 0 && line.bytes > 0)
        request_until(batch, NODES_MAX, line.fetched > 0 || line.beyond < 2);
}
