/* geometry.c: the points that show the organisation of a TLB. Every stage sets the stride of its
 * points. */
#include "tlb/geometry/inclusion.h"
#include "tlb/geometry/organisation.h"
#include "tlb/geometry/replacement.h"
#include "tlb/geometry/targets.h"
#include "tlb/plan/presets.h"
#include <math.h>

/* Sizes and samples: the cost of a sweep against its precision. [tuned: unknown] */
enum {
    SAMPLES = 5,
    SAMPLES_SET = 64,   /* each sample uses another set; some are undisturbed */
    SAMPLES_WAYS = 128, /* one target too many adds a small share of the time */
    SAMPLES_DECIDING = 768,
    DECIDING = 6, /* numbers of targets beyond those that fit */
    SAMPLES_RELATION = 16,
    PARTS = 3,        /* sizes an octave, around a capacity */
    TARGETS_MOST = 64 /* more ways than any set-associative level has */
};

/* Sizes from below half of a capacity to well above it, as multiples of it. [prior] */
static const double window_from = 0.3, window_to = 1.6;

/* The maximum number of targets: targets_to × the pages that a set holds + targets_more; where
 * none of them misses, targets_beyond × as many. [prior] */
static const double targets_to = 1.1, targets_more = 4, targets_beyond = 1.5;

/* Sets the distance of the next requests, in pages of the plan's spacing. */
static void set_stride(struct batch *batch, uint64_t stride)
{
    batch->like.spacing = stride * batch->options->spacing;
}

/* Whether that many pages fit into the address space at the current stride. */
static bool has_room(const struct batch *batch, double pages)
{
    return pages * (double)batch->like.spacing <= (double)batch->options->address_bytes;
}

/* The same for the window of a capacity. */
static bool has_window(const struct batch *batch, double capacity)
{
    return has_room(batch, exp2(1.0 / PARTS) * window_to * capacity);
}

/* Sizes around a capacity, which may have halved `halvings` times. They are on a fixed grid, so
 * nearly equal capacities get the same sizes. */
static void request_window(struct batch *batch, double capacity, int halvings, uint64_t others)
{
    uint64_t last = 0;
    int margin = halvings > 0; /* it may be a little smaller */
    int from = (int)floor(PARTS * (log2(window_from * capacity) - halvings)) - margin;
    int to = (int)ceil(PARTS * log2(window_to * capacity));
    for (int i = from; i <= to; i++) {
        uint64_t pages = (uint64_t)(exp2((double)i / PARTS) + 0.5);
        if (pages == last || pages == 0)
            continue;
        last = pages;
        if (others > 0)
            request_set(batch, pages, others, 1, SAMPLES_SET);
        else
            request_both(batch, pages, ROLE_SWEEP, SAMPLES);
    }
}

/* Sizes at stride 2^k, from the capacities at stride 2^(k − 1 − ahead). False when they do not fit
 * into the address space. */
static bool request_stride(struct batch *batch, const struct stride_profile *p, int k, int ahead)
{
    set_stride(batch, (uint64_t)1 << k);
    for (size_t level = 0; level < p->levels; level++)
        if (!has_window(batch, p->reach[level][k - 1 - ahead]))
            return false;
    for (size_t level = 0; level < p->levels; level++)
        request_window(batch, p->reach[level][k - 1 - ahead], ahead, 0);
    return true;
}

/* Targets among others at stride 2^k, where the first level hides the second. */
static void request_hidden(struct batch *batch, const struct stride_profile *p, int k, int ahead)
{
    set_stride(batch, (uint64_t)1 << k);
    if (has_window(batch, p->reach[1][k - 1 - ahead]))
        request_window(batch, p->reach[1][k - 1 - ahead], ahead, targets_others(p));
}

/* The stride profile, stride after stride, since the capacities at one give the sizes at the next.
 * Strides that may complete it are measured together with one at which the capacity may fall,
 * since the analysis takes a while. False while points are missing. */
static bool plan_strides(struct batch *batch, struct stride_profile *p)
{
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES; k++) {
        int unsettled = stride_profile_unsettled(p);
        if (unsettled == 0 || !request_stride(batch, p, k, 0))
            break;
        int ahead = unsettled < STRIDES_SETTLED ? unsettled - 1 : STRIDES_SETTLED;
        ahead = ahead < STRIDE_PROFILE_STRIDES - k ? ahead : STRIDE_PROFILE_STRIDES - k;
        for (int i = 1; i <= ahead && batch->count > 0; i++)
            if (!request_stride(batch, p, k + i, i))
                break;
        if (batch->count > 0)
            return false;
        if (stride_profile_hidden(p, k))
            request_hidden(batch, p, k, 0);
        for (int i = 1; i <= ahead && batch->count > 0; i++)
            request_hidden(batch, p, k + i, i);
        if (batch->count > 0)
            return false;
        if (!stride_profile_add(p, k))
            break;
    }
    return true;
}

