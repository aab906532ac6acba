/* slice_solve.h: finds the hash behind measured maps. */
#ifndef TLBLAB_SOLVE_SLICE_SOLVE_H
#define TLBLAB_SOLVE_SLICE_SOLVE_H

#include "slices/hash/slice_hash.h"
#include "slices/maps/slice_maps.h"

enum solve_outcome {
    SOLVED,          /* what the blocks do not determine is said below */
    SOLVE_NO_LINES,  /* no block has slices enough */
    SOLVE_TOO_SHORT, /* the base is longer than the blocks */
    SOLVE_UNLIKE,    /* the blocks are not alike: larger ones are needed, or they are no maps of one
                        machine */
    SOLVE_LABELS     /* the blocks are alike, but no masks explain their addresses */
};

struct slice_solution {
    enum solve_outcome outcome;
    struct slice_hash hash; /* where SOLVED */
    unsigned symmetries;    /* XOR shifts of the index that leave the base unchanged: 2^this */
    size_t blocks;          /* that agree with the hash */
    size_t spare;           /* of them, more than determine the masks: these check the masks */
    size_t unchecked;       /* blocks that may be mislabelled unnoticed: no other checks them */
    uint64_t unchecked_address[64];
    double wrong;                        /* share of their lines that disagree with the hash */
    size_t missing;                      /* lines of the base that nothing determines */
    size_t unlike, mislabelled, suspect; /* blocks that are not believed: they are like the others
                                            at no shift; at a shift that their address does not
                                            have; one of the last is mislabelled, but which? */
    uint64_t *unlike_address, *mislabelled_address, *suspect_address;
    unsigned block_bits;   /* a block has 2^block_bits lines */
    uint64_t undetermined; /* address bits whose masks are not settled */
    unsigned pages_needed; /* that would settle them, and the address of one each */
    uint64_t page[64];
};

/* Solves maps. `top_bit`: the highest address bit of the masks; 0: the highest that is set in an
 * address. */
struct slice_solution slice_solve(const struct slice_maps *maps, unsigned top_bit);

void slice_solution_free(struct slice_solution *solution);

#endif
