/* analysis.h: a series of samples, analysed once for all who ask: the plan, the levels, their
 * organisation and what a miss costs. */
#ifndef TLBLAB_DETECT_ANALYSIS_H
#define TLBLAB_DETECT_ANALYSIS_H

#include "access/series.h"
#include "tlb/detect/control.h"
#include <stddef.h>

enum { ANALYSIS_CURVES = 32 }; /* kernels, backings, page sizes and distances of pages [bound] */

struct analysis {
    const struct series *series; /* sorted */
    struct control *curves[ANALYSIS_CURVES];
    size_t count;
};

struct analysis analysis_of(const struct series *series);
void analysis_free(struct analysis *analysis);

/* The curve of a point of layout `page`, analysed the first time that it is asked for, and again
 * where samples were added to it since. */
struct control *analysis_curve(struct analysis *analysis, const struct point *page);

/* That of loads with neighbouring pages, the first of control_curves(); NULL: there is none. */
struct control *analysis_first(struct analysis *analysis);

#endif
