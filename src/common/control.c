/* control.c: from samples to boundaries by the control method. */
#include "control.h"
#include "layout.h"
#include <math.h>
#include <string.h>

/* Ways taken for granted where the sets fill unevenly (see capacity()): 8 would make the answer 5.6
 * per cent smaller, 32 3 per cent larger. */
static const double ways_assumed = 16;

/* With random page frames a physically indexed cache overflows early in `page`, but half of that is
 * not done before this part of its size. */
static const double early_overflow = 0.4;

/* Time of a load of `packed` at so many nodes. */
static double packed_at(const struct control *c, double pages)
{
    size_t i = 0;
    while (i + 1 < c->packed.count && c->packed.at[i].pages < pages)
        i++;
    return c->packed.at[i].ns;
}

/* Whether half of a knee's step lies between a part of a cache's size and the whole. */
static bool overlaps(const struct control *c, const struct knee *knee, const struct knee *cache,
                     double part)
{
    double half_way = knee_size_at(&c->difference, knee, 0.5);
    double full = knee_size_at(&c->packed, cache, 0.5);
    return half_way >= part * full && half_way <= 1.1 * full;
}

/* The caches explain a rise of the control when it does not come to an end before one overflows, or
 * when `packed` overflows not far above it and the control has gone back by then (or was not
 * measured that far). */
static bool explained_by_cache(const struct control *c, const struct knee *knee)
{
    const struct curve_point *last = &c->difference.at[c->difference.count - 1];
    if (knee->reaches_end && c->packed.count > 0 &&
        c->packed.at[c->packed.count - 1].ns > 2 * packed_at(c, last->pages))
        return true;
    for (size_t k = 0; k < c->cache_count; k++) {
        double over = c->packed.at[c->cache[k].end].pages;
        if (!overlaps(c, knee, &c->cache[k], early_overflow))
            continue;
        if (last->pages < over || last->ns - knee->plateau_ns < 0.5 * knee->step_ns)
            return true;
    }
    return false;
}

/* What a load of `packed` pays at n nodes for a TLB level of C entries: its n / lines pages are
 * visited in random order, so that 1 − C / pages of them miss (independent references, LRU). */
static double packed_cost(const struct control *c, double nodes)
{
    double cost = 0, lines = c->page_bytes / c->line_bytes;
    for (size_t i = 0; i < c->tlb_count; i++) {
        double entries = c->difference.at[c->tlb[i].before].pages;
        cost += c->tlb[i].step_ns * fmax(0, 1 - entries * lines / nodes);
    }
    return cost;
}

static void take_out_tlb(struct control *c)
{
    for (size_t i = 0; i < c->difference.count; i++)
        c->difference.at[i].ns += packed_cost(c, c->difference.at[i].pages);
    for (size_t i = 0; i < c->packed.count; i++)
        c->packed.at[i].ns -= packed_cost(c, c->packed.at[i].pages);
}

/* The order in which curves are told: as their kernels and backings stand in their tables, the
 * default first, and small pages before large ones. */
static bool is_told_before(const struct point *a, const struct point *b)
{
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel;
    if (a->backing != b->backing)
        return a->backing < b->backing;
    return a->page_bytes < b->page_bytes;
}

/* Several nodes in each huge page: a probe of what is below them, no curve of theirs. */
static bool is_probe(const struct point *p)
{
    return strcmp(p->backing->name, "huge") == 0 && p->spacing < p->page_bytes;
}

size_t control_curves(const struct series *series, const struct point *pages[CONTROLS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        size_t k = 0;
        if (!group_has_layout(&series->groups[i], "page") || is_probe(p))
            continue;
        while (k < count && (pages[k]->kernel != p->kernel || pages[k]->backing != p->backing ||
                             pages[k]->page_bytes != p->page_bytes))
            k++; /* the least spacing comes first */
        if (k < count || count == CONTROLS_MOST)
            continue;
        for (k = count++; k > 0 && is_told_before(p, pages[k - 1]); k--)
            pages[k] = pages[k - 1];
        pages[k] = p;
    }
    return count;
}

struct control control_analyse(const struct series *series, const struct point *page)
{
    const struct point *packed = curve_packed(series, page);
    struct control c = {.difference = curve_control(series, page),
                        .packed = curve_alone(series, packed),
                        .page_bytes = (double)page->page_bytes,
                        .line_bytes = packed != NULL ? (double)packed->spacing : 0};
    c.alone = c.packed.count == 0;
    if (c.alone) {
        curve_free(&c.difference);
        c.difference = curve_alone(series, page);
    }
    c.tlb_count = knee_find(&c.difference, c.tlb);
    if (!c.alone) {
        take_out_tlb(&c);
        c.tlb_count = knee_find(&c.difference, c.tlb);
    }
    c.cache_count = knee_find(&c.packed, c.cache);
    size_t kept = 0;
    for (size_t i = 0; i < c.tlb_count; i++)
        if (!explained_by_cache(&c, &c.tlb[i]))
            c.tlb[kept++] = c.tlb[i];
    c.tlb_count = kept;
    return c;
}

