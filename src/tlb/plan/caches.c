/* caches.c: the points that show the sizes of the caches. */
#include "access/layout.h"
#include "tlb/curve/curve.h"
#include "tlb/curve/knee.h"
#include "tlb/plan/presets.h"
#include <math.h>

/* Sizes and samples: the cost of a sweep against its precision. [tuned: unknown] */
enum {
    PER_OCTAVE = 6,
    PER_OCTAVE_LONG = 3, /* of long chains */
    LONG_NODES = 1 << 17,
    LONGEST_NODES = 1 << 20, /* one sample each from here on */
    SAMPLES = 5,
    SAMPLES_NOISY = 15,
    SAMPLES_LONG = 2,
    NODES_A_SIZE = 1 << 18, /* nodes of all samples of a size together */
    CHEAP_NODES = 1 << 13
};

/* A size is precise enough when its error is below this share of its latency. Two adjacent sizes
 * are close enough when their times differ by less than cache_step_known of the step, or when
 * their ratio is less. [significance] */
static const double share_known = 0.02, cache_step_known = 0.2;
static const double close_enough = 1.015, close_enough_long = 1.13;

static void request_local(struct batch *batch, uint64_t nodes, enum role role, uint64_t most)
{
    uint64_t samples = NODES_A_SIZE / nodes, least = nodes > LONGEST_NODES ? 1 : SAMPLES_LONG;
    samples = samples > least ? samples : least;
    request(batch, &layouts[LAYOUT_LOCAL], nodes, role, samples < most ? samples : most);
}

static void request_sizes(struct batch *batch, uint64_t from, uint64_t to)
{
    uint64_t last = 0;
    for (double step = 0; last < to;) {
        double size = (double)from * exp2(step / PER_OCTAVE);
        uint64_t nodes = size < (double)to ? (uint64_t)(size + 0.5) : to;
        if (nodes > last)
            request_local(batch, nodes, ROLE_SWEEP, SAMPLES);
        last = nodes;
        step += nodes < LONG_NODES ? 1 : (double)PER_OCTAVE / PER_OCTAVE_LONG;
    }
}

/* The geometric mean of adjacent sizes whose times differ too much. */
static void request_within(struct batch *batch, const struct curve *c, const struct knee *knee)
{
    for (size_t i = knee->before; i < knee->end; i++) {
        double low = c->at[i].pages, high = c->at[i + 1].pages;
        double close = high < LONG_NODES ? close_enough : close_enough_long;
        uint64_t middle = (uint64_t)(sqrt(low * high) + 0.5);
        if (high > close * low && (double)middle > low && (double)middle < high &&
            c->at[i + 1].ns - c->at[i].ns > cache_step_known * knee->step_ns)
            request_local(batch, middle, ROLE_REFINE, SAMPLES);
    }
}

static void request_rises(struct batch *batch, const struct curve *curve)
{
    struct knee knees[KNEES_MAX];
    size_t count = knee_find(curve, knees);
    for (size_t i = 0; i < count; i++)
        request_within(batch, curve, &knees[i]);
}

static uint64_t more_samples(const struct curve_point *p, uint64_t most)
{
    uint64_t more = half_again(p->samples);
    return more < most ? more : most;
}

static void request_precision(struct batch *batch, const struct curve *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct curve_point *p = &c->at[i];
        if (p->pages <= CHEAP_NODES && p->error > share_known * p->ns)
            request_local(batch, (uint64_t)p->pages, ROLE_SWEEP, more_samples(p, SAMPLES_NOISY));
    }
}

/* Sizes up to `to`, then their rises and precision. */
static void request_up_to(struct batch *batch, uint64_t from, uint64_t to)
{
    request_sizes(batch, from, to);
    const struct point *line = curve_line(batch->series);
    if (batch->count > 0 || line == NULL)
        return;
    struct curve curve = curve_alone(batch->series, line);
    request_rises(batch, &curve);
    if (batch->options->samples == 0)
        request_precision(batch, &curve);
    curve_free(&curve);
}

void plan_caches(struct batch *batch)
{
    const struct range *bounds = &batch->options->pages;
    uint64_t from = bounds->values[0], to = bounds->values[bounds->count - 1];
    batch->like.spacing = batch->options->line_bytes;
    from = from < to ? from : to;
    request_up_to(batch, from, to < LONG_NODES ? to : LONG_NODES);
    if (batch->count == 0) /* last, because long chains take most of the time */
        request_up_to(batch, from, to);
}
