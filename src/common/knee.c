/* knee.c: from samples to boundaries by the control method. */
#include "knee.h"
#include "error.h"
#include "layout.h"
#include "stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rise counts when it is this many standard errors, and this part of the time of a load there:
 * below it a difference may be page colour or code alignment, however well it is measured. */
static const double errors_least = 4.5, share_least = 0.025;

/* A knee's whole step is at least this part of the time of a load before it: a TLB level that costs
 * less makes no difference to anybody, and page-table entries that move from one cache to the next
 * do. The clock's own steps are of a tenth. */
static const double step_least = 0.25;

/* Half of a level's step is done within this factor of the size before it (random
 * replacement: 1.39); what rises more slowly is page-table entries that leave one cache after the
 * other. */
static const double half_way_most = 1.6;

/* A step of which half takes this long is gradual. Where the sets of a level of W ways fill evenly
 * and the oldest entry goes, half of the step is done at 1 + 1/(2W) times the capacity. */
static const double half_way_sharp = 7.0 / 6;

/* Ways taken for granted where the sets fill unevenly (see capacity()): 8 would make the answer 5.6
 * per cent smaller, 32 3 per cent larger. */
static const double ways_assumed = 16;

/* With random page frames a physically indexed cache overflows early in `page`, but half of that is
 * not done before this part of its size. */
static const double early_overflow = 0.4;

/* The foot of a step, where it is nearly straight, as parts of the step (see foot()). */
static const double foot_most = 0.5;

/* ---- curves ---- */

struct pair {
    double sum, difference;
};

static int compare_pairs(const void *a, const void *b)
{
    double x = ((const struct pair *)a)->sum, y = ((const struct pair *)b)->sum;
    return (x > y) - (x < y);
}

/* The pairs of two groups: by sample number where both count alike from 0, else by order. */
static size_t make_pairs(const struct group *page, const struct group *packed, struct pair *pairs)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < page->count; i++) {
        while (k < packed->count && packed->sample[k] < page->sample[i])
            k++;
        if (k < packed->count && packed->sample[k] == page->sample[i]) {
            pairs[n++] = (struct pair){page->ns[i] + packed->ns[k], page->ns[i] - packed->ns[k]};
            k++;
        }
    }
    if (n == 0)
        for (; n < page->count && n < packed->count; n++)
            pairs[n] = (struct pair){page->ns[n] + packed->ns[n], page->ns[n] - packed->ns[n]};
    return n;
}

/* Value and spread of the quieter half of the pairs; the spread goes into *error for now. */
static struct curve_point pair_point(const struct group *page, const struct group *packed)
{
    struct curve_point point = {.pages = (double)page->point.pages};
    struct pair *pairs = allocate(page->count, sizeof *pairs);
    size_t n = make_pairs(page, packed, pairs), half = (n + 1) / 2;
    double *values = allocate(2 * n, sizeof *values);
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < half; i++)
        values[i] = pairs[i].difference;
    point.samples = n;
    point.kept = half;
    point.ns = stats_median(values, half);
    point.error = stats_mad(values, half, point.ns, values + half);
    point.load_ns = half > 0 ? (pairs[half / 2].sum + point.ns) / 2 : NAN;
    free(values);
    free(pairs);
    return point;
}

/* From spread to standard error of the median: few pairs tell little about their own spread, so the
 * spread common to all points (as a part of the load time) is the least. */
static void finish_errors(struct curve *curve)
{
    double *shares = allocate(curve->count, sizeof *shares);
    for (size_t i = 0; i < curve->count; i++)
        shares[i] = curve->at[i].error / curve->at[i].load_ns;
    double common = curve->count > 0 ? stats_median(shares, curve->count) : 0;
    for (size_t i = 0; i < curve->count; i++) {
        struct curve_point *p = &curve->at[i];
        double spread = p->kept >= 5 ? p->error : 0;
        p->error = 1.2533 * fmax(spread, common * p->load_ns) / sqrt((double)p->kept);
    }
    free(shares);
}

static bool is_layout(const struct group *group, const char *name)
{
    return strcmp(group->point.layout->name, name) == 0 && group->point.role != ROLE_COMPARISON;
}

