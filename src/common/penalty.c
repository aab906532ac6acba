/* penalty.c: what a translation miss costs.
 *
 *     struct penalty rows[PENALTIES_MOST];
 *     rows[0] = penalty_raw(&series);
 *     size_t count = 1 + penalty_control(&series, rows + 1);
 */
#include "penalty.h"
#include "control.h"
#include "error.h"
#include "layout.h"
#include "stats.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARISON_MIB = 512 };

/* Differences of samples that were taken in the same pass. */
struct differences {
    double *at;
    size_t count, room;
};

/* ---- rows ---- */

void penalty_note(struct penalty *penalty, const char *word)
{
    size_t used = strlen(penalty->note);
    snprintf(penalty->note + used, sizeof penalty->note - used, "%s%s", used > 0 ? "," : "", word);
}

static struct penalty unavailable(const char *method, const char *reason)
{
    struct penalty penalty = {.method = method, .ns = NAN, .low = NAN, .high = NAN};
    penalty_note(&penalty, reason);
    return penalty;
}

const char penalty_columns[] = "method\tlevel\tpenalty_ns\tlow_ns\thigh_ns\tnote";

/* More digits than a picosecond are noise. */
static double rounded(double ns)
{
    return isfinite(ns) ? round(1000 * ns) / 1000 : NAN;
}

void penalty_write(const struct penalty *penalty, char after)
{
    put_text(penalty->method, '\t');
    if (penalty->level > 0)
        put_count((uint64_t)penalty->level, '\t');
    else
        put_text("walk", '\t');
    put_number(rounded(penalty->ns), '\t');
    put_number(rounded(penalty->low), '\t');
    put_number(rounded(penalty->high), '\t');
    put_text(penalty->note, after);
}

/* ---- pairs ---- */

/* Adds high minus low for samples of the same number (ascending in both); where no numbers agree,
 * in their order. */
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

static double window_of(const struct group *group)
{
    return (double)group->point.pages * (double)group->point.spacing;
}

const struct group *penalty_comparison(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        double short_of = COMPARISON_MIB * 0x1p20 -
                          window_of(group); /* strides may not divide it */
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

/* §7.2: without a buffer of 512 MiB there is no comparison point. */
static bool small_buffer(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->groups[i].point.buffer > 0 &&
            series->groups[i].point.buffer < (uint64_t)COMPARISON_MIB << 20)
            return true;
    return false;
}

/* A window as the options spell it: "16K", "512M". */
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
        return unavailable("raw",
                           small_buffer(series) ? "buffer_below_512M" : "no_comparison_point");
    const struct group *low = penalty_first(series, &high->point);
    if (low == NULL)
        return unavailable("raw", "no_first_point");
    char from[32], to[32], ends[80];
    struct differences pairs = {0};
    struct penalty penalty = {.method = "raw"};
    penalty.ns = group_quantile(high, 0.5) - group_quantile(low, 0.5);
    add_pairs(&pairs, high, low);
    take_spread(&penalty, &pairs);
    spell(window_of(low), from);
    spell(window_of(high), to);
    snprintf(ends, sizeof ends, "%s->%s", from, to);
    penalty_note(&penalty, ends);
    if (penalty.ns < 0)
        penalty_note(&penalty, "negative");
    return penalty;
}

/* ---- the controlled figure ---- */

static const struct group *group_of(const struct series *series, const char *layout, double pages)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        if (group->point.role != ROLE_COMPARISON && (double)group->point.pages == pages &&
            strcmp(group->point.layout->name, layout) == 0)
            return group;
    }
    return NULL;
}

/* Number of nodes up to which `packed` itself stays within the first level. */
static double packed_reach(const struct control *control, const struct series *series)
{
    const struct curve_point *first = &control->difference.at[control->tlb[0].before];
    const struct group *packed = group_of(series, "packed", first->pages);
    return first->pages * (double)packed->point.page_bytes / (double)packed->point.spacing;
}

/* Behind the k-th knee the upper plateau lasts to the next knee, or to the end of the sweep; where
 * `packed` misses the first level too the difference is too small, so those points are left out
 * unless there are no others. */
static struct penalty behind(const struct control *control, size_t k, const struct series *series)
{
    bool last = k + 1 == control->tlb_count;
    const struct knee *knee = &control->tlb[k];
    const struct curve_point *at = control->difference.at;
    size_t end = last ? control->difference.count - 1 : control->tlb[k + 1].before;
    while (end > knee->end && at[end].pages > packed_reach(control, series))
        end--;
    struct penalty penalty = {.method = "control", .level = last ? 0 : (int)k + 1};
    struct differences pairs = {0};
    char range[80];
    for (size_t i = knee->end; i <= end; i++)
        add_pairs(&pairs, group_of(series, "page", at[i].pages),
                  group_of(series, "packed", at[i].pages));
    penalty.ns = stats_median(pairs.at, pairs.count);
    take_spread(&penalty, &pairs);
    snprintf(range, sizeof range, "%.15g->%.15g_pages", at[knee->end].pages, at[end].pages);
    penalty_note(&penalty, range);
    if (penalty.ns < 0)
        penalty_note(&penalty, "negative");
    if (knee->reaches_end)
        penalty_note(&penalty, "at_end_of_sweep");
    if (at[end].pages > packed_reach(control, series))
        penalty_note(&penalty, "control_misses_too");
    return penalty;
}

size_t penalty_control(struct series *series, struct penalty *penalties)
{
    series_sort(series);
    const struct point *pages[CONTROLS_MOST];
    if (control_curves(series, pages) == 0) {
        penalties[0] = unavailable("control", "no_control");
        return 1;
    }
    struct control control = control_analyse(series, pages[0]);
    size_t count = control.alone ? 0 : control.tlb_count;
    for (size_t k = 0; k < count; k++)
        penalties[k] = behind(&control, k, series);
    if (count == 0)
        penalties[count++] = unavailable("control", control.alone ? "no_control" : "no_tlb_level");
    control_free(&control);
    return count;
}
