/* geometry.c: the points that tell how a TLB is organised. */
#include "plan/geometry.h"
#include "access/layout.h"
#include "geometry/inclusion.h"
#include "geometry/organisation.h"
#include "geometry/replacement.h"
#include "geometry/stride_profile.h"
#include "geometry/ways.h"
#include "plan/tlb.h"
#include <math.h>

/* Where and how often is measured: what a sweep costs against what it tells. [tuned: unknown]
 */
enum {
    PASSES = 5,
    PASSES_HIDDEN = 15,   /* targets among others: what they cost is little of the whole */
    PASSES_SETS = 16,     /* each looks at another set */
    PASSES_DECIDING = 96, /* of one page more or less than a set holds: the freest set counts */
    PASSES_FOLDS = 15,
    PARTS = 3,         /* sizes an octave, around a capacity */
    STRIDES_AHEAD = 1, /* that are measured along with one */
    TARGETS_MOST = 64  /* more ways than any level has that is not fully associative */
};

/* Sizes from below half of a capacity to well above it. [prior] */
static const double window_from = 0.3, window_to = 1.6;

/* Targets go on to so many times what a set holds, and some more. [prior] */
static const double targets_to = 1.1, targets_more = 4;

static void request_page(struct batch *batch, uint64_t pages)
{
    request_both(batch, pages, ROLE_SWEEP, PASSES);
}

/* Whether so many pages at the present distance have room in the address space. */
static bool has_room(const struct batch *batch, double pages)
{
    return pages * (double)batch->like.spacing <= (double)batch->options->address_bytes;
}

/* Sizes around a capacity, which may have halved `halvings` times; always the same ones, so that
 * the windows of capacities that are nearly equal are, too. */
static void request_window(struct batch *batch, const struct stride_profile *p, double capacity,
                           int halvings, uint64_t others)
{
    uint64_t samples = stride_profile_samples(p, capacity / 2, others, PASSES_HIDDEN), last = 0;
    int margin = halvings > 0; /* it may have shrunk a little more */
    int from = (int)floor(PARTS * (log2(window_from * capacity) - halvings)) - margin;
    int to = (int)ceil(PARTS * log2(window_to * capacity));
    for (int i = from; i <= to; i++) {
        uint64_t pages = (uint64_t)(exp2((double)i / PARTS) + 0.5);
        if (pages == last || pages == 0)
            continue;
        last = pages;
        if (others > 0)
            request_set(batch, pages, others, 1, samples);
        else
            request_page(batch, pages);
    }
}

/* Pages 2^k pages apart, `ahead` strides beyond the last one that is known. False when there is no
 * room for them. */
static bool request_stride(struct batch *batch, const struct stride_profile *p, int k, int ahead)
{
    uint64_t base = batch->like.spacing;
    batch->like.spacing = base << k;
    double most = exp2(1.0 / PARTS) * window_to * p->reach[p->levels - 1][k - 1 - ahead];
    bool room = has_room(batch, most);
    for (size_t level = 0; level < p->levels && room; level++)
        request_window(batch, p, p->reach[level][k - 1 - ahead], ahead, 0);
    batch->like.spacing = base;
    return room;
}

static void request_hidden(struct batch *batch, const struct stride_profile *p, int k)
{
    uint64_t base = batch->like.spacing;
    batch->like.spacing = base << k;
    request_window(batch, p, p->reach[1][k - 1], 0, stride_profile_others(p));
    batch->like.spacing = base;
}

/* The profile, one distance after the other, as each level's window follows from the one before.
 * Some are measured at a time, since a look at what there is takes a while. False while points are
 * missing. */
static bool plan_strides(struct batch *batch, struct stride_profile *p)
{
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES && !stride_profile_settled(p); k++) {
        if (!request_stride(batch, p, k, 0))
            break;
        for (int i = 1; i <= STRIDES_AHEAD && batch->count > 0 && k + i <= STRIDE_PROFILE_STRIDES;
             i++)
            if (!request_stride(batch, p, k + i, i))
                break;
        if (batch->count == 0 && stride_profile_hidden(p, k))
            request_hidden(batch, p, k);
        if (batch->count > 0)
            return false;
        if (!stride_profile_add(p, k))
            break;
    }
    return true;
}

