/* random_hash.c: hashes of any number of slices, and pages. */
#include "slices/hash/random_hash.h"
#include "base/error.h"
#include "base/random.h"
#include "base/xor_space.h"
#include <stdlib.h>

enum { TRIES = 200 };      /* [bound] */
enum { STREAM_PAGES = 1 }; /* of random numbers [bound] */

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
static struct xor_space symmetry_of(const signed char *base, size_t lines)
{
    struct xor_space space = {0};
    for (size_t shift = 1; shift < lines; shift++) {
        size_t x = 0;
        while (x < lines && base[x] == base[x ^ shift])
            x++;
        if (x == lines)
            xor_space_add(&space, shift);
    }
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

bool random_hash_complete(struct slice_hash *h, unsigned slices, unsigned symmetries,
                          struct random *random)
{
    struct xor_space found = symmetry_of(h->base, (size_t)1 << h->index_bits);
    h->slices = slices_count(h->base, (size_t)1 << h->index_bits);
    if (h->slices != slices || found.row[h->index_bits - 1] != 0 || found.size != symmetries)
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

/* ---- pages ---- */

/* A random bijection of 2^bits numbers that fixes 0: multiplications by odd numbers, and XORs with
 * the number's own higher bits. */
static uint64_t scramble(uint64_t x, unsigned bits, const uint64_t odd[3])
{
    for (int round = 0; round < 3; round++) {
        x = x * odd[round] & (((uint64_t)1 << bits) - 1);
        x ^= x >> (bits / 2 + 1);
    }
    return x;
}

uint64_t *random_pages(unsigned top_bit, unsigned block_bits, size_t count, uint64_t seed)
{
    unsigned low = LINE_BITS + block_bits, bits = top_bit + 1 > low ? top_bit + 1 - low : 0;
    if (count >> bits != 0)
        die("%zu blocks are too many: below address bit %u there are only %llu besides the one at "
            "0",
            count, top_bit + 1, (unsigned long long)(((uint64_t)1 << bits) - 1));
    uint64_t *pages = allocate(count, sizeof *pages), odd[3];
    struct random random;
    random_seed(&random, seed, STREAM_PAGES);
    for (int round = 0; round < 3; round++)
        odd[round] = random_next(&random) | 1;
    for (size_t k = 0; k < count; k++)
        pages[k] = scramble(k + 1, bits, odd) << low;
    return pages;
}
