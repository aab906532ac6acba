/* random_hash.c: hashes of any number of slices. */
#include "slices/hash/random_hash.h"
#include "base/error.h"
#include "base/random.h"
#include "base/xor_space.h"
#include "slices/hash/walsh.h"
#include <stdlib.h>

enum { TRIES = 200 }; /* [bound] */

/* All slices have equally many lines, give or take one. The second shuffle, of nothing that is
 * used, keeps the masks that seeds have always had. */
static void make_base(struct slice_hash *h, unsigned slices, struct random *random)
{
    size_t lines = (size_t)1 << h->index_bits;
    uint32_t *member = allocate(lines, sizeof *member);
    for (size_t k = 0; k < lines; k++)
        member[k] = (uint32_t)k;
    random_shuffle(member, lines, random);
    for (size_t k = 0; k < lines; k++)
        h->base[member[k]] = (signed char)(k % slices);
    random_shuffle(member, lines, random);
    free(member);
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

static void make_masks(struct slice_hash *h, const struct xor_space *symmetry,
                       struct random *random)
{
    unsigned lowest = LINE_BITS + h->index_bits;
    for (unsigned t = 0; t < h->index_bits && lowest <= h->top_bit; t++)
        if (symmetry->row[t] == 0)
            h->mask[t] = random_below(random, (uint64_t)1 << (h->top_bit + 1 - lowest)) << lowest;
}

bool random_hash_complete(struct slice_hash *h, unsigned slices, size_t symmetries,
                          struct random *random)
{
    struct xor_space found = symmetry_of(h->base, h->index_bits);
    h->slices = slices_count(h->base, (size_t)1 << h->index_bits);
    if (h->slices != slices || found.row[h->index_bits - 1] != 0 ||
        (symmetries != RANDOM_HASH_ANY && found.size != symmetries))
        return false;
    make_masks(h, &found, random);
    return true;
}

struct slice_hash random_hash_make(const struct random_hash *wanted)
{
    struct slice_hash h = {.index_bits = wanted->index_bits, .top_bit = wanted->top_bit};
    size_t lines = (size_t)1 << h.index_bits;
    if (wanted->slices > lines)
        die("%zu lines are too few for %u slices", lines, wanted->slices);
    h.base = allocate(lines, 1);
    for (uint64_t k = 0; k < TRIES; k++) {
        struct random random;
        random_seed(&random, wanted->seed, k);
        make_base(&h, wanted->slices, &random);
        if (random_hash_complete(&h, wanted->slices, 0, &random))
            return h;
    }
    die("no base of %zu lines has %u slices and no symmetry", lines, wanted->slices);
}
