/* replacement.c: the replacement policy of a set.
 *
 * Each policy is simulated on one set, with chains like the measured ones. The cost of a miss is
 * unknown, so only the proportions matter.
 */
#include "tlb/geometry/replacement.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/simulate/hierarchy.h"
#include <math.h>
#include <stdlib.h>

/* Standard error of a mean over so few simulated chains, as a fraction of the largest measurement.
 * [prior] */
static const double chain_error = 0.02;

/* The best policy's mean squared error, in standard errors, is at most `fits`; the next policy's is
 * at least `clearly` times as large. [significance] */
static const double fits = 4, clearly = 3;

enum { CHAINS = 10 }; /* that are simulated [bound] */

/* Such a chain visits each page ROUNDS times, in a new order each round, before it repeats: in one
 * fixed order LRU, PLRU and FIFO would all miss every page of an overloaded set. [prior] */
enum { ROUNDS = 8 };

void replacement_points(const struct point *set, struct point points[REPLACEMENT_POINTS])
{
    uint64_t ways = set->targets;
    const uint64_t more[REPLACEMENT_POINTS] = {0, 1, 2, ways / 4, ways / 2, ways};
    for (uint64_t i = 0; i < REPLACEMENT_POINTS; i++) {
        struct point *point = &points[i];
        *point = *set;
        point->moment = point->sample = 0;
        point->role = ROLE_SWEEP;
        point->targets = ways + (more[i] > i ? more[i] : i);
        point->pages = ROUNDS * (point->targets + point->others);
    }
}

/* The share of the loads of such a chain, of targets alone, that miss one set: the mean of several
 * chains. */
static double share_missing(enum assoc_replacement replacement, uint64_t ways, uint64_t targets)
{
    struct point point = {.pages = ROUNDS * targets,
                          .targets = targets,
                          .layout = &layouts[LAYOUT_SET],
                          .kernel = &kernels[KERNEL_READ]};
    struct granules pages = {.count = (uint32_t)targets,
                             .key = allocate(point.pages, sizeof *pages.key),
                             .number = allocate(targets, sizeof *pages.number)};
    struct hierarchy set = {
        .levels = 1,
        .level = {{.shape = {ways, ways, .replacement = replacement}, .granules = &pages}}};
    double sum = 0, share[2];
    for (uint64_t node = 0; node < point.pages; node++)
        pages.key[node] = (uint32_t)(node % targets);
    for (uint64_t chain = 0; chain < CHAINS; chain++) {
        struct random random;
        struct access_order order;
        random_seed(&random, chain, point.pages);
        access_order_open(&order, &point, UINT64_MAX, &random);
        hierarchy_serve(&set, &order, chain, share);
        access_order_close(&order);
        sum += share[1];
    }
    free(pages.key);
    free(pages.number);
    return sum / CHAINS;
}

static double median_error(const struct group *group)
{
    double quartiles = group_fastest(group, 0.75) - group_fastest(group, 0.25);
    return STATS_MEDIAN_ERROR * quartiles / (2 * STATS_QUARTILE * sqrt((double)group->count));
}

/* Mean squared error of the measurements, in standard errors: times of a load minus that of targets
 * that all fit. The cost of a miss is fitted by weighted least squares. */
static double misfit(enum assoc_replacement replacement, uint64_t ways,
                     const struct group *const groups[REPLACEMENT_POINTS])
{
    double ns[REPLACEMENT_POINTS], share[REPLACEMENT_POINTS], weight[REPLACEMENT_POINTS];
    double base = group_fastest(groups[0], 0.5), most = 0, up = 0, down = 0, sum = 0;
    for (int i = 1; i < REPLACEMENT_POINTS; i++) {
        const struct point *p = &groups[i]->point;
        double targets = (double)p->targets;
        ns[i] = group_fastest(groups[i], 0.5) - base;
        most = fmax(most, ns[i]);
        share[i] = share_missing(replacement, ways, p->targets) * targets /
                   (targets + (double)p->others);
    }
    for (int i = 1; i < REPLACEMENT_POINTS; i++) {
        weight[i] = 1 / (pow(median_error(groups[i]), 2) + pow(chain_error * most, 2));
        up += weight[i] * share[i] * ns[i];
        down += weight[i] * share[i] * share[i];
    }
    for (int i = 1; i < REPLACEMENT_POINTS; i++)
        sum += weight[i] * pow(ns[i] - up / down * share[i], 2);
    return sum / (REPLACEMENT_POINTS - 1);
}

const char *replacement_of(const struct series *series, const struct point *set)
{
    struct point points[REPLACEMENT_POINTS];
    const struct group *groups[REPLACEMENT_POINTS];
    double least = INFINITY, next = INFINITY;
    const char *best = "unknown";
    replacement_points(set, points);
    for (int i = 0; i < REPLACEMENT_POINTS; i++)
        if (set->targets == 0 || (groups[i] = series_find(series, &points[i])) == NULL)
            return best;
    for (enum assoc_replacement r = REPLACE_LRU; r <= REPLACE_FIFO; r++) {
        double off = misfit(r, set->targets, groups);
        next = fmin(next, fmax(least, off));
        if (off < least) {
            least = off;
            best = replacement_names[r];
        }
    }
    return least <= fits && next >= fmax(clearly * least, 1) ? best : "unknown";
}
