/* range.h: sizes and ranges as they stand on a command line. */
#ifndef TLBLAB_BASE_RANGE_H
#define TLBLAB_BASE_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A list of sizes: `from:to:xFACTOR`, `from:to:+STEP`, or a comma list. */
struct range {
    uint64_t *values; /* ascending for the two ranges, as given for a list */
    size_t count;
};

/* One size with an optional k, M or G, or one range; false when `text` is no such thing or does not
 * fit in 64 bits. A range of more than a million values is refused. */
bool parse_size(const char *text, uint64_t *bytes);
bool parse_range(const char *text, struct range *range);

/* A size above 0, or `otherwise` where `text` is none (NULL too). */
uint64_t size_or(const char *text, uint64_t otherwise);

/* As pages and lines are. */
bool is_power_of_two(uint64_t size);

#endif
