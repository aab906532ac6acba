/* curve.c: from samples to curves over the number of nodes, and where these rise. */
#include "tlb/curve/curve.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of more than SIZES_MANY sizes one in this part is kept: to find knees takes superlinear time.
 * [bound] */
static const double near_size = 0.005;
enum { SIZES_MANY = 1000 };

const struct point *curve_packed(const struct series *series, const struct point *page)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (!group_layout(&series->groups[i])->control || p->kernel != page->kernel)
            continue;
        bool alike = p->backing == page->backing && p->page_bytes == page->page_bytes;
        if (best == NULL || alike)
            best = p;
        if (alike)
            break;
    }
    return best;
}

const struct point *curve_line(const struct series *series)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        const struct layout *layout = group_layout(&series->groups[i]);
        if (layout->caches_rank > 0 && !layout->per_page && !p->kernel->draws &&
            (best == NULL || layout->caches_rank < best->layout->caches_rank))
            best = p;
    }
    return best;
}

/* One in LUCKY_ONE_IN samples may be lucky, if its chain has at most LUCKY_NODES nodes: by chance
 * of the replacement state, it may have fitted into a level that it overflows. [prior] */
enum { LUCKY_ONE_IN = 8, LUCKY_NODES = 512 };

static struct curve_point fastest_of(const struct group *group)
{
    double *copy = allocate(group->count, sizeof *copy);
    memcpy(copy, group->fastest, group->count * sizeof *copy);
    size_t first = group->point.pages <= LUCKY_NODES && group->count >= LUCKY_ONE_IN;
    double ns = stats_select(copy, group->count, first);
    double next = first + 1 < group->count ? stats_select(copy, group->count, first + 1) : ns;
    free(copy);
    return (struct curve_point){(double)group->point.pages, ns, next - ns, ns, group->count};
}

struct curve curve_minima(const struct series *series, const struct point *point)
{
    struct curve curve = {.at = allocate(series->count, sizeof *curve.at)};
    size_t sizes = 0;
    for (size_t i = 0; point != NULL && i < series->count; i++)
        if (point_same_curve(&series->groups[i].point, point))
            curve.at[sizes++] = fastest_of(&series->groups[i]);
    double apart = sizes > SIZES_MANY ? 1 + near_size : 1;
    for (size_t i = 0; i < sizes; i++)
        if (curve.count == 0 || curve.at[i].pages >= apart * curve.at[curve.count - 1].pages)
            curve.at[curve.count++] = curve.at[i];
    curve.spacing = sizes > 0 ? (double)point->spacing : 0;
    return curve;
}

struct curve curve_alone(const struct series *series, const struct point *point)
{
    struct curve curve = curve_minima(series, point);
    for (size_t i = curve.count; i-- > 1;) {
        struct curve_point *below = &curve.at[i - 1], *p = &curve.at[i];
        if (p->ns < below->ns)
            *below = (struct curve_point){below->pages, p->ns, p->error, p->load_ns,
                                          below->samples};
    }
    return curve;
}

struct curve curve_difference(const struct series *series, const struct point *page)
{
    struct curve curve = curve_alone(series, page);
    struct curve packed = curve_alone(series, curve_packed(series, page));
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < curve.count; i++) {
        while (k < packed.count && packed.at[k].pages < curve.at[i].pages)
            k++;
        if (k == packed.count)
            break;
        curve.at[kept] = curve.at[i];
        curve.at[kept].ns -= packed.at[k].ns;
        curve.at[kept].error = hypot(curve.at[kept].error, packed.at[k].error);
        kept++;
    }
    curve.count = kept;
    curve_free(&packed);
    return curve;
}

void curve_free(struct curve *curve)
{
    free(curve->at);
    *curve = (struct curve){0};
}

/* ---- knees ---- */

/* Noise adds less than so many standard errors. A rise begins where POINTS points in a row are so
 * far above the plateau, and this fraction of a load's time: page colour or code alignment may
 * cause less. [significance] */
const double noise_errors = 3;
static const double share_min = 0.025;
enum { POINTS = 3 };

