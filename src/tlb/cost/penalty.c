/* penalty.c: the cost of a translation miss. */
#include "tlb/cost/penalty.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/detect/page_curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARISON_MIB = 512 }; /* the whitepaper's (§7.2) [prior] */

/* A curve up to this many nodes shows page walks, and a rise that starts beyond belongs to caches:
 * twice the entries of the largest TLB known (4096). [prior] */
enum { WALK_NODES = 8192 };

/* A figure needs sizes up to the first multiple of the start of its plateau, and uses none above
 * the second, as page-table entries fall out of one cache after another. [prior] */
static const double plateau_min = 1.5, plateau_max = 4;

/* A curve that starts above this fraction of a load's time starts beyond a level. [prior] */
static const double begins_late = 0.25;

/* ---- rows ---- */

struct penalty penalty_unavailable(const char *method, enum note_word reason)
{
    struct penalty penalty = {.method = method, .ns = NAN, .low = NAN, .high = NAN};
    note_add(&penalty.note, reason);
    return penalty;
}

const struct column penalty_columns[] = {
    COLUMN(TEXT, "method", offsetof(struct penalty, method)),
    COLUMN(LEVEL, "level", offsetof(struct penalty, level), .word = "walk"),
    COLUMN(NUMBER, "penalty_ns", offsetof(struct penalty, ns), .per_unit = 1000),
    COLUMN(NUMBER, "low_ns", offsetof(struct penalty, low), .per_unit = 1000),
    COLUMN(NUMBER, "high_ns", offsetof(struct penalty, high), .per_unit = 1000),
    COLUMN(NOTE, "note", offsetof(struct penalty, note)),
    ROW_LABEL_COLUMNS(struct penalty),
    {0},
};

static void take_spread(struct penalty *penalty, const double *values, size_t count)
{
    penalty->low = stats_quantile(values, count, 0.25);
    penalty->high = stats_quantile(values, count, 0.75);
}

/* ---- the whitepaper's figure ---- */

const struct group *penalty_comparison(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        /* the spacing may not divide 512 MiB */
        double short_of = COMPARISON_MIB * 0x1p20 - point_span(&group->point);
        if (group->point.role == ROLE_COMPARISON && short_of >= 0 &&
            short_of < (double)group->point.spacing)
            return group;
    }
    return NULL;
}

const struct group *penalty_first(const struct series *series, const struct point *on_curve)
{
    struct point like = *on_curve;
    like.role = ROLE_SWEEP;
    for (size_t i = 0; i < series->count; i++)
        if (point_same_curve(&series->groups[i].point, &like))
            return &series->groups[i];
    return NULL;
}

/* Whether a buffer is smaller than 512 MiB, so there is no comparison point (§7.2). */
static bool small_buffer(const struct series *series)
{
    const struct point *box = series_with(series, offsetof(struct layout, whole_buffer));
    return box != NULL && box->buffer > 0 && box->buffer < (uint64_t)COMPARISON_MIB << 20;
}

/* Formats a window as options do: "16K", "512M". */
static void spell(double bytes, char text[32])
{
    if (fmod(bytes, 0x1p20) == 0)
        snprintf(text, 32, "%.15gM", bytes / 0x1p20);
    else if (fmod(bytes, 1024) == 0)
        snprintf(text, 32, "%.15gK", bytes / 1024);
    else
        snprintf(text, 32, "%.15g", bytes);
}

/* The spread of the differences of samples of the same pass. */
static void take_spread_of_pairs(struct penalty *penalty, const struct group *high,
                                 const struct group *low)
{
    struct sample_pair *pairs;
    size_t count = group_pairs(high, low, &pairs);
    double *differences = allocate(count, sizeof *differences);
    for (size_t i = 0; i < count; i++)
        differences[i] = high->ns[pairs[i].a] - low->ns[pairs[i].b];
    take_spread(penalty, differences, count);
    free(differences);
    free(pairs);
}

struct penalty penalty_raw(struct series *series)
{
    series_sort(series);
    const struct group *high = penalty_comparison(series);
    if (high == NULL)
        return penalty_unavailable("raw", small_buffer(series) ? NOTE_BUFFER_BELOW_512M
                                                               : NOTE_NO_COMPARISON_POINT);
    const struct group *low = penalty_first(series, &high->point);
    if (low == NULL)
        return penalty_unavailable("raw", NOTE_NO_FIRST_POINT);
    char from[32], to[32], ends[80];
    struct penalty penalty = {.method = "raw"};
    penalty.ns = group_quantile(high, 0.5) - group_quantile(low, 0.5);
    take_spread_of_pairs(&penalty, high, low);
    spell(point_span(&low->point), from);
    spell(point_span(&high->point), to);
    snprintf(ends, sizeof ends, "%s->%s", from, to);
    note_add_text(&penalty.note, ends, strlen(ends));
    if (penalty.ns < 0)
        note_add(&penalty.note, NOTE_NEGATIVE);
    return penalty;
}

/* ---- the controlled figure ---- */

/* The number of TLB levels in the curve; later rises belong to caches. */
static size_t levels_of(const struct page_curves *c)
{
    size_t count = 0;
    while (!c->alone && count < c->tlb_count &&
           c->difference.at[c->tlb[count].knee.before].pages < WALK_NODES)
        count++;
    return count;
}

