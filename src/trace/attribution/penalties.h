/* penalties.h: misses in seconds, by the penalties that walkpenalty(1) measured. */
#ifndef TLBLAB_ATTRIBUTION_PENALTIES_H
#define TLBLAB_ATTRIBUTION_PENALTIES_H

#include "tlb/simulate/model.h"
#include <stdbool.h>

struct penalties {
    bool known;
    /* Of an access that misses so many levels and hits the next; NaN: not known. */
    double level_ns[MODEL_LEVELS + 1];
    double walk_ns; /* of one that misses all levels */
};

/* Reads a table of penalties: rows of method `control`, or, for walks that it does not have, `raw`.
 * Dies where the table has no number at all. */
void penalties_read(struct penalties *penalties, const char *file);

/* The cost of a miss of `missed` of the machine's `levels` levels; NaN: unknown. */
double penalties_seconds(const struct penalties *penalties, int missed, int levels);

#endif
