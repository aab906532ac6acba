/* solver.h: what the steps of solving a hash share: consensus.c aligns blocks and lets them vote,
 * symmetry.c finds the shifts that change nothing, mask_fit.c the masks, slice_describe.c writes
 * down what was found; slice_solve.c calls them. No other file includes it.
 *
 * A block is the consensus with its indices XORed by the block's shift: block[x] ==
 * consensus[x XOR shift]. The consensus stands for the block at address 0 but for a shift, which
 * the masks settle. */
#ifndef TLBLAB_SOLVE_SOLVER_H
#define TLBLAB_SOLVE_SOLVER_H

#include "base/xor_space.h"
#include "slices/maps/slice_maps.h"
#include "slices/solve/slice_solve.h"

enum block_state {
    BLOCK_NEW,         /* not yet looked at */
    BLOCK_ALIGNED,     /* it votes */
    BLOCK_UNLIKE,      /* like the consensus at no shift */
    BLOCK_MISLABELLED, /* like it, but not at the shift that its address has */
    BLOCK_SUSPECT,     /* it or another block is mislabelled, and nothing tells which */
    BLOCK_UNUSED       /* nothing can be said of it */
};

struct solver {
    const struct slice_maps *maps;
    unsigned bits;             /* of an index within a block */
    size_t lines;              /* 2^bits */
    uint32_t *shift;           /* of each block */
    unsigned char *state;      /* enum block_state of each block */
    signed char *consensus;    /* `lines` slices */
    signed char *reference;    /* the same without the lines that few votes decide: a block that is
                                  aligned to those confirms them, right or wrong, where many shifts
                                  are as good */
    unsigned slices;           /* different ones in the consensus */
    double wrong;              /* share of the votes that disagree with it */
    double doubt;              /* share of the lines of the consensus that the votes have wrong */
    double weight;             /* of a vote: the logarithm of how much more likely an entry is right
                                  than a certain wrong one */
    struct xor_space symmetry; /* shifts that leave the consensus unchanged */
    float *likeness;  /* at each shift, the share of lines in which the consensus agrees with
                         itself */
    float rival;      /* the largest of them outside the symmetry */
    size_t alike;     /* how many shifts but 0 leave it almost unchanged */
    double differing; /* lines that a shift changes which is better than three quarters of those */
    double slack;     /* agreements by which a shift may fall short of the best */
    bool addressed;   /* the blocks' addresses are known, so there are masks to find */
    struct xor_equations masks; /* from a block's address bits (mask_vector) to its shift */
};

/* The best shift of a block. */
struct match {
    uint32_t shift;
    size_t agreeing, compared; /* lines */
    bool sure;                 /* chance does not agree so well */
};

/* ---- consensus.c ---- */

size_t block_known_lines(const struct solver *solver, size_t block);

/* How well a block agrees with the consensus at a shift. */
struct match match_at(const struct solver *solver, size_t block, uint32_t shift);

/* The best shift of each of these blocks, by correlation at all shifts. */
void match_blocks(const struct solver *solver, const size_t *blocks, size_t count,
                  struct match *matches);

/* Aligns the blocks to one another and votes. Returns the number that are aligned; the others
 * become BLOCK_UNLIKE. */
size_t consensus_find(struct solver *solver, const size_t *blocks, size_t count);

/* Where many shifts are as good, blocks are aligned so that their wrong entries meet those of the
 * consensus, and confirm them. Aligns all blocks again, each at the lowest shift that is as good
 * but for `slack` lines. */
void consensus_align_again(struct solver *solver, const size_t *blocks, size_t count, double slack);

/* The aligned blocks vote on every line, together with its images under the symmetry; sets the
 * consensus and its number of slices. Then consensus_wrong() sets `wrong` and `weight`. */
void consensus_vote(struct solver *solver);
void consensus_wrong(struct solver *solver);

/* Adds the votes on one line. */
void consensus_votes_on(const struct solver *solver, size_t line, uint32_t votes[SLICES_MOST]);

/* Whether the disagreements lie on the same lines in many blocks, as no error of a measurement
 * does. */
bool consensus_systematic(const struct solver *solver);

/* ---- symmetry.c ---- */

/* Finds the symmetry of the consensus; sets `likeness`, `rival` and `alike`. */
void symmetry_find(struct solver *solver);

/* ---- mask_fit.c ---- */

/* The address bits of a block above those within it, and a bit for its region. False for a block
 * beyond the regions that there is room for. */
bool mask_vector(const struct solver *solver, size_t block, uint64_t *vector);

/* Finds the masks that explain most blocks' shifts. Where different blocks may be those that
 * contradict the others, all of them become BLOCK_SUSPECT and define no mask. False when too few
 * blocks are explained to be believed. */
bool mask_fit(struct solver *solver, const size_t *blocks, size_t count);

/* The blocks without whose address the others' do not determine as much: if one of them is
 * mislabelled, nothing shows it. Returns how many; there is room for 64. */
size_t mask_unchecked(const struct solver *solver, size_t blocks[64]);

/* The shift that the masks give a block; false where they do not determine it. */
bool mask_predict(const struct solver *solver, size_t block, uint32_t *shift);

/* ---- slice_describe.c ---- */

/* How many blocks are in a state. */
size_t solver_count(const struct solver *solver, enum block_state state);

/* Fills in the solution of a hash that is solved; names the blocks that are not believed. */
void solver_describe(struct solver *solver, struct slice_solution *solution, unsigned top_bit);
void solver_name_blocks(const struct solver *solver, struct slice_solution *solution);

#endif
