/* footprint.h: what a point takes of memory and of address space. */
#ifndef TLBLAB_MEASURE_FOOTPRINT_H
#define TLBLAB_MEASURE_FOOTPRINT_H

#include "access/point.h"
#include <stdbool.h>
#include <stdint.h>

/* What a run asks of its memory. */
struct memory_options {
    uint64_t seed; /* of the order in which pages are touched first */
    uint64_t line_bytes;
    uint64_t swap_bytes; /* that may be taken beyond the memory there is, for the mistake swap */
    bool lock;           /* mlock() the buffers, as the whitepaper does */
    bool by_name; /* the sizes were asked for by name: more than half the memory only warns */
};

/* Pages of one buffer: `count` of them, `distance` bytes apart. */
struct pages {
    uint64_t count, distance;
};

struct footprint {
    uint64_t bytes;     /* of address space */
    struct pages pages; /* that are touched at first */
    struct pages
        targets;   /* and in `set` those beside them, where the first sample has its targets */
    double wanted; /* bytes of memory; a pool is not part of what others may use */
};

/* Dies where that cannot be addressed. `lock`: the whole buffer is to be locked. */
struct footprint footprint_of(const struct point *point, bool lock);

/* Dies when a point needs more memory or address space than there is; dies, or warns where the size
 * was asked for by name (`aloud`: if at all), when it is more than half of the memory. */
void footprint_check(const struct footprint *need, const struct point *point,
                     const struct memory_options *options, bool aloud);

#endif
