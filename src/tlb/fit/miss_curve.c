/* miss_curve.c: the share of loads that miss, for each kind of level. */
#include "tlb/fit/miss_curve.h"
#include <math.h>

enum { PAGES_KNOWN = 160 }; /* small sets are computed once [bound] */

/* The grid for hashed sets, computed once: ways, and positions on a scale of ln(pages of a set /
 * ways) in steps of 1 / PER_E. [bound] */
enum { WAYS_KNOWN = 32, PER_E = 64, PLACE_FIRST = -4 * PER_E, PLACES = 7 * PER_E };

/* How fast t of miss_curve.h goes from 1/2 to 1. [tuned: simulated sets] */
static const double late = 0.45;

/* Probability omitted from a Poisson sum. [bound] */
static const double negligible = 1e-6;

/* m = 1 - h where h = exp(-z m): the root above 0, by Newton's method from the right. */
static double random_missing(double z)
{
    double m = 1, step = 1;
    if (z <= 1)
        return 0;
    for (int i = 0; i < 30 && step > 1e-7; i++) {
        double hits = exp(-z * m);
        step = (m - 1 + hits) / (1 - z * hits);
        m -= step;
    }
    return fmax(0, m);
}

static double random_set(double ways, double pages)
{
    double t = 1 - 0.5 * exp(late * (1 - pages / ways));
    return random_missing((pages - t) * -log1p(-1 / ways));
}

static double rule_missing(enum rule rule, double ways, double pages)
{
    double whole = fmax(1, floor(ways));
    if (pages <= ways)
        return 0;
    if (rule == RULE_LRU || ways < 2)
        return 1;
    if (rule == RULE_NRU)
        return 1 - floor((whole - 1) / (pages - whole + 1)) / (whole - 1);
    return random_set(ways, pages);
}

/* The share of misses with this many pages in one set; cached for small sets, as a fit needs it
 * thousands of times. */
static double set_missing(enum rule rule, double ways, double pages)
{
    static float known[RULES][PAGES_KNOWN + 1][PAGES_KNOWN + 1]; /* 1 + the share */
    if (rule == RULE_LRU || pages > PAGES_KNOWN || ways > PAGES_KNOWN || pages < 1)
        return pages < 1 ? 0 : rule_missing(rule, ways, pages);
    float *cell = &known[rule][(int)ways][(int)pages];
    if (*cell == 0)
        *cell = 1 + (float)rule_missing(rule, ways, pages);
    return (double)*cell - 1;
}

/* ---- all sets ---- */

/* The mean of set_missing() under LRU if each of `others` pages is outside the level before with
 * probability `outside` (binomial). With no more pages than ways nothing misses: stale entries are
 * evicted. */
static double thinned_missing(double ways, double others, double outside)
{
    double sum = 0, probability = pow(1 - outside, others);
    if (probability <= 0) /* underflow: with this many pages the mean will do */
        return set_missing(RULE_LRU, ways, others * outside + 1);
    for (double x = 0; x <= others; x++) {
        sum += x < ways ? 0 : probability;
        probability *= (others - x) / (x + 1) * outside / (1 - outside);
    }
    return sum;
}

/* Behind an exclusive level with random replacement, which holds `inside` of a set's pages on
 * average. With few excess pages, misses occur when it holds fewer, as if it held only y = inside^2
 * u / (ways / 2 + inside u), where u = pages - y - ways + 1 is the positive root of a quadratic.
 * The 2 is tuned: simulated sets. */
static double random_missing_outside(double ways, double others, double outside)
{
    double pages = others + 1, inside = pages * (1 - outside), half = ways / 2;
    double above = pages - ways + 1, b = half + inside * (inside - above);
    double u = (sqrt(b * b + 4 * inside * above * half) - b) / (2 * inside);
    return u > 1 ? random_set(ways, ways - 1 + u) : 0;
}

static double outside_missing(enum rule rule, double ways, double others, double outside)
{
    if (outside >= 1)
        return set_missing(rule, ways, others + 1);
    if (rule == RULE_RANDOM)
        return others < ways ? 0 : random_missing_outside(ways, others, outside);
    return thinned_missing(ways, others, outside);
}

/* The share of misses if pages fall into sets at random, and its variance times the number of sets.
 */
struct hashed {
    double missing, variance;
};

/* The share is E f(k) / mean, where f(k) = k × (share with k pages) and k is Poisson distributed.
 * Its variance over hashes is that of f(k) minus the part linear in k (regression of f on k), as
 * the sum of all k is n. */
