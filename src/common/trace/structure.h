/* structure.h: one set-associative structure over numbers that are not known beforehand, as a trace
 * has them. It begins empty. (simulate/assoc.h is the one for keys that are known, which begins in
 * the steady state.) */
#ifndef TLBLAB_TRACE_STRUCTURE_H
#define TLBLAB_TRACE_STRUCTURE_H

#include "base/random.h"
#include "simulate/assoc.h"
#include "trace/lru.h"

/* A tag names an entry and is not 0: its number, which selects the set, and its kind of page. */
struct structure {
    struct assoc_shape shape;
    uint64_t mask; /* of the set in a number; 0: assoc_set() says */
    bool ordered;  /* LRU or FIFO: in `lru` */
    struct lru lru;
    uint64_t *tags;  /* else: sets × ways; 0 is an empty way */
    uint8_t *states; /* PLRU, NRU, SRRIP: sets × leaves */
    uint32_t leaves;
    struct random random;
};

void structure_open(struct structure *structure, const struct assoc_shape *shape, uint64_t seed);
void structure_close(struct structure *structure);

/* Whether the structure holds the tag; a hit counts as a use. */
bool structure_hit(struct structure *structure, uint64_t number, uint64_t tag);

/* Inserts a tag that is not held; returns the tag that it replaces, or 0. */
uint64_t structure_fill(struct structure *structure, uint64_t number, uint64_t tag);

/* Invalidates a tag, if it is held. */
void structure_drop(struct structure *structure, uint64_t number, uint64_t tag);

#endif
