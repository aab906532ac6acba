/* set_index.h: which bits of the page number select the set of a level.
 *
 * Pages 2^k pages apart differ in the bits from k on only. In one set of W ways they are W; each
 * bit from k on that selects the set doubles the number that fits. So if W pages 2^b pages apart
 * fit, and no more, with 2^b sets, the lowest b bits select the set. */
#ifndef TLBLAB_GEOMETRY_SET_INDEX_H
#define TLBLAB_GEOMETRY_SET_INDEX_H

#include "tlb/geometry/answers.h"
#include <stdbool.h>
#include <stdint.h>

/* A level of 2^bits sets. */
struct set_level {
    struct question question; /* pages of one set, as far apart as any */
    double ways;              /* NaN: unknown */
    bool exact;               /* else there may be more, which something else holds */
    int bits;                 /* 0: fully associative; -1: unknown */
};

struct set_index {
    const char *bits;  /* each index bit as an XOR of bits of the page number; "": unknown */
    bool folded;       /* bits that select the set on their own do not explain its sets */
    int to;            /* from this bit on, no bit selects the set alone; 0: unknown */
    uint64_t conflict; /* pages this far apart share a set because of a fold; 0: none found */
};

/* Finds the bits that select the set on their own and, where these do not explain the number of
 * sets, a folded index: with fold N, bit i of the index is the XOR of bits i and i + N of the page
 * number, so pages 2^j + 2^(j + N) pages apart fall into one set. The index bits are a basis of the
 * space orthogonal to all page numbers known to fall into set 0. `others`: as many on any pages
 * flush the level before; 0: folds are not tried. Notes `unsettled`: pages farther apart may show
 * more sets of fewer ways; `entries_disagree`: fewer sets than entries and ways imply. */
struct set_index set_index_of(struct answers *answers, const struct set_level *level,
                              uint64_t others, struct note *note);

/* Index bits as text, each as an XOR of bits: "0^7,1^8". The string is kept (field_keep()). */
const char *set_index_spell(const uint64_t *basis, size_t count);

#endif
