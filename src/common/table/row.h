/* row.h: the columns of one kind of table, each of which stands once: in an array from which the
 * header, the writing and reading of rows, and the types in JSON follow.
 *
 *     const struct column penalty_columns[] = {
 *         COLUMN(NUMBER, "penalty_ns", offsetof(struct penalty, ns), .per_unit = 1000),
 *         COLUMN(NOTE, "note", offsetof(struct penalty, note)),
 *         {0}};
 *
 * A new column is a member of the struct, a line in the array, and a line in the manual page. */
#ifndef TLBLAB_TABLE_ROW_H
#define TLBLAB_TABLE_ROW_H

#include "table/note.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the member is, and what it holds where the table has `-`. */
enum column_kind {
    COLUMN_NUMBER, /* double; NaN */
    COLUMN_COUNT,  /* uint64_t; COUNT_MISSING */
    COLUMN_LEVEL, /* int from 1; 0. With `word`, 0 is that word, and -2 the word with 2 behind it */
    COLUMN_TEXT,  /* const char *; "" (NULL is written as `-` too). What is read lives for good */
    COLUMN_MIXED, /* the same: a number or a word, and in JSON what it reads as */
    COLUMN_WORD,  /* an enum: the number of a name in `list`; -1 */
    COLUMN_NAMED, /* a pointer into `list`; NULL */
    COLUMN_NOTE,  /* struct note; an empty one */
};

#define COUNT_MISSING UINT64_MAX

struct column {
    const char *name; /* NULL behind the last */
    enum column_kind kind;
    size_t offset;      /* of the member */
    unsigned option;    /* the column is there when it was asked for; 0: always */
    double per_unit;    /* of a number: it is rounded to 1 / per_unit; 0: not at all */
    bool needed;        /* a row that does not have it is an error */
    const char *zero;   /* of a count: why it cannot be 0 */
    const char *word;   /* of a level, see above */
    const void *list;   /* rows whose first member is their name; the name of the last is NULL */
    size_t list_stride; /* bytes from one to the next */
};

/* One of them: its kind, its name, the offset of its member, and what else it has. */
#define COLUMN(kind_, name_, ...)                                                                  \
    {                                                                                              \
        .name = name_, .kind = COLUMN_##kind_, .offset = __VA_ARGS__                               \
    }
#define COLUMN_LIST(names) .list = (names), .list_stride = sizeof *(names)

/* Options that several kinds of table have: what the machine claims; and whose answer a row is,
 * where answers are asked for by file or by host. Their columns stand at the end. */
enum { COLUMN_CLAIMS = 1 << 13, COLUMN_BY_FILE = 1 << 14, COLUMN_BY_HOST = 1 << 15 };
struct row_label {
    const char *file, *host;
};
#define ROW_LABEL_COLUMNS(type)                                                                    \
    COLUMN(TEXT, "file", offsetof(type, label.file), .option = COLUMN_BY_FILE),                    \
        COLUMN(TEXT, "host", offsetof(type, label.host), .option = COLUMN_BY_HOST)

/* More than any kind of table has. */
enum { COLUMNS_MOST = 32 };

/* The header, by table_put_header(), and a row: the columns that are always there, and those of
 * `options`. */
void table_put_columns(const struct column *columns, unsigned options);
void table_put_row(const struct column *columns, unsigned options, const void *row);

/* Reads rows whose struct is of the columns' kind. Columns that the table does not have, and rows
 * with `-` there, give what stands for a missing value. Dies for what a column cannot hold. */
struct row_reader {
    struct table *table;
    const struct column *columns;
    int at[COLUMNS_MOST]; /* their numbers in the table */
};
struct row_reader row_reader_open(struct table *table, const struct column *columns);
void row_read(const struct row_reader *reader, void *row);

/* The k-th column alone, which is not missing; and copying what it holds from another row. */
void row_read_column(const struct row_reader *reader, size_t k, void *row);
void row_copy_column(const struct column *column, void *row, const void *from);

/* A level as its column has it: "1", "walk2"; "-". Returns text. */
enum { LEVEL_ROOM = 32 };
const char *level_text(const struct column *column, int level, char text[LEVEL_ROOM]);

/* Whether a column always holds text, be it made of digits. */
bool column_is_text(const struct column *column);

#endif
