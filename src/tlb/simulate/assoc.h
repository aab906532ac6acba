/* assoc.h: one set-associative structure, a level of a TLB or of the caches: how a key (a page or a
 * line) selects its set, and which key a full set replaces. */
#ifndef TLBLAB_SIMULATE_ASSOC_H
#define TLBLAB_SIMULATE_ASSOC_H

#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* How a page or line number selects its set. LINEAR: number mod sets. XOR: the low bits folded with
 * those `fold` positions higher, (number ^ number >> fold) mod sets. HASHED: all bits, mixed. BITS:
 * for 2^n sets, n up to ASSOC_MASKS, each index bit is the XOR of some bits of the number. */
enum assoc_index { INDEX_LINEAR, INDEX_XOR, INDEX_HASHED, INDEX_BITS };

enum { ASSOC_MASKS = 16 };

/* Which key a full set replaces. LRU: the least recently used. PLRU: the one that a binary tree of
 * bits leads to, each bit pointing away from the last use below it; the tree has the next power of
 * two of ways, and missing ways are never chosen. RANDOM: any. FIFO: the oldest. NRU: the first way
 * not recently used: a use marks its way, and the use that marks the last one clears all other
 * marks. SRRIP: the first way of age 3, after all have aged until there is one; a hit sets the age
 * to 0, a fill to 2 (Jaleel et al., ISCA 2010). */
enum assoc_replacement {
    REPLACE_LRU,
    REPLACE_PLRU,
    REPLACE_RANDOM,
    REPLACE_FIFO,
    REPLACE_NRU,
    REPLACE_SRRIP
};
extern const char *const replacement_names[]; /* in this order; NULL after the last */

struct assoc_shape {
    uint64_t entries, ways; /* ways divides entries; equal if fully associative */
    enum assoc_index index;
    enum assoc_replacement replacement;
    unsigned fold;              /* INDEX_XOR: below 64 */
    uint64_t key;               /* INDEX_HASHED: selects the hash function */
    uint64_t mask[ASSOC_MASKS]; /* INDEX_BITS: of the number, for each bit of the set; else 0 */
};

/* The set that a page's or line's number selects. */
uint64_t assoc_set(const struct assoc_shape *shape, uint64_t number);

/* How many keys, visited over and over in one order, a set can hold permanently. The number of
 * ways, except under PLRU with missing ways: the smaller side of the tree receives every other key,
 * and the larger side keeps stale ones: 2 × (ways of the smaller side) + 1. */
uint64_t assoc_held(const struct assoc_shape *shape);

struct assoc {
    const struct assoc_shape *shape; /* all members are private */
    struct assoc_key *keys;
    struct assoc_set *sets;
    uint32_t *slots; /* all except LRU and FIFO: sets × ways */
    uint8_t *states; /* sets × leaves: the trees of PLRU, the marks of NRU, the ages of SRRIP */
    uint32_t leaves;
    struct random random;
};

#define ASSOC_NONE UINT32_MAX

/* Opens a structure for keys 0 … count − 1; numbers[key] selects the set of a key. Like hardware it
 * starts full of stale content, in a state drawn from the seed; only sets that forget it (LRU, FIFO
 * and RANDOM) start empty, to save time. The shape must outlive the structure. */
void assoc_open(struct assoc *assoc, const struct assoc_shape *shape, const uint64_t *numbers,
                uint32_t count, uint64_t seed);
void assoc_close(struct assoc *assoc);

/* Whether the structure holds the key; a hit counts as a use. */
bool assoc_hit(struct assoc *assoc, uint32_t key);

/* Inserts a key that is not held, into an empty way if there is one; returns the key that it
 * replaces, or ASSOC_NONE if that was stale or the way empty. */
uint32_t assoc_fill(struct assoc *assoc, uint32_t key);

/* Invalidates a key, if it is held. */
void assoc_drop(struct assoc *assoc, uint32_t key);

/* A load: assoc_hit(), and assoc_fill() after a miss. */
bool assoc_access(struct assoc *assoc, uint32_t key);

/* ---- the state of one set, under PLRU, NRU and SRRIP ---- */

/* Its bytes: the next power of two of the ways. */
uint32_t replace_leaves(const struct assoc_shape *shape);

/* Marks a way as used, on a fill or a hit. */
void replace_use(const struct assoc_shape *shape, uint8_t *state, uint32_t way, bool fills);

/* The way that a full set replaces. */
uint32_t replace_victim(const struct assoc_shape *shape, uint8_t *state);

#endif
