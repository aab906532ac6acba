/* slice_hash.h: the function that assigns physical addresses to slices of the L3 cache: a base
 * sequence of slices, repeated over memory with its indices XORed by parities of address bits.
 *
 *     slice(paddr) = base[(paddr / 64 mod lines) XOR p], bit t of p the parity of paddr AND mask[t]
 *
 * (McCalpin, "Mapping Addresses to L3/CHA Slices in Intel Processors", TACC TR-2021-03.) */
#ifndef TLBLAB_HASH_SLICE_HASH_H
#define TLBLAB_HASH_SLICE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LINE_BITS = 6,        /* [physics: x86] of an address within a line */
    PAGE_LINES_BITS = 15, /* [physics: x86] a page of 2 MiB has 2^15 lines */
    SLICES_MAX = 128,     /* [bound] they are numbered from 0, in signed bytes */
    SLICE_MISSING = -1,   /* the line was not measured */
    INDEX_BITS_MAX = 15,  /* [prior] of a base sequence */
    ADDRESS_BITS_MAX = 52 /* [physics: x86] of a physical address */
};

struct slice_hash {
    unsigned slices;     /* different ones in the base */
    unsigned index_bits; /* the base has 2^index_bits lines */
    unsigned top_bit;    /* the highest address bit the masks cover */
    signed char *base;   /* SLICE_MISSING: that line was not measured */
    uint64_t mask[INDEX_BITS_MAX];

    /* The hash applies only to addresses for which the parity of paddr AND limit[i] is
     * limit_parity[i] for all i; there are limits if the measured pages do not determine all
     * masks. */
    unsigned limits;
    uint64_t limit[64];
    unsigned limit_parity[64];

    /* The number of low address bits known, if not all were, else 0. The base is then known only up
     * to an XOR of its indices. */
    unsigned paddr_bits;
};

/* Whether the hash applies to an address. */
bool slice_is_known(const struct slice_hash *hash, uint64_t paddr);

/* The slice of an address. SLICE_MISSING if the base has none or the hash does not apply. */
int slice_of(const struct slice_hash *hash, uint64_t paddr);

/* Writes the slices of `lines` lines from `paddr` on, as slice_of(); `paddr` is aligned to a power
 * of two of lines that is at least `lines`. */
void slices_of(const struct slice_hash *hash, uint64_t paddr, size_t lines, signed char *slices);

/* How many different slices a sequence of lines has. */
unsigned slices_count(const signed char *slices, size_t lines);

/* The highest slice number in the base, plus 1. */
unsigned slice_hash_end(const struct slice_hash *hash);

void slice_hash_free(struct slice_hash *hash);

#endif
