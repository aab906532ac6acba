/* solver.h: shared by the steps of solving a hash: walsh.c compares sequences at all shifts,
 * consensus.c aligns blocks and lets them vote, symmetry.c finds the shifts that change nothing,
 * mask_fit.c finds the masks, slice_describe.c records the result; slice_solve.c calls them. No
 * other file includes it.
 *
 * A block is the consensus with its indices XORed by the block's shift: block[x] == consensus[x XOR
 * shift]. The consensus is the block at address 0 up to a shift, which the masks determine. */
#ifndef TLBLAB_SOLVE_SOLVER_H
#define TLBLAB_SOLVE_SOLVER_H

#include "base/xor_space.h"
#include "slices/maps/slice_maps.h"
#include "slices/solve/slice_solve.h"

enum block_state {
    BLOCK_NEW,         /* not yet looked at */
    BLOCK_ALIGNED,     /* it votes */
    BLOCK_UNLIKE,      /* like the consensus at no shift */
    BLOCK_MISLABELLED, /* like it, but not at its address's shift */
    BLOCK_SUSPECT,     /* it or another block is mislabelled, and there is no telling which */
    BLOCK_UNUSED       /* nothing is known about it */
};

struct solver {
    const struct slice_maps *maps;
    unsigned bits;          /* of an index within a block */
    size_t lines;           /* 2^bits */
    uint32_t *shift;        /* of each block */
    unsigned char *state;   /* enum block_state of each block */
    signed char *consensus; /* `lines` slices */
    signed char
        *reference;  /* the same without the lines decided by few votes: if many shifts are equally
                        good, a block aligned to those lines would confirm them, right or wrong */
    unsigned slices; /* different ones in the consensus */
    double wrong;    /* share of the votes that disagree with it */
    double doubt;    /* share of the consensus lines that the votes got wrong */
    double
        weight; /* of a vote: log of how much likelier an entry is right than a given wrong one */
    struct xor_space symmetry; /* shifts that leave the consensus unchanged */
    float *
        likeness; /* for each shift, the share of lines on which the consensus agrees with itself */
    float rival;  /* the largest of them outside the symmetry */
    size_t alike; /* how many shifts other than 0 leave it almost unchanged */
    double differing;           /* lines changed by a shift better than three quarters of those */
    double slack;               /* agreements a shift may be short of the best */
    bool addressed;             /* the blocks' addresses are known, so there are masks to find */
    struct xor_equations masks; /* from a block's address bits (mask_vector) to its shift */
};

/* The best shift of a block. */
struct match {
    uint32_t shift;
    size_t agreeing, compared; /* lines */
    bool sure;                 /* chance does not agree this well */
};

/* ---- walsh.c ---- */

/* Sequences of slices of 2^bits lines; a negative slice is missing and equals nothing. For each of
 * `count` sequences, agreements[k][s] becomes the number of lines x with sequence[k][x] ==
 * reference[x XOR s]. Exact. */
void xor_agreements(const signed char *reference, const signed char *const *sequences, size_t count,
                    unsigned bits, double *const *agreements);

/* ---- consensus.c ---- */

size_t block_known_lines(const struct solver *solver, size_t block);

/* How well a block agrees with the consensus at a shift. */
struct match match_at(const struct solver *solver, size_t block, uint32_t shift);

/* The best shift of each of these blocks, by correlation at all shifts. */
void match_blocks(const struct solver *solver, const size_t *blocks, size_t count,
                  struct match *matches);

/* Aligns the blocks to one another and votes. Returns how many are aligned; the others become
 * BLOCK_UNLIKE. */
size_t consensus_find(struct solver *solver, const size_t *blocks, size_t count);

/* If many shifts are equally good, blocks align so that their wrong entries match and confirm those
 * of the consensus. Aligns all blocks again, each at the lowest shift within `slack` lines of the
 * best. */
void consensus_align_again(struct solver *solver, const size_t *blocks, size_t count, double slack);

/* The aligned blocks vote on every line, together with its images under the symmetry; sets the
 * consensus and its number of slices. Then consensus_weigh() sets `wrong` and `weight`. */
void consensus_vote(struct solver *solver);
void consensus_weigh(struct solver *solver);

/* Adds the votes on one line. */
void consensus_votes_on(const struct solver *solver, size_t line, uint32_t votes[SLICES_MAX]);

/* Whether many blocks disagree on the same lines, which measurement errors never do. */
bool consensus_systematic(const struct solver *solver);

/* ---- symmetry.c ---- */

/* Finds the symmetry of the consensus; sets `likeness`, `rival` and `alike`. */
void symmetry_find(struct solver *solver);

/* ---- mask_fit.c ---- */

/* The address bits above those within a block, and a bit for its region. False if there are too
 * many regions. */
bool mask_vector(const struct solver *solver, size_t block, uint64_t *vector);

/* Finds the masks that explain the most blocks' shifts. If it is ambiguous which blocks contradict
 * the others, all candidates become BLOCK_SUSPECT and define no mask. False if too few blocks are
 * explained. */
bool mask_fit(struct solver *solver, const size_t *blocks, size_t count);

/* The blocks without whose address the others determine less: if one of them is mislabelled,
 * nothing shows it. Returns how many, up to 64. */
size_t mask_unchecked(const struct solver *solver, size_t blocks[64]);

/* The shift that the masks give a block; false if they do not determine it. */
bool mask_predict(const struct solver *solver, size_t block, uint32_t *shift);

/* ---- slice_describe.c ---- */

/* How many blocks are in a state. */
size_t solver_count(const struct solver *solver, enum block_state state);

/* Fills in the solution once the hash is solved; lists the rejected blocks. */
void solver_describe(struct solver *solver, struct slice_solution *solution, unsigned top_bit);
void solver_name_blocks(const struct solver *solver, struct slice_solution *solution);

#endif
