/* analysis.c: a series of samples, analysed once and shared by all callers.
 *
 *     struct analysis analysis = analysis_of(&series);
 *     const struct control *loads = analysis_first(&analysis);
 */
#include "tlb/detect/analysis.h"
#include "base/error.h"
#include <stdlib.h>

struct analysis analysis_of(const struct series *series)
{
    return (struct analysis){.series = series};
}

void analysis_free(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->count; i++) {
        control_free(analysis->curves[i]);
        free(analysis->curves[i]);
    }
    analysis->count = 0;
}

struct control *analysis_curve(struct analysis *analysis, const struct point *page)
{
    size_t i = 0;
    while (i < analysis->count && !point_same_curve(&analysis->curves[i]->page, page))
        i++;
    if (i == ANALYSIS_CURVES)
        die("more than %d curves in one table", ANALYSIS_CURVES);
    if (i < analysis->count) {
        if (analysis->curves[i]->samples == control_samples(analysis->series, page))
            return analysis->curves[i];
        control_free(analysis->curves[i]);
    } else
        analysis->curves[analysis->count++] = allocate(1, sizeof **analysis->curves);
    *analysis->curves[i] = control_analyse(analysis->series, page);
    return analysis->curves[i];
}

struct control *analysis_first(struct analysis *analysis)
{
    const struct point *pages[CONTROLS_MAX];
    return control_curves(analysis->series, pages) > 0 ? analysis_curve(analysis, pages[0]) : NULL;
}
