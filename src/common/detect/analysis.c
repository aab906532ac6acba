/* analysis.c: a series of samples, analysed once for all who ask.
 *
 *     struct analysis analysis = analysis_of(&series);
 *     const struct control *loads = analysis_first(&analysis);
 */
#include "detect/analysis.h"
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
    for (size_t i = 0; i < analysis->count; i++)
        if (point_same_curve(&analysis->curves[i]->page, page))
            return analysis->curves[i];
    if (analysis->count == ANALYSIS_CURVES)
        die("more than %d curves in one table", ANALYSIS_CURVES);
    struct control *control = allocate(1, sizeof *control);
    *control = control_analyse(analysis->series, page);
    return analysis->curves[analysis->count++] = control;
}

struct control *analysis_first(struct analysis *analysis)
{
    const struct point *pages[CONTROLS_MOST];
    return control_curves(analysis->series, pages) > 0 ? analysis_curve(analysis, pages[0]) : NULL;
}
