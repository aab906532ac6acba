/* curve.c: from samples to curves over the number of nodes. */
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

static size_t sizes_of(const struct series *series, const struct point *point)
{
    size_t count = 0;
    for (size_t i = 0; point != NULL && i < series->count; i++)
        count += point_same_curve(&series->groups[i].point, point);
    return count;
}

struct curve curve_minima(const struct series *series, const struct point *point)
{
    size_t sizes = sizes_of(series, point);
    struct curve curve = {allocate(sizes, sizeof *curve.at), 0};
    double apart = sizes > SIZES_MANY ? 1 + near_size : 1, last = 0;
    for (size_t i = 0; sizes > 0 && i < series->count; i++) {
        const struct group *group = &series->groups[i];
        if (!point_same_curve(&group->point, point) || (double)group->point.pages < apart * last)
            continue;
        curve.at[curve.count++] = fastest_of(group);
        last = (double)group->point.pages;
    }
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

struct curve curve_control(const struct series *series, const struct point *page)
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
