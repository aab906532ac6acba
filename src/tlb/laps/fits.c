/* fits.c: counts clean laps.
 *
 *     struct fits fits = fits_of(family, NAN, excess_alone);
 *     if (fits.most == fits.fits && fits.chance < 1e-6) ...exactly fits.fits...
 */
#include "tlb/laps/fits.h"
#include "access/kernel.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A lap is clean with less than half a miss, either way: the hits of its moment are measured too.
 * [significance] */
static const double clean_below = 0.5;

/* So many clean laps, and such a share of those that count, are no mistake of the timer; of code,
 * nor of a control that was disturbed. [significance] */
enum { CLEAN_MIN = 3 };
static const double share_least = 0.01, code_share_least = 0.3;

/* With at least this many times the targets that fit, all or nearly all miss [physics]; and with so
 * many none misses the next level, too. [prior] */
enum { ALL_FROM = 3, ALL_TIMES = 4 };

/* A number is not asked about often enough with fewer moments that count. [significance] */
enum { ASKED_MIN = 4 };

/* How many standard errors below what was seen a share may be. [significance] */
static const double share_errors = 2;

/* Alone: less than two misses, and more than a neighbour's page costs, which is one. Exclusive:
 * less than one, so a neighbour's page looks the same, and the answer is never sure. [physics] */
const double excess_alone = 1.75, excess_exclusive = 0.75;

/* A number of which this share of the loads misses is far too large. [prior] */
static const double thrashing = 0.25;

/* A neighbour that pauses now and then leaves at least one of this many consecutive moments clean.
 * [significance] */
enum { IN_A_ROW = 4 };

/* Of a high and a medium answer: the chance of a mistake, the share of such rows without a
 * neighbour, and the seconds over which the moments are spread. With less than quiet_low the level
 * is held. [significance] */
const double fits_chance_high = 1e-6;
static const double chance_medium = 1e-2, quiet_high = 0.95, quiet_medium = 0.9, quiet_low = 0.5,
                    span_high = 0.4;

static double hit_ns(const struct family *family, const struct moment *m)
{
    return m->few.ns / (double)(m->few.targets + family->like.others);
}

double fits_misses(const struct family *family, const struct moment *m, const struct lap *lap,
                   double miss_hits)
{
    double hits = (double)(lap->targets + family->like.others);
    return (lap->ns / hit_ns(family, m) - hits) / miss_hits;
}

/* Laps of code get longer with the tables of the branch predictor, too, by a little with each page;
 * so they are compared with those of one page less, in place of as many hits. */
static bool is_code(const struct family *family)
{
    return family->like.kernel->executes;
}

/* The misses of the number asked about. */
static double misses_asked(const struct family *family, const struct moment *m, double miss_hits)
{
    double misses = fits_misses(family, m, &m->asked, miss_hits);
    return is_code(family) ? misses - fits_misses(family, m, &m->control, miss_hits) : misses;
}

static bool is_clean(double misses)
{
    return fabs(misses) < clean_below;
}

/* Of code, with less than half of what one page too many costs. */
static bool asked_is_clean(const struct family *family, const struct moment *m, double miss_hits)
{
    double misses = misses_asked(family, m, miss_hits);
    return is_code(family) ? misses < excess_alone / 2 : is_clean(misses);
}

/* Whether a moment shows whether the number asked about fits: the control is clean; of code, it is
 * the number below. */
static bool counts(const struct family *family, const struct moment *m, double miss_hits)
{
    return is_code(family) ? m->control.targets + 1 == m->asked.targets
                           : is_clean(fits_misses(family, m, &m->control, miss_hits));
}

bool fits_shows(const struct family *family, const struct moment *m, uint64_t n, double miss_hits)
{
    return (m->control.targets == n && counts(family, m, miss_hits)) ||
           (m->asked.targets == n && asked_is_clean(family, m, miss_hits));
}

/* Neighbours only add misses, so of several moments this quantile shows those that are ours.
 * [prior] */
static const double undisturbed = 0.25;

