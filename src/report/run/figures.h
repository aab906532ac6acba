/* figures.h: the numbers of a run that are no points of a curve, each with what it is: levels, ways
 * and sets, penalties, latencies, rates. */
#ifndef TLBLAB_RUN_FIGURES_H
#define TLBLAB_RUN_FIGURES_H

#include "report/run/comparison.h"
#include "report/run/run_tables.h"
#include <stddef.h>

struct figure {
    struct comparison of; /* its kind and what identifies it; nothing compared yet */
    struct interval range;
    double *samples; /* of a rate; NULL: the range says all */
    size_t count;
};

struct figures {
    struct figure *at;
    size_t count;
};

/* Of several numbers for the same the first counts, of rates all are samples. */
struct figures figures_of(const struct run_tables *run);
void figures_free(struct figures *figures);

/* The number of another run for the same; NULL: none. */
const struct figure *figures_find(const struct figures *figures, const struct comparison *of);

#endif
