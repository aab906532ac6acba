/* row.h: the columns of one kind of table, in an array from which the header, the writing and
 * reading of rows, and the JSON types are derived.
 *
 *     const struct column penalty_columns[] = {
 *         COLUMN(NUMBER, "penalty_ns", offsetof(struct penalty, ns), .per_unit = 1000),
 *         COLUMN(NOTE, "note", offsetof(struct penalty, note)),
 *         {0}};
 *
 * To add a column, add a member to the struct, a line to the array and a line to the man page.
 * Producers set the member; reading a table without the column gives the value for `-`.
 * test_columns.c finds a page that lacks it. */
#ifndef TLBLAB_TABLE_ROW_H
#define TLBLAB_TABLE_ROW_H

#include "table/note.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of the member, and its value for `-`. */
enum column_kind {
    COLUMN_NUMBER, /* double; NaN */
    COLUMN_COUNT,  /* uint64_t; COUNT_MISSING */
    COLUMN_LEVEL,  /* int from 1; 0. With `word` "walk", 0 is "walk" and -2 is "walk2" */
    COLUMN_TEXT,   /* const char *, never freed; "" (NULL is written as `-` too) */
    COLUMN_MIXED,  /* the same; in JSON a number if it reads as one, else a string */
    COLUMN_WORD,   /* an enum: the index of a name in `list`; -1 */
    COLUMN_NAMED,  /* a pointer into `list`; NULL */
    COLUMN_NOTE,   /* struct note; an empty note */
};

#define COUNT_MISSING UINT64_MAX

/* Whether the view for people (view.h) has a column: always, if all of its kind fit into the page,
 * if these and the spare ones do, or only by --pretty=LIST. */
enum column_view { COLUMN_SHOWN, COLUMN_IF_ROOM, COLUMN_SPARE, COLUMN_HIDDEN };

struct column {
    const char *name; /* NULL ends the array */
    enum column_kind kind;
    size_t offset;    /* of the member */
    unsigned option;  /* bit of `options` that writes the column; 0: always written */
    double per_unit;  /* a number is rounded to 1 / per_unit (1: a count, so never negative); 0: not
                         rounded */
    bool needed;      /* `-` in a row is an error */
    const char *zero; /* why a count cannot be 0; NULL: it can */
    const char *word; /* for a level, see above */
    const void *list; /* entries that start with their name; a NULL name ends it */
    size_t list_stride; /* bytes from one entry to the next */
    enum column_view view;
    const char *title; /* in the view; NULL: made from the name */
};

/* A column: kind, name, offset of the member, then other members by name. */
#define COLUMN(kind_, name_, ...)                                                                  \
    {                                                                                              \
        .name = name_, .kind = COLUMN_##kind_, .offset = __VA_ARGS__                               \
    }
#define COLUMN_LIST(names) .list = (names), .list_stride = sizeof *(names)

/* Options that several kinds of table share: the machine's claims, and a row's file or host with
 * --by. Their columns come last. */
enum { COLUMN_CLAIMS = 1 << 13, COLUMN_BY_FILE = 1 << 14, COLUMN_BY_HOST = 1 << 15 };
struct row_label {
    const char *file, *host;
};
#define ROW_LABEL_COLUMNS(type)                                                                    \
    COLUMN(TEXT, "file", offsetof(type, label.file), .option = COLUMN_BY_FILE),                    \
        COLUMN(TEXT, "host", offsetof(type, label.host), .option = COLUMN_BY_HOST)

/* More than any kind of table has. */
enum { COLUMNS_MAX = 32 };

/* Write the header, by table_put_header(), and a row: the columns without an option and those
 * selected by `options`. */
void table_put_columns(const struct column *columns, unsigned options);
void table_put_row(const struct column *columns, unsigned options, const void *row);

/* Reads rows into the struct of the columns. A column that the table lacks reads as `-`. Dies for a
 * value that does not fit the column. */
struct row_reader {
    struct table *table;
    const struct column *columns;
    int at[COLUMNS_MAX]; /* table_column() of each */
};
struct row_reader row_reader_open(struct table *table, const struct column *columns);
void row_read(const struct row_reader *reader, void *row);

/* Sets every member with a column to its value for `-`. */
void row_clear(const struct column *columns, void *row);

/* Reads only the k-th column, which is not `-`. */
void row_read_column(const struct row_reader *reader, size_t k, void *row);

/* Writes a level as in its column: "1", "walk2"; "-". Returns text. */
enum { LEVEL_ROOM = 32 };
const char *level_text(const struct column *column, int level, char text[LEVEL_ROOM]);

/* Whether a column is text, even if it consists of digits. */
bool column_is_text(const struct column *column);

#endif
