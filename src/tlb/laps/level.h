/* level.h: a level of a TLB, or a cache, as the laps show it. */
#ifndef TLBLAB_LAPS_LEVEL_H
#define TLBLAB_LAPS_LEVEL_H

#include "tlb/curve/knee.h"
#include <stdbool.h>

enum { LEVELS_MAX = 3 }; /* that any machine has [bound] */

struct level {
    double entries;     /* NaN: somewhere in the range */
    double least, most; /* most: NaN: unknown */
    int criteria;       /* how sure that is: 2 (high), 1 (medium), 0 (low) */
    bool held;          /* something else may have held entries */
    struct knee knee;   /* its rise on the curve */
};

#endif
