/* caches.c: the points that show the sizes of the caches. */
#include "access/layout.h"
#include "tlb/curve/curve.h"
#include "tlb/plan/batch.h"
#include <math.h>

/* Sizes and samples: the cost of a sweep against its precision. [tuned: unknown] */
enum {
    PER_OCTAVE = 6, /* half of them of long chains */
    LONG_NODES = 1 << 17,
    LONGEST_NODES = 1 << 20, /* one sample each from here on */
    SAMPLES = 5,
    SAMPLES_NOISY = 15,
    SAMPLES_LONG = 2,
    NODES_A_SIZE = 1 << 18 /* nodes of all samples of a size together */
};

/* A size is precise enough when its error is below this share of its latency. Two adjacent sizes
 * are close enough when their times differ by less than cache_step_known of the step, or when
 * their ratio is less. [significance] */
static const double share_known = 0.02, cache_step_known = 0.2;
static const double close_enough = 1.015, close_enough_long = 1.13;

/* Fewer samples of long chains. */
static void request_local(struct batch *batch, uint64_t nodes, uint64_t most)
{
    uint64_t samples = NODES_A_SIZE / nodes, least = nodes > LONGEST_NODES ? 1 : SAMPLES_LONG;
    samples = samples > least ? samples : least;
    request(batch, &layouts[LAYOUT_LOCAL], nodes, samples < most ? samples : most);
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
            request_local(batch, middle, SAMPLES);
    }
}

/* Half as many samples again of a size whose error is too large. */
static void request_precision(struct batch *batch, const struct curve *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct curve_point *p = &c->at[i];
        uint64_t more = p->samples + (p->samples + 1) / 2;
        if (p->error > share_known * p->ns && (double)p->samples * p->pages < NODES_A_SIZE)
            request_local(batch, (uint64_t)p->pages, more < SAMPLES_NOISY ? more : SAMPLES_NOISY);
    }
}

/* Sizes up to `to`, then their rises and precision. */
static void request_up_to(struct batch *batch, uint64_t from, uint64_t to)
{
    struct knee knees[KNEES_MAX];
    for (uint64_t nodes = 0; nodes < to;) {
        nodes = next_size(from, to, nodes, nodes < LONG_NODES ? PER_OCTAVE : PER_OCTAVE / 2);
        request_local(batch, nodes, SAMPLES);
    }
    const struct point *line = curve_line(batch->series);
    if (batch->count > 0 || line == NULL)
        return;
    struct curve curve = curve_alone(batch->series, line);
    size_t count = knee_find(&curve, knees);
    batch->like.role = ROLE_REFINE;
    for (size_t i = 0; i < count; i++)
        request_within(batch, &curve, &knees[i]);
    if (batch->options->samples == 0)
        request_precision(batch, &curve);
    batch->like.role = ROLE_SWEEP;
    curve_free(&curve);
}

void plan_caches(struct batch *batch)
{
    uint64_t from = batch->options->least, to = batch->options->most;
    batch->like.spacing = batch->options->line_bytes;
    request_up_to(batch, from, to < LONG_NODES ? to : LONG_NODES);
    if (batch->count == 0) /* last, because long chains take most of the time */
        request_up_to(batch, from, to);
}