struct curve curve_control(const struct series *series)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    for (size_t i = 0; i < series->count; i++) {
        const struct group *page = &series->groups[i], *packed = NULL;
        if (!is_layout(page, "page"))
            continue;
        for (size_t k = 0; k < series->count && packed == NULL; k++)
            if (is_layout(&series->groups[k], "packed") &&
                series->groups[k].point.pages == page->point.pages)
                packed = &series->groups[k];
        if (packed == NULL)
            continue;
        struct curve_point point = pair_point(page, packed);
        if (point.kept > 0)
            curve.at[curve.count++] = point;
    }
    finish_errors(&curve);
    return curve;
}

/* Whether the noise of a layout mostly adds time: its upper tail is more than twice its lower. */
static bool is_skewed(const struct series *series, const char *layout)
{
    double up = 0, down = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!is_layout(g, layout) || g->count < 3)
            continue;
        double middle = group_quantile(g, 0.5);
        up += (group_quantile(g, 0.9) - middle) / middle;
        down += (middle - group_quantile(g, 0.1)) / middle;
    }
    return up > 2 * down;
}

struct curve curve_alone(const struct series *series, const char *layout)
{
    struct curve curve = {allocate(series->count, sizeof *curve.at), 0};
    double q = is_skewed(series, layout) ? 0 : 0.5;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (!is_layout(g, layout) || g->count == 0)
            continue;
        struct curve_point *p = &curve.at[curve.count++];
        double value = group_quantile(g, q);
        double spread = q < 0.5 ? group_quantile(g, 0.3) - value
                                : (group_quantile(g, 0.75) - group_quantile(g, 0.25)) / 1.349;
        *p = (struct curve_point){(double)g->point.pages, value, spread, value, g->count, g->count};
    }
    finish_errors(&curve);
    return curve;
}

void curve_free(struct curve *curve)
{
    free(curve->at);
    *curve = (struct curve){0};
}

/* ---- knees ---- */

/* The plateau that ends before point i: mean over the octave below it (three points at least, none
 * before `start`), weighted by precision. Its error grows where the points scatter more than their
 * own errors say. */
static double plateau(const struct curve *c, size_t start, size_t i, double *error)
{
    double weight = 0, sum = 0, chi = 0;
    size_t first = i;
    while (first > start && (i - first < 3 || c->at[first - 1].pages >= c->at[i].pages / 2))
        first--;
    for (size_t k = first; k < i; k++) {
        double floor = 0.001 * c->at[k].load_ns; /* nothing is known better than that */
        double w = 1 / (c->at[k].error * c->at[k].error + floor * floor);
        weight += w;
        sum += w * c->at[k].ns;
    }
    double mean = sum / weight;
    for (size_t k = first; k < i; k++) {
        double floor = 0.001 * c->at[k].load_ns, off = c->at[k].ns - mean;
        chi += off * off / (c->at[k].error * c->at[k].error + floor * floor);
    }
    double scale = i - first > 1 ? sqrt(fmax(1, chi / (double)(i - first - 1))) : 1;
    *error = scale / sqrt(weight);
    return mean;
}

/* What point i must exceed to lie above a plateau. */
static double threshold(const struct curve *c, size_t i, double base, double base_error)
{
    double error = sqrt(c->at[i].error * c->at[i].error + base_error * base_error);
    return base + fmax(errors_least * error, share_least * c->at[i].load_ns);
}

/* Point i and the two after it lie above the plateau (where the curve goes on that far; one point
 * alone at the end proves nothing). */
static bool rises_at(const struct curve *c, size_t i, double base, double base_error)
{
    if (i + 1 >= c->count)
        return false;
    for (size_t k = i; k < i + 3 && k < c->count; k++)
        if (c->at[k].ns <= threshold(c, k, base, base_error))
            return false;
    return true;
}

/* Where the rise that begins at `after` levels off: from there, an octave adds less than a seventh
 * of what was gained. */
