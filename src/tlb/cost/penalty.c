/* penalty.c: the cost of a translation miss. */
#include "tlb/cost/penalty.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/detect/control.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARISON_MIB = 512 }; /* the whitepaper's (§7.2) [prior] */

/* A curve up to this many nodes shows page walks, and a rise that starts beyond belongs to caches:
 * twice the entries of the largest TLB known (4096). [prior] */
enum { WALK_NODES = 8192 };

/* The plateau after a level starts where its rise ends, or at a multiple of the size at half of
 * the rise, whichever is first: page-table entries that fall out of one cache after another prolong
 * the rise. A figure needs sizes up to the first multiple of that start, and uses none above the
 * second. [prior] */
static const double plateau_begins = 2, plateau_least = 1.5, plateau_most = 4;

/* Half of a level's rise is within this multiple of the size before it; otherwise the rise includes
 * later effects, such as data and page-table entries that fall out of a cache. [prior] */
static const double half_way_most = 3.2;

/* Up to WALK_NODES a walk costs at most this many times its figure; otherwise the curve has a rise
 * there that was not recognised as a level. [prior] */
static const double excess_most = 1.5;

/* Maximum ratio of the usual sample to the fastest runs if nothing else held entries.
 * [significance] */
static const double usual_most = 1.25;

/* A curve that starts above this fraction of a load's time starts behind a level. [prior] */
static const double begins_at_least = 0.25;

/* Differences of samples of the same pass. */
struct differences {
    double *at;
    size_t count;
};

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

/* ---- pairs ---- */

/* Adds high minus low. */
static void add_pairs(struct differences *differences, const struct group *high,
                      const struct group *low)
{
    struct sample_pair *pairs;
    size_t count = group_pairs(high, low, &pairs);
    differences->at = reallocate(differences->at, differences->count + count,
                                 sizeof *differences->at);
    for (size_t i = 0; i < count; i++)
        differences->at[differences->count++] = high->ns[pairs[i].a] - low->ns[pairs[i].b];
    free(pairs);
}

static void take_spread(struct penalty *penalty, struct differences *differences)
{
    penalty->low = stats_quantile(differences->at, differences->count, 0.25);
    penalty->high = stats_quantile(differences->at, differences->count, 0.75);
    free(differences->at);
}

/* ---- the whitepaper's figure ---- */

const struct group *penalty_comparison(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        /* the spacing may not divide 512 MiB */
        double short_of = COMPARISON_MIB * 0x1p20 - point_span(&group->point);
        if (group->point.role == ROLE_COMPARISON && group->count > 0 && short_of >= 0 &&
            short_of < (double)group->point.spacing)
            return group;
    }
    return NULL;
}

const struct group *penalty_first(const struct series *series, const struct point *comparison)
{
    const struct group *first = NULL;
    struct point like = *comparison;
    like.role = ROLE_SWEEP;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        if (group->count > 0 && point_same_curve(&group->point, &like) &&
            (first == NULL || group->point.pages < first->point.pages))
            first = group;
    }
    return first;
}

/* Whether a buffer is smaller than 512 MiB, so there is no comparison point (§7.2). */
static bool small_buffer(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->groups[i].point.buffer > 0 &&
            series->groups[i].point.buffer < (uint64_t)COMPARISON_MIB << 20)
            return true;
    return false;
}

/* Formats a window as options do: "16K", "512M". */
static void spell(double bytes, char text[32])
{
    const char *unit = "";
    if (fmod(bytes, 0x1p20) == 0) {
        bytes /= 0x1p20;
        unit = "M";
    } else if (fmod(bytes, 1024) == 0) {
        bytes /= 1024;
        unit = "K";
    }
    snprintf(text, 32, "%.15g%s", bytes, unit);
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
    struct differences pairs = {0};
    struct penalty penalty = {.method = "raw"};
    penalty.ns = group_quantile(high, 0.5) - group_quantile(low, 0.5);
    add_pairs(&pairs, high, low);
    take_spread(&penalty, &pairs);
    spell(point_span(&low->point), from);
    spell(point_span(&high->point), to);
    snprintf(ends, sizeof ends, "%s->%s", from, to);
    note_add_text(&penalty.note, ends, strlen(ends));
    if (penalty.ns < 0)
        note_add(&penalty.note, NOTE_NEGATIVE);
    return penalty;
}

/* ---- the levels of a curve ---- */

/* The number of TLB levels in the curve. */
static size_t levels_of(const struct control *c)
{
    size_t count = 0;
    while (count < c->tlb_count && c->difference.at[c->tlb[count].knee.before].pages < WALK_NODES)
        count++;
    return count;
}

/* The first point of the plateau after level k (from 0). */
static size_t plateau_first(const struct control *c, size_t k)
{
    const struct knee *knee = &c->tlb[k].knee;
    double begin = plateau_begins * knee_size_at(&c->difference, knee, 0.5);
    size_t first = knee->after;
    while (first < knee->end && c->difference.at[first].pages < begin)
        first++;
    return first;
}

/* The last point of that plateau that is used. */
static size_t plateau_last(const struct control *c, size_t k, size_t first)
{
    const struct curve_point *at = c->difference.at;
    size_t last = k + 1 < c->tlb_count ? c->tlb[k + 1].knee.before : c->difference.count - 1;
    while (last > first && at[last].pages > plateau_most * at[first].pages)
        last--;
    return last > first ? last : first;
}

