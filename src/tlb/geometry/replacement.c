/* replacement.c: the replacement policy of a set.
 *
 * Each policy is simulated on one set, with chains like the measured ones. The cost of a miss is
 * unknown, so only the proportions matter.
 */
#include "tlb/geometry/replacement.h"
#include "access/chain.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include "tlb/simulate/assoc.h"
#include <math.h>
#include <stdlib.h>

/* Standard error of a mean over so few simulated chains, as a fraction of the largest measurement.
 * [prior] */
static const double chain_error = 0.02;

/* The best policy's mean squared error, in standard errors, is at most `fits`; the next policy's is
 * at least `clearly` times as large. [significance] */
static const double fits = 4, clearly = 3;

/* The tree of a PLRU set with many ways reaches its steady state only after many rounds. [physics]
 */
enum { ROUNDS_WARM = 100 };

/* Lengths of simulations. [bound] */
enum { CYCLES = 10, CHAINS = 10 };

static const struct {
    const char *name;
    enum assoc_replacement replacement;
} policies[] = {{"lru", REPLACE_LRU},
                {"plru", REPLACE_PLRU},
                {"random", REPLACE_RANDOM},
                {"fifo", REPLACE_FIFO}};

enum { POLICIES = sizeof policies / sizeof *policies }; /* [bound] */

/* The longer chains visit each page ROUNDS times, in a new order each round, before they repeat: in
 * one fixed order LRU, PLRU and FIFO would all miss every page of an overloaded set. [prior] */
enum { ROUNDS = 8, TARGETS = REPLACEMENT_POINTS / 2 };

/* One measurement. */
struct measurement {
    uint64_t targets, rounds;
    double part;      /* of the loads that are of targets */
    double ns, error; /* mean time of a load minus that of targets that all fit; standard error */
};

static struct point point_of(const struct overload *overload, uint64_t targets, uint64_t rounds)
{
    struct point point = overload->like;
    point.moment = point.sample = 0;
    point.role = ROLE_SWEEP;
    point.targets = targets;
    point.pages = rounds * (targets + point.others);
    return point;
}

void replacement_points(const struct overload *overload, struct point points[REPLACEMENT_POINTS])
{
    uint64_t ways = overload->ways;
    const uint64_t more[TARGETS] = {1, 2, ways / 4, ways / 2, ways};
    points[0] = point_of(overload, ways, 1);
    for (uint64_t i = 0; i < TARGETS; i++) {
        uint64_t targets = ways + (more[i] > i ? more[i] : i + 1);
        points[1 + 2 * i] = point_of(overload, targets, 1);
        points[2 + 2 * i] = point_of(overload, targets, ROUNDS);
    }
}

/* ---- simulation ---- */

/* The share of loads that miss on a chain, after warm-up. */
static double share_on(const struct assoc_shape *shape, const uint32_t *next, uint64_t nodes,
                       uint64_t targets, uint64_t seed)
{
    struct assoc set;
    uint64_t *numbers = allocate(targets, sizeof *numbers), misses = 0;
    uint64_t warm = CYCLES * nodes;
    if (shape->replacement == REPLACE_PLRU && warm < ROUNDS_WARM * targets)
        warm = ROUNDS_WARM * targets;
    uint32_t at = 0;
    assoc_open(&set, shape, numbers, (uint32_t)targets, seed);
    for (uint64_t i = 0; i < warm + CYCLES * nodes; i++, at = next[at])
        if (!assoc_access(&set, at % (uint32_t)targets) && i >= warm)
            misses++;
    assoc_close(&set);
    free(numbers);
    return (double)misses / (double)(CYCLES * nodes);
}

/* Mean of share_on() over chains of `rounds` rounds. */
static double share_missing(enum assoc_replacement replacement, uint64_t ways, uint64_t targets,
                            uint64_t rounds)
{
    struct assoc_shape shape = {.entries = ways, .ways = ways, .replacement = replacement};
    uint64_t nodes = targets * rounds;
    uint32_t *next = allocate(nodes, sizeof *next);
    double sum = 0;
    for (uint64_t chain = 0; chain < CHAINS; chain++) {
        struct random random;
        random_seed(&random, chain, nodes);
        chain_rounds(next, rounds, targets, 0, &random);
        sum += share_on(&shape, next, nodes, targets, chain);
    }
    free(next);
    return sum / CHAINS;
}

/* ---- comparison ---- */

/* Mean squared error of the measurements, in standard errors; the cost of a miss is fitted by
 * weighted least squares. */
static double misfit(enum assoc_replacement replacement, uint64_t ways,
                     const struct measurement measured[2 * TARGETS])
{
    double share[2 * TARGETS], weight[2 * TARGETS], up = 0, down = 0, sum = 0, most = 0;
    for (int i = 0; i < 2 * TARGETS; i++)
        most = fmax(most, measured[i].ns);
    for (int i = 0; i < 2 * TARGETS; i++) {
        const struct measurement *m = &measured[i];
        share[i] = share_missing(replacement, ways, m->targets, m->rounds) * m->part;
        weight[i] = 1 / (m->error * m->error + chain_error * chain_error * most * most);
        up += weight[i] * share[i] * m->ns;
        down += weight[i] * share[i] * share[i];
    }
    for (int i = 0; i < 2 * TARGETS; i++)
        sum += weight[i] * pow(measured[i].ns - up / down * share[i], 2);
    return sum / (2 * TARGETS);
}

/* False if a point was not measured. */
static bool read_points(const struct series *series, const struct overload *overload,
                        struct measurement measured[2 * TARGETS])
{
    struct point points[REPLACEMENT_POINTS];
    double base = 0;
    replacement_points(overload, points);
    for (int i = 0; i < REPLACEMENT_POINTS; i++) {
        const struct point *p = &points[i];
        const struct group *group = series_find(series, p);
        if (group == NULL)
            return false;
        if (i == 0)
            base = group_fastest(group, 0.5);
        else
            measured[i - 1] = (struct measurement){
                .targets = p->targets,
                .rounds = layout_rounds(p),
                .part = (double)p->targets / (double)(p->targets + p->others),
                .ns = group_fastest(group, 0.5) - base,
                .error = STATS_MEDIAN_ERROR *
                         (group_fastest(group, 0.75) - group_fastest(group, 0.25)) /
                         (2 * STATS_QUARTILE * sqrt((double)group->count))};
    }
    return true;
}

const char *replacement_of(const struct series *series, const struct overload *overload)
{
    struct measurement measured[2 * TARGETS];
    double least = INFINITY, next = INFINITY;
    const char *best = "unknown";
    if (overload->ways == 0 || !read_points(series, overload, measured))
        return best;
    for (int i = 0; i < POLICIES; i++) {
        double off = misfit(policies[i].replacement, overload->ways, measured);
        if (off < least) {
            next = least;
            least = off;
            best = policies[i].name;
        } else
            next = fmin(next, off);
    }
    return least <= fits && next >= fmax(clearly * least, 1) ? best : "unknown";
}