static size_t find_end(const struct curve *c, size_t after, double base)
{
    for (size_t j = after; j + 1 < c->count; j++) {
        double gained = c->at[j].ns - base;
        double allowed = fmax(gained / 10, errors_least * c->at[j].error);
        size_t k = j + 1, more = 0;
        double sum = 0;
        for (; k < c->count && c->at[k].pages <= 2 * c->at[j].pages; k++, more++)
            sum += c->at[k].ns;
        if (more == 0 || (sum / (double)more - c->at[j].ns <= allowed &&
                          c->at[k - 1].ns - c->at[j].ns <= 2 * allowed))
            return j;
    }
    return c->count - 1;
}

/* The size at which a part of the knee's step is done, between two points if need be. */
static double size_at(const struct curve *c, const struct knee *knee, double part)
{
    double wanted = knee->plateau_ns + part * knee->step_ns;
    size_t i = knee->after;
    while (i < knee->end && c->at[i].ns < wanted)
        i++;
    const struct curve_point *p = &c->at[i - 1], *q = &c->at[i];
    double share = q->ns > p->ns ? (wanted - p->ns) / (q->ns - p->ns) : 1;
    return p->pages + fmin(1, fmax(0, share)) * (q->pages - p->pages);
}

/* Fills in the knee that rises at `after`; false when its step is too small to be a level. */
static bool describe(const struct curve *c, size_t after, double base, double error,
                     struct knee *knee)
{
    size_t end = find_end(c, after, base);
    *knee = (struct knee){.before = after - 1,
                          .after = after,
                          .end = end,
                          .plateau_ns = base,
                          .plateau_error = error,
                          .step_ns = c->at[end].ns - base};
    double noise = sqrt(error * error + c->at[end].error * c->at[end].error);
    knee->significance = knee->step_ns / fmax(noise, 1e-12);
    double half_way = size_at(c, knee, 0.5);
    knee->gradual = half_way > half_way_sharp * c->at[after - 1].pages && end > after;
    knee->reaches_end = end + 1 >= c->count;
    return knee->step_ns >= step_least * c->at[after - 1].load_ns &&
           half_way <= half_way_most * c->at[after].pages;
}

size_t knee_find(const struct curve *c, struct knee knees[KNEES_MOST])
{
    size_t found = 0, start = 0;
    for (size_t i = 2; i < c->count && found < KNEES_MOST; i++) {
        double error;
        if (i < start + 2)
            continue;
        double base = plateau(c, start, i, &error);
        if (!rises_at(c, i, base, error))
            continue;
        struct knee knee;
        if (describe(c, i, base, error, &knee))
            knees[found++] = knee;
        start = knee.end;
        i = knee.end;
    }
    return found;
}

/* ---- the method ---- */

/* Time of a load of `packed` at so many nodes. */
static double packed_at(const struct control *c, double pages)
{
    size_t i = 0;
    while (i + 1 < c->packed.count && c->packed.at[i].pages < pages)
        i++;
    return c->packed.at[i].ns;
}

/* The caches explain a rise of the control when it does not come to an end before one overflows; or
 * when `packed` overflows not far above it, and the
 * control has gone back by then (or was not measured that far). */
static bool explained_by_cache(const struct control *c, const struct knee *knee)
{
    double half_way = size_at(&c->difference, knee, 0.5);
    const struct curve_point *last = &c->difference.at[c->difference.count - 1];
    const struct curve_point *beyond = &c->packed.at[c->packed.count - 1];
    if (knee->reaches_end && c->packed.count > 0 && beyond->ns > 2 * packed_at(c, last->pages))
        return true;
    for (size_t k = 0; k < c->cache_count; k++) {
        double full = size_at(&c->packed, &c->cache[k], 0.5);
        double over = c->packed.at[c->cache[k].end].pages;
        if (half_way < early_overflow * full || half_way > 1.1 * full)
            continue;
        if (last->pages < over || last->ns - knee->plateau_ns < 0.5 * knee->step_ns)
            return true;
    }
    return false;
}

/* Lines per page, from the spacings of the two layouts. */
static double lines_per_page(const struct series *series)
{
    double page = 0, line = 0;
    for (size_t i = 0; i < series->count; i++) {
        if (is_layout(&series->groups[i], "page"))
            page = (double)series->groups[i].point.page_bytes;
        if (is_layout(&series->groups[i], "packed"))
            line = (double)series->groups[i].point.spacing;
    }
    return line > 0 ? page / line : 1;
}