void control_free(struct control *control)
{
    curve_free(&control->difference);
    curve_free(&control->packed);
}

/* One page too many may rise too little to be seen at once. */
static bool may_lie_lower(const struct curve *c, const struct knee *knee)
{
    return knee_foot(c, knee).slope < 1.3 * knee_threshold(c, knee, knee->before);
}

/* The capacity behind a gradual step that does come to an end: a level whose sets fill unevenly (a
 * hashed index) and drop the oldest entry. Each of S sets takes W pages before one too many makes
 * all of its pages miss, so the sum over n of the share of loads that still hit is S (W + 1): the
 * area under the hit curve, less one page a set, is the number of entries. *area is that sum. */
static double capacity(const struct curve *c, const struct knee *knee, double *area)
{
    *area = c->at[knee->before].pages;
    for (size_t i = knee->before; i < knee->end; i++) {
        double left = fmin(1, fmax(0, (c->at[i].ns - knee->plateau_ns) / knee->step_ns));
        double right = fmin(1, fmax(0, (c->at[i + 1].ns - knee->plateau_ns) / knee->step_ns));
        *area += (1 - (left + right) / 2) * (c->at[i + 1].pages - c->at[i].pages);
    }
    return fmax(c->at[knee->before].pages, *area * ways_assumed / (ways_assumed + 1));
}

/* Judged against machines drawn at random (tests/bench/confidence): high means sharp, tightly
 * bracketed and far above the noise. */
static enum confidence judge(const struct control *c, const struct curve *curve,
                             const struct knee *knee)
{
    double gap = curve->at[knee->after].pages - curve->at[knee->before].pages;
    double before = curve->at[knee->before].pages;
    if (c->alone || knee->significance < 6 || knee->reaches_end)
        return CONFIDENCE_LOW;
    if (knee->gradual || knee->significance < 12 || gap > fmax(1, 0.0101 * before) ||
        (gap <= 1 && may_lie_lower(curve, knee)))
        return CONFIDENCE_MEDIUM;
    return CONFIDENCE_HIGH;
}

/* Whether a cache that overflows early in `page` may have moved the knee. */
static bool interferes(const struct control *c, const struct knee *knee)
{
    for (size_t k = 0; k < c->cache_count; k++)
        if (overlaps(c, knee, &c->cache[k], 0.75 * early_overflow))
            return true;
    return false;
}

static void add_row(const struct control *c, const struct curve *curve, const struct knee *knee,
                    const char *structure, size_t level, double unit, struct boundaries *found)
{
    struct boundary *b = boundary_add(found, structure, (int)level, "control");
    if (b == NULL)
        return;
    b->entries_min = curve->at[knee->before].pages;
    b->entries_max = curve->at[knee->after].pages - 1;
    double gap = b->entries_max - b->entries_min;
    b->entries = b->entries_min;
    if (knee->gradual)
        b->entries = floor(capacity(curve, knee, &b->entries_max));
    else if (gap > 0)
        b->entries = floor(knee_foot(curve, knee).pages);
    else if (may_lie_lower(curve, knee))
        b->entries_min--;
    b->entries_min = fmin(b->entries_min, b->entries);
    b->entries_max = floor(b->entries_max);
    b->bytes_min = b->entries_min * unit;
    b->bytes_max = b->entries_max * unit;
    b->plateau_ns = curve->at[knee->before].load_ns;
    b->step_ns = knee->step_ns;
    b->step_percent = 100 * knee->step_ns / b->plateau_ns;
    b->confidence = judge(c, curve, knee);
    if (knee->gradual)
        boundary_note(b, "gradual");
    if (c->alone)
        boundary_note(b, "no_control");
    if (curve == &c->difference && interferes(c, knee)) {
        boundary_note(b, "overlaps_cache_knee");
        b->confidence = b->confidence == CONFIDENCE_HIGH ? CONFIDENCE_MEDIUM : b->confidence;
    }
    if (knee->reaches_end)
        boundary_note(b, "at_end_of_sweep");
}

void control_boundaries(const struct control *c, struct boundaries *found)
{
    for (size_t i = 0; i < c->tlb_count; i++)
        add_row(c, &c->difference, &c->tlb[i], "dtlb", i + 1, c->page_bytes, found);
    for (size_t i = 0; i < c->cache_count; i++)
        add_row(c, &c->packed, &c->cache[i], "cache", i + 1, c->line_bytes, found);
}
