/* frame_variance.c: times that depend on which page frames a sample got. */
#include "curve/frame_variance.h"
#include "base/stats.h"
#include <math.h>

/* Sizes that are averaged lie within this factor. */
static const double window = 1.125;

/* Samples of `packed` differ by luck when they do so by this part of their time, and by so many
 * times what those of `page` do: noise is the same for both, and `page` lies on so many frames that
 * it has all the luck at once. */
static const double luck_least = 0.01, times_least = 2;

/* Sums over the sizes of a window, for a line and for what samples differ by. */
struct sums {
    double n, x, y, xx, xy;
    double squares, freedom;
};

static double squares_of(const struct group *g, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < g->count; i++)
        squares += (g->ns[i] - mean) * (g->ns[i] - mean);
    return squares;
}

static void add_size(struct sums *sums, const struct group *g, double pages)
{
    double n = (double)g->count, x = log((double)g->point.pages / pages);
    double y = stats_mean(g->ns, g->count);
    sums->n += n;
    sums->x += n * x;
    sums->y += n * y;
    sums->xx += n * x * x;
    sums->xy += n * x * y;
    sums->squares += squares_of(g, y);
    sums->freedom += n - 1;
}

/* The sizes around `g` on its curve. */
static struct sums sum_window(const struct series *series, const struct group *g)
{
    const struct group *last = series->groups + series->count - 1, *at = g;
    double pages = (double)g->point.pages;
    struct sums sums = {0};
    while (at > series->groups && point_same_curve(&at[-1].point, &g->point) &&
           (double)at[-1].point.pages * window >= pages)
        at--;
    for (; at <= last && point_same_curve(&at->point, &g->point) &&
           (double)at->point.pages <= pages * window;
         at++)
        add_size(&sums, at, pages);
    return sums;
}

bool frame_variance_difference(const struct series *series, const struct group *page,
                               const struct group *packed, struct frame_variance *luck)
{
    struct sums s = sum_window(series, packed), own = sum_window(series, page);
    if (s.freedom < 3 || own.freedom < 3)
        return false;
    double mean = s.y / s.n, scatter = sqrt(s.squares / s.freedom) / mean;
    double noise = sqrt(own.squares / own.freedom) / (own.y / own.n);
    if (!(scatter >= fmax(luck_least, times_least * noise))) /* or times of 0 */
        return false;
    double spread = s.xx - s.x * s.x / s.n;
    double slope = spread > 0 ? (s.xy - s.x * mean) / spread : 0;
    double unsure = 1 / s.n + (spread > 0 ? s.x * s.x / (s.n * s.n * spread) : 0);
    luck->ns = stats_mean(page->ns, page->count) - (mean - slope * s.x / s.n);
    luck->error = hypot(noise * own.y / own.n / sqrt((double)page->count),
                        scatter * mean * sqrt(unsure));
    return true;
}
