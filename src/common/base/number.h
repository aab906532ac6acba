/* number.h: numbers as the tables hold them: in the C locale, doubles in the shortest form that
 * reads back exactly. */
#ifndef TLBLAB_BASE_NUMBER_H
#define TLBLAB_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A finite number from exactly `length` bytes; fast for 1 to 15 digits. */
bool parse_number(const char *text, size_t length, double *value);

/* The other way round; `-` for what is not finite. */
#define NUMBER_ROOM 32
void number_text(double value, char text[NUMBER_ROOM]);

/* To 1 / per_unit: more digits than that are noise. NaN for what is not finite; no minus before 0.
 */
double rounded(double value, double per_unit);

#endif
