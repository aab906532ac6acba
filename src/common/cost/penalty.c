/* penalty.c: the cost of a translation miss.
 *
 *     struct penalty rows[PENALTIES_MOST];
 *     rows[0] = penalty_raw(&series);
 *     size_t count = 1 + penalty_control(&series, rows + 1);
 */
#include "cost/penalty.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include "detect/control.h"
#include "table/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARISON_MIB = 512 }; /* the whitepaper's (§7.2) [prior] */

/* Differences of samples of the same pass. */
struct differences {
    double *at;
    size_t count, room;
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

/* Adds high minus low for samples with the same number (ascending in both); in order where no
 * number is in both. */
static void add_pairs(struct differences *differences, const struct group *high,
                      const struct group *low)
{
    size_t most = high->count < low->count ? high->count : low->count, before = differences->count;
    if (differences->count + most > differences->room) {
        differences->room = 2 * (differences->count + most);
        differences->at = reallocate(differences->at, differences->room, sizeof *differences->at);
    }
    for (size_t i = 0, k = 0; i < high->count && k < low->count;) {
        if (high->sample[i] == low->sample[k])
            differences->at[differences->count++] = high->ns[i++] - low->ns[k++];
        else if (high->sample[i] < low->sample[k])
            i++;
        else
            k++;
    }
    for (size_t i = 0; differences->count == before && i < most; i++)
        differences->at[before + i] = high->ns[i] - low->ns[i];
    if (differences->count == before)
        differences->count += most;
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

/* Whether a buffer is below 512 MiB, so that there is no comparison point (§7.2). */
static bool small_buffer(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->groups[i].point.buffer > 0 &&
            series->groups[i].point.buffer < (uint64_t)COMPARISON_MIB << 20)
            return true;
    return false;
}

/* Writes a window as options have it: "16K", "512M". */
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

/* ---- the controlled figure ---- */

static const struct group *group_at(const struct series *series, const struct point *like,
                                    double pages)
{
    struct point point = *like;
    point.pages = (uint64_t)pages;
    return series_find(series, &point);
}

struct penalty penalty_on_plateau(const struct penalty_curve *b, const struct curve *curve,
                                  size_t first, size_t last, bool reaches_end)
{
    const struct curve_point *at = curve->at;
    struct penalty penalty = {.method = "control"};
    struct differences pairs = {0};
    char range[80];
    while (last > first && at[last].pages > b->packed_reach)
        last--;
    for (size_t i = first; i <= last; i++)
        add_pairs(&pairs, group_at(b->series, b->page, at[i].pages),
                  group_at(b->series, b->packed, at[i].pages));
    penalty.ns = stats_median(pairs.at, pairs.count);
    take_spread(&penalty, &pairs);
    snprintf(range, sizeof range, "%.15g->%.15g_pages", at[first].pages, at[last].pages);
    note_add_text(&penalty.note, range, strlen(range));
    if (penalty.ns < 0)
        note_add(&penalty.note, NOTE_NEGATIVE);
    if (reaches_end)
        note_add(&penalty.note, NOTE_AT_END_OF_SWEEP);
    if (at[last].pages > b->packed_reach)
        note_add(&penalty.note, NOTE_CONTROL_MISSES_TOO);
    return penalty;
}

struct penalty penalty_behind(const struct control *control, size_t k,
                              const struct penalty_curve *b)
{
    bool last = k + 1 == control->tlb_count;
    size_t end = last ? control->difference.count - 1 : control->tlb[k + 1].before;
    struct penalty penalty = penalty_on_plateau(b, &control->difference, control->tlb[k].end, end,
                                                control->tlb[k].reaches_end);
    penalty.level = last ? 0 : (int)k + 1;
    return penalty;
}

struct penalty_curve penalty_beside(const struct series *series, const struct point *page,
                                    const struct control *control)
{
    struct penalty_curve b = {series, page, curve_packed(series, page), HUGE_VAL};
    if (b.packed != NULL && control->tlb_count > 0)
        b.packed_reach = control->difference.at[control->tlb[0].before].pages *
                         (double)b.packed->page_bytes / (double)b.packed->spacing;
    return b;
}

size_t penalty_control(struct series *series, struct penalty *penalties)
{
    series_sort(series);
    const struct point *pages[CONTROLS_MOST];
    if (control_curves(series, pages) == 0) {
        penalties[0] = penalty_unavailable("control", NOTE_NO_CONTROL);
        return 1;
    }
    struct control control = control_analyse(series, pages[0]);
    struct penalty_curve b = penalty_beside(series, pages[0], &control);
    size_t count = control.alone ? 0 : control.tlb_count;
    for (size_t k = 0; k < count; k++)
        penalties[k] = penalty_behind(&control, k, &b);
    if (count == 0)
        penalties[count++] = penalty_unavailable("control", control.alone ? NOTE_NO_CONTROL
                                                                          : NOTE_NO_TLB_LEVEL);
    control_free(&control);
    return count;
}
