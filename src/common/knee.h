/* knee.h: method `control`: the knees of `page` minus `packed` are the TLB's, those of `packed`
 * alone the caches'. No threshold is an absolute time, and no claimed size enters. */
#ifndef TLBLAB_KNEE_H
#define TLBLAB_KNEE_H

#include "boundary.h"
#include "series.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One curve over the number of nodes: a value with its standard error, and the time of a load there
 * (what a rise is compared with). */
struct curve_point {
    double pages, ns, error, load_ns;
    size_t samples, kept; /* measurements at this point, and those that the value is made of */
};
struct curve {
    struct curve_point *at; /* ascending in pages */
    size_t count;
};

/* `page` minus `packed`: translation cost alone. Samples are paired by their number; of each point
 * the quieter half of the pairs counts (least page + packed), and the value is the median of their
 * differences: noise that only adds time is left out, drift of the clock hits both alike, and since
 * sum and difference of like noise are independent, the choice adds no bias. The series is sorted.
 */
struct curve curve_control(const struct series *series);

/* One layout alone: its minimum where the noise is skewed (it mostly adds time), else the median.
 */
struct curve curve_alone(const struct series *series, const char *layout);
void curve_free(struct curve *curve);

/* A rise from one plateau to the next: curve points `before` (the last of the lower plateau),
 * `after` (the first above it) and `end` (the first of the upper plateau, or the last point). */
struct knee {
    size_t before, after, end;
    double plateau_ns, plateau_error;
    double step_ns;      /* upper plateau minus lower */
    double significance; /* step over its standard error */
    bool gradual;        /* nine tenths of the step take more than a third of the size before it */
    bool reaches_end;    /* still rising at the last point */
};

enum { KNEES_MOST = 12 };

/* Finds the knees of a curve in ascending order; returns their number. */
size_t knee_find(const struct curve *curve, struct knee knees[KNEES_MOST]);

/* What the samples tell, by the control method: the curves and their knees. `packed` misses in the
 * TLB too once it spans more pages than a level has entries: that cost is taken out of both curves.
 * A knee of the control that the caches explain is left out of tlb[]: with random page frames a
 * physically indexed cache overflows early in `page`, which goes back once `packed` overflows too.
 */
struct control {
    struct curve difference, packed;
    struct knee tlb[KNEES_MOST], cache[KNEES_MOST];
    size_t tlb_count, cache_count;
    bool alone; /* no packed samples: `difference` is `page` as it is */
};
struct control control_analyse(const struct series *series);
void control_free(struct control *control);

/* The same as rows: dtlb levels, then cache levels. page_bytes and line_bytes turn entries into
 * bytes. */
void control_boundaries(const struct control *control, uint64_t page_bytes, uint64_t line_bytes,
                        struct boundaries *found);

#endif