/* Every number of targets up to more than one set holds, with more samples of those that seem to
 * be too many: next to a neighbour (another program on the core) an undisturbed set is rare, and
 * only a sharp step is certain without one. */
static void plan_ways(struct batch *batch, const struct stride_profile *p, size_t level)
{
    int to = stride_profile_fall(p, level).to;
    if (to == 0 || window_to * p->reach[level][to] > TARGETS_MOST)
        return;
    uint64_t others = level > 0 ? stride_profile_others_at(p, to) : 0;
    double most = targets_to * p->reach[level][to] + targets_more;
    struct ways ways = p->ways[level];
    size_t before = batch->count;
    uint64_t targets = 1;
    set_stride(batch, (uint64_t)1 << to);
    for (; (double)targets <= most; targets++) {
        bool decides = (ways.uneven || !ways.sharp) && (double)targets > ways.count &&
                       (double)targets <= ways.count + DECIDING;
        request_set(batch, targets, others, 1, decides ? SAMPLES_DECIDING : SAMPLES_WAYS);
    }
    most *= batch->count == before && isnan(ways.count) ? targets_beyond : 0;
    for (; (double)targets <= most; targets++)
        request_set(batch, targets, others, 1, SAMPLES_WAYS);
}

/* More targets than ways, in a new order every round: the number of misses depends on the
 * replacement. */
static void plan_replacement(struct batch *batch, const struct stride_profile *p, size_t level)
{
    struct overload overload = overload_of(p, level);
    uint64_t targets[REPLACEMENT_TARGETS];
    if (overload.ways == 0)
        return;
    set_stride(batch, overload.stride);
    replacement_targets(overload.ways, targets);
    for (int i = 0; i < REPLACEMENT_TARGETS; i++) {
        request_set(batch, targets[i], overload.others, REPLACEMENT_ROUNDS, SAMPLES_SET);
        request_set(batch, targets[i], overload.others, 1, SAMPLES_SET);
    }
}

/* More targets than a set has ways, at a stride where all fall into one set, and at the strides
 * 2^j + 2^(j + fold) where they do so if the index folds bits j and j + fold by exclusive or. */
static bool plan_folds(struct batch *batch, const struct stride_profile *p,
                       const struct index_hash *folds)
{
    uint64_t others = targets_others(p);
    size_t before = batch->count;
    set_stride(batch, folds->stride);
    if (folds->stride > 0)
        request_set(batch, folds->targets, others, 1, SAMPLES_SET);
    for (int fold = folds->from; fold < folds->to; fold++)
        for (int j = 0; j == 0 || (folds->found[fold] && j < folds->bits); j++) {
            set_stride(batch, index_hash_stride(fold, j));
            if (has_room(batch, (double)folds->targets))
                request_set(batch, folds->targets, others, 1, SAMPLES_SET);
        }
    return batch->count == before;
}

/* Pages in one set of the second level, up to more of them than both levels hold. */
static void plan_inclusion(struct batch *batch, const struct conflict *conflict)
{
    if (conflict->stride == 0)
        return;
    set_stride(batch, conflict->stride);
    uint64_t below = conflict->inclusive_at, above = conflict->first;
    if (below > 0)
        request_set(batch, below, 0, 1, SAMPLES_RELATION);
    for (uint64_t n = above; n <= conflict->last && has_room(batch, (double)n); n++)
        request_set(batch, n, 0, 1, SAMPLES_RELATION);
}

/* The profile of the levels that plan_curves() found, and its points. False while any are missing,
 * and if there is no level. */
static bool plan_profile(struct batch *batch, struct stride_profile *p)
{
    struct point page = batch_page(batch);
    *p = stride_profile_open(batch->analysis, &page);
    if (p->levels == 0 || !plan_strides(batch, p))
        return false;
    stride_profile_ways(p);
    return true;
}

void plan_geometry(struct batch *batch)
{
    struct stride_profile p;
    plan_curves(batch);
    if (batch->count > 0)
        return;
    if (!plan_profile(batch, &p))
        return;
    for (size_t level = 0; level < p.levels; level++)
        plan_ways(batch, &p, level);
    if (batch->count > 0)
        return;
    for (size_t level = 0; level < p.levels; level++)
        plan_replacement(batch, &p, level);
    if (p.levels < 2)
        return;
    struct index_hash folds = index_hash_of(&p);
    if (!plan_folds(batch, &p, &folds))
        return;
    struct conflict conflict = conflict_of(&p, &folds);
    plan_inclusion(batch, &conflict);
}