static struct hashed sum_hashed(enum rule rule, double ways, double mean)
{
    double probability = exp(-mean), below = 0, k = 0, f = 0, ff = 0, fk = 0;
    for (; set_missing(rule, ways, k) == 0; k++) {
        below += probability;
        probability *= mean / (k + 1);
    }
    for (double left = 1 - below; left > negligible && k < 8 * ways + 40; k++) {
        double missing = k * set_missing(rule, ways, k);
        f += probability * missing;
        ff += probability * missing * missing;
        fk += probability * missing * k;
        left -= probability;
        probability *= mean / (k + 1);
    }
    double with_k = fk - f * mean;
    double variance = fmax(0, ff - f * f - with_k * with_k / mean) / (mean * mean);
    return (struct hashed){fmin(1, f / mean), variance};
}

/* The sums for mean = ways × exp(place / PER_E), computed once. */
static const struct hashed *hashed_at(enum rule rule, double ways, int place)
{
    static struct hashed known[RULES][WAYS_KNOWN + 1][PLACES]; /* 1 + the share */
    struct hashed *cell = &known[rule][(int)ways][place - PLACE_FIRST];
    if (cell->missing == 0) {
        *cell = sum_hashed(rule, ways, ways * exp((double)place / PER_E));
        cell->missing++;
    }
    return cell;
}

/* Cubic interpolation: the sums are smooth, and a fit needs them thousands of times. */
static struct hashed hashed_missing(enum rule rule, double ways, double mean)
{
    double x = log(mean / ways) * PER_E, place = floor(x), t = x - place;
    struct hashed between = {-1, 0};
    if (ways != floor(ways) || ways > WAYS_KNOWN || place - 1 < PLACE_FIRST ||
        place + 2 >= PLACE_FIRST + PLACES)
        return sum_hashed(rule, ways, mean);
    double inner = t * (t - 1) / 6, outer = (t + 1) * (t - 2) / 2;
    double weight[] = {-inner * (t - 2), outer * (t - 1), -outer * t, inner * (t + 1)};
    for (int i = 0; i < 4; i++) {
        const struct hashed *at = hashed_at(rule, ways, (int)place - 1 + i);
        between.missing += weight[i] * at->missing;
        between.variance += weight[i] * at->variance;
    }
    between.missing = between.missing < 0 ? 0 : between.missing > 1 ? 1 : between.missing;
    between.variance = between.variance < 0 ? 0 : between.variance;
    return between;
}

/* The number of pages that miss if `pages` fill the sets evenly. */
static double even_missing(const struct miss_curve *s, double sets, double pages, double outside)
{
    double few = floor(pages / sets), fuller = (pages - few * sets) * (few + 1);
    return (pages - fuller) * outside_missing(s->rule, s->ways, few - 1, outside) +
           fuller * outside_missing(s->rule, s->ways, few, outside);
}

/* ---- other orders ---- */

/* A set in a new order every round; H(n) is about ln(n + 1/2) + Euler's constant. */
static double reordered_missing(double ways, double pages)
{
    double over = pages - ways;
    return over > 0 ? over / pages * (1 + log((pages + 0.5) / (over + 0.5))) : 0;
}

static double other_order_missing(const struct miss_curve *s, double entries, double pages)
{
    if (s->order == ORDER_RANDOM)
        return fmax(0, 1 - entries / pages);
    if (s->ways == 0)
        return reordered_missing(entries, pages);
    double sets = entries / s->ways, few = floor(pages / sets), fuller = pages - sets * few;
    return (fuller * (few + 1) * reordered_missing(s->ways, few + 1) +
            (sets - fuller) * few * reordered_missing(s->ways, few)) /
           pages;
}

double miss_curve_share(const struct miss_curve *s, double entries, double pages, double *variance)
{
    double own = entries - s->before, others = pages - 1 - s->before;
    *variance = 0;
    if (own < 1 || others < 1)
        return 0;
    if (s->order != ORDER_FIXED)
        return other_order_missing(s, entries, pages);
    if (s->ways == 0)
        return set_missing(s->rule, own, others + 1);
    double sets = own / s->ways;
    if (s->hashed) {
        struct hashed hashed = hashed_missing(s->rule, s->ways, (others + 1) / sets);
        *variance = hashed.variance / sets;
        return hashed.missing;
    }
    double outside = others / (pages - 1);
    if (s->gap == 0)
        return even_missing(s, sets, pages, outside) / pages;
    double half = sets / 2, block = ldexp(half, s->gap), rest = fmod(pages, 2 * block);
    double first = (pages - rest) / 2 + fmin(rest, block);
    return (even_missing(s, half, first, outside) + even_missing(s, half, pages - first, outside)) /
           pages;
}
