/* mask_fit.c: from the blocks' shifts to masks, by Gaussian elimination over GF(2).
 *
 * The shift of a block is a linear function of its address bits plus a constant, the shift of the
 * consensus relative to the block at address 0. A mislabelled block contradicts the others: then
 * equations are taken from the blocks in many random orders, and those that the most blocks agree
 * with win (RANSAC: Fischler & Bolles 1981). */
#include "base/error.h"
#include "base/random.h"
#include "slices/solve/solver.h"
#include <stdlib.h>
#include <string.h>

/* Bits ADDRESS_BITS_MAX … 63 of a vector hold the regions' constants, which limits their number.
 * [bound] */
enum { REGIONS_MAX = 64 - ADDRESS_BITS_MAX };

enum {
    ORDERS = 4000,      /* [bound] random orders tried */
    WORK_MAX = 1 << 24, /* [bound] blocks examined, over all orders */
};
static const double explained_least = 2.0 / 3; /* [significance] share of the blocks */

bool mask_vector(const struct solver *s, size_t block, uint64_t *vector)
{
    uint64_t address = s->maps->address[block], region = address >> s->maps->paddr_bits;
    uint64_t bits = address & (((uint64_t)1 << s->maps->paddr_bits) - 1);
    *vector = bits >> (LINE_BITS + s->bits) << (LINE_BITS + s->bits) |
              (uint64_t)1 << (63 - region % REGIONS_MAX);
    return region < REGIONS_MAX;
}

/* One block, as the fit sees it. */
struct equation {
    uint64_t vector, shift;
    size_t block;
};

static bool agrees(const struct solver *s, const struct xor_equations *masks,
                   const struct equation *e)
{
    uint64_t vector = e->vector;
    uint64_t value = xor_equations_reduce(masks, &vector);
    return vector == 0 && xor_space_reduce(&s->symmetry, value ^ e->shift) == 0;
}

/* The equations not contradicted by earlier ones, in the given order. */
static struct xor_equations masks_of(const struct equation *equations, size_t count)
{
    struct xor_equations masks = {0};
    for (size_t k = 0; k < count; k++)
        xor_equations_add(&masks, equations[k].vector, equations[k].shift);
    return masks;
}

/* How many blocks agree; *contradicted is a fingerprint of those that do not. */
static size_t count_agreeing(const struct solver *s, const struct xor_equations *masks,
                             const struct equation *equations, size_t count, uint64_t *contradicted)
{
    size_t agreeing = 0;
    *contradicted = 0;
    for (size_t k = 0; k < count; k++)
        if (agrees(s, masks, &equations[k]))
            agreeing++;
        else
            *contradicted += random_mix(equations[k].block, 1);
    return agreeing;
}

static void shuffle(struct equation *equations, size_t count, struct random *random)
{
    for (size_t k = count; k > 1; k--) {
        size_t other = random_below(random, k);
        struct equation swapped = equations[k - 1];
        equations[k - 1] = equations[other];
        equations[other] = swapped;
    }
}

/* Marks the equations that contradict the masks. */
static void mark_suspects(const struct solver *s, const struct xor_equations *masks,
                          const struct equation *equations, size_t count, bool *suspect)
{
    for (size_t k = 0; k < count; k++)
        if (!agrees(s, masks, &equations[k]))
            suspect[equations[k].block] = true;
}

/* Sets the masks that the most blocks agree with, and marks the blocks that contradict them or any
 * other masks with equal support; *ambiguous is set if there are such masks. Returns how many
 * agree. */
static size_t most_agreed(struct solver *s, struct equation *equations, size_t count, bool *suspect,
                          bool *ambiguous)
{
    struct random random;
    uint64_t contradicted, best_contradicted;
    size_t best, orders = WORK_MAX / count < ORDERS ? WORK_MAX / count : ORDERS;
    s->masks = masks_of(equations, count);
    *ambiguous = false;
    best = count_agreeing(s, &s->masks, equations, count, &best_contradicted);
    random_seed(&random, count, 0);
    mark_suspects(s, &s->masks, equations, count, suspect);
    for (size_t k = 0; k < orders && best < count; k++) {
        shuffle(equations, count, &random);
        struct xor_equations masks = masks_of(equations, count);
        size_t agreeing = count_agreeing(s, &masks, equations, count, &contradicted);
        if (agreeing < best || (agreeing == best && contradicted == best_contradicted))
            continue;
        *ambiguous = agreeing == best;
        if (!*ambiguous) {
            memset(suspect, 0, s->maps->count);
            s->masks = masks;
            best = agreeing;
            best_contradicted = contradicted;
        }
        mark_suspects(s, &masks, equations, count, suspect);
    }
    return best;
}

/* Takes no mask from suspects. */
static void leave_out(struct solver *s, struct equation *equations, size_t count,
                      const bool *suspect)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (suspect[equations[k].block])
            s->state[equations[k].block] = BLOCK_SUSPECT;
        else
            equations[kept++] = equations[k];
    s->masks = masks_of(equations, kept);
}

bool mask_fit(struct solver *s, const size_t *blocks, size_t count)
{
    struct equation *equations = allocate(count, sizeof *equations);
    bool *suspect = allocate(s->maps->count, sizeof *suspect), ambiguous = false;
    size_t filled = 0, best;
    for (size_t k = 0; k < count; k++) {
        struct equation *e = &equations[filled];
        *e = (struct equation){.shift = s->shift[blocks[k]], .block = blocks[k]};
        filled += s->state[blocks[k]] != BLOCK_UNLIKE && s->state[blocks[k]] != BLOCK_UNUSED &&
                  mask_vector(s, blocks[k], &e->vector);
    }
    best = filled > 0 ? most_agreed(s, equations, filled, suspect, &ambiguous) : 0;
    /* A block that agrees because it defines the masks proves nothing. */
    size_t spare = best - s->masks.space.size, against = filled - best;
    if (ambiguous)
        leave_out(s, equations, filled, suspect);
    free(equations);
    free(suspect);
    return best > 0 &&
           (against == 0 || ((double)best >= explained_least * (double)filled && spare >= against));
}

/* The rank of the aligned blocks' addresses without one of them; *blocks, if not NULL, gets the
 * blocks that add to it. */
static unsigned rank_without(const struct solver *s, size_t without, size_t *blocks)
{
    struct xor_space space = {0};
    uint64_t vector;
    for (size_t i = 0; i < s->maps->count; i++)
        if (i != without && s->state[i] == BLOCK_ALIGNED && mask_vector(s, i, &vector) &&
            xor_space_add(&space, vector) && blocks != NULL)
            blocks[space.size - 1] = i;
    return space.size;
}

size_t mask_unchecked(const struct solver *s, size_t blocks[64])
{
    size_t independent[64] = {0}, count = 0;
    unsigned rank = rank_without(s, SIZE_MAX, independent);
    for (unsigned k = 0; k < rank; k++)
        if (rank_without(s, independent[k], NULL) < rank)
            blocks[count++] = independent[k];
    return count;
}

bool mask_predict(const struct solver *s, size_t block, uint32_t *shift)
{
    uint64_t vector;
    if (!mask_vector(s, block, &vector))
        return false;
    *shift = (uint32_t)xor_space_reduce(&s->symmetry, xor_equations_reduce(&s->masks, &vector));
    return vector == 0;
}
