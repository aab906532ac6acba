/* line.c: the points that tell the line, and the ways of the first cache. */
#include "plan/line.h"
#include "access/layout.h"
#include "detect/cache_line.h"
#include "geometry/cache_sets.h"
#include <math.h>

/* Where and how often is measured: what a sweep costs against what it tells. [tuned: unknown] */
enum {
    SHORT_NODES = 1 << 14, /* a sample takes a fraction of a millisecond up to here */
    NODES_MOST = 1 << 30,  /* half a TiB of pairs */
    PASSES = 5,
    PASSES_LONG = 3,
    PASSES_NOISY = 12,
    LARGE_SPACINGS = 4,  /* of long chains: a line, and three times doubled; and half of it */
    PAGES_APART = 4,     /* the nodes of one set, at first */
    DISTANCE_LEAST = 64, /* bytes */
    CLOSE = 8            /* neighbouring sizes differ by an eighth, and then by one */
};

/* ---- pairs ---- */

static void request_pairs(struct batch *batch, uint64_t nodes, uint64_t from, uint64_t to,
                          uint64_t want)
{
    for (uint64_t spacing = from; spacing <= to; spacing *= 2) {
        batch->like.spacing = spacing;
        request(batch, &layouts[LAYOUT_PAIR], nodes, ROLE_SWEEP, want);
    }
}

/* Two sizes an octave, of more than `above` nodes, at spacings that are `least` doubled so often.
 */
struct octaves {
    uint64_t from, above, to;
    uint64_t least;
    unsigned doubled;
};

static void request_octaves(struct batch *batch, const struct octaves *o, uint64_t passes)
{
    uint64_t most = o->least << o->doubled < PAIR_MOST ? o->least << o->doubled : PAIR_MOST;
    for (int step = 0;; step++) {
        uint64_t nodes = (uint64_t)((double)o->from * exp2(step / 2.0) + 0.5);
        if (nodes > o->to)
            return;
        if (nodes > o->above)
            request_pairs(batch, nodes, o->least, most, passes);
    }
}

/* Some samples each, and more when these do not tell. */
static void request_until(struct batch *batch, const struct octaves *o, uint64_t passes, bool told)
{
    size_t before = batch->count;
    request_octaves(batch, o, passes);
    if (batch->count == before && !told)
        request_octaves(batch, o, PASSES_NOISY);
}

static void request_chains(struct batch *batch)
{
    const struct range *bounds = &batch->options->pages;
    uint64_t from = bounds->values[0], to = bounds->values[bounds->count - 1];
    to = to < NODES_MOST ? to : NODES_MOST;
    from = from < to ? from : to;
    struct cache_line line = cache_line_of(batch->series);
    struct octaves octaves = {from, 0, to < SHORT_NODES ? to : SHORT_NODES, PAIR_LEAST, 6};
    request_until(batch, &octaves, PASSES, line.bytes > 0);
    if (line.bytes == 0 || batch->count > 0)
        return;
    octaves = (struct octaves){from, SHORT_NODES, to, line.bytes / 2, LARGE_SPACINGS};
    request_until(batch, &octaves, PASSES_LONG, line.fetched > 0 || line.beyond < 2);
}

/* ---- sets ---- */

/* Chains of some sizes, and those behind the last one that fits until the next does not. */
static void request_around(struct batch *batch, double held, uint64_t want)
{
    for (uint64_t nodes = 1; nodes <= CACHE_SETS_NODES; nodes += 1 + nodes / CLOSE)
        request(batch, &layouts[LAYOUT_LINE], nodes, ROLE_SWEEP, want);
    for (double nodes = held + 1; nodes <= fmin(held + 1 + held / CLOSE, CACHE_SETS_NODES); nodes++)
        request(batch, &layouts[LAYOUT_LINE], (uint64_t)nodes, ROLE_REFINE, want);
}

/* How many nodes so far apart fit, NaN when not yet known; more samples where some contradict it.
 */
static double request_distance(struct batch *batch, uint64_t spacing)
{
    struct point like = batch->like;
    size_t before = batch->count;
    bool sharp;
    like.layout = &layouts[LAYOUT_LINE];
    like.spacing = batch->like.spacing = spacing;
    double held = cache_sets_held(batch->series, &like, spacing, &sharp);
    request_around(batch, held, PASSES);
    if (batch->count == before && !sharp)
        request_around(batch, held, PASSES_NOISY);
    return batch->count > before ? (double)NAN : held;
}

/* Halves the distance until more nodes fit than a page or more apart. */
static void request_sets(struct batch *batch)
{
    uint64_t page = batch->options->page_bytes;
    double least = INFINITY;
    for (uint64_t spacing = PAGES_APART * page; spacing >= DISTANCE_LEAST; spacing /= 2) {
        double held = request_distance(batch, spacing);
        least = fmin(least, held);
        if (spacing < page && (isnan(held) || held > least))
            return;
    }
}

void plan_line(struct batch *batch)
{
    request_sets(batch);
    request_chains(batch);
}
