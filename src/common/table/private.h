/* private.h: what the files of the reading half of table.h share: table.c (heads and rows),
 * table/columns.c and table/meta.c. Nobody else includes it. */
#ifndef TLBLAB_TABLE_PRIVATE_H
#define TLBLAB_TABLE_PRIVATE_H

#include "base/lines.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>

struct meta {
    char *key, *value;
    unsigned long head; /* the header before it, 0 for none: tells tables joined by cat apart */
};

/* One file: its lines, its metadata, and where in its rows each wanted column stands. */
struct source {
    struct lines lines;
    struct meta *metas;
    size_t meta_count;
    char *header;
    size_t header_length, header_fields;
    unsigned long header_line;
    unsigned long head; /* of all headers read this is the n-th */
    int *place;         /* field number of each wanted column, or -1 */
};

struct table {
    struct source *sources;
    int count, current;
    unsigned long heads; /* read so far, of all files */
    const char **names;  /* of the wanted columns */
    int columns;
    struct field *fields; /* of the current row */
    size_t field_room;
    char *row;
    size_t row_length;
    bool partial;
};

/* The source of the current row, or of the last one behind the end. */
struct source *table_source(const struct table *table);

/* Without the blanks around it; and a copy, to be freed. */
struct field field_trim(const char *text, size_t length);
char *field_copy(struct field field);

/* Finds a wanted column in the header of a source, where it may stand once. */
void table_place_column(const struct table *table, struct source *source, int column);

/* Keeps `# key: value`, and the printed lab's `# key = value`. */
void table_keep_meta(struct source *source, const char *line);
void table_free_meta(struct source *source);

#endif
