/* prose.h: the words of the report. */
#ifndef TLBLAB_REPORT_PROSE_H
#define TLBLAB_REPORT_PROSE_H

#include "table/row.h"

/* One line on stdout: a label, and what there is to say. */
void prose_say(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The file or host that a row is about, where --by told them apart. */
void prose_say_label(const struct row_label *label);

/* A size with a binary unit ("1.5 MiB"), and "16 to 32", or "16" where both are the same. They
 * return `text`. */
#define PROSE_ROOM 64
const char *prose_size(double bytes, char text[PROSE_ROOM]);
const char *prose_range(double low, double high, char text[PROSE_ROOM]);

/* A file's name as a shell reads it, on stdout. */
void prose_put_quoted(const char *name);

/* What the name of a method means; the name itself where it is not known. */
const char *prose_method(const char *name);

/* Says every word of a note but those with an arrow or a number. */
void prose_say_notes(const struct note *note);

#endif
