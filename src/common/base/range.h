/* range.h: sizes and ranges on the command line, and powers of two. */
#ifndef TLBLAB_BASE_RANGE_H
#define TLBLAB_BASE_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A list of sizes: `from:to:xFACTOR`, `from:to:+STEP`, or a comma list. */
struct range {
    uint64_t *values; /* ascending for a range, in the given order for a list */
    size_t count;
};

/* Read one size with an optional k, M or G (binary), or one range. False if `text` is neither, does
 * not fit in 64 bits, or has more than a million values. */
bool parse_size(const char *text, uint64_t *bytes);
bool parse_range(const char *text, struct range *range);

/* Frees the values of a range, and makes it another one. */
void replace_range(struct range *range, struct range by);

/* The size in `text` if it is valid and above 0, else `otherwise`; `text` may be NULL. */
uint64_t size_or(const char *text, uint64_t otherwise);

bool is_power_of_two(uint64_t size);

/* The highest bit set (the logarithm, for a power of two); 0 for 0. */
static inline unsigned highest_bit(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value | 1);
}

#endif
