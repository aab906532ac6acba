/* walks.c: page walks that read new entries of one table, of two, and so on. */
#include "tlb/cost/penalty.h"
#include <math.h>

/* A walk is slower if the difference exceeds this many standard errors and this fraction of a
 * load's time. [significance] */
static const double slower_errors = 4.5, slower_part = 0.1;

/* A point on the same curve, of pages whose entries are in different tables of the k lowest levels;
 * NULL if not measured. */
static const struct point *curve_apart(const struct series *series, const struct point *page, int k)
{
    double spacing = (double)page->page_bytes * pow((double)page->page_bytes / 8, k);
    struct point like = *page;
    like.spacing = spacing < 0x1p64 ? (uint64_t)spacing : 0;
    const struct group *first = penalty_first(series, &like);
    return first != NULL ? &first->point : NULL;
}

static double slower_by(const struct curve_point *p)
{
    return fmax(slower_errors * p->error, slower_part * p->load_ns);
}

/* The first point of at least `least_ns` from which the curve does not rise to the next; its end if
 * there is none. */
static size_t walks_begin(const struct curve *c, double least_ns)
{
    size_t i = 0;
    while (i < c->count &&
           (c->at[i].ns < least_ns ||
            (i + 1 < c->count && c->at[i + 1].ns - c->at[i].ns > slower_by(&c->at[i]))))
        i++;
    return i;
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
        return *ordinary;
    struct curve curve = curve_difference(series, page);
    struct penalty penalty = penalty_unavailable("control", NOTE_NOT_REACHED);
    size_t start = walks_begin(&curve, (1 - slower_part) * ordinary->low);
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

size_t walks_find(const struct series *series, const struct point *page,
                  const struct penalty *ordinary, struct penalty *penalties)
{
    const struct point *apart[WALKS_MAX];
    int deepest = 0, measured = 0;
    for (int k = 0; k < WALKS_MAX; k++) {
        apart[k] = curve_apart(series, page, k);
        measured += apart[k] != NULL;
        deepest = apart[k] != NULL ? k : deepest;
    }
    if (measured < 2)
        return 0;
    for (int k = 0; k < WALKS_MAX; k++) {
        if (apart[k] == NULL)
            penalties[k] = penalty_unavailable("control", k > deepest ? NOTE_ADDRESS_SPACE
                                                                      : NOTE_NOT_MEASURED);
        else
            penalties[k] = k == 0 ? *ordinary : far_apart(series, apart[k], ordinary);
        penalties[k].level = -(k + 1);
    }
    return WALKS_MAX;
}
