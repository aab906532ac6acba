/* slice_solve.h: finds the hash behind measured maps. */
#ifndef TLBLAB_SOLVE_SLICE_SOLVE_H
#define TLBLAB_SOLVE_SLICE_SOLVE_H

#include "slices/hash/slice_hash.h"
#include "slices/maps/slice_maps.h"

enum solve_outcome {
    SOLVED,          /* the fields below say what the blocks do not determine */
    SOLVE_NO_LINES,  /* no block has enough slices */
    SOLVE_TOO_SHORT, /* the base is longer than the blocks */
    SOLVE_UNLIKE, /* the blocks are not alike: larger ones are needed, or they are not maps of one
                     machine */
    SOLVE_LABELS  /* the blocks are alike, but no masks explain their addresses */
};

struct slice_solution {
    enum solve_outcome outcome;
    struct slice_hash hash; /* if SOLVED */
    unsigned symmetries;    /* XOR shifts of the index that leave the base unchanged: 2^this */
    size_t blocks;          /* blocks that agree with the hash */
    size_t spare;     /* of these, beyond those that determine the masks: they check the masks */
    size_t unchecked; /* blocks that could be mislabelled unnoticed: no other checks them */
    uint64_t unchecked_address[64];
    double wrong;   /* share of their lines that disagree with the hash */
    size_t missing; /* undetermined lines of the base */
    size_t unlike, mislabelled,
        suspect; /* rejected blocks: like the others at no shift; at a shift other than their
                    address's; or one of several, of which an unknown one is mislabelled */
    uint64_t *unlike_address, *mislabelled_address, *suspect_address;
    unsigned block_bits;   /* a block has 2^block_bits lines */
    uint64_t undetermined; /* address bits whose masks are unknown */
    unsigned pages_needed; /* to determine them, with an address for each */
    uint64_t page[64];
};

/* Solves maps. `top_bit`: the highest address bit of the masks; 0: the highest one set in any
 * address. */
struct slice_solution slice_solve(const struct slice_maps *maps, unsigned top_bit);

void slice_solution_free(struct slice_solution *solution);

#endif
