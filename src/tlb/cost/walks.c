/* walks.c: page walks that read new entries of one table, of two, and so on. */
#include "tlb/cost/penalty.h"
#include "tlb/detect/page_curves.h"
#include <math.h>

/* A walk is slower if the difference exceeds this many standard errors and this fraction of a
 * load's time. [significance] */
static const double slower_errors = 4.5, slower_part = 0.1;

/* A curve is level at a point if it does not rise up to this many times as many nodes. [prior] */
static const double level_to = 1.1;

/* The spacing of pages whose entries are in different tables of level depth - 1 (1 is the lowest);
 * a table is a page of 8-byte entries. 0 if the spacing exceeds 64 bits. */
static uint64_t depth_spacing(uint64_t page_bytes, int depth)
{
    uint64_t spacing = page_bytes, entries = page_bytes / 8;
    for (int k = 1; k < depth; k++) {
        if (entries == 0 || spacing > UINT64_MAX / entries)
            return 0;
        spacing *= entries;
    }
    return spacing;
}

/* A point on the same curve at another spacing; NULL if not measured. */
static const struct point *curve_apart(const struct series *series, const struct point *base,
                                       uint64_t spacing)
{
    struct point like = *base;
    like.spacing = spacing;
    for (size_t i = 0; i < series->count; i++)
        if (point_same_curve(&series->groups[i].point, &like))
            return &series->groups[i].point;
    return NULL;
}

static double slower_by(const struct curve_point *p)
{
    return fmax(slower_errors * p->error, slower_part * p->load_ns);
}

/* Whether the curve is level from point i to `level_to` times its nodes, at least to the next size.
 */
static bool is_level(const struct curve *c, size_t i)
{
    for (size_t k = i + 1;
         k < c->count && (k == i + 1 || c->at[k].pages <= level_to * c->at[i].pages); k++)
        if (c->at[k].ns - c->at[i].ns > slower_by(&c->at[i]))
            return false;
    return true;
}

/* The first point at which the curve has levelled off above `least_ns`; its end if there is none.
 */
static size_t walks_begin(const struct curve *c, double least_ns)
{
    size_t start = 0;
    while (start < c->count && (c->at[start].ns < least_ns || !is_level(c, start)))
        start++;
    return start;
}

/* The last point from `start` on before walks get slower than in the octave below, at two
 * successive sizes; `start` if they never do. */
static size_t walk_reach(const struct curve *c, size_t start)
{
    for (size_t i = start + 1; i + 1 < c->count; i++) {
        double error, level = knee_plateau(c, start, i, &error);
        if (c->at[i].ns - level > slower_by(&c->at[i]) &&
            c->at[i + 1].ns - level > slower_by(&c->at[i + 1]))
            return i - 1;
    }
    return start;
}

/* The cost at the largest sizes of a curve of distant pages. Such a walk reads everything that the
 * ordinary one reads and more, so anything faster is not one: a TLB still holds these pages, or
 * nearer caches hold their tables. */
static struct penalty far_apart(const struct series *series, const struct point *page,
                                const struct penalty *ordinary)
{
    if (isnan(ordinary->ns))
        return penalty_unavailable("control", NOTE_NOT_REACHED);
    double least_ns = (1 - slower_part) * ordinary->low;
    struct curve curve = curve_difference(series, page);
    struct penalty penalty = penalty_unavailable("control", NOTE_NOT_REACHED);
    size_t start = walks_begin(&curve, least_ns);
    if (start < curve.count) {
        size_t reach = walk_reach(&curve, start), last = curve.count - 1, first = last;
        size_t from = reach > start ? reach + 1 : start;
        while (first > from && 2 * curve.at[first - 1].pages >= curve.at[last].pages)
            first--;
        penalty = penalty_on_plateau(&curve, first, last);
        if (reach > start)
            note_add_number(&penalty.note, NOTE_REACH, curve.at[reach].pages);
    }
    curve_free(&curve);
    return penalty;
}

/* Paging-structure caches (Intel SDM vol. 3A, 4.10.3; AMD's page walk cache) shorten a walk unless
 * it reads new entries at upper levels too. Depth k is the curve whose pages lie page_bytes ×
 * (page_bytes / 8)^(k - 1) apart: a table is a page of 8-byte entries, 512 for 4 KiB. A row gives
 * the cost at the largest sizes of its curve; depth 1 is the walk of penalty_control(). Note
 * `reach=N`: up to N nodes walks are cheaper; `not_reached`: the ordinary walk is unknown, or seems
 * to cost more than this one. A depth above the deepest that was measured has the note
 * `address_space`. Returns the number of rows: WALKS_MAX, or 0 if the samples have fewer than two
 * of these distances. */
static size_t walks_find(const struct series *series, const struct page_curves *curves,
                         struct penalty *penalties)
{
    const struct point *apart[WALKS_MAX];
    int deepest = 0, measured = 0;
    for (int k = 0; k < WALKS_MAX; k++) {
        uint64_t spacing = depth_spacing(curves->page.page_bytes, k + 1);
        apart[k] = spacing > 0 ? curve_apart(series, &curves->page, spacing) : NULL;
        measured += apart[k] != NULL;
        deepest = apart[k] != NULL ? k : deepest;
    }
    if (measured < 2)
        return 0;
    const struct penalty ordinary = penalty_walk(curves);
    for (int k = 0; k < WALKS_MAX; k++) {
        if (apart[k] == NULL)
            penalties[k] = penalty_unavailable("control", k > deepest ? NOTE_ADDRESS_SPACE
                                                                      : NOTE_NOT_MEASURED);
        else
            penalties[k] = k == 0 || curves->alone ? ordinary
                                                   : far_apart(series, apart[k], &ordinary);
        penalties[k].level = -(k + 1);
    }
    return WALKS_MAX;
}

/* The controlled rows of the first curve, which is that of loads from neighbouring pages. */
static size_t find_controlled(const struct series *series, struct penalty *penalties)
{
    const struct point *pages[PAGE_CURVES_MAX];
    if (page_curves_points(series, pages) == 0) {
        penalties[0] = penalty_unavailable("control", NOTE_NO_CONTROL);
        return 1;
    }
    struct page_curves curves = page_curves_of(series, pages[0]);
    size_t count = penalty_control(&curves, penalties);
    count += walks_find(series, &curves, penalties + count);
    page_curves_free(&curves);
    return count;
}

size_t penalties_find(struct series *series, bool guest, struct penalty penalties[PENALTIES_ROOM])
{
    penalties[0] = penalty_raw(series);
    size_t count = 1 + find_controlled(series, penalties + 1);
    for (size_t i = 0; i < count; i++)
        if (guest && isfinite(penalties[i].ns) &&
            penalties[i].level <= 0) /* walks alone read tables */
            note_add(&penalties[i].note, NOTE_NESTED);
    return count;
}
