/* table.h: the tab-separated tables that the programs read and write.
 *
 * Form: metadata lines `# key: value`, one header line without `#`, then rows; one tab between
 * fields, `-` for a missing value. Reading accepts columns in any order, blanks around fields, a
 * header with `#`, and several files as one stream; writing is strict. */
#ifndef TLBLAB_TABLE_TABLE_H
#define TLBLAB_TABLE_TABLE_H

#include "base/number.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- reading ---- */

struct table; /* one or more files, read as one stream of rows */

/* A field of the current row: trimmed, not NUL-terminated; text is NULL if this file lacks the
 * column or the field is `-`. Valid until the next table_next(). */
struct field {
    const char *text;
    size_t length;
};

/* The place of a row: its file, and its line in it. */
struct table_row {
    uint32_t file, line;
};

/* What the message about an empty file ends with; "" unless a program sets it. */
extern const char *table_instead;

/* Opens every file (`-` or count 0: stdin) and reads its metadata and header. Dies if a file cannot
 * be opened, is empty or has no header. */
struct table *table_open(char *const *files, int count);

/* The same of one table that is part of the file `name`, with `before` lines before it. */
struct table *table_of(FILE *file, const char *name, unsigned long before);

/* The number of a column, which the table need not have, for the functions below. `name` must
 * outlive the table. */
int table_column(struct table *table, const char *name);

/* Whether the table of the current row (before any row: the first file) has the column. */
bool table_has(const struct table *table, int column);

/* Dies ("file:line: no column 'x'") if a file lacks the column; or lacks all of several. */
void table_require(struct table *table, int column);
void table_require_any(struct table *table, const int *columns, int count);

/* Steps to the next row. Skips blank lines. Drops a last line without a newline, with a warning
 * (see table_partial()). Dies for a row with more or fewer fields than the header. False at the end
 * of the last file. */
bool table_next(struct table *table);

/* The number, from 1, of the current row's header among all headers read. It changes at the next
 * file, and at the next header within a file (concatenated tables). */
unsigned long table_head(const struct table *table);

struct field table_field(struct table *table, int column);

/* A copy of a field that is never freed. Equal texts share one copy: rows repeat few texts. */
const char *field_keep(struct field field);

/* The index of a column in the current row's table_fields(); -1: not there. It is the same for all
 * rows under one table_head(). */
int table_place(const struct table *table, int column);

/* All columns of the current row: returns their number and their names in *names, which the caller
 * frees and which is valid until the header changes; and its fields. */
size_t table_names(const struct table *table, struct field **names);
const struct field *table_fields(const struct table *table);

/* Read the column as a number, or as a whole number from 0 to 2^63. False if it is missing. Die
 * with file, line and column for text, NaN and infinity. */
bool table_number(struct table *table, int column, double *value);
bool table_count(struct table *table, int column, uint64_t *value);

/* Dies with "program: file:line: column 'name': message" for the current row. */
_Noreturn void table_die(struct table *table, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The place of the current row: index of its file, number of files, name of a file ("-" for stdin),
 * line from 1, line of its header. */
int table_file(const struct table *table);
int table_files(const struct table *table);
const char *table_file_name(const struct table *table, int file);
unsigned long table_line(const struct table *table);
unsigned long table_header_line(const struct table *table);

/* The last value of a metadata key in one file, or in all files (file -1); NULL if there is none.
 * Reads both `# key: value` and the printed lab's `# key = value`, whose keys contain blanks ("page
 * size"). */
const char *table_meta(const struct table *table, int file, const char *key);

/* Number of a file's metadata lines read so far, and the last value of a key among the first
 * `count` of them (for concatenated tables). */
size_t table_meta_count(const struct table *table, int file);
const char *table_meta_until(const struct table *table, int file, size_t count, const char *key);

/* The machine of a table: those of its file's metadata lines that precede its rows. */
struct table_machine {
    int file;
    size_t metas;
};

enum { TABLE_DIFFERENCE = 8192 }; /* bytes: names of two processors and of a file [bound] */

/* Whether the machine of the current row's table is known to differ from *first, by its processor,
 * host or caches: how, in words. The first table that names its processor becomes *first, which
 * starts as {0}. */
bool table_other_machine(const struct table *table, struct table_machine *first,
                         char how[TABLE_DIFFERENCE]);

/* Whether a key is part of the history (program, version, command, option), to which every program
 * adds. For other keys the last value counts. */
bool table_is_history(const char *key);

/* The k-th metadata line of all files in order, or false when there are no more. */
bool table_meta_at(const struct table *table, size_t k, const char **key, const char **value);

/* The place of the current row. */
struct table_row table_row(const struct table *table);

/* Warns with "program: file:line: message", and counts the input as partial. */
void table_warn(struct table *table, struct table_row row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* STATUS_PARTIAL if input was dropped or is missing so far, else STATUS_DONE. */
int table_partial(const struct table *table);
void table_close(struct table *table);

/* ---- writing, to stdout ---- */

/* Starts a table: table_copy_meta() of `source` (NULL: none), then this program's own `program`,
 * `version` and `command`. */
void table_begin(const struct table *source);

/* Copies the metadata. Writes only the last of equal lines, but keeps the whole history of a
 * file. */
void table_copy_meta(const struct table *source);

/* Writes a metadata line, as put_printable() does. */
void table_put_meta(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the metadata: writes every --meta (last, so it overrides) and the header (tab-separated
 * names) and flushes. */
void table_put_header(const char *names);

/* Write a field, then a tab or a newline: a number in the shortest form that reads back exactly
 * (`-` for NaN), a whole number, a text (`-` for NULL or ""). */
void put_number(double value, char after);
void put_count(uint64_t value, char after);
void put_text(const char *text, char after);

/* Writes any part of a row: fields, each followed by a tab, or a newline at its end. */
void put_formatted(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a field, as put_printable() does. Text that a spreadsheet would run, because it begins
 * with =, +, - or @, gets a leading '; put_text() does the same. */
void put_field(struct field field, char after);

/* Writes a sentence below the table where it is written for people (view.h); else nothing. */
void table_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
