/* slice_maps.h: measured slices of lines, as aligned blocks of a power-of-two number of lines. */
#ifndef TLBLAB_MAPS_SLICE_MAPS_H
#define TLBLAB_MAPS_SLICE_MAPS_H

#include "slices/hash/slice_hash.h"
#include <stddef.h>
#include <stdint.h>

struct slice_maps {
    unsigned block_bits; /* a block has 2^block_bits lines */
    size_t count;
    uint64_t *address;   /* of each block's first line, ascending */
    signed char *slices; /* of all blocks, one after another; negative: missing */
    unsigned paddr_bits; /* number of low address bits that are physical. Higher bits only number
                            regions, whose blocks share unknown high bits. ADDRESS_BITS_MAX: all
                            are physical */
    size_t lines;        /* measured */
    size_t contradicted; /* lines given with different slices, which count as missing */
};

/* Collects lines in any order. paddr_bits as above, 0 for all. */
struct slice_lines;
struct slice_lines *slice_lines_begin(unsigned paddr_bits);
void slice_lines_put(struct slice_lines *lines, uint64_t paddr, int slice);

/* Makes blocks of the lines and frees the lines. block_bits 0: the largest blocks, up to a page of
 * 2 MiB, that the lines fill; lines missing from blocks count as not measured. */
struct slice_maps slice_lines_end(struct slice_lines *lines, unsigned block_bits);

const signed char *slice_maps_block(const struct slice_maps *maps, size_t block);
void slice_maps_free(struct slice_maps *maps);

#endif
