/* assoc.h: one set-associative structure, a level of a TLB or of the caches: into which set a key
 * (a page or a line) goes, and which key leaves a set that is full. */
#ifndef TLBLAB_SIMULATE_ASSOC_H
#define TLBLAB_SIMULATE_ASSOC_H

#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>

/* How a number selects its set. LINEAR: the low bits, number mod sets. XOR: the low bits folded
 * with those `fold` places higher, (number ^ number >> fold) mod sets. HASHED: all bits mixed with
 * a key. */
enum assoc_index { INDEX_LINEAR, INDEX_XOR, INDEX_HASHED };

/* Which of a full set leaves. LRU: the one used longest ago. PLRU: where the bits of a binary tree
 * lead, each of which points away from the last use below it; the tree is that of the next power of
 * two of ways, and the ways that are missing in it are never chosen. RANDOM: any. FIFO: the one
 * that came first. */
enum assoc_replacement { REPLACE_LRU, REPLACE_PLRU, REPLACE_RANDOM, REPLACE_FIFO };

struct assoc_shape {
    uint64_t entries, ways; /* ways divides entries, and is equal when fully associative */
    enum assoc_index index;
    enum assoc_replacement replacement;
    unsigned fold; /* of INDEX_XOR, below 64 */
    uint64_t key;  /* of INDEX_HASHED: another key, another hash */
};

/* The set that a page's or line's number selects. */
uint64_t assoc_set(const struct assoc_shape *shape, uint64_t number);

struct assoc {
    const struct assoc_shape *shape; /* all of this is private */
    struct assoc_key *keys;
    struct assoc_set *sets;
    uint32_t *slots; /* sets × ways, of PLRU and RANDOM */
    uint8_t *trees;  /* sets × leaves, of PLRU */
    uint32_t leaves;
    struct random random;
};

#define ASSOC_NONE UINT32_MAX

/* An empty one for keys 0 … count − 1, of which the one with numbers[key] goes into the set that
 * this number selects. The seed is for REPLACE_RANDOM. The shape must outlive it. */
void assoc_open(struct assoc *assoc, const struct assoc_shape *shape, const uint64_t *numbers,
                uint32_t count, uint64_t seed);
void assoc_close(struct assoc *assoc);

/* Whether the key is held; if so, this counts as a use of it. */
bool assoc_hit(struct assoc *assoc, uint32_t key);

/* Puts in a key that is not held, in an empty way if there is one; returns the key that had to
 * leave, or ASSOC_NONE. */
uint32_t assoc_fill(struct assoc *assoc, uint32_t key);

/* Takes a key out, if it is held. */
void assoc_drop(struct assoc *assoc, uint32_t key);

/* A load: assoc_hit(), and assoc_fill() after a miss. */
bool assoc_access(struct assoc *assoc, uint32_t key);

#endif
