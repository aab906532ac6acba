/* arena.h: the buffers of a run. Each kind of point (layout, spacing, backing …) has one of its
 * own, as large as the largest such point wants. */
#ifndef TLBLAB_MEASURE_ARENA_H
#define TLBLAB_MEASURE_ARENA_H

#include "access/point.h"
#include "measure/footprint.h"
#include "platform.h"
#include <stddef.h>
#include <stdint.h>

struct arena {
    struct point largest; /* of the points that share it, taken together */
    char *memory;         /* NULL: free */
    uint64_t bytes;
    double taken;  /* bytes of memory, with page tables */
    uint64_t used; /* when it was last asked for */
    struct platform_outcome backing;
    const char *backed, *locked; /* what came of it, as in point.h; NULL: not asked for */
};

enum { ARENAS = 64 };

struct arenas {
    const struct memory_options *options;
    double room; /* bytes of memory that were available at first */
    struct arena at[ARENAS];
    uint64_t clock;
};

/* The point as it lies here: with one window where memory is too scarce for several. */
struct point arenas_place(const struct arenas *arenas, const struct point *point);

/* The arena of a point that arenas_place gave: made, or made larger, where that is needed: mapped,
 * its pages touched, locked and verified, with code in it for kernels that execute it. Those that
 * were not used for longest give way. Dies when the point needs more memory or address space than
 * there is; warns (options->by_name) or dies when it is more than half of the memory. */
struct arena *arenas_find(struct arenas *arenas, const struct point *point);

/* Dies for points that are not possible here, or need more memory or address space than there is by
 * itself; takes none. */
void arenas_check(const struct arenas *arenas, const struct point *points, size_t count);

/* The arenas of many points, in one pass. */
void arenas_prepare(struct arenas *arenas, const struct point *points, size_t count);

/* Readies the arena for a sample whose nodes lie elsewhere than those of the one before: in `set`.
 */
void arena_move(const struct arenas *arenas, struct arena *arena, const struct point *point);

void arenas_free(struct arenas *arenas);

#endif
