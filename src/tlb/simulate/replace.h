/* replace.h: which way of a full set is replaced under PLRU, NRU and SRRIP (assoc.h says how). */
#ifndef TLBLAB_SIMULATE_REPLACE_H
#define TLBLAB_SIMULATE_REPLACE_H

#include "tlb/simulate/assoc.h"

/* SRRIP's oldest age: such a way can be replaced. */
enum { REPLACE_AGE_MAX = 3 };

/* Bytes of state per set: the next power of two of its ways. */
uint32_t replace_leaves(const struct assoc_shape *shape);

/* Marks a way as used, on a fill or a hit, in the replacement state of its set. */
void replace_use(const struct assoc_shape *shape, uint8_t *state, uint32_t way, bool fills);

/* The way that a full set replaces. */
uint32_t replace_victim(const struct assoc_shape *shape, uint8_t *state);

#endif
