/* analysis.h: a series of samples, analysed once and shared by all callers: its curves and their
 * levels. */
#ifndef TLBLAB_DETECT_ANALYSIS_H
#define TLBLAB_DETECT_ANALYSIS_H

#include "access/series.h"
#include "tlb/detect/control.h"
#include <stddef.h>

enum { ANALYSIS_CURVES = 32 }; /* kernels, backings, page sizes and spacings [bound] */

struct analysis {
    const struct series *series; /* sorted */
    struct control *curves[ANALYSIS_CURVES];
    size_t count;
};

struct analysis analysis_of(const struct series *series);
void analysis_free(struct analysis *analysis);

/* The curve of a point of layout `page`, analysed on first use, and again if samples have been
 * added to it since. */
struct control *analysis_curve(struct analysis *analysis, const struct point *page);

/* The curve of loads from neighbouring pages, the first of control_curves(); NULL if there is none.
 */
struct control *analysis_first(struct analysis *analysis);

#endif
