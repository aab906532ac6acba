/* caches.c: the points that show the sizes of the caches. */
#include "tlb/detect/caches.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/detect/derivative.h"
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
    SAMPLES_CHAINS = 3,
    SAMPLES_DRAWN = 9,
    SAMPLES_DRAWN_MAX = 41,
    DRAWN_HALF_MAX = 3 << 15, /* nodes at the middle of the largest step that kernel `random`
                                  measures */
    DRAWN_NODES = 1 << 21     /* nodes of all samples of a size together */
};

/* A size is precise enough when its error is below this share of its latency (drawn_known: of
 * kernel `random`). Two adjacent sizes are close enough when their times differ by less than
 * cache_step_known of the step, or when their ratio is less. [significance] */
static const double share_known = 0.02, drawn_known = 0.008, cache_step_known = 0.2;
static const double close_enough = 1.015, close_enough_long = 1.13;

/* The sizes of several chains extend beyond a transition by this factor on either side. [prior] */
static const double chains_beyond = 2.2;

static void request_local(struct batch *batch, uint64_t nodes, uint64_t most)
{
    uint64_t samples = NODES_A_SIZE / nodes, least = nodes > LONGEST_NODES ? 1 : SAMPLES_LONG;
    samples = samples > least ? samples : least;
    request(batch, &layouts[LAYOUT_LOCAL], nodes, samples < most ? samples : most);
}

static void request_sizes(struct batch *batch, uint64_t from, uint64_t to)
{
    for (uint64_t nodes = 0; nodes < to;) {
        nodes = next_size(from, to, nodes, nodes < LONG_NODES ? PER_OCTAVE : PER_OCTAVE_LONG);
        request_local(batch, nodes, SAMPLES);
    }
}

/* ---- transitions ---- */

/* The geometric mean of adjacent sizes whose times differ too much. */
static void request_within(struct batch *batch, const struct curve *c, const struct transition *t)
{
    double step = t->upper_ns - t->lower_ns;
    for (size_t i = t->first; i < t->last; i++) {
        double low = c->at[i].pages, high = c->at[i + 1].pages;
        double close = high < LONG_NODES ? close_enough : close_enough_long;
        uint64_t middle = (uint64_t)(sqrt(low * high) + 0.5);
        if (high > close * low && (double)middle > low && (double)middle < high &&
            c->at[i + 1].ns - c->at[i].ns > cache_step_known * step)
            request_local(batch, middle, SAMPLES);
    }
}

/* Kernel `random` around a gradual transition, at sizes in whole pages. False for a transition that
 * is too large. */
static bool request_drawn(struct batch *batch, const struct curve *c, const struct transition *t)
{
    const struct range *bounds = &batch->options->pages;
    const struct point *line = derivative_line(batch->series);
    uint64_t page = layout_window(line);
    size_t below;
    double half = derivative_crossing(c, t, (t->lower_ns + t->upper_ns) / 2, &below);
    struct drawn_sizes sizes = caches_drawn_sizes(half);
    if (half > DRAWN_HALF_MAX)
        return false;
    batch->like.kernel = &kernels[KERNEL_RANDOM];
    for (uint64_t nodes = 0, pages = 1; (double)nodes < sizes.last;
         pages = next_size(1, UINT32_MAX, pages, PER_OCTAVE)) {
        nodes = pages * page;
        if (nodes > bounds->values[bounds->count - 1])
            break;
        if ((double)nodes >= sizes.first)
            request(batch, line->layout, nodes, SAMPLES_DRAWN);
    }
    batch->like.kernel = batch->options->kernel;
    return true;
}

/* A transition with several chains, if the kernel can walk several; those of a card's work item
 * wait for one another and show nothing. */
static void request_chains(struct batch *batch, const struct curve *c, const struct transition *t)
{
    double first = c->at[t->first].pages / chains_beyond, last = c->at[t->last].pages;
    if (batch->options->kernel->several == NULL || batch->like.backing->device)
        return;
    batch->like.chains = CACHES_CHAINS;
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].pages >= first && c->at[i].pages <= chains_beyond * last)
            request_local(batch, (uint64_t)c->at[i].pages, SAMPLES_CHAINS);
    batch->like.chains = 0;
}

/* On a gradual transition the sets overflow one by one, at random: more sizes of one chain add
 * little there, and kernel `random` shows the capacity. */
static void request_transitions(struct batch *batch, const struct curve *curve, bool to_the_end)
{
    struct transition t[TRANSITIONS_MAX];
    size_t count = derivative_transitions(curve, t);
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        if (t[i].reaches_end)
            continue;
        bool draws = derivative_gradual(curve, &t[i]) && !batch->like.backing->device;
        if (!draws || !request_drawn(batch, curve, &t[i]))
            request_within(batch, curve, &t[i]);
        if (to_the_end && (last || i >= CACHES_PRIVATE))
            request_chains(batch, curve, &t[i]);
    }
}

/* ---- noise ---- */

/* Half as many samples again of the sizes whose error is above this share of their latency, up to
 * so many, and to so many nodes of all samples of a size together. */
static void request_precise(struct batch *batch, const struct curve *c, const struct layout *layout,
                            double known, double samples, double nodes)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct curve_point *p = &c->at[i];
        double have = (double)p->samples, most = floor(fmin(samples, nodes / p->pages));
        if (p->error > known * p->ns && have < most)
            request(batch, layout, (uint64_t)p->pages, (uint64_t)fmin(most, have + ceil(have / 2)));
    }
}

static void request_precision(struct batch *batch, const struct curve *curve,
                              const struct point *line)
{
    const struct point *drawn = caches_drawn(batch->series, line);
    struct curve c = curve_alone(batch->series, drawn);
    request_precise(batch, curve, &layouts[LAYOUT_LOCAL], share_known, SAMPLES_NOISY, NODES_A_SIZE);
    batch->like.kernel = &kernels[KERNEL_RANDOM];
    request_precise(batch, &c, line->layout, drawn_known, SAMPLES_DRAWN_MAX, DRAWN_NODES);
    batch->like.kernel = batch->options->kernel;
    curve_free(&c);
}

/* Sizes up to `to`, then their transitions and precision. */
static void request_up_to(struct batch *batch, uint64_t from, uint64_t to, bool to_the_end)
{
    request_sizes(batch, from, to);
    const struct point *line = derivative_line(batch->series);
    if (batch->count > 0 || line == NULL)
        return;
    struct curve curve = derivative_curve(batch->series, line);
    batch->like.role = ROLE_REFINE;
    request_transitions(batch, &curve, to_the_end);
    if (batch->options->samples == 0)
        request_precision(batch, &curve, line);
    batch->like.role = ROLE_SWEEP;
    curve_free(&curve);
}

void plan_caches(struct batch *batch)
{
    const struct range *bounds = &batch->options->pages;
    uint64_t from = bounds->values[0], to = bounds->values[bounds->count - 1];
    batch->like.spacing = batch->options->line_bytes;
    request_up_to(batch, from, to < LONG_NODES ? to : LONG_NODES, to <= LONG_NODES);
    if (batch->count == 0) /* last, because long chains take most of the time */
        request_up_to(batch, from, to, true);
}