/* Less is noise, or so many fit after all, once a neighbour has gone. [significance] */
const double fits_noise = 0.3;

/* A quantile of the misses of n targets, in the moments that asked about them and count, or in
 * those where they were to miss. */
static double misses_of(const struct family *family, uint64_t n, bool asked, double miss_hits,
                        double quantile)
{
    double *misses = allocate(family->count, sizeof *misses);
    size_t count = 0;
    for (size_t i = 0; i < family->count; i++) {
        const struct moment *m = &family->at[i];
        if (asked && m->asked.targets == n && counts(family, m, miss_hits))
            misses[count++] = misses_asked(family, m, miss_hits);
        if (!asked && n > 0 && m->all.targets == n)
            misses[count++] = fits_misses(family, m, &m->all, miss_hits);
    }
    double found = stats_quantile(misses, count, quantile);
    free(misses);
    return found;
}

static double typical_hit_ns(const struct family *family)
{
    double *hits = allocate(family->count, sizeof *hits);
    for (size_t i = 0; i < family->count; i++)
        hits[i] = hit_ns(family, &family->at[i]);
    double typical = stats_quantile(hits, family->count, 0.5);
    free(hits);
    return typical;
}

/* The smallest number of which all were to miss that is at least `least`, else the largest; 0:
 * none. */
static uint64_t all_of(const struct family *family, uint64_t least)
{
    uint64_t all = 0;
    for (size_t i = 0; i < family->count; i++) {
        uint64_t n = family->at[i].all.targets;
        if (all < least ? n > all : n >= least && n < all)
            all = n;
    }
    return all;
}

/* Sets what a hit takes, and what a miss adds: by the smallest number that is far above `fits` and
 * misses; before `fits` is known, by the largest. (With many more, pages may miss in the next level
 * too.) */
static void measure_miss(struct fits *fits, const struct family *family, double miss_hits)
{
    bool known = fits->fits > 0 && isnan(miss_hits);
    uint64_t all = all_of(family, known ? ALL_FROM * fits->fits : UINT64_MAX);
    do {
        fits->all = all;
        fits->all_hits = misses_of(family, all, false, (double)all, undisturbed);
        all = all_of(family, fits->all + 1);
    } while (fits->all_hits < fits_noise && all > fits->all);
    fits->all_hits_high = misses_of(family, fits->all, false, (double)fits->all, 1 - undisturbed);
    fits->hit_ns = typical_hit_ns(family);
    fits->miss_hits = isnan(miss_hits) ? fits->all_hits : miss_hits;
}

/* Whether n fits: not by mistakes of the timer; and of code, one page more than is known to. */
static bool is_shown(const struct fits *fits, uint64_t n, bool code)
{
    const struct tally *at = &fits->at[n];
    double all = (double)at->all, clean = (double)at->clean;
    return code ? n == fits->fits + 1 && clean > 0 && clean >= code_share_least * all
                : clean >= CLEAN_MIN && clean >= share_least * all;
}

static void count_moments(struct fits *fits, const struct family *family)
{
    memset(fits->at, 0, sizeof fits->at);
    memset(fits->above, 0, sizeof fits->above);
    fits->fits = family->at[0].few.targets;
    for (size_t i = 0; i < family->count; i++) {
        const struct moment *m = &family->at[i];
        uint64_t n = m->asked.targets;
        if (n == 0 || n > FITS_MAX || !counts(family, m, fits->miss_hits))
            continue;
        bool clean = asked_is_clean(family, m, fits->miss_hits);
        fits->at[n].all++;
        fits->at[n].clean += clean;
        fits->above[n].all += m->control.targets + 1 == n;
        fits->above[n].clean += clean && m->control.targets + 1 == n;
    }
    for (uint64_t n = fits->fits + 1; n <= FITS_MAX; n++)
        if (is_shown(fits, n, is_code(family)))
            fits->fits = n;
}

