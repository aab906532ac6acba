/* frame_variance.c: times that depend on which page frames a sample got. */
#include "curve/frame_variance.h"
#include "base/stats.h"
#include <math.h>

/* Sizes that are averaged lie within this factor [prior], and are so many on either side at most
 * [bound]. */
static const double window = 1.125;
enum { SIZES_MOST = 64 };

/* Samples of `packed` depend on their page frames when they scatter by this part of their time, and
 * by so many times the scatter of `page`. Noise is the same for both, and a sample of `page` lies
 * on so many frames that their effects average out. [significance] */
enum { FREEDOM_LEAST = 3 };
static const double scatter_least = 0.01, times_least = 2;

/* Sums over the sizes of a window: for a line, and for the variance within the sizes. */
struct window_sums {
    struct line_sums line;
    double squares, freedom;
};

static double squares_of(const struct group *g, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < g->count; i++)
        squares += (g->ns[i] - mean) * (g->ns[i] - mean);
    return squares;
}

static void add_size(struct window_sums *sums, const struct group *g, double pages)
{
    double n = (double)g->count, mean = stats_mean(g->ns, g->count);
    stats_line_add(&sums->line, n, log((double)g->point.pages / pages), mean);
    sums->squares += squares_of(g, mean);
    sums->freedom += n - 1;
}

/* The sizes around `g` on its curve. */
static struct window_sums sum_window(const struct series *series, const struct group *g)
{
    const struct group *last = series->groups + series->count - 1, *at = g;
    double pages = (double)g->point.pages;
    struct window_sums sums = {0};
    while (at > series->groups && point_same_curve(&at[-1].point, &g->point) &&
           (double)at[-1].point.pages * window >= pages && g - at < SIZES_MOST)
        at--;
    for (; at <= last && at - g <= SIZES_MOST && point_same_curve(&at->point, &g->point) &&
           (double)at->point.pages <= pages * window;
         at++)
        add_size(&sums, at, pages);
    return sums;
}

bool frame_variance_difference(const struct series *series, const struct group *page,
                               const struct group *packed, struct frame_variance *found)
{
    struct window_sums s = sum_window(series, packed), own = sum_window(series, page);
    if (s.freedom < FREEDOM_LEAST || own.freedom < FREEDOM_LEAST)
        return false;
    struct line_fit line = stats_line(&s.line), own_line = stats_line(&own.line);
    double scatter = sqrt(s.squares / s.freedom) / line.y;
    double noise = sqrt(own.squares / own.freedom) / own_line.y;
    if (!(scatter >= fmax(scatter_least, times_least * noise))) /* false for times of 0, too */
        return false;
    double unsure = 1 / line.weight + (line.xx > 0 ? line.x * line.x / line.xx : 0);
    found->ns = stats_mean(page->ns, page->count) - (line.y - line.slope * line.x);
    found->error = hypot(noise * own_line.y / sqrt((double)page->count),
                         scatter * line.y * sqrt(unsure));
    return true;
}
