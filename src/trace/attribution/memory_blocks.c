/* memory_blocks.c: the blocks of memory that a process has taken, by address.
 *
 *     struct blocks blocks = {0};
 *     blocks_put(&blocks, 0x1000, 0x2fff, 7);
 *     blocks_find(&blocks, 0x2fff)->label == 7
 */
#include "trace/attribution/memory_blocks.h"
#include "base/error.h"
#include "base/random.h"
#include <stdlib.h>

/* Blocks that begin before `at` go left, others right. */
static void split(struct block *b, uint64_t at, struct block **left, struct block **right)
{
    while (b != NULL)
        if (b->begin < at) {
            *left = b;
            left = &b->right;
            b = b->right;
        } else {
            *right = b;
            right = &b->left;
            b = b->left;
        }
    *left = *right = NULL;
}

static struct block *join(struct block *left, struct block *right)
{
    struct block *root = NULL, **place = &root;
    while (left != NULL && right != NULL)
        if (left->weight > right->weight) {
            *place = left;
            place = &left->right;
            left = left->right;
        } else {
            *place = right;
            place = &right->left;
            right = right->left;
        }
    *place = left != NULL ? left : right;
    return root;
}

static void free_tree(struct block *b)
{
    while (b != NULL) {
        struct block *right = b->right;
        free_tree(b->left);
        free(b);
        b = right;
    }
}

void blocks_free(struct blocks *blocks)
{
    free_tree(blocks->root);
    blocks->root = NULL;
}

static struct block *copy_tree(const struct block *b)
{
    if (b == NULL)
        return NULL;
    struct block *copy = allocate(1, sizeof *copy);
    *copy = *b;
    copy->left = copy_tree(b->left);
    copy->right = copy_tree(b->right);
    return copy;
}

struct blocks blocks_copy(const struct blocks *blocks)
{
    return (struct blocks){copy_tree(blocks->root), blocks->drawn};
}

/* The last block that begins at or before the address. */
static struct block *at_or_before(struct block *b, uint64_t address)
{
    struct block *found = NULL;
    while (b != NULL)
        if (b->begin <= address) {
            found = b;
            b = b->right;
        } else
            b = b->left;
    return found;
}

const struct block *blocks_find(const struct blocks *blocks, uint64_t address)
{
    const struct block *b = at_or_before(blocks->root, address);
    return b != NULL && address <= b->last ? b : NULL;
}

const struct block *blocks_after(const struct blocks *blocks, uint64_t address)
{
    const struct block *found = NULL;
    for (const struct block *b = blocks->root; b != NULL;)
        if (b->begin >= address) {
            found = b;
            b = b->left;
        } else
            b = b->right;
    return found;
}

void blocks_remove(struct blocks *blocks, uint64_t begin, uint64_t last)
{
    struct block *before, *within, *after = NULL;
    split(blocks->root, begin, &before, &within);
    if (last < UINT64_MAX)
        split(within, last + 1, &within, &after);
    free_tree(within);
    blocks->root = join(before, after);
}

void blocks_put(struct blocks *blocks, uint64_t begin, uint64_t last, uint32_t label)
{
    struct block *before, *after, *b = at_or_before(blocks->root, begin);
    if (b != NULL && b->begin < begin && b->last >= begin)
        b->last = begin - 1; /* what was there before has gone unnoticed */
    blocks_remove(blocks, begin, last);
    b = allocate(1, sizeof *b);
    b->begin = begin;
    b->last = last;
    b->label = label;
    b->weight = (uint32_t)(random_mix(17, ++blocks->drawn) >> 32);
    split(blocks->root, begin, &before, &after);
    blocks->root = join(join(before, b), after);
}
