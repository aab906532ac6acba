/* comparison.h: the shares of a trace's misses beside those of samples; two traces beside each
 * other. */
#ifndef TLBLAB_ATTRIBUTION_COMPARISON_H
#define TLBLAB_ATTRIBUTION_COMPARISON_H

#include "trace/attribution/tally.h"

#define COMPARISON_COLUMNS                                                                         \
    "misses\tshare\tsamples\tsampled_share\terror\tweight_share\tweight_error"

/* Writes the key of a row, and a tab. */
typedef void put_comparison_key(void *context, const struct tally_row *row);

/* Writes a row for each key of either, whose process is 0, and below them a sentence. Changes
 * `trace`. `error` is the standard error
 * that the share of so many samples has where the share of the trace is true (binomial);
 * weight_error is that of the share of weights. Returns whether the shares agree: none is further
 * off than three errors. */
bool comparison_write(struct tally *trace, const struct tally *sampled, put_comparison_key *put_key,
                      void *context);

#define CHANGE_COLUMNS "before\tafter\tchange\tchange_percent"

/* Writes a row for each key of either, the largest change first, and below them a sentence. Changes
 * `before`. */
void comparison_write_change(struct tally *before, const struct tally *after,
                             put_comparison_key *put_key, void *context);

#endif
