/* control.h: method `control`: the knees of `page` minus `packed` are the TLB's, those of `packed`
 * alone the caches'. No claimed size enters. */
#ifndef TLBLAB_DETECT_CONTROL_H
#define TLBLAB_DETECT_CONTROL_H

#include "access/series.h"
#include "curve/knee.h"
#include "detect/boundary.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the samples tell of the curve that `page` lies on, by the control method: the curves and
 * their knees. `packed` misses in the TLB too once it spans more pages than a level has entries:
 * that cost is taken out of both curves. */
struct control {
    struct curve difference, packed;
    struct knee tlb[KNEES_MOST], cache[KNEES_MOST];
    size_t tlb_count, cache_count;
    double page_bytes, line_bytes; /* what an entry holds; 0 without such samples */
    bool alone;                    /* no packed samples: `difference` is `page` as it is */
};
struct control control_analyse(const struct series *series, const struct point *page);

/* The points that stand for what control_analyse() can judge: for each kernel, backing and size of
 * page the curve of layout `page` with the least spacing (of a page or more where pages are huge).
 * The default kernel on the default backing comes first. The series is sorted; returns their
 * number.
 */
enum { CONTROLS_MOST = 8 }; /* [bound] */
size_t control_curves(const struct series *series, const struct point *pages[CONTROLS_MOST]);

void control_free(struct control *control);

/* The same as rows: dtlb levels, then cache levels. */
void control_boundaries(const struct control *control, struct boundaries *found);

#endif