/* Median of the curve at these points. */
static double typical(const struct control *c, size_t first, size_t last)
{
    double *values = allocate(last + 1 - first, sizeof *values);
    for (size_t i = first; i <= last; i++)
        values[i - first] = c->difference.at[i].ns;
    double median = stats_median(values, last + 1 - first);
    free(values);
    return median;
}

/* Whether the curve continues far enough beyond the last level for its cost to level off. */
static bool levels_off(const struct control *c)
{
    const struct curve_point *at = c->difference.at;
    size_t last = levels_of(c) - 1;
    return !c->tlb[last].knee.reaches_end &&
           at[c->difference.count - 1].pages >= plateau_least * at[plateau_first(c, last)].pages;
}

/* Whether it continues so far that no further level serves these misses. */
static bool goes_on(const struct control *c)
{
    return levels_off(c) && c->difference.at[c->difference.count - 1].pages >= WALK_NODES;
}

/* Whether the misses of the last level walk. */
static bool shows_walk(const struct control *c)
{
    const struct curve_point *at = c->difference.at;
    size_t level = levels_of(c) - 1, first = plateau_first(c, level), from = first, to;
    if (!goes_on(c) || knee_size_at(&c->difference, &c->tlb[level].knee, 0.5) >
                           half_way_most * at[c->tlb[level].knee.before].pages)
        return false;
    while (2 * at[from].pages < WALK_NODES)
        from++;
    for (to = from; to + 1 < c->difference.count && at[to + 1].pages <= WALK_NODES;)
        to++;
    return typical(c, from, to) <= excess_most * typical(c, first, plateau_last(c, level, first));
}

/* ---- the controlled figure ---- */

static const struct group *group_at(const struct series *series, const struct point *like,
                                    double pages)
{
    struct point point = *like;
    point.pages = (uint64_t)pages;
    return series_find(series, &point);
}

/* Whether the usual sample of these sizes takes far longer than the curve, which is made of the
 * fastest runs if a neighbour disturbs the others. */
static bool is_disturbed(const struct series *series, const struct point *page,
                         const struct curve *curve, size_t first, size_t last, double ns)
{
    const struct point *packed = curve_packed(series, page);
    struct differences pairs = {0};
    for (size_t i = first; i <= last; i++) {
        const struct group *high = group_at(series, page, curve->at[i].pages);
        const struct group *low = group_at(series, packed, curve->at[i].pages);
        if (high != NULL && low != NULL) /* a budget ran out between them, or sizes were merged */
            add_pairs(&pairs, high, low);
    }
    double usual = stats_median(pairs.at, pairs.count);
    free(pairs.at);
    return usual > usual_most * ns;
}

struct penalty penalty_on_plateau(const struct series *series, const struct point *page,
                                  const struct curve *curve, size_t first, size_t last)
{
    const struct curve_point *at = curve->at;
    struct penalty penalty = {.method = "control"};
    struct differences sizes = {allocate(last + 1 - first, sizeof *sizes.at), last + 1 - first};
    char range[80];
    for (size_t i = first; i <= last; i++)
        sizes.at[i - first] = at[i].ns;
    penalty.ns = stats_median(sizes.at, sizes.count);
    take_spread(&penalty, &sizes);
    snprintf(range, sizeof range, "%.15g->%.15g_pages", at[first].pages, at[last].pages);
    note_add_text(&penalty.note, range, strlen(range));
    if (penalty.ns < 0)
        note_add(&penalty.note, NOTE_NEGATIVE);
    if (is_disturbed(series, page, curve, first, last, penalty.ns))
        note_add(&penalty.note, NOTE_INTERFERENCE);
    return penalty;
}

/* The cost of a miss of level k. */
static struct penalty miss_of(const struct series *series, const struct control *c, size_t k)
{
    size_t first = plateau_first(c, k), last = plateau_last(c, k, first);
    struct penalty penalty = penalty_on_plateau(series, &c->page, &c->difference, first, last);
    penalty.level = (int)k + 1;
    return penalty;
}

struct penalty penalty_walk(const struct series *series, const struct control *c)
{
    if (c->alone)
        return penalty_unavailable("control", NOTE_NO_CONTROL);
    if (levels_of(c) == 0)
        return penalty_unavailable("control", NOTE_NO_TLB_LEVEL);
    if (!shows_walk(c))
        return penalty_unavailable("control", goes_on(c) ? NOTE_CANNOT_TELL : NOTE_NOT_REACHED);
    struct penalty penalty = miss_of(series, c, levels_of(c) - 1);
    penalty.level = 0;
    return penalty;
}

/* The levels whose misses are served by another level. */
static size_t misses_of(const struct series *series, const struct control *c,
                        struct penalty *penalties)
{
    size_t count = c->alone ? 0 : levels_of(c), added = 0;
    const struct curve_point *at = c->difference.at;
    if (count == 0 ||
        c->tlb[0].knee.plateau_ns > begins_at_least * at[c->tlb[0].knee.before].load_ns)
        return 0;
    while (added + 1 < count) {
        penalties[added] = miss_of(series, c, added);
        added++;
    }
    if (levels_off(c) && !shows_walk(c)) {
        penalties[added] = miss_of(series, c, added);
        note_add_number(&penalties[added].note, NOTE_HIT_IN_LEVEL, (double)added + 2);
        added++;
    }
    return added;
}

size_t penalty_control(struct analysis *analysis, struct penalty *penalties)
{
    const struct control *control = analysis_first(analysis);
    if (control == NULL) {
        penalties[0] = penalty_unavailable("control", NOTE_NO_CONTROL);
        return 1;
    }
    size_t count = misses_of(analysis->series, control, penalties);
    penalties[count++] = penalty_walk(analysis->series, control);
    return count;
}
