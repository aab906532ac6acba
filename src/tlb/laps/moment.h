/* moment.h: laps that were measured together.
 *
 * A moment takes a part of a millisecond. It measures at one place: few targets, which fit; a
 * control, which is known to fit (of code: one fewer than the number in question); and the number
 * in question. Sometimes also so many that all of them miss. Whatever the clock and the neighbours
 * (other programs on the core) do, they do to all of them. Places change, since a neighbour may
 * hold entries of one set and none of the next. */
#ifndef TLBLAB_LAPS_MOMENT_H
#define TLBLAB_LAPS_MOMENT_H

#include "access/point.h"
#include "access/series.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of targets, and the nanoseconds of its fastest lap in a moment (others included); 0
 * targets: not measured. Without a control of its own, few are that of a moment. */
struct lap {
    uint64_t targets;
    double ns;
};

struct moment {
    double t_s;      /* when it began */
    uint64_t sample; /* number of its samples, by which their place is chosen */
    struct lap few, control, asked, all;
};

/* So many consecutive moments share their fastest few: a neighbour may evict even these, and then
 * misses would pass for hits. The clock hardly changes meanwhile. [prior] */
enum { SHARE_FEW = 12 };

/* Moments that differ only in their numbers of targets. */
struct family {
    struct point like; /* the point of any of its laps */
    struct moment *at; /* in order of their numbers */
    size_t count;
};

/* A family to ask about, and the numbers of targets to try. */
struct question {
    struct point like;     /* without its numbers */
    uint64_t few, to, all; /* few: surely fit; to: asked at most; all: surely miss; 0: none */
    double miss_hits, excess_misses; /* of fits_of() */
};

struct families {
    struct family *at;
    size_t count;
    uint64_t last; /* number of the last moment; 0: there is none */
};

/* The families of all moments of a series; to be freed. */
struct families families_of(const struct series *series);
void families_free(struct families *families);

/* Of the families of pages (layout `set`) of the kernel, backing and page size of `like` (NULL: of
 * any), with or without others, whose targets are a power of two from `from` to `to` pages apart:
 * the farthest; of as far, that with the most others, of as many the latest. NULL: there is none.
 */
const struct family *family_find(const struct families *families, const struct point *like,
                                 uint64_t from, uint64_t to, bool others);

/* The family of moments like a point; NULL: there is none. */
struct family *family_like(const struct families *families, const struct point *point);

#endif