/* A knee's step is at least this fraction of a load's time before it. Page-table entries moving
 * from one cache to the next cost less, and changes of the clock frequency a tenth. [prior] */
static const double knee_step_min = 0.25;

/* A rise has levelled off at a point if half an octave above adds less than this fraction of the
 * rise so far. [prior] */
static const double levels_off = 0.1;

/* A step is gradual if half of it lies beyond this many times its start. With LRU, W ways and
 * evenly filled sets, half lies at 1 + 1/(2W) times the capacity. [physics] */
static const double half_way_sharp = 7.0 / 6;

double knee_plateau(const struct curve *c, size_t start, size_t i, double *error)
{
    double sum = 0, squares = 0, count = 0;
    size_t first = i;
    while (first > start && (i - first < POINTS || c->at[first - 1].pages >= c->at[i].pages / 2)) {
        sum += c->at[--first].ns;
        count++;
    }
    for (size_t k = first; k < i; k++) {
        double off = hypot(c->at[k].ns - sum / count, c->at[k].error);
        squares += off * off;
    }
    *error = sqrt(squares) / count;
    return sum / count;
}

/* Whether POINTS points from i on (at the end at least two) lie above the plateau. */
static bool rises_at(const struct curve *c, size_t i, double base, double base_error)
{
    bool rises = i + 1 < c->count;
    for (size_t k = i; k < i + POINTS && k < c->count; k++) {
        const struct curve_point *p = &c->at[k];
        rises = rises && p->ns - base > fmax(share_min * p->load_ns,
                                             noise_errors * hypot(p->error, base_error));
    }
    return rises;
}

/* The point half an octave above point j, the next one if that is farther, or the last. */
static size_t above(const struct curve *c, size_t j)
{
    size_t k = j;
    while (k + 1 < c->count && (k == j || c->at[k + 1].pages * c->at[k + 1].pages <=
                                              2 * c->at[j].pages * c->at[j].pages))
        k++;
    return k;
}

/* The first point from `after` on beyond which half an octave adds little to the rise. */
static size_t find_end(const struct curve *c, size_t after, double base)
{
    size_t j = after;
    while (c->at[above(c, j)].ns - c->at[j].ns > levels_off * (c->at[j].ns - base))
        j++;
    return j;
}

double knee_size_at(const struct curve *c, const struct knee *knee, double part)
{
    double wanted = knee->plateau_ns + part * knee->step_ns;
    size_t i = knee->after;
    while (i < knee->end && c->at[i].ns < wanted)
        i++;
    const struct curve_point *p = &c->at[i > 0 ? i - 1 : 0], *q = &c->at[i]; /* 0: a single size */
    double share = q->ns > p->ns ? (wanted - p->ns) / (q->ns - p->ns) : 1;
    return p->pages + fmin(1, fmax(0, share)) * (q->pages - p->pages);
}

/* Sets the rest of a knee; false if its step is too small for a level. */
static bool describe(const struct curve *c, struct knee *knee)
{
    const struct curve_point *before = &c->at[knee->before];
    double follows = c->at[c->count - 1].pages / c->at[knee->end].pages;
    knee->step_ns = c->at[above(c, knee->end)].ns - knee->plateau_ns;
    knee->gradual = knee->end > knee->after &&
                    knee_size_at(c, knee, 0.5) > half_way_sharp * before->pages;
    knee->reaches_end = follows * follows < 2;
    return knee->step_ns >= knee_step_min * before->load_ns;
}

size_t knee_find(const struct curve *c, struct knee knees[KNEES_MAX])
{
    size_t found = 0, start = 0;
    for (size_t i = 2; i < c->count && found < KNEES_MAX; i++) {
        struct knee *knee = &knees[found];
        if (i < start + 2)
            continue;
        knee->plateau_ns = knee_plateau(c, start, i, &knee->plateau_error);
        if (!rises_at(c, i, knee->plateau_ns, knee->plateau_error))
            continue;
        knee->before = i - 1;
        knee->after = i;
        start = i = knee->end = find_end(c, i, knee->plateau_ns);
        found += describe(c, knee);
    }
    return found;
}
