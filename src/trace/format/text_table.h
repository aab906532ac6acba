/* text_table.h: a trace as a table: a row for each record. */
#ifndef TLBLAB_FORMAT_TEXT_TABLE_H
#define TLBLAB_FORMAT_TEXT_TABLE_H

#include "base/lines.h"
#include "trace/format/text.h"
#include <stdbool.h>

enum { TEXT_TABLE_COLUMNS = 9 }; /* [bound] */

/* The place of each column in a row, or -1. */
struct text_table {
    int place[TEXT_TABLE_COLUMNS];
};

/* Whether the line is the header of such a table, which has op and address. */
bool text_table_begins(const char *line);

/* Reads the header, and a row after it; both take the line apart. Die for fields that are missing
 * or no number, and for an unknown op. */
void text_table_head(struct text_table *table, const struct lines *lines, char *line);
struct record text_table_row(const struct text_table *table, const struct lines *lines, char *line);

/* Write them. */
void text_table_put_header(void);
text_write text_put_table;

#endif
