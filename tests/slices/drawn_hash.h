/* drawn_hash.h: hashes of all kinds at random, and maps of them with wrong and missing entries. */
#ifndef TLBLAB_DRAWN_HASH_H
#define TLBLAB_DRAWN_HASH_H

#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "base/xor_space.h"
#include "slices/hash/random_hash.h"
#include <stdlib.h>

enum {
    DRAWN_TRIES = 200,
    NEAR_PART = 256 /* one coset in this many differs from what a near symmetry gives */
};

struct drawn_hash {
    unsigned slices, index_bits;
    unsigned symmetries; /* 2^this XOR shifts leave the base unchanged; a linear one has its own */
    unsigned near;       /* 2^this times as many leave all but some 0.4 % of it unchanged */
    bool linear;         /* the base is linear: a power of two of slices */
    unsigned top_bit;    /* highest address bit of the masks */
    uint64_t seed;
};

struct map_flaws {
    double wrong_percent, missing_percent; /* of the entries, drawn per page */
    uint64_t mislabelled;                  /* this many first pages get the map of another page */
    uint64_t seed;
};

/* Adds random vectors of this many bits. */
static void add_random(struct xor_space *space, unsigned count, unsigned bits,
                       struct random *random)
{
    while (count > 0)
        if (xor_space_add(space, random_below(random, (uint64_t)1 << bits)))
            count--;
}

/* Returns the number of cosets of a space and, if not NULL, sets one member of each. */
static size_t cosets(const struct xor_space *space, size_t lines, uint32_t *members)
{
    size_t count = 0;
    for (size_t x = 0; x < lines; x++)
        if (xor_space_reduce(space, x) == x) {
            if (members != NULL)
                members[count] = (uint32_t)x;
            count++;
        }
    return count;
}

/* A base that is constant on each coset of the symmetries and, with few exceptions, of the near
 * symmetries. All slices have equally many lines, give or take one coset. */
static void make_table(const struct drawn_hash *wanted, const struct xor_space *symmetry,
                       struct random *random, signed char *base)
{
    size_t lines = (size_t)1 << wanted->index_bits, count;
    struct xor_space wide = *symmetry;
    uint32_t *member = allocate(lines, sizeof *member);
    add_random(&wide, wanted->near, wanted->index_bits - 1, random);
    count = cosets(&wide, lines, member);
    random_shuffle(member, count, random);
    for (size_t k = 0; k < count; k++)
        base[member[k]] = (signed char)(k % wanted->slices);
    for (size_t x = 0; x < lines; x++)
        base[x] = base[xor_space_reduce(&wide, x)];
    count = cosets(symmetry, lines, member);
    random_shuffle(member, count, random);
    for (size_t k = 0; wanted->near > 0 && k <= count / NEAR_PART; k++) {
        uint64_t other = 1 + random_below(random, wanted->slices - 1);
        base[member[k]] = (signed char)(((uint64_t)base[member[k]] + other) % wanted->slices);
    }
    for (size_t x = 0; x < lines; x++)
        base[x] = base[xor_space_reduce(symmetry, x)];
    free(member);
}

/* A linear base: the highest index bit's column is outside the span of the others, or the base
 * would repeat earlier. */
static void make_linear(const struct drawn_hash *wanted, struct random *random, signed char *base)
{
    unsigned bits = wanted->index_bits, rank = highest_bit(wanted->slices);
    uint64_t column[INDEX_BITS_MAX];
    struct xor_space all = {0};
    while (all.size < rank) {
        struct xor_space below = {0};
        for (unsigned b = 0; b + 1 < bits; b++) {
            uint64_t drawn = random_below(random, wanted->slices);
            while (below.size == rank - 1 && xor_space_reduce(&below, drawn) != 0)
                drawn = random_below(random, wanted->slices);
            xor_space_add(&below, column[b] = drawn);
        }
        all = below;
        xor_space_add(&all, column[bits - 1] = random_below(random, wanted->slices));
        if (xor_space_reduce(&below, column[bits - 1]) == 0)
            all.size = 0;
    }
    for (size_t x = 0; x < (size_t)1 << bits; x++) {
        uint64_t slice = 0;
        for (unsigned b = 0; b < bits; b++)
            slice ^= x >> b & 1 ? column[b] : 0;
        base[x] = (signed char)slice;
    }
}

/* A hash in canonical form, as slice_solve() finds it. */
static struct slice_hash drawn_hash_make(const struct drawn_hash *wanted)
{
    struct slice_hash h = {.index_bits = wanted->index_bits, .top_bit = wanted->top_bit};
    h.base = allocate((size_t)1 << h.index_bits, 1);
    for (uint64_t k = 0; k < DRAWN_TRIES; k++) {
        struct random random;
        struct xor_space symmetry = {.size = wanted->index_bits - highest_bit(wanted->slices)};
        random_seed(&random, wanted->seed, k);
        if (wanted->linear)
            make_linear(wanted, &random, h.base);
        else {
            symmetry.size = 0;
            add_random(&symmetry, wanted->symmetries, wanted->index_bits - 1, &random);
            make_table(wanted, &symmetry, &random, h.base);
        }
        if (random_hash_complete(&h, wanted->slices, symmetry.size, &random))
            return h;
    }
    die("no base has %u slices and exactly these symmetries", wanted->slices);
}

/* A slice other than this one, out of those in the base. */
static signed char other_slice(const struct slice_hash *hash, signed char slice,
                               struct random *random)
{
    signed char other = slice;
    while (hash->slices > 1 && (other == slice || other < 0))
        other = hash->base[random_below(random, (uint64_t)1 << hash->index_bits)];
    return other;
}

/* The map of the k-th block, at `paddr`, with flaws. */
static void flawed_map(const struct slice_hash *hash, uint64_t paddr, unsigned block_bits, size_t k,
                       const struct map_flaws *flaws, signed char *slices)
{
    unsigned low = LINE_BITS + block_bits;
    struct random random;
    random_seed(&random, flaws->seed, paddr);
    if (k < flaws->mislabelled)
        paddr = random_below(&random, (uint64_t)2 << hash->top_bit) >> low << low;
    slices_of(hash, paddr, (size_t)1 << block_bits, slices);
    for (size_t i = 0; i < (size_t)1 << block_bits; i++) {
        if (flaws->missing_percent > 0 && 100 * random_unit(&random) < flaws->missing_percent)
            slices[i] = SLICE_MISSING;
        if (flaws->wrong_percent > 0 && slices[i] >= 0 &&
            100 * random_unit(&random) < flaws->wrong_percent)
            slices[i] = other_slice(hash, slices[i], &random);
    }
}

#endif
