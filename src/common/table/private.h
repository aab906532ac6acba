/* private.h: shared by the files that read tables: table.c (heads and rows), columns.c and meta.c,
 * and by those that write them: row.c and write.c.
 * No other file includes it. */
#ifndef TLBLAB_TABLE_PRIVATE_H
#define TLBLAB_TABLE_PRIVATE_H

#include "base/lines.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>

struct meta {
    char *key, *value;
    unsigned long head; /* number of the header before it (0: none), for tables joined by cat */
};

/* One file. */
struct source {
    struct lines lines;
    struct meta *metas;
    size_t meta_count, meta_bytes;
    char *header;
    size_t header_length, header_fields;
    unsigned long header_line;
    unsigned long head; /* number of its current header among all headers read */
    int *place;         /* field number of each column, or -1 */
};

struct table {
    struct source *sources;
    int count, current;
    unsigned long heads; /* headers read so far, of all files */
    const char **names;  /* of the columns passed to table_column() */
    int columns;
    struct field *fields; /* of the current row */
    size_t field_room;
    bool partial;
};

/* The source of the current row; at the end, the last source. */
static inline struct source *table_source(const struct table *t)
{
    return &t->sources[t->current < t->count ? t->current : t->count - 1];
}

/* The field without surrounding blanks, and a copy of a field, which the caller frees. */
struct field field_trim(const char *text, size_t length);
char *field_copy(struct field field);

/* Finds a column in the header of a source. Dies if it appears twice. */
void table_place_column(const struct table *table, struct source *source, int column);

/* Keeps `# key: value`, and the printed lab's `# key = value`. */
void table_keep_meta(struct source *source, const char *line);
void table_free_meta(struct source *source);

/* table_put_header() of columns that are declared. */
struct column;
void table_put_declared(const char *names, const struct column *columns);

#endif
