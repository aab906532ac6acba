/* footprint.h: the memory and the address space that a point needs. */
#ifndef TLBLAB_MEASURE_FOOTPRINT_H
#define TLBLAB_MEASURE_FOOTPRINT_H

#include "access/point.h"
#include "platform.h"
#include <stdbool.h>
#include <stdint.h>

struct memory_options {
    uint64_t seed; /* of the order of first touch */
    uint64_t line_bytes;
    uint64_t swap_bytes;       /* usable beyond the available memory, for mistake swap */
    struct platform_node node; /* all memory comes from this node */
    bool lock;                 /* mlock() the buffers, as the whitepaper does */
    bool sizes_given; /* the user chose the sizes: more than half of the memory is only worth a
                       * warning
                       */
};

/* Pages of one buffer: `count` of them, `distance` bytes apart. */
struct spaced_pages {
    uint64_t count, distance;
};

struct footprint {
    uint64_t bytes;              /* of address space */
    struct spaced_pages pages;   /* touched when the buffer is made */
    struct spaced_pages targets; /* of the first sample in `set`, touched too */
    double wanted;               /* bytes of memory; 0 for pages from a reserved pool */
};

/* Dies when the buffer cannot be addressed. `lock`: all of its pages will be locked. */
struct footprint footprint_of(const struct point *point, bool lock);

/* Dies when the point needs more memory or address space than there is. For more than half of the
 * memory it dies, or with options->sizes_given warns (if `aloud`). */
void footprint_check(const struct footprint *need, const struct point *point,
                     const struct memory_options *options, bool aloud);

#endif