/* Sets the misses of each number, and the largest number that may fit. */
static void count_misses(struct fits *fits, const struct family *family, double excess_misses)
{
    for (uint64_t n = FITS_MAX; n > 0; n--) {
        fits->misses[n] = fits->at[n].all < ASKED_MIN
                              ? (double)NAN
                              : misses_of(family, n, true, fits->miss_hits, undisturbed);
        if (n > fits->fits && fits->misses[n] >= excess_misses * (double)(n - fits->fits))
            fits->most = n - 1;
    }
}

/* The lower end of the interval of a share (Wilson 1927, equation 4). */
static double least_share(const struct tally *tally)
{
    double n = (double)tally->all, p = (double)tally->clean / n, z = share_errors;
    return (p + z * z / (2 * n) - z * sqrt((p * (1 - p) + z * z / (4 * n)) / n)) / (1 + z * z / n);
}

/* The chance that a number which fits would be clean this rarely, if it is in so large a share of
 * its moments. */
static double chance_of(double share, const struct tally *tally)
{
    double term = pow(1 - share, (double)tally->all), sum = term;
    for (size_t k = 1; k <= tally->clean; k++)
        sum += term *= (double)(tally->all - k + 1) / (double)k * share / (1 - share);
    return sum;
}

/* Sets how often its control was clean, so many targets as fit; of code, how often they were beside
 * one page less. */
static void find_quiet(struct fits *fits, const struct family *family)
{
    const struct tally *last = &fits->above[fits->fits];
    size_t beside = 0, rows = 0, quiet = 0, clean = 0;
    if (!(fits->miss_hits >= fits_noise)) /* nothing misses, so nothing is clean */
        return;
    if (is_code(family)) {
        fits->quiet = (double)last->clean / (double)last->all;
        return;
    }
    for (size_t i = 0; i < family->count; i++) {
        const struct moment *m = &family->at[i];
        if (m->control.targets != fits->fits)
            continue;
        clean += is_clean(fits_misses(family, m, &m->control, fits->miss_hits));
        if (++beside % IN_A_ROW == 0) {
            rows++;
            quiet += clean > 0;
            clean = 0;
        }
    }
    fits->quiet = (double)quiet / (double)rows;
}

struct fits fits_of(const struct family *family, double miss_hits, double excess_misses)
{
    struct fits fits = {.chance = 1,
                        .quiet = NAN,
                        .hit_ns = NAN,
                        .all_hits = NAN,
                        .all_hits_high = NAN,
                        .miss_hits = NAN};
    if (family == NULL || family->count == 0)
        return fits;
    fits.moments = family->count;
    fits.span_s = family->at[family->count - 1].t_s - family->at[0].t_s;
    for (int pass = 0; pass < 2; pass++) { /* the number that fits shows how many surely miss */
        measure_miss(&fits, family, miss_hits);
        count_moments(&fits, family);
    }
    count_misses(&fits, family, excess_misses);
    if (fits.fits < FITS_MAX) { /* no more targets than are counted */
        const struct tally *last = &fits.above[fits.fits];
        fits.chance = last->all < ASKED_MIN ? 1 : chance_of(least_share(last), last + 1);
        find_quiet(&fits, family);
    }
    return fits;
}

double fits_thrashes(const struct fits *fits)
{
    for (uint64_t n = fits->fits + 1; n <= FITS_MAX; n++)
        if (fits->misses[n] >= thrashing * (double)n)
            return (double)n;
    return INFINITY;
}

uint64_t fits_far_above(const struct fits *fits, uint64_t most)
{
    return fits->most > 0 && ALL_TIMES * fits->fits < most ? ALL_TIMES * fits->fits : most;
}

bool fits_bounded(const struct fits *fits)
{
    return fits->most > 0 && fits->chance < chance_medium;
}

bool fits_held(const struct fits *fits)
{
    return (fits->most > 0 && fits->most != fits->fits) || fits->quiet < quiet_low;
}

int fits_criteria(const struct fits *fits)
{
    if (fits_held(fits) || !fits_bounded(fits) || !(fits->quiet >= quiet_medium))
        return 0;
    return fits->chance < fits_chance_high && fits->quiet >= quiet_high && fits->span_s >= span_high
               ? 2
               : 1;
}