/* What a load of `packed` pays at n nodes for a TLB level of C entries: its n / lines pages are
 * visited in random order, so that 1 − C / pages of them miss (independent references, LRU). */
static double packed_cost(const struct control *c, double lines, double nodes)
{
    double cost = 0;
    for (size_t i = 0; i < c->tlb_count; i++) {
        double entries = c->difference.at[c->tlb[i].before].pages;
        cost += c->tlb[i].step_ns * fmax(0, 1 - entries * lines / nodes);
    }
    return cost;
}

static void take_out_tlb(struct control *c, double lines)
{
    for (size_t i = 0; i < c->difference.count; i++)
        c->difference.at[i].ns += packed_cost(c, lines, c->difference.at[i].pages);
    for (size_t i = 0; i < c->packed.count; i++)
        c->packed.at[i].ns -= packed_cost(c, lines, c->packed.at[i].pages);
}

struct control control_analyse(const struct series *series)
{
    struct control c = {.difference = curve_control(series),
                        .packed = curve_alone(series, "packed")};
    c.alone = c.packed.count == 0;
    if (c.alone) {
        curve_free(&c.difference);
        c.difference = curve_alone(series, "page");
    }
    c.tlb_count = knee_find(&c.difference, c.tlb);
    if (!c.alone) {
        take_out_tlb(&c, lines_per_page(series));
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

/* The straight line through the foot of a step: returns where it meets the plateau, and its slope
 * per page. With W ways and evenly filled sets, n pages beyond the capacity C make (n − C)(W + 1) /
 * n of the loads miss: a rise this shallow passes the noise only some pages later. */
static double foot(const struct curve *c, const struct knee *knee, double *slope)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, before = c->at[knee->before].pages;
    for (size_t i = knee->after; i <= knee->end; i++) {
        double rise = c->at[i].ns - knee->plateau_ns, pages = c->at[i].pages - before;
        if (rise > foot_most * knee->step_ns)
            break;
        n++;
        x += pages;
        y += rise;
        xx += pages * pages;
        xy += pages * rise;
    }
    double last = c->at[knee->after].pages - 1;
    *slope = (n * xy - x * y) / (n * xx - x * x);
    double zero = before + x / n - y / n / *slope;
    if (n < 3 || !(*slope > 0)) {
        *slope = (c->at[knee->after].ns - knee->plateau_ns) / (last + 1 - before);
        return (before + last) / 2;
    }
    return zero > last ? (before + last) / 2 : fmax(zero, 0.97 * before);
}

/* One page too many may rise too little to be seen at once. */
static bool may_lie_lower(const struct curve *c, const struct knee *knee)
{
    double slope, base = knee->plateau_ns;
    foot(c, knee, &slope);
    return slope < 1.3 * (threshold(c, knee->before, base, knee->plateau_error) - base);
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

static void add_row(const struct control *c, const struct curve *curve, const struct knee *knee,
                    const char *structure, size_t level, double unit, struct boundaries *found)
{
    struct boundary *b = boundary_add(found, structure, (int)level, "control");
    if (b == NULL)
        return;
    b->entries_min = curve->at[knee->before].pages;
    b->entries_max = curve->at[knee->after].pages - 1;
    double gap = b->entries_max - b->entries_min, slope;
    b->entries = b->entries_min;
    if (knee->gradual)
        b->entries = floor(capacity(curve, knee, &b->entries_max));
    else if (gap > 0)
        b->entries = floor(foot(curve, knee, &slope));
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
    if (knee->reaches_end)
        boundary_note(b, "at_end_of_sweep");
}

void control_boundaries(const struct control *c, uint64_t page_bytes, uint64_t line_bytes,
                        struct boundaries *found)
{
    for (size_t i = 0; i < c->tlb_count; i++)
        add_row(c, &c->difference, &c->tlb[i], "dtlb", i + 1, (double)page_bytes, found);
    for (size_t i = 0; i < c->cache_count; i++)
        add_row(c, &c->packed, &c->cache[i], "cache", i + 1, (double)line_bytes, found);
}
