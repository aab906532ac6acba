/* segment.c: boundaries by steps over a recency-weighted baseline. § is a section of the whitepaper
 * that segment.h names.
 *
 *     struct boundaries found = {0};
 *     segment_detect(&series, &series.groups[0].point, 32768, 64, &found);
 */
#include "tlb/detect/segment.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* §5, §5.3, §5.4, §6 of the whitepaper. [tuned: whitepaper] */
static const double step_least_ns = 2.0, step_least_share = 0.10;
static const double strong_ns = 4.0, strong_share = 0.15;
static const double last_ns = 8.0, last_share = 0.25;
/* §5.2, §5.3. [tuned: whitepaper] */
enum { NOISE_POINTS = 3, FUTURE_POINTS = 3, FUTURE_PERSISTENT = 2 };

/* Limits of a private cache's knee, and its size that may hide a TLB's (§5.5). [tuned: whitepaper]
 */
static const double knee_min = 512 << 10, knee_strong = 768 << 10, knee_max = 2 << 20;

/* The guard in multiples of the L1 data cache, and in pages (§5.1). [tuned: whitepaper] */
static const double guard_l1d = 2, guard_pages = 64;

struct window {
    double bytes, p50, q1, q3;
};

struct windows {
    struct window *at; /* ascending by bytes */
    size_t count;
    bool box; /* of the whitepaper's layout */
};

/* A candidate that passed, at a window of the curve; index 0: none. */
struct step {
    size_t index;
    double baseline, ns, share;
    bool persistent;
};

/* ---- the curve ---- */

/* P50 is the median, the quartiles are sorted[n/4] and sorted[3n/4] (§5.2). */
static struct window window_of(const struct group *group)
{
    struct window window = {.bytes = point_span(&group->point)};
    size_t n = group->count;
    double *ns = allocate(n, sizeof *ns);
    memcpy(ns, group->ns, n * sizeof *ns);
    window.p50 = stats_median(ns, n);
    window.q1 = stats_select(ns, n, n / 4);
    window.q3 = stats_select(ns, n, 3 * n / 4);
    free(ns);
    return window;
}

static struct windows curve_of(const struct series *series, const struct point *like)
{
    struct windows curve = {.at = allocate(series->count, sizeof *curve.at),
                            .box = like->layout == &layouts[LAYOUT_BOX]};
    for (size_t g = 0; g < series->count; g++)
        if (series->groups[g].count > 0 && point_same_curve(&series->groups[g].point, like))
            curve.at[curve.count++] = window_of(&series->groups[g]);
    return curve;
}

/* ---- one step ---- */

/* §5: window j of the segment has the weight j − start + 1. */
static double baseline_of(const struct windows *curve, size_t start, size_t end)
{
    double sum = 0, weights = 0;
    for (size_t j = start; j < end; j++) {
        double weight = (double)(j - start + 1);
        sum += weight * curve->at[j].p50;
        weights += weight;
    }
    return sum / weights;
}

/* §5.2: the median of the segment's interquartile ranges; 0 for fewer than three windows. */
static double noise_of(const struct windows *curve, size_t start, size_t end)
{
    size_t n = end - start;
    if (n < NOISE_POINTS)
        return 0;
    double *ranges = allocate(n, sizeof *ranges);
    for (size_t j = start; j < end; j++)
        ranges[j - start] = curve->at[j].q3 - curve->at[j].q1;
    double noise = stats_median(ranges, n);
    free(ranges);
    return noise;
}

/* §5.2: the mean of the segment's upper quartiles reaches the candidate's lower quartile. */
static bool overlaps(const struct windows *curve, size_t start, size_t candidate)
{
    double sum = 0;
    for (size_t j = start; j < candidate; j++)
        sum += curve->at[j].q3;
    return sum / (double)(candidate - start) >= curve->at[candidate].q1;
}

/* §5.3: two of the next three windows exceed the threshold too; §5.4: or the step is very large and
 * at the last window. */
static bool persists(const struct windows *curve, const struct step *step, double threshold)
{
    size_t beyond = 0, end = step->index + 1 + FUTURE_POINTS;
    for (size_t j = step->index + 1; j < end && j < curve->count; j++)
        beyond += curve->at[j].p50 - step->baseline >= threshold;
    bool last = step->index + 1 == curve->count;
    return beyond >= FUTURE_PERSISTENT ||
           (last && (step->ns >= last_ns || step->share >= last_share));
}

