/* stride_profile.c: how many pages a power of two apart each level of a TLB holds. */
#include "tlb/geometry/stride_profile.h"
#include "tlb/geometry/targets.h"
#include <math.h>
#include <stdlib.h>

/* A fallen reach is below this fraction of its former value, as reach halves or stays; a single
 * step of the fall is below the square root of that. A slower decline is not a fall: walks get
 * slower with the distance, so fewer misses make up half of the step. [prior] */
static const double fallen = 0.7;

/* A walk costs at most this many times a second-level hit: a larger step includes misses of a
 * cache, which start soon after. [prior] */
static const double walk_most = 4;

/* The second level's reach is visible if it is this many times the first level's. [prior] */
static const double strides_apart = 1.5;

/* A difference counts from this many standard errors on. [significance] */
static const double fall_errors = 3;

/* A rise starts where half of this fraction of its step is reached. [prior] */
static const double early_part = 0.2;

/* Mean of points `from` to `to`, weighted by precision: short chains, whose loads hit the first
 * cache, are the most precise. */
static double plateau_of(const struct curve *curve, size_t from, size_t to)
{
    double sum = 0, weight = 0;
    for (size_t i = from; i <= to; i++) {
        double w = 1 / (curve->at[i].error * curve->at[i].error + 1e-6);
        sum += w * curve->at[i].ns;
        weight += w;
    }
    return sum / weight;
}

static void take_levels(struct stride_profile *p, const struct control *control)
{
    struct boundaries found = {.count = 0};
    for (size_t i = 0; i < p->levels; i++) {
        control_add_level(control, i, &found);
        p->entries[i] = found.at[i].entries;
        p->least[i] = found.at[i].entries_min;
        p->most[i] = found.at[i].entries_max;
        p->confidence[i] = found.at[i].confidence;
    }
}

struct stride_profile stride_profile_open(struct analysis *analysis, const struct point *page)
{
    struct stride_profile p = {.series = analysis->series, .page = *page};
    const struct control *control = analysis_curve(analysis, page);
    p.levels = control->alone ? 0 : control->tlb_count;
    p.levels = p.levels < STRIDE_PROFILE_LEVELS ? p.levels : STRIDE_PROFILE_LEVELS;
    for (size_t i = 0; i < p.levels; i++) {
        const struct knee *knee = &control->tlb[i].knee;
        size_t start = i > 0 ? control->tlb[i - 1].knee.end : 0;
        p.ns[i] = plateau_of(&control->difference, start, knee->before);
        double most = i > 0 ? walk_most * (p.ns[i] - p.ns[i - 1]) : (double)INFINITY;
        p.ns[i + 1] = p.ns[i] + fmin(knee->step_ns, most);
        p.reach[i][0] = stride_profile_crossing(&control->difference, p.ns[i], p.ns[i + 1]);
        p.early[i] = stride_profile_crossing(&control->difference, p.ns[i],
                                             p.ns[i] + early_part * (p.ns[i + 1] - p.ns[i]));
    }
    take_levels(&p, control);
    p.strides = p.levels > 0 ? 0 : -1;
    return p;
}

double stride_profile_crossing(const struct curve *c, double low, double high)
{
    double half = (low + high) / 2;
    for (size_t i = 0; i < c->count; i++) {
        if (c->at[i].ns < half || (i + 1 < c->count && c->at[i + 1].ns < half))
            continue;
        if (i == 0)
            return c->at[0].pages;
        const struct curve_point *p = &c->at[i - 1], *q = &c->at[i];
        double share = q->ns > p->ns ? (half - p->ns) / (q->ns - p->ns) : 1;
        return p->pages + fmin(1, fmax(0, share)) * (q->pages - p->pages);
    }
    return NAN;
}

static uint64_t spacing_at(const struct stride_profile *p, int k)
{
    return p->page.spacing << k;
}

static double page_reach(const struct stride_profile *p, size_t level, int k)
{
    struct point page = p->page;
    page.spacing = spacing_at(p, k);
    struct curve curve = curve_control(p->series, &page);
    double reach = stride_profile_crossing(&curve, p->ns[level], p->ns[level + 1]);
    curve_free(&curve);
    return reach;
}

bool stride_profile_hidden(const struct stride_profile *p, int k)
{
    return p->levels > 1 && !(page_reach(p, 1, k) > strides_apart * page_reach(p, 0, k));
}

/* The number of targets at which half miss the second level. Targets and others all miss the first,
 * so any excess over the plateau comes from the targets. Among many others a small excess is noise.
 */
