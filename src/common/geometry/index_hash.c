/* index_hash.c: which bits of the page number are folded into the index of a set. */
#include "geometry/index_hash.h"
#include "geometry/gf2.h"
#include "geometry/ways.h"
#include <math.h>
#include <stdio.h>

/* At least so many times what one set holds: they miss where they fall into one set. [prior] */
static const double overloaded = 1.25;

/* Targets that cost this part of what as many of one set cost lie in one set, though some of them
 * may hit the first level; and those of the same fold must cost nearly as much as its first: halves
 * that just fit into two sets overflow one of them where an other lies in it. [prior] */
static const double one_set = 0.25, same_fold = 0.65, same_or_halves = 0.35;

uint64_t index_hash_stride(int fold, int j)
{
    return ((uint64_t)1 << j) + ((uint64_t)1 << (j + fold));
}

static double missing_at(const struct stride_profile *p, const struct index_hash *folds,
                         uint64_t stride)
{
    return stride_profile_missing(p, stride * p->page.spacing, stride_profile_others(p),
                                  folds->targets) -
           folds->none;
}

struct index_hash index_hash_of(const struct stride_profile *p)
{
    struct index_hash folds = {0};
    int from, to;
    stride_profile_fall(p, 1, &from, &to);
    double ways = p->levels > 1 ? ways_of(p, 1).count : (double)NAN;
    if (from == 0 || isnan(ways))
        return folds;
    folds.targets = 1; /* a power of two: a bit that does select the set halves them */
    while ((double)folds.targets < overloaded * ways)
        folds.targets *= 2;
    folds.stride = (uint64_t)1 << to;
    folds.bits = to - from;
    folds.to = to;
    while ((uint64_t)1 << folds.from < folds.targets) /* no carry from one part into the other */
        folds.from++;
    double none = 0;
    for (int fold = folds.from; fold < folds.to; fold++)
        none = fmin(none, missing_at(p, &folds, index_hash_stride(fold, 0)));
    folds.none = none;
    double least = one_set * missing_at(p, &folds, folds.stride);
    for (int fold = folds.from; fold < folds.to; fold++)
        folds.found[fold] = missing_at(p, &folds, index_hash_stride(fold, 0)) > least;
    return folds;
}

/* Adds what one stride proves: its multiples by 1, 2, 4, … as long as there were targets there. */
static size_t add_kernel(uint64_t *kernel, size_t count, uint64_t stride, uint64_t targets)
{
    for (uint64_t times = 1; times < targets; times *= 2)
        kernel[count++] = stride * times;
    return count;
}

static size_t solve(const struct stride_profile *p, const struct index_hash *folds, double share,
                    uint64_t proven, uint64_t *basis)
{
    uint64_t kernel[STRIDE_PROFILE_STRIDES * STRIDE_PROFILE_STRIDES * 8];
    size_t count = 0;
    for (int fold = folds->from; fold < folds->to; fold++) {
        double least = share * missing_at(p, folds, index_hash_stride(fold, 0));
        for (int j = 0; folds->found[fold] && j < folds->bits; j++)
            if (missing_at(p, folds, index_hash_stride(fold, j)) > least)
                count = add_kernel(kernel, count, index_hash_stride(fold, j), proven);
    }
    return gf2_annihilator(kernel, count, (size_t)folds->to, basis);
}

/* Halves that are too many for a set miss too, and then too many page numbers seem to fall into set
 * 0. What parts them is the highest bit of a target's number, which the index loses first. */
size_t index_hash_solve(const struct stride_profile *p, const struct index_hash *folds,
                        uint64_t *basis)
{
    size_t size = solve(p, folds, same_fold, folds->targets, basis);
    if (size == (size_t)folds->bits)
        return size;
    return solve(p, folds, same_or_halves, folds->targets / 2, basis);
}

/* Whether a page number falls into set 0: it has an even number of bits in common with each index
 * bit's. */
static bool falls_into_set_0(uint64_t page, const uint64_t *basis, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool odd = false;
        for (uint64_t common = page & basis[i]; common != 0; common &= common - 1)
            odd = !odd;
        if (odd)
            return false;
    }
    return true;
}

uint64_t index_hash_others(const struct stride_profile *p, const uint64_t *basis, size_t count)
{
    int from, to;
    stride_profile_fall(p, 1, &from, &to);
    uint64_t others = stride_profile_others_at(p, to), there = 0;
    for (uint64_t i = 0; i < others; i++)
        there += falls_into_set_0(stride_profile_other_page(p, to, others, i), basis, count);
    return there;
}

void index_hash_spell(const uint64_t *basis, size_t count, char text[INDEX_BITS_ROOM])
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const char *before = i > 0 ? "," : "";
        for (int bit = 0; bit < 64; bit++)
            if (basis[i] >> bit & 1 && used < INDEX_BITS_ROOM) {
                used += (size_t)snprintf(text + used, INDEX_BITS_ROOM - used, "%s%d", before, bit);
                before = "^";
            }
    }
}
