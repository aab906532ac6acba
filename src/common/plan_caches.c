/* plan_caches.c: the points that tell the sizes of the caches. */
#include "plan_caches.h"
#include "derivative.h"
#include "kernel.h"
#include "layout.h"
#include <math.h>

enum {
    PER_OCTAVE = 6,
    PASSES = 5,
    PASSES_NOISY = 15,
    PASSES_LEAST = 2, /* but one of chains of more than LONG_NODES */
    LONG_NODES = 2 << 20,
    NODES_A_SIZE = 1 << 20, /* that the samples of one size go round together */
    CHEAP_NODES = 1 << 16,
    PASSES_DRAWN = 11,
    HALF_MOST = 3 << 15 /* of a step; drawn loads go further */,
    REFINED_NODES = 1 << 17 /* a longer chain is not worth its time */
};

/* A size is known well enough when its error is below this part of its latency; two neighbours when
 * they differ by less than this part of the step, or lie closer than this ratio. */
static const double share_known = 0.02, step_known = 0.2, close_enough = 1.015;

/* What loads drawn anew are wished for: sizes from and to these parts of that at which half of a
 * step is done. */
static const double drawn_first = 0.125, drawn_last = 2.6;

static void wish_local(struct batch *batch, uint64_t nodes, enum role role, uint64_t most)
{
    uint64_t passes = NODES_A_SIZE / nodes;
    uint64_t least = nodes > LONG_NODES ? 1 : PASSES_LEAST;
    passes = passes > least ? passes : least;
    wish(batch, layout_find("local", 5), nodes, role, passes < most ? passes : most);
}

/* Loads drawn anew around a gradual transition, at the sizes of the coarse grid, as whole pages. */
static void wish_drawn(struct batch *batch, const struct curve *c, const struct transition *t,
                       uint64_t from, uint64_t to)
{
    const struct point *line = derivative_line(batch->series);
    uint64_t page = layout_window(line), last = 0;
    size_t below;
    double half = derivative_crossing(c, t, (t->lower_ns + t->upper_ns) / 2, &below);
    batch->like.kernel = kernel_find("random", 6);
    for (int step = 0; (double)last < drawn_last * half && half <= HALF_MOST; step++) {
        double size = (double)from * exp2((double)step / PER_OCTAVE);
        uint64_t nodes = (uint64_t)(size / (double)page + 0.5) * page;
        if (nodes > to)
            break;
        if (nodes > last && (double)nodes >= drawn_first * half)
            wish(batch, line->layout, nodes, ROLE_REFINE, PASSES_DRAWN);
        last = nodes;
    }
    batch->like.kernel = line->kernel;
}

static void wish_sizes(struct batch *batch, uint64_t from, uint64_t to)
{
    uint64_t last = 0;
    for (int step = 0; last < to; step++) {
        double size = (double)from * exp2((double)step / PER_OCTAVE);
        uint64_t nodes = size < (double)to ? (uint64_t)(size + 0.5) : to;
        if (nodes > last)
            wish_local(batch, nodes, ROLE_SWEEP, PASSES);
        last = nodes;
    }
}

/* The middle of every two neighbours that are too different. */
static void wish_within(struct batch *batch, const struct curve *c, const struct transition *t)
{
    double step = t->upper_ns - t->lower_ns;
    for (size_t i = t->first; i < t->last; i++) {
        double low = c->at[i].pages, high = c->at[i + 1].pages;
        uint64_t middle = (uint64_t)(sqrt(low * high) + 0.5);
        if (high > close_enough * low && (double)middle > low && (double)middle < high &&
            middle <= REFINED_NODES && c->at[i + 1].ns - c->at[i].ns > step_known * step)
            wish_local(batch, middle, ROLE_REFINE, PASSES);
    }
}

static void wish_precision(struct batch *batch, const struct curve *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct curve_point *p = &c->at[i];
        uint64_t more = p->samples + (p->samples + 1) / 2;
        if (p->pages <= CHEAP_NODES && p->error > share_known * p->ns)
            wish_local(batch, (uint64_t)p->pages, ROLE_SWEEP,
                       more < PASSES_NOISY ? more : PASSES_NOISY);
    }
}

void plan_caches(struct batch *batch)
{
    const struct range *bounds = &batch->options->pages;
    uint64_t from = bounds->values[0], to = bounds->values[bounds->count - 1];
    struct transition t[TRANSITIONS_MOST];
    batch->like.spacing = batch->options->line_bytes;
    wish_sizes(batch, from < to ? from : to, to);
    const struct point *line = derivative_line(batch->series);
    if (batch->count > 0 || line == NULL)
        return;
    struct curve curve = derivative_curve(batch->series, line);
    size_t count = derivative_transitions(&curve, t);
    for (size_t i = 0; i < count; i++) {
        wish_within(batch, &curve, &t[i]);
        if (derivative_gradual(&curve, &t[i]) && !t[i].reaches_end)
            wish_drawn(batch, &curve, &t[i], from, to);
    }
    if (batch->options->samples == 0)
        wish_precision(batch, &curve);
    curve_free(&curve);
}
