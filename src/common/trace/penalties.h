/* penalties.h: misses in seconds, by the penalties that walkpenalty(1) measured. */
#ifndef TLBLAB_TRACE_PENALTIES_H
#define TLBLAB_TRACE_PENALTIES_H

#include "simulate/model.h"
#include <stdbool.h>

struct penalties {
    bool known;
    double level_ns[MODEL_LEVELS +
                    1]; /* misses so many levels, and the next holds it; NaN: not known */
    double walk_ns;
};

/* Reads a table of penalties: rows of method `control`, or, for walks that it does not have, `raw`.
 * Dies where the table has no number at all. */
void penalties_read(struct penalties *penalties, const char *file);

/* What a miss of `missed` of the machine's `levels` levels costs; NaN where that is not known. */
double penalties_seconds(const struct penalties *penalties, int missed, int levels);

#endif
