/* memory_blocks.h: the blocks of memory that a process has taken, by address: of the heap, mapped,
 * stacks. */
#ifndef TLBLAB_ATTRIBUTION_MEMORY_BLOCKS_H
#define TLBLAB_ATTRIBUTION_MEMORY_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct block {
    uint64_t begin, last; /* its addresses: an end behind the last one may not exist */
    uint32_t label;       /* the caller's */
    uint32_t weight;      /* private: a treap (Seidel & Aragon 1996) */
    struct block *left, *right;
};

/* Initialised by {0}. */
struct blocks {
    struct block *root;
    uint64_t drawn;
};

/* Puts a block in place of all those that it overlaps. */
void blocks_put(struct blocks *blocks, uint64_t begin, uint64_t last, uint32_t label);

/* The block that holds the address, or NULL. */
const struct block *blocks_find(const struct blocks *blocks, uint64_t address);

/* The first block that begins at or after the address, or NULL. */
const struct block *blocks_after(const struct blocks *blocks, uint64_t address);

/* Removes the blocks that begin at begin … last. */
void blocks_remove(struct blocks *blocks, uint64_t begin, uint64_t last);

/* A copy, for a forked process. */
struct blocks blocks_copy(const struct blocks *blocks);
void blocks_free(struct blocks *blocks);

#endif
