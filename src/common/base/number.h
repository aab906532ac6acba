/* number.h: numbers as tables and command lines have them. */
#ifndef TLBLAB_BASE_NUMBER_H
#define TLBLAB_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- in tables: in the C locale, doubles in the shortest form that reads back exactly ---- */

/* Reads a finite number from exactly `length` bytes, without blanks or a plus sign; fast for 1 to
 * 15 digits. */
bool parse_number(const char *text, size_t length, double *value);

/* Appends the digits from `at` on to *number, which wraps beyond 19 digits. Returns where they
 * end. */
const char *parse_digits(const char *at, const char *end, uint64_t *number);

/* Writes the shortest text that reads back exactly; `-` for a value that is not finite. */
#define NUMBER_ROOM 32
void number_text(double value, char text[NUMBER_ROOM]);

/* Writes a size in B, KiB, MiB, …: whole, or with so many digits. */
const char *size_text(double bytes, int digits, char text[NUMBER_ROOM]);

/* Rounds to a multiple of 1 / per_unit. NaN for a value that is not finite; never −0. */
double rounded(double value, double per_unit);

/* ---- on the command line: sizes and ranges, and powers of two ---- */

/* A list of sizes: `from:to:xFACTOR`, `from:to:+STEP`, or a comma list. */
struct range {
    uint64_t *values; /* ascending for a range, in the given order for a list */
    size_t count;
};

/* Read one size with an optional k, M or G (binary), or one range. False if `text` is neither, does
 * not fit in 64 bits, or has more than a million values. */
bool parse_size(const char *text, uint64_t *bytes);
bool parse_range(const char *text, struct range *range);

/* The size in `text` if it is valid and above 0, else `otherwise`; `text` may be NULL. */
uint64_t size_or(const char *text, uint64_t otherwise);

bool is_power_of_two(uint64_t size);

/* The highest bit set (the logarithm, for a power of two); 0 for 0. */
static inline unsigned highest_bit(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value | 1);
}

#endif
