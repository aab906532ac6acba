/* arena.h: the buffers of a run. Each kind of point (layout, spacing, backing …) has its own
 * buffer, as large as its largest point requires. */
#ifndef TLBLAB_MEASURE_ARENA_H
#define TLBLAB_MEASURE_ARENA_H

#include "access/point.h"
#include "measure/footprint.h"
#include "platform.h"
#include <stddef.h>
#include <stdint.h>

struct arena {
    struct point largest; /* the maxima of the points that share it */
    char *memory;         /* NULL: free */
    uint64_t bytes;
    double taken;  /* bytes of memory, page tables included */
    uint64_t used; /* value of the clock at the last use */
    struct platform_outcome backing;
    const char *backed, *locked, *node; /* as in struct sample (point.h) */
};

enum { ARENAS = 64 };

struct arenas {
    const struct memory_options *options;
    double room; /* bytes of memory available at the start */
    struct arena at[ARENAS];
    uint64_t clock;
    struct arena *left; /* of the last sample; NULL: none, or it is gone */
    struct point last;  /* that sample's, or the largest of its moment */
};

/* The point, reduced to one window if there is too little memory for several. */
struct point arenas_place(const struct arenas *arenas, const struct point *point);

/* The arena of a point from arenas_place(). Makes or enlarges it if needed: maps it, touches,
 * locks and verifies its pages, and writes the code of kernels that execute it. Frees the least
 * recently used arenas when memory is short. Dies when the point needs more memory or address
 * space than there is; above half of the memory it warns (options->sizes_given) or dies. */
struct arena *arenas_find(struct arenas *arenas, const struct point *point);

/* Dies for impossible points, and for single points that need more memory or address space than
 * there is. Takes no memory. */
void arenas_check(const struct arenas *arenas, const struct point *points, size_t count);

/* Makes the arenas of many points, each at its largest size. */
void arenas_prepare(struct arenas *arenas, const struct point *points, size_t count);

/* Prepares the arena for a sample of `set`, whose nodes are on other pages than those of the
 * previous sample. */
void arena_move(const struct arenas *arenas, struct arena *arena, const struct point *point);

/* Invalidates the TLB entries of the sample before, if this one is of another moment. Some
 * replacements never evict pages that were hit often; these would look like a neighbour's. */
void arenas_leave(struct arenas *arenas, struct arena *arena, const struct point *point);

void arenas_free(struct arenas *arenas);

#endif