/* §5: the first candidate beyond `start` that passes threshold, guard and overlap check. */
static struct step scan(const struct windows *curve, size_t start, double guard)
{
    for (size_t i = start + 1; i < curve->count; i++) {
        struct step step = {.index = i, .baseline = baseline_of(curve, start, i)};
        double threshold = fmax(step_least_ns,
                                fmax(step_least_share * step.baseline, noise_of(curve, start, i)));
        step.ns = curve->at[i].p50 - step.baseline;
        step.share = step.baseline > 0 ? step.ns / step.baseline : 0;
        if (step.ns < threshold || curve->at[i].bytes < guard || overlaps(curve, start, i))
            continue;
        step.persistent = persists(curve, &step, threshold);
        return step;
    }
    return (struct step){0};
}

/* ---- classification of steps (§5.5) ---- */

static struct step find_knee(const struct windows *curve)
{
    struct step knee = scan(curve, 0, knee_min);
    return curve->at[knee.index].bytes <= knee_max ? knee : (struct step){0};
}

/* The first step beyond the knee, else from the start. A step at the knee itself stays, as an
 * ambiguous first level. */
static struct step find_first(const struct windows *curve, double guard, size_t knee)
{
    struct step direct = scan(curve, 0, guard);
    if (knee == 0 || direct.index == knee)
        return direct;
    struct step beyond = scan(curve, knee + 1, guard);
    return beyond.index > 0 ? beyond : direct;
}

/* None if the first level is at one of the last two windows. The segment starts two windows later,
 * which keeps the first level's transition out of the baseline. */
static struct step find_second(const struct windows *curve, double guard, size_t first)
{
    if (first == 0 || first + 2 >= curve->count)
        return (struct step){0};
    size_t start = first + 2 < curve->count - 2 ? first + 2 : curve->count - 2;
    return scan(curve, start, fmax(guard, curve->at[first].bytes));
}

/* ---- rows ---- */

/* §7.1: entries of `unit` bytes (0: unknown), from the windows before and at the boundary. On
 * layout `line` from other programs, such as the printed lab's, sequential loads hide the first
 * level, and a step may be any level's or a cache's: the whitepaper's criteria apply to its windows
 * alone. */
static struct boundary *add_row(struct boundaries *found, const struct windows *curve,
                                const struct step *step, enum structure structure, int level,
                                uint64_t unit)
{
    struct boundary *row = boundary_add(found, structure, level, "segment");
    row->bytes_min = curve->at[step->index - 1].bytes;
    row->bytes_max = curve->at[step->index].bytes;
    boundary_set_step(row, step->baseline, step->ns);
    if (curve->box) /* §6 */
        row->criteria = step->persistent + (step->ns >= strong_ns || step->share >= strong_share);
    row->persistent = step->persistent;
    note_add(&row->note, NOTE_NO_CONTROL);
    if (unit > 0) {
        row->entries_min = floor(row->bytes_min / (double)unit);
        row->entries_max = floor(row->bytes_max / (double)unit);
        row->entries = floor((row->entries_min + row->entries_max) / 2);
    }
    return row;
}

double segment_guard(uint64_t l1d_bytes, uint64_t page_bytes)
{
    return fmax(guard_l1d * (double)l1d_bytes, guard_pages * (double)page_bytes);
}

void segment_detect(const struct series *series, const struct point *like, uint64_t l1d_bytes,
                    uint64_t line_bytes, struct boundaries *found)
{
    struct windows curve = curve_of(series, like);
    double guard = segment_guard(l1d_bytes > 0 ? l1d_bytes : SEGMENT_L1D_ASSUMED, like->page_bytes);
    if (curve.count >= 2) {
        struct step knee = find_knee(&curve);
        struct step first = find_first(&curve, guard, knee.index);
        struct step second = find_second(&curve, guard, first.index);
        struct boundary *row;
        if (knee.index > 0) {
            row = add_row(found, &curve, &knee, STRUCTURE_CACHE, 0, line_bytes);
            note_add(&row->note, NOTE_PRIVATE_KNEE);
            if (row->bytes_max >= knee_strong)
                note_add(&row->note, NOTE_MAY_INTERFERE_WITH_TLB);
        }
        if (first.index > 0) {
            row = add_row(found, &curve, &first, STRUCTURE_DTLB, 1, like->page_bytes);
            if (first.index == knee.index)
                note_add(&row->note, NOTE_OVERLAPS_PRIVATE_CACHE_KNEE);
        }
        if (second.index > 0)
            add_row(found, &curve, &second, STRUCTURE_DTLB, 2, like->page_bytes);
    }
    free(curve.at);
}
