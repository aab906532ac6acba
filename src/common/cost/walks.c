/* walks.c: page walks that read new entries of one table, of two, and so on. */
#include "cost/walks.h"
#include "detect/control.h"
#include <math.h>

/* A cost below this part of the ordinary walk, and below this multiple of a hit in another level,
 * is no walk: the TLB still holds some pages. [prior] */
static const double walk_part = 0.5, hit_multiple = 2;

/* A walk is dearer by at least so many standard errors and this part of a load's time.
 * [significance] */
static const double dearer_errors = 4.5, dearer_part = 0.1;

/* A curve is level at a point when it does not rise up to this many times as many nodes. [prior] */
static const double level_to = 1.1;

/* Distance of pages whose entries lie in different tables of level depth - 1 (1 is the lowest): a
 * table is a page of entries of 8 bytes. 0 where the distance exceeds 64 bits. */
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

/* A point on the same curve at another spacing; NULL when it was not measured. */
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

static double dearer_by(const struct curve_point *p)
{
    return fmax(dearer_errors * p->error, dearer_part * p->load_ns);
}

/* Mean of the octave below point i, from `start` on. */
static double octave_below(const struct curve *c, size_t start, size_t i)
{
    double sum = 0;
    size_t first = i;
    while (first > start && (first == i || 2 * c->at[first - 1].pages >= c->at[i].pages))
        sum += c->at[--first].ns;
    return sum / (double)(i - first);
}

/* Whether the curve is level from point i to `level_to` times its nodes, at least to the next size.
 */
static bool is_level(const struct curve *c, size_t i)
{
    for (size_t k = i + 1;
         k < c->count && (k == i + 1 || c->at[k].pages <= level_to * c->at[i].pages); k++)
        if (c->at[k].ns - c->at[i].ns > dearer_by(&c->at[i]))
            return false;
    return true;
}

/* The last number of nodes before walks become dearer than in the octave below, at two successive
 * sizes. The search starts where the curve levels off above `least_ns`. 0 when walks never become
 * dearer. */
static double walk_reach(const struct curve *c, double least_ns)
{
    size_t start = 0;
    while (start < c->count && (!(c->at[start].ns >= least_ns) || !is_level(c, start)))
        start++;
    for (size_t i = start + 1; i + 1 < c->count; i++) {
        double level = octave_below(c, start, i);
        if (c->at[i].ns - level > dearer_by(&c->at[i]) &&
            c->at[i + 1].ns - level > dearer_by(&c->at[i + 1]))
            return c->at[i - 1].pages;
    }
    return 0;
}

/* The least cost of a walk, by the rows of penalty_control(); 0: not known. Where the walk is not
 * known, the miss of the last of several levels stands for it. */
static double least_walk(struct series *series)
{
    struct penalty rows[PENALTIES_MOST];
    size_t count = penalty_control(series, rows);
    bool walks = isfinite(rows[count - 1].ns);
    double least = walks ? walk_part * rows[count - 1].ns : HUGE_VAL;
    size_t levels = count - 1;
    if (!walks && levels > 1)
        least = walk_part * rows[levels - 1].ns;
    else if (levels > 0)
        least = fmin(least, hit_multiple * rows[levels - 1].ns);
    return isfinite(least) ? least : 0;
}

/* The cost at the largest sizes of a curve whose pages lie far apart. */
static struct penalty far_apart(const struct series *series, const struct point *page,
                                double least_ns)
{
    struct curve curve = curve_control(series, page);
    struct penalty penalty = penalty_unavailable("control", NOTE_NO_CONTROL);
    if (curve.count > 0) {
        double reach = walk_reach(&curve, least_ns);
        size_t last = curve.count - 1, first = last;
        while (first > 0 && curve.at[first - 1].pages > reach &&
               2 * curve.at[first - 1].pages >= curve.at[last].pages)
            first--;
        penalty = penalty_on_plateau(series, page, &curve, first, last);
        if (reach > 0)
            note_add_number(&penalty.note, NOTE_REACH, reach);
    }
    curve_free(&curve);
    if (penalty.ns < least_ns)
        return penalty_unavailable("control", NOTE_HELD_BY_TLB);
    return penalty;
}

size_t walks_find(struct series *series, struct penalty *penalties)
{
    series_sort(series);
    const struct point *pages[CONTROLS_MOST], *apart[WALKS_MOST];
    int deepest = 0, measured = 0;
    if (control_curves(series, pages) == 0)
        return 0;
    for (int k = 0; k < WALKS_MOST; k++) {
        uint64_t spacing = depth_spacing(pages[0]->page_bytes, k + 1);
        apart[k] = spacing > 0 ? curve_apart(series, pages[0], spacing) : NULL;
        measured += apart[k] != NULL;
        deepest = apart[k] != NULL ? k : deepest;
    }
    if (measured < 2)
        return 0;
    struct control control = penalty_control_of(series, pages[0]);
    double least_ns = least_walk(series);
    for (int k = 0; k < WALKS_MOST; k++) {
        if (apart[k] == NULL)
            penalties[k] = penalty_unavailable("control", k > deepest ? NOTE_ADDRESS_SPACE
                                                                      : NOTE_NOT_MEASURED);
        else if (k == 0 || control.alone)
            penalties[k] = penalty_walk(series, pages[0], &control);
        else
            penalties[k] = far_apart(series, apart[k], least_ns);
        penalties[k].level = -(k + 1);
    }
    control_free(&control);
    return WALKS_MOST;
}
