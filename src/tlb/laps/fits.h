/* fits.h: how many targets fit.
 *
 * If n targets fit, some laps have no miss, under any replacement, and beside any neighbour that
 * pauses. With one more, every lap has a miss. A lap is clean if it takes as long as that many hits
 * in the same dozen moments. A moment counts if its control is clean. Laps of code are
 * compared with those of one page fewer instead, and every moment with such a control counts.
 *
 * Exact: n was clean, n + 1 never. If n + 1 fitted, it would be clean in about the share of the
 * counting moments in which n is, beside n - 1: the probability that none of M is clean is then
 * (1 - share)^M. The share is taken two standard errors low. */
#ifndef TLBLAB_LAPS_FITS_H
#define TLBLAB_LAPS_FITS_H

#include "tlb/laps/moment.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moments that count, and those of them in which the number asked about was clean. */
struct tally {
    size_t all, clean;
};

/* More targets than are asked about. [bound] */
enum { FITS_MAX = 512 };

struct fits {
    uint64_t fits;                  /* the largest number that fits; 0: no moments */
    uint64_t most;                  /* the largest that may fit; 0: none was found that does not */
    double chance;                  /* that fits + 1 fits after all; 1: not asked */
    double quiet;                   /* share of the groups of four moments whose control is `fits`
                                       in which it was clean once; of code, of the moments; NaN: none,
                                       or nothing misses */
    double hit_ns, miss_hits;       /* a hit, and what a miss adds to it, in hits */
    uint64_t all;                   /* so many targets all miss, or nearly all; 0: not measured */
    double all_hits, all_hits_high; /* what each of them adds to a hit: quartiles; NaN: unknown */
    size_t moments;                 /* of the family */
    double span_s;                  /* from the first moment to the last */
    struct tally at[FITS_MAX + 1];  /* by the number asked about */
    struct tally above[FITS_MAX + 1]; /* the same, where the control was one less */
    double misses[FITS_MAX + 1];      /* of the fastest lap, the lower quartile; NaN: not asked */
};

/* Whether n targets, asked about or of the control, were clean in a moment; any control of code one
 * below the number asked about. miss_hits: what a miss adds. */
bool fits_shows(const struct family *family, const struct moment *moment, uint64_t n,
                double miss_hits);

/* Counts the clean laps of a family. miss_hits: the hits that a miss adds, if another family shows
 * it; NaN: as many as where all miss. excess_misses: each target too many costs at least so many
 * misses a lap; fewer may be due to a neighbour. */
struct fits fits_of(const struct family *family, double miss_hits, double excess_misses);

/* The misses of a lap of so many targets, others included, beside the hits of its moment. */
double fits_misses(const struct family *family, const struct moment *moment, const struct lap *lap,
                   double miss_hits);

/* What one too many costs: of a level on its own, two misses a lap with random replacement, and
 * more with any other; of one that holds only what the level before has evicted, one. */
extern const double excess_alone, excess_exclusive;

/* A miss adds at least so many hits; the curve of walks rises by such a share of a miss. */
extern const double fits_noise;

/* The first number beyond `fits` of whose loads a quarter or more miss; INFINITY: none. */
double fits_thrashes(const struct fits *fits);

/* So many that all of them miss, but not the next level; `most` if that is unknown, and at most. */
uint64_t fits_far_above(const struct fits *fits, uint64_t most);

/* The chance of a mistake in a high answer. */
extern const double fits_chance_high;

/* Whether at least `fits` targets fit, and at most `most`; whether something else may have held
 * entries; and how sure it is that exactly `fits` fit: 2 (high), 1 (medium), 0 (low). */
bool fits_bounded(const struct fits *fits);
bool fits_held(const struct fits *fits);
int fits_criteria(const struct fits *fits);

#endif
