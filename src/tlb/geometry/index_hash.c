/* index_hash.c: which bits of the page number a set index XORs. */
#include "tlb/geometry/index_hash.h"
#include "base/xor_space.h"
#include "table/table.h"
#include "tlb/geometry/targets.h"
#include <math.h>
#include <string.h>

/* There are at least this many times as many targets as ways, so they miss if they share a set.
 * [prior] */
static const double overloaded = 1.25;

/* Targets share a set if they cost at least `one_set` of what targets known to share a set do; some
 * may hit the first level. Later strides of a fold must cost at least `same_fold` of its first,
 * since halves that just fill two sets also cost something if one of the others is in either set. A
 * second attempt, with halves, uses `same_or_halves`. [prior] */
static const double one_set = 0.25, same_fold = 0.65, same_or_halves = 0.35;

enum { SPELT_BYTES = 128 }; /* [bound] */

uint64_t index_hash_stride(int fold, int j)
{
    return ((uint64_t)1 << j) + ((uint64_t)1 << (j + fold));
}

static double missing_at(const struct stride_profile *p, const struct index_hash *hash,
                         uint64_t stride)
{
    return targets_missing(p, stride * p->page.spacing, targets_others(p), hash->targets) -
           hash->none;
}

struct index_hash index_hash_of(const struct stride_profile *p)
{
    struct index_hash hash = {0};
    struct fall fall = stride_profile_fall(p, 1);
    double ways = p->levels > 1 ? p->ways[1].count : (double)NAN;
    if (fall.from == 0 || isnan(ways))
        return hash;
    hash.targets = 1; /* a power of two: an index bit splits the targets in halves */
    while ((double)hash.targets < overloaded * ways)
        hash.targets *= 2;
    hash.stride = (uint64_t)1 << fall.to;
    hash.bits = fall.to - fall.from;
    hash.to = fall.to;
    while ((uint64_t)1 << hash.from < hash.targets) /* no carry between the bits of a fold */
        hash.from++;
    double none = 0;
    for (int fold = hash.from; fold < hash.to; fold++)
        none = fmin(none, missing_at(p, &hash, index_hash_stride(fold, 0)));
    hash.none = none;
    double least = one_set * missing_at(p, &hash, hash.stride);
    for (int fold = hash.from; fold < hash.to; fold++)
        hash.found[fold] = missing_at(p, &hash, index_hash_stride(fold, 0)) > least;
    return hash;
}

/* If a stride falls into set 0, so do its multiples by 1, 2, 4, … up to the last target. */
static size_t solve(const struct stride_profile *p, const struct index_hash *hash, double share,
                    uint64_t proven, uint64_t *basis)
{
    struct xor_space in_set_0 = {0};
    uint64_t known_bits = ((uint64_t)1 << hash->to) - 1;
    for (int fold = hash->from; fold < hash->to; fold++) {
        double least = share * missing_at(p, hash, index_hash_stride(fold, 0));
        for (int j = 0; hash->found[fold] && j < hash->bits; j++)
            if (missing_at(p, hash, index_hash_stride(fold, j)) > least)
                for (uint64_t times = 1; times < proven; times *= 2)
                    xor_space_add(&in_set_0, index_hash_stride(fold, j) * times & known_bits);
    }
    return xor_space_orthogonal(&in_set_0, (unsigned)hash->to, basis);
}

/* If half of the targets overflow a set too, too many page numbers seem to fall into set 0. The
 * second attempt therefore omits the highest bit of the targets' numbers, which splits them in
 * halves. */
size_t index_hash_solve(const struct stride_profile *p, const struct index_hash *hash,
                        uint64_t *basis)
{
    size_t size = solve(p, hash, same_fold, hash->targets, basis);
    if (size == (size_t)hash->bits)
        return size;
    return solve(p, hash, same_or_halves, hash->targets / 2, basis);
}

uint64_t index_hash_others(const struct stride_profile *p, const uint64_t *basis, size_t count)
{
    int to = stride_profile_fall(p, 1).to;
    uint64_t others = stride_profile_others_at(p, to), in_set = 0;
    for (uint64_t i = 0; i < others; i++)
        in_set += xor_index(basis, count, targets_other_page(p, to, others, i)) == 0;
    return in_set;
}

const char *index_hash_spell(const uint64_t *basis, size_t count)
{
    char text[SPELT_BYTES];
    xor_spell(basis, count, text, sizeof text);
    return field_keep((struct field){text, strlen(text)});
}
