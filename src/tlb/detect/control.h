/* control.h: method `control`: knees of `page` minus `packed` are TLB levels, knees of `packed`
 * alone are caches. It uses no claimed size. */
#ifndef TLBLAB_DETECT_CONTROL_H
#define TLBLAB_DETECT_CONTROL_H

#include "access/series.h"
#include "tlb/curve/knee.h"
#include "tlb/detect/boundary.h"
#include "tlb/fit/fit.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The two curves of the point `page` and their knees. `packed` misses in the TLB too once it spans
 * more pages than a level has entries; that cost is removed from both curves. */
struct control {
    struct point page;
    struct curve difference, packed;
    struct curve measured; /* the difference with what packed chains miss in the TLB */
    struct knee tlb[KNEES_MOST], cache[KNEES_MOST];
    size_t tlb_count, cache_count;
    double page_bytes, line_bytes; /* of an entry; 0: no such samples */
    bool alone;                    /* no packed samples: `difference` is `page` */
    bool scattered;                /* page frames lie at random */
    size_t samples;                /* control_samples() of what was analysed */
    /* by control_fit(): the levels of the TLB, and their points on `difference` */
    struct fitted_level fitted[FIT_LEVELS_MOST];
    struct knee level[FIT_LEVELS_MOST];
    size_t fitted_count;
    bool is_fitted;
};
struct control control_analyse(const struct series *series, const struct point *page);

/* A point of each curve for control_analyse(): for each kernel, backing and page size the curve of
 * layout `page` with the least spacing (a page or more with huge pages), the default kernel on the
 * default backing first. The series is sorted; returns their number. */
enum { CONTROLS_MOST = 8 }; /* [bound] */
size_t control_curves(const struct series *series, const struct point *pages[CONTROLS_MOST]);

void control_free(struct control *control);

/* The number of samples of that curve and of its packed one. */
size_t control_samples(const struct series *series, const struct point *page);

/* Fits the levels of the TLB (fit.h), unless they are fitted already. */
void control_fit(struct control *control);

/* Fits them, with an account (or NULL); returns the curve that is fitted, to be freed. */
struct curve control_fit_explained(struct control *control, struct fit_account *account);

/* Adds the knees as rows: dtlb levels, then cache levels. */
void control_boundaries(struct control *control, struct boundaries *found);

/* The row of a level (from 0), whose capacity control_fit() has fitted. */
void control_add_level(const struct control *control, size_t level, struct boundaries *found);

#endif
