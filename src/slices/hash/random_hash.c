/* random_hash.c: hashes of any number of slices. */
#include "slices/hash/random_hash.h"
#include "base/error.h"
#include "base/random.h"
#include "base/range.h"
#include "base/xor_space.h"
#include "slices/hash/walsh.h"
#include <stdlib.h>

enum {
    TRIES = 200,    /* [bound] */
    NEAR_PART = 256 /* [prior] one coset in this many differs from what a near symmetry gives */
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
static void make_table(const struct random_hash *wanted, const struct xor_space *symmetry,
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
static void make_linear(const struct random_hash *wanted, struct random *random, signed char *base)
{
    unsigned bits = wanted->index_bits, rank = highest_bit(wanted->slices);
    uint64_t column[INDEX_BITS_MOST];
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

/* All XOR shifts that leave the base unchanged. */
static struct xor_space symmetry_of(const signed char *base, unsigned bits)
{
    size_t lines = (size_t)1 << bits;
    double *agreements = allocate(lines, sizeof *agreements);
    struct xor_space space = {0};
    xor_agreements(base, &base, 1, bits, &agreements);
    for (size_t shift = 1; shift < lines; shift++)
        if (agreements[shift] > (double)lines - 0.5)
            xor_space_add(&space, shift);
    free(agreements);
    return space;
}

static void make_masks(const struct random_hash *wanted, const struct xor_space *symmetry,
                       struct random *random, struct slice_hash *h)
{
    unsigned lowest = LINE_BITS + wanted->index_bits;
    for (unsigned t = 0; t < wanted->index_bits && lowest <= wanted->top_bit; t++)
        if (symmetry->row[t] == 0)
            h->mask[t] = random_below(random, (uint64_t)1 << (wanted->top_bit + 1 - lowest))
                         << lowest;
}

static void check_wanted(const struct random_hash *w)
{
    size_t lines = (size_t)1 << w->index_bits;
    if (w->slices < 2 || w->slices > SLICES_MOST)
        die("a hash has 2 to %d slices", SLICES_MOST);
    if (w->index_bits < 4 || w->index_bits > INDEX_BITS_MOST - 1)
        die("a base has 16 to %d lines", 1 << (INDEX_BITS_MOST - 1));
    if (w->linear && !is_power_of_two(w->slices))
        die("a linear base needs a power of two of slices, not %u", w->slices);
    if (w->symmetries + w->near >= w->index_bits ||
        w->slices > lines >> (w->linear ? 0 : w->symmetries + w->near))
        die("%zu lines are too few for %u slices and that many symmetries", lines, w->slices);
}

struct slice_hash random_hash_make(const struct random_hash *wanted)
{
    struct slice_hash h = {.index_bits = wanted->index_bits, .top_bit = wanted->top_bit};
    check_wanted(wanted);
    h.base = allocate((size_t)1 << h.index_bits, 1);
    for (uint64_t k = 0; k < TRIES; k++) {
        struct random random;
        struct xor_space symmetry = {0};
        random_seed(&random, wanted->seed, k);
        if (wanted->linear)
            make_linear(wanted, &random, h.base);
        else {
            add_random(&symmetry, wanted->symmetries, wanted->index_bits - 1, &random);
            make_table(wanted, &symmetry, &random, h.base);
        }
        struct xor_space found = symmetry_of(h.base, h.index_bits);
        h.slices = slices_count(h.base, (size_t)1 << h.index_bits);
        if (h.slices != wanted->slices || found.row[h.index_bits - 1] != 0 ||
            (!wanted->linear && found.size != symmetry.size))
            continue;
        make_masks(wanted, &found, &random, &h);
        return h;
    }
    die("no base of %zu lines has %u slices and exactly these symmetries",
        (size_t)1 << h.index_bits, wanted->slices);
}
