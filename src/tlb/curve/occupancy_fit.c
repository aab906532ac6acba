/* occupancy_fit.c: the capacity of a cache whose sets fill unevenly.
 *
 *     double lines = occupancy_fit(&curve, 8000, 80000, 16000, 50000, 64);
 */
#include "tlb/curve/occupancy_fit.h"
#include <math.h>

enum { TERMS = 3 };      /* [bound] */
enum { POINTS_MIN = 8 }; /* [significance] */

/* Ways to try, and the ratio of successive capacities. [prior] */
static const double ways_tried[] = {2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 20, 24};
static const double ratio = 1.004;

/* Lower limit of a point's relative error: no processor fits the formula exactly. [prior] */
static const double ns_floor = 0.005;

/* Standard deviations of the prior: relative error of `most_likely`, upwards and downwards. [prior]
 */
static const double above_off = 0.04, below_off = 0.1;

/* Probability omitted from a binomial sum. [bound] */
static const double negligible = 1e-7;

/* ---- what a cache holds ---- */

struct cache {
    double lines, ways, page_lines;
};

/* The mean of min(W, k), i.e. the sum of P(k ≥ j) over j = 1 … W, where k of `pages` pages have
 * this colour, each with probability `share`. */
static double held_of_a_colour(double ways, double pages, double share)
{
    double p = exp(pages * log1p(-share)), above = 1, held = 0;
    for (double k = 0; k < ways && above > negligible; k++) {
        above -= p;
        held += fmax(0, above);
        p *= (pages - k) / (k + 1) * share / (1 - share);
    }
    return held;
}

/* R(n) of occupancy_fit.h. */
static double held(const struct cache *c, double lines)
{
    double share = c->ways * c->page_lines / c->lines; /* of pages per colour */
    if (share >= 1)
        return fmin(lines, c->lines);
    return held_of_a_colour(c->ways, lines / c->page_lines, share) / share * c->page_lines;
}

/* ---- least squares ---- */

/* Sums of products of the terms and the latency, over `count` points. */
struct sums {
    double of[TERMS + 1][TERMS + 1];
    size_t count;
};

static void add_point(struct sums *sums, const double value[TERMS + 1], double error)
{
    for (int i = 0; i <= TERMS; i++)
        for (int k = 0; k <= TERMS; k++)
            sums->of[i][k] += value[i] * value[k] / (error * error);
    sums->count++;
}

/* One step of Gaussian elimination. */
static void eliminate(struct sums *s, int term)
{
    for (int k = term + 1; k <= TERMS; k++) {
        double factor = s->of[term][term] > 0 ? s->of[k][term] / s->of[term][term] : 0;
        for (int l = term; l <= TERMS; l++)
            s->of[k][l] -= factor * s->of[term][l];
    }
}

/* The residual sum of squares after fitting all terms; INFINITY if there are too few points or the
 * last coefficient is not positive. */
static double squares_left(struct sums *s)
{
    if (s->count < POINTS_MIN)
        return INFINITY;
    for (int i = 0; i < TERMS - 1; i++)
        eliminate(s, i);
    if (s->of[TERMS - 1][TERMS] <= 0)
        return INFINITY;
    eliminate(s, TERMS - 1);
    return fmax(0, s->of[TERMS][TERMS]);
}

/* ---- loads at random positions ---- */

static double squares(const struct curve *curve, double first, double last, const struct cache *c)
{
    struct sums sums = {.count = 0};
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *p = &curve->at[i];
        double value[] = {1, 1 / p->pages, 1 - held(c, p->pages) / p->pages, p->ns};
        if (p->pages >= first && p->pages <= last)
            add_point(&sums, value, hypot(p->error, ns_floor * p->ns));
    }
    return squares_left(&sums);
}

double occupancy_fit(const struct curve *curve, double first, double last, double low, double high,
                     double most_likely, double page_lines)
{
    double best = NAN, least = INFINITY;
    for (size_t w = 0; w < sizeof ways_tried / sizeof *ways_tried; w++) {
        struct cache c = {low, ways_tried[w], page_lines};
        for (; c.lines <= high; c.lines *= ratio) {
            double left = squares(curve, first, last, &c);
            double off = log(c.lines / most_likely);
            off /= off > 0 ? above_off : below_off;
            if (left + off * off >= least)
                continue;
            least = left + off * off;
            best = c.lines;
        }
    }
    return best;
}
