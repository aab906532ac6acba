/* view_column.h: a column of the view. */
#ifndef TLBLAB_TABLE_VIEW_COLUMN_H
#define TLBLAB_TABLE_VIEW_COLUMN_H

#include "table/row.h"

enum view_form { VIEW_TEXT, VIEW_WORDS, VIEW_NUMBER, VIEW_SIZE };

struct view_column {
    char title[64];
    const struct column *declared; /* NULL: is not */
    enum column_view view;
    enum view_form form;
    int decimals; /* of VIEW_NUMBER; -1: as in the table */
    bool filled;  /* some row has a value */
    bool waits;   /* it is not shown before a row has one */
    bool numbers; /* all values are numbers, so it is aligned to the right */
    size_t width;
    size_t late; /* the width of texts so long that they come after the other columns; 0: are not */
};

/* The column of a name of `length` bytes. */
struct view_column view_column_of(const char *name, size_t length, const struct column *declared);

/* The text of a field in the view, which is cut to the room. */
enum { VIEW_CELL = 1024 };
void view_cell(const struct view_column *column, const char *field, size_t length,
               char cell[VIEW_CELL]);

/* The width that its values will hardly exceed. */
size_t view_usual_width(const struct view_column *column);

#endif
