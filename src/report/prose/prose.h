/* prose.h: lines of the report, on stdout. */
#ifndef TLBLAB_PROSE_PROSE_H
#define TLBLAB_PROSE_PROSE_H

#include "table/row.h"

/* Prints a line: a label and a text. */
void prose_say(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the file or host of a row of detect --by; nothing if it has neither. */
void prose_say_label(const struct row_label *label);

/* Writes a range ("16 to 32", or "16" when both are the same) and returns `text`. */
#define PROSE_ROOM 64
const char *prose_range(double low, double high, char text[PROSE_ROOM]);

/* Prints the meaning of each known word of a note and other words verbatim, except a penalty's
 * range (with an arrow) and words with a number. */
void prose_say_notes(const struct note *note);

#endif
