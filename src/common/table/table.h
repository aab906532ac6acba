/* table.h: the tab-separated tables that the programs read and write.
 *
 * Form: metadata lines `# key: value`, one bare header line, then rows; one tab between fields, `-`
 * for a missing value. Reading is generous (columns by name in any order, blanks trimmed, a header
 * behind `#`, several files as one stream), writing strict. */
#ifndef TLBLAB_TABLE_TABLE_H
#define TLBLAB_TABLE_TABLE_H

#include "base/number.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- reading ---- */

struct table; /* one or more files, read as one stream of rows */

/* A field of the current row: trimmed, not NUL-terminated; text is NULL when the column is missing
 * in this file or holds `-`. Valid until the next table_next(). */
struct field {
    const char *text;
    size_t length;
};

/* Opens every file (`-` or count 0: stdin) and reads its metadata and header. Dies on a file that
 * cannot be opened, that is empty or has no header. */
struct table *table_open(char *const *files, int count);

/* Asks for a column by name before the first row; returns its number for the functions below. */
int table_column(struct table *table, const char *name);

/* True when the table of the current row (of the first file before any row) has the column. */
bool table_has(const struct table *table, int column);

/* Dies ("file: no column 'x'") for the first file that lacks the column; for the first that lacks
 * all of several. */
void table_require(struct table *table, int column);
void table_require_any(struct table *table, const int *columns, int count);

/* Steps to the next row. Blank lines are skipped. A last line without newline is dropped with a
 * warning (see table_partial()). Dies for a row that has not as many fields as the header. False at
 * the end of the last file. */
bool table_next(struct table *table);

/* A number from 1 for the header of the current row. It changes where rows of another table begin:
 * in the next file, or behind another head in the same one (tables joined by cat). */
unsigned long table_head(const struct table *table);

struct field table_field(struct table *table, int column);

/* A copy of a field that lives for good. Rows are many, but few of their texts differ: each is kept
 * once. */
const char *field_keep(struct field field);

/* All columns of the current row, for those who want them whatever they are called: their names as
 * they stand in its header in *names (to be freed, and good until the header changes), and their
 * number; and the field of the k-th. */
size_t table_names(const struct table *table, struct field **names);
struct field table_field_at(const struct table *table, size_t k);

/* The column as a number: false when missing; dies with file, line and column for text, NaN,
 * infinity. table_count() wants a whole number from 0 to 2^63. */
bool table_number(struct table *table, int column, double *value);
bool table_count(struct table *table, int column, uint64_t *value);

/* Dies with "program: file:line: column 'name': message" for the current row. */
_Noreturn void table_die(struct table *table, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where the current row stands: index and name of its file ("-" for stdin), line from 1; and the
 * line of its header. */
int table_file(const struct table *table);
int table_files(const struct table *table);
const char *table_file_name(const struct table *table, int file);
unsigned long table_line(const struct table *table);
unsigned long table_header_line(const struct table *table);

/* Value of a metadata key in one file, the last one if it stands twice, or NULL; file -1 looks
 * through all files, the last one wins. Both `# key: value` and the printed lab's `# key = value`
 * are understood (there with blanks in the key: "page size"). */
const char *table_meta(const struct table *table, int file, const char *key);

/* Number of metadata lines of a file read so far; and the value of a key among the first `count` of
 * them, for tables joined by cat. */
size_t table_meta_count(const struct table *table, int file);
const char *table_meta_until(const struct table *table, int file, size_t count, const char *key);

/* Whether a key stacks up from program to program: program, version, command, option. Of the others
 * the last word counts. */
bool table_is_history(const char *key);

/* The k-th metadata line of all files in order, or false when there are no more. */
bool table_meta_at(const struct table *table, size_t k, const char **key, const char **value);

/* STATUS_PARTIAL when part of the input was dropped so far, else STATUS_DONE. */
int table_partial(const struct table *table);
void table_close(struct table *table);

/* ---- writing, to stdout ---- */

/* Starts a table: copies the metadata of `source` through (NULL: none), then adds this program's
 * own `program`, `version` and `command`. */
void table_begin(const struct table *source);

/* The first half of that: lines that stand again further on are written once, but `program`,
 * `version`, `command` and `option` of every step of a file are kept. */
void table_copy_meta(const struct table *source);

/* One more metadata line; line breaks and tabs in the value become blanks. */
void table_put_meta(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the metadata: writes every --meta (last, so that they win) and the header (names with tabs
 * between) and flushes. */
void table_put_header(const char *names);

/* Writes fields of a row, each followed by a tab or, for the last, a newline: a number in the
 * shortest form that reads back exactly (`-` for NaN), a whole number, a text (`-` for NULL). */
void put_number(double value, char after);
void put_count(uint64_t value, char after);
void put_text(const char *text, char after);

/* Copies a field, replacing the bytes that would break the table. */
void put_field(struct field field, char after);

#endif
