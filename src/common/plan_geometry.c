/* plan_geometry.c: the points that tell how a TLB is organised. */
#include "plan_geometry.h"
#include "layout.h"
#include "organisation.h"
#include "profile.h"
#include "relation.h"
#include "replacement.h"
#include <math.h>

enum {
    PASSES = 5,
    PASSES_HIDDEN = 15, /* targets among others: what they cost is little of the whole */
    PASSES_SETS = 64,   /* each looks at another set */
    PASSES_FOLDS = 15,
    PARTS = 4,        /* sizes an octave, around a capacity */
    TARGETS_MOST = 64 /* more ways than any level has that is not fully associative */
};

/* Sizes from well below half of a capacity to well above it. */
static const double window_from = 0.3, window_to = 1.8;

static void wish_page(struct batch *batch, uint64_t pages)
{
    wish_both(batch, pages, ROLE_SWEEP, PASSES);
}

/* Whether so many pages at the present distance have room in the address space. */
static bool has_room(const struct batch *batch, double pages)
{
    return pages * (double)batch->like.spacing <= (double)batch->options->address_bytes;
}

static void wish_window(struct batch *batch, const struct profile *p, double capacity,
                        uint64_t others)
{
    uint64_t samples = profile_samples(p, capacity / 2, others, PASSES_HIDDEN);
    uint64_t last = 0;
    for (double n = window_from * capacity; n <= window_to * capacity; n *= exp2(1.0 / PARTS)) {
        uint64_t pages = (uint64_t)(n + 0.5);
        if (pages <= last)
            continue;
        last = pages;
        if (others > 0)
            wish_set(batch, pages, others, 1, samples);
        else
            wish_page(batch, pages);
    }
}

/* The profile, one distance after the other, as each level's window follows from the one before.
 * False while points are missing. */
static bool plan_strides(struct batch *batch, struct profile *p)
{
    uint64_t base = batch->like.spacing;
    for (int k = 1; k <= PROFILE_STRIDES && !profile_settled(p); k++) {
        batch->like.spacing = base << k;
        if (!has_room(batch, window_to * p->reach[p->levels - 1][k - 1]))
            break;
        for (size_t level = 0; level < p->levels; level++)
            wish_window(batch, p, p->reach[level][k - 1], 0);
        if (batch->count == 0 && profile_hidden(p, k))
            wish_window(batch, p, p->reach[1][k - 1], profile_others(p));
        if (batch->count > 0)
            return false;
        if (!profile_add(p, k))
            break;
    }
    batch->like.spacing = base;
    return true;
}

/* Every number of targets around what one set holds. */
static void plan_ways(struct batch *batch, const struct profile *p, size_t level)
{
    int from, to;
    uint64_t base = batch->like.spacing;
    profile_fall(p, level, &from, &to);
    if (to == 0 || window_to * p->reach[level][to] > TARGETS_MOST)
        return;
    uint64_t others = level > 0 ? profile_others_at(p, to) : 0;
    uint64_t samples = profile_samples(p, p->reach[level][to] / 4, others, PASSES_SETS);
    double most = fmax(window_to * p->reach[level][to], 4);
    batch->like.spacing = base << to;
    for (uint64_t targets = 1; (double)targets <= most; targets++)
        wish_set(batch, targets, others, 1, samples);
    batch->like.spacing = base;
}

/* Too many targets for one set, in ever new orders: how many of them miss depends on which leaves.
 */
static void plan_replacement(struct batch *batch, const struct profile *p, size_t level)
{
    struct crowd crowd = crowd_of(p, level);
    uint64_t base = batch->like.spacing, targets[REPLACEMENT_TARGETS];
    if (crowd.ways == 0)
        return;
    batch->like.spacing = crowd.stride * base;
    replacement_targets(crowd.ways, targets);
    for (int i = 0; i < REPLACEMENT_TARGETS; i++) {
        uint64_t samples = profile_samples(p, (double)targets[i] / 4, crowd.others, PASSES_HIDDEN);
        wish_set(batch, targets[i], crowd.others, REPLACEMENT_ROUNDS, samples);
        wish_set(batch, targets[i], crowd.others, 1, samples);
    }
    batch->like.spacing = base;
}

/* More targets than a set has ways, at a distance where all fall into one set, and at those where
 * folded index bits would make them: 2^j + 2^(j + fold). */
static bool plan_folds(struct batch *batch, const struct profile *p, const struct folds *folds)
{
    uint64_t base = batch->like.spacing;
    uint64_t others = profile_others(p);
    uint64_t samples = profile_samples(p, (double)folds->targets / 2, others, PASSES_FOLDS);
    batch->like.spacing = folds->stride * base;
    if (folds->stride > 0)
        wish_set(batch, folds->targets, others, 1, samples);
    for (int fold = folds->from; fold < folds->to; fold++)
        for (int j = 0; j == 0 || (folds->found[fold] && j < folds->bits); j++) {
            batch->like.spacing = folds_stride(fold, j) * base;
            if (has_room(batch, (double)folds->targets))
                wish_set(batch, folds->targets, others, 1, samples);
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
        wish_set(batch, below, 0, 1, PASSES_FOLDS);
    for (uint64_t n = above; n <= conflict->last && has_room(batch, (double)n); n++)
        wish_set(batch, n, 0, 1, PASSES_FOLDS);
    batch->like.spacing = base;
}

void plan_geometry(struct batch *batch)
{
    plan_tlb(batch);
    if (batch->count > 0)
        return;
    struct point page = batch->like;
    page.layout = &layouts[LAYOUT_PAGE];
    struct profile p = profile_open(batch->series, &page);
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
    struct folds folds = folds_of(&p);
    if (!plan_folds(batch, &p, &folds))
        return;
    struct conflict conflict = conflict_of(&p, &folds);
    plan_relation(batch, &conflict);
}
