/* card_rate.h: how fast a card moves data: streams over its memory, and transfers to and from it.
 *
 * A sample makes several passes over the working set, each a separate kernel, and divides their
 * bytes by the sum of their times on the device's clock, launches excluded. Bytes are counted as in
 * STREAM. */
#ifndef TLBLAB_CARD_CARD_RATE_H
#define TLBLAB_CARD_CARD_RATE_H

#include "base/number.h"
#include "memory/card/card.h"

struct card_rates_options {
    struct card_claims claims;
    size_t index;          /* of the device */
    const char *ops;       /* a comma list; NULL: all */
    struct range sizes;    /* working sets; count 0: octaves up to an eighth of the memory */
    struct range items;    /* work items; count 0: one per element */
    struct range spacings; /* bytes from read to read; count 0: every element */
    uint64_t samples;
    double claim_gb_per_s; /* what the maker claims; NaN: unknown */
    double budget_s;
};

/* Writes the rates table; returns the exit status. Dies with a usage error for an unknown op. */
int card_rates(const struct card_rates_options *options);

/* Prints the table of ops, for --help. */
void card_rates_print_ops(void);

#endif
