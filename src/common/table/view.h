/* view.h: a table for people: no metadata, aligned columns with their units in the header, and only
 * those that a person reads. Written in place of the table where stdout is a terminal.
 *
 * Rows wait until the end for the widths of their columns; then a column without values is left
 * out. flush_output(), with which programs that measure for long show each row, prints them at
 * once, with widths by the kinds of the columns; a column without values so far is left out until a
 * row has one, which gets a new header. A line has COLUMNS characters, else 80. */
#ifndef TLBLAB_TABLE_VIEW_H
#define TLBLAB_TABLE_VIEW_H

#include "table/row.h"

/* Begins a view of columns, with tabs between their names; `declared` is NULL or has some of them.
 * Dies where --pretty=LIST names another. */
void view_begin(const char *names, const struct column *declared);

/* A row as in the table: fields with tabs between. */
void view_row(const char *fields);

/* A sentence below the rows. One that begins with a blank is a command, which stays on its line. */
void view_say(const char *sentence);

/* Prints a sentence at once, on as many lines of a page as it needs. */
void view_sentence(const char *sentence);

#endif