/* Whether the curve continues far enough after level k, the last, for its cost to level off; and so
 * far, to `least` nodes, that no further level serves these misses. */
static bool goes_on(const struct page_curves *c, size_t k, double least)
{
    const struct curve_point *at = c->difference.at;
    double end = at[c->difference.count - 1].pages, start = at[c->tlb[k].knee.end].pages;
    return !c->tlb[k].knee.reaches_end && end >= plateau_min * start && end >= least;
}

struct penalty penalty_on_plateau(const struct curve *curve, size_t first, size_t last)
{
    const struct curve_point *at = curve->at;
    struct penalty penalty = {.method = "control"};
    size_t count = last + 1 - first;
    double *sizes = allocate(count, sizeof *sizes);
    char range[80];
    for (size_t i = 0; i < count; i++)
        sizes[i] = at[first + i].ns;
    penalty.ns = stats_median(sizes, count);
    take_spread(&penalty, sizes, count);
    free(sizes);
    snprintf(range, sizeof range, "%.15g->%.15g_pages", at[first].pages, at[last].pages);
    note_add_text(&penalty.note, range, strlen(range));
    if (penalty.ns < 0)
        note_add(&penalty.note, NOTE_NEGATIVE);
    return penalty;
}

/* A miss of the first level, where moments have so many pages that all miss. */
static struct penalty counted_miss(const struct fits *fits)
{
    struct penalty penalty = {.method = "control", .level = 1};
    char pages[32];
    penalty.ns = penalty.low = fits->hit_ns * fits->all_hits; /* neighbours only add */
    penalty.high = fits->hit_ns * fits->all_hits_high;
    snprintf(pages, sizeof pages, "%llu_pages", (unsigned long long)fits->all);
    note_add_text(&penalty.note, pages, strlen(pages));
    return penalty;
}

/* The cost of a miss of level k (from 0): of the plateau after it, up to the next one. */
static struct penalty miss_of(const struct page_curves *c, size_t k)
{
    if (k == 0 && c->counted && c->tlb_count > 1)
        return counted_miss(&c->pages);
    const struct curve_point *at = c->difference.at;
    size_t first = c->tlb[k].knee.end;
    size_t last = k + 1 < c->tlb_count ? c->tlb[k + 1].knee.before : c->difference.count - 1;
    while (last > first && at[last].pages > plateau_max * at[first].pages)
        last--;
    struct penalty penalty = penalty_on_plateau(&c->difference, first, last > first ? last : first);
    penalty.level = (int)k + 1;
    if (c->tlb[k].held)
        note_add(&penalty.note, NOTE_INTERFERENCE);
    return penalty;
}

/* The row of the page walk. */
static struct penalty walk_of(const struct page_curves *c, size_t levels)
{
    if (levels == 0)
        return penalty_unavailable("control", c->alone ? NOTE_NO_CONTROL : NOTE_NO_TLB_LEVEL);
    if (!goes_on(c, levels - 1, WALK_NODES))
        return penalty_unavailable("control", NOTE_NOT_REACHED);
    struct penalty penalty = miss_of(c, levels - 1);
    penalty.level = 0;
    return penalty;
}

/* The controlled figures, in ascending order, then the page walk, whose row is always there. A miss
 * of the first level costs what it does in moments of so many pages that all miss, if there is a
 * second level; without moments, and after other levels, it is `page` minus `packed` on the plateau
 * after the level. The walk is the plateau after the last level, and has a figure only if the curve
 * goes so far that no further level can serve these misses. If it does not, the last level has the
 * note `hit_in_level` unless its rise reaches the end. Returns the number of rows. */
static size_t find_control(const struct page_curves *c, struct penalty *penalties)
{
    size_t count = 0, levels = levels_of(c);
    const struct knee *first = &c->tlb[0].knee;
    struct penalty walk = walk_of(c, levels);
    bool numbered = levels > 0 &&
                    first->plateau_ns <= begins_late * c->difference.at[first->before].load_ns;
    for (; numbered && count + 1 < levels; count++)
        penalties[count] = miss_of(c, count);
    if (numbered && isnan(walk.ns) && goes_on(c, count, 0)) {
        penalties[count] = miss_of(c, count);
        note_add_number(&penalties[count].note, NOTE_HIT_IN_LEVEL, (double)count + 2);
        count++;
    }
    penalties[count++] = walk;
    return count;
}

size_t penalties_find(struct series *series, bool guest, struct penalty penalties[PENALTIES_ROOM])
{
    const struct point *pages[PAGE_CURVES_MAX];
    size_t count = 2;
    penalties[0] = penalty_raw(series);
    penalties[1] = penalty_unavailable("control", NOTE_NO_CONTROL);
    if (page_curves_points(series, pages) > 0) { /* the first are loads from neighbouring pages */
        struct page_curves curves = page_curves_of(series, pages[0]);
        count = 1 + find_control(&curves, penalties + 1);
        count += walks_find(series, &curves.page, &penalties[count - 1], penalties + count);
        page_curves_free(&curves);
    }
    for (size_t i = 0; i < count; i++)
        if (guest && isfinite(penalties[i].ns) &&
            penalties[i].level <= 0) /* walks alone read tables */
            note_add(&penalties[i].note, NOTE_NESTED);
    return count;
}