static double targets_reach(const struct stride_profile *p, int k)
{
    double others = (double)targets_others(p);
    struct curve curve = targets_curve(p, spacing_at(p, k), (uint64_t)others);
    double base = curve.count > 0 ? fmax(p->ns[1], curve.at[0].ns) : p->ns[1];
    for (size_t i = 0; i < curve.count; i++) {
        struct curve_point *at = &curve.at[i];
        double more = at->ns - base;
        at->ns = more > fall_errors * at->error ? more * (at->pages + others) / at->pages : 0;
    }
    double reach = stride_profile_crossing(&curve, 0, p->ns[2] - p->ns[1]);
    curve_free(&curve);
    return reach;
}

bool stride_profile_add(struct stride_profile *p, int k)
{
    for (size_t level = 0; level < p->levels; level++)
        p->reach[level][k] = page_reach(p, level, k);
    if (stride_profile_hidden(p, k))
        p->reach[1][k] = targets_reach(p, k);
    for (size_t level = 0; level < p->levels; level++)
        if (isnan(p->reach[level][k]))
            return false;
    p->strides = k;
    return true;
}

void stride_profile_ways(struct stride_profile *p)
{
    for (size_t level = 0; level < p->levels; level++)
        p->ways[level] = ways_of(p, level);
}

bool stride_profile_stays(const struct stride_profile *p, size_t level, int from, int to)
{
    return p->reach[level][to] >= fallen * p->reach[level][from];
}

/* Whether the last step before stride k falls too. */
static bool is_fallen(const struct stride_profile *p, size_t level, int k)
{
    const double *reach = p->reach[level];
    return !stride_profile_stays(p, level, 0, k) && reach[k] < sqrt(fallen) * reach[k - 1];
}

struct stride_profile stride_profile_read(struct analysis *analysis)
{
    struct stride_profile p = {.levels = 0};
    const struct control *first = analysis_first(analysis);
    if (first == NULL)
        return p;
    p = stride_profile_open(analysis, &first->page);
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES && p.levels > 0; k++)
        if (!stride_profile_add(&p, k))
            break;
    stride_profile_ways(&p);
    return p;
}

static int halvings_of(const double *reach, int k)
{
    return (int)lround(log2(reach[0] / reach[k]));
}

/* The strides from 0 to *to at which reach falls. No known index skips bits twice, so what falls
 * after the first bit beyond skipped ones is noise, and *to is set to its end. Noise may also hide
 * a fall, but then the next stride makes up for it. */
static uint64_t falling_bits(const double *reach, int *to)
{
    uint64_t bits = 0;
    bool skips = false;
    for (int k = 0; k < *to; k++)
        if (reach[k + 1] < sqrt(fallen) * reach[k]) {
            bits |= (uint64_t)1 << k;
            if (skips && __builtin_popcountll(bits) >= halvings_of(reach, k + 1))
                *to = k + 1;
        } else
            skips = true;
    return bits;
}

/* Longer walks can shift the first step by one; the ratio of the whole fall then gives the number
 * of steps. An index skips bits if at least as many strides fall as reach has halved. */
struct fall stride_profile_fall(const struct stride_profile *p, size_t level)
{
    const double *reach = p->reach[level];
    int from = 0, to = 0;
    while (from < p->strides && !is_fallen(p, level, from + 1))
        from++;
    while (from < p->strides && !stride_profile_stays(p, level, to, p->strides))
        to++;
    if (to <= from)
        return (struct fall){.from = 0};
    uint64_t bits = from > 0 ? 0 : falling_bits(reach, &to);
    int halvings = halvings_of(reach, to), halved = to - halvings;
    if (from > 0 && halved > 0 && abs(halved - from) == 1)
        from = halved;
    if (__builtin_popcountll(bits) < halvings)
        bits = ((uint64_t)1 << to) - ((uint64_t)1 << from);
    return (struct fall){from, to, bits};
}

/* Whether no level's reach at k is below that at i. */
static bool stayed(const struct stride_profile *p, int i, int k)
{
    for (size_t level = 0; level < p->levels; level++)
        if (!stride_profile_stays(p, level, i, k))
            return false;
    return true;
}

int stride_profile_unsettled(const struct stride_profile *p)
{
    int k = p->strides, flat = 0;
    if (k < 1)
        return STRIDES_SETTLED;
    while (flat < STRIDES_SETTLED && flat < k - 1 && stayed(p, k - flat - 1, k))
        flat++;
    return STRIDES_SETTLED - (stride_profile_fall(p, p->levels - 1).to > 0 ? flat : 0);
}

uint64_t stride_profile_others_at(const struct stride_profile *p, int k)
{
    bool hidden = p->levels > 1 && !(p->reach[1][k] > strides_apart * p->reach[0][k]);
    return hidden ? targets_others(p) : 0;
}