/* Every number of targets up to more than one set holds; then more samples of those that decide how
 * many that is: as sets that are free for once show up, they may be more than was thought. */
static void plan_ways(struct batch *batch, const struct stride_profile *p, size_t level)
{
    int from, to;
    uint64_t base = batch->like.spacing;
    stride_profile_fall(p, level, &from, &to);
    if (to == 0 || window_to * p->reach[level][to] > TARGETS_MOST)
        return;
    uint64_t others = level > 0 ? stride_profile_others_at(p, to) : 0;
    uint64_t samples = stride_profile_samples(p, p->reach[level][to] / 4, others, PASSES_SETS);
    double most = targets_to * p->reach[level][to] + targets_more, held = ways_of(p, level).count;
    batch->like.spacing = base << to;
    for (uint64_t targets = 1; (double)targets <= most; targets++) {
        bool decides = (double)targets >= held - 1 && (double)targets <= held + 3;
        request_set(batch, targets, others, 1,
                    decides && samples < PASSES_DECIDING ? PASSES_DECIDING : samples);
    }
    batch->like.spacing = base;
}

/* Too many targets for one set, in ever new orders: how many of them miss depends on which leaves.
 */
static void plan_replacement(struct batch *batch, const struct stride_profile *p, size_t level)
{
    struct overload overload = overload_of(p, level);
    uint64_t base = batch->like.spacing, targets[REPLACEMENT_TARGETS];
    if (overload.ways == 0)
        return;
    batch->like.spacing = overload.stride * base;
    replacement_targets(overload.ways, targets);
    for (int i = 0; i < REPLACEMENT_TARGETS; i++) {
        uint64_t samples = stride_profile_samples(p, (double)targets[i] / 4, overload.others,
                                                  PASSES_HIDDEN);
        request_set(batch, targets[i], overload.others, REPLACEMENT_ROUNDS, samples);
        request_set(batch, targets[i], overload.others, 1, samples);
    }
    batch->like.spacing = base;
}

/* More targets than a set has ways, at a distance where all fall into one set, and at those where
 * folded index bits would make them: 2^j + 2^(j + fold). */
static bool plan_folds(struct batch *batch, const struct stride_profile *p,
                       const struct index_hash *folds)
{
    uint64_t base = batch->like.spacing;
    uint64_t others = stride_profile_others(p);
    uint64_t samples = stride_profile_samples(p, (double)folds->targets / 2, others, PASSES_FOLDS);
    batch->like.spacing = folds->stride * base;
    if (folds->stride > 0)
        request_set(batch, folds->targets, others, 1, samples);
    for (int fold = folds->from; fold < folds->to; fold++)
        for (int j = 0; j == 0 || (folds->found[fold] && j < folds->bits); j++) {
            batch->like.spacing = index_hash_stride(fold, j) * base;
            if (has_room(batch, (double)folds->targets))
                request_set(batch, folds->targets, others, 1, samples);
        }
    batch->like.spacing = base;
    return batch->count == 0;
}

/* Pages of one set of the second level, up to more than both levels hold of them. */
static void plan_relation(struct batch *batch, const struct conflict *conflict)
{
    uint64_t base = batch->like.spacing;
    if (conflict->stride == 0)
        return;
    batch->like.spacing = conflict->stride * base;
    uint64_t below = conflict->inclusive_at, above = conflict->first;
    if (below > 0)
        request_set(batch, below, 0, 1, PASSES_FOLDS);
    for (uint64_t n = above; n <= conflict->last && has_room(batch, (double)n); n++)
        request_set(batch, n, 0, 1, PASSES_FOLDS);
    batch->like.spacing = base;
}

void plan_geometry(struct batch *batch)
{
    plan_tlb(batch);
    if (batch->count > 0)
        return;
    struct point page = batch->like;
    page.layout = &layouts[LAYOUT_PAGE];
    struct stride_profile p = stride_profile_open(batch->series, &page);
    if (p.levels == 0 || !plan_strides(batch, &p))
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
    plan_relation(batch, &conflict);
}
