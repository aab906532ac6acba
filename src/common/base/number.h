/* number.h: numbers in the form the tables use: in the C locale, doubles in the shortest form that
 * reads back exactly. */
#ifndef TLBLAB_BASE_NUMBER_H
#define TLBLAB_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
