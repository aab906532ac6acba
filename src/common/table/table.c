/* table.c: reads tab-separated tables: heads and rows. columns.c and meta.c handle their fields and
 * metadata.
 *
 *     struct table *table = table_open(files, count);
 *     int ns = table_column(table, "ns");
 *     while (table_next(table))
 *         if (table_number(table, ns, &value))
 *             sum += value;
 *     table_close(table);
 */
#include "base/args.h"
#include "base/error.h"
#include "platform.h"
#include "table/private.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *table_instead = "";

/* As isspace(), without a call. */
static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct field field_trim(const char *text, size_t length)
{
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    return (struct field){text, length};
}

char *field_copy(struct field field)
{
    char *copy = allocate(field.length + 1, 1);
    memcpy(copy, field.text, field.length);
    return copy;
}

/* An interrupted run leaves a last line without a newline. */
static void drop_cut_line(struct table *t, const struct source *s)
{
    warn("%s:%lu: the last line has no newline and was dropped (an interrupted run?)",
         s->lines.name, s->lines.number + 1);
    t->partial = true;
}

/* ---- heads ---- */

static void set_header(struct table *t, struct source *s, const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1])) /* tabs too: no empty names */
        length--;
    free(s->header);
    s->header = field_copy((struct field){text, length});
    s->header_length = length;
    s->header_fields = 1;
    for (const char *tab = s->header; (tab = strchr(tab, '\t')) != NULL; tab++)
        s->header_fields++;
    if (s->header_fields > t->field_room) {
        t->field_room = s->header_fields;
        t->fields = reallocate(t->fields, t->field_room, sizeof *t->fields);
    }
    s->head = ++t->heads;
    for (int c = 0; c < t->columns; c++)
        table_place_column(t, s, c);
}

/* Reads metadata from `line` (NULL: from the next line) on and returns the first other line (NULL:
 * the end). *commented becomes a copy of the last `#` line with tabs, which may be a header. */
static char *read_metas(struct source *s, char *line, char **commented, size_t *length, bool *cut)
{
    if (line == NULL)
        line = lines_next(&s->lines, length, cut);
    for (; line != NULL; line = lines_next(&s->lines, length, cut)) {
        bool blank = field_trim(line, strlen(line)).length == 0;
        if (*line != '#' && !blank)
            return line;
        if (blank)
            continue;
        table_keep_meta(s, line);
        if (strchr(line, '\t') != NULL) {
            free(*commented);
            *commented = field_copy((struct field){line + 1, strlen(line + 1)});
            s->header_line = s->lines.number;
        }
    }
    return NULL;
}

/* The hint of a message about a line that is no header. */
static const char *hint_of(const char *line)
{
    return strncmp(line, "\211PNG", 4) == 0 ? " (it is a picture)"
           : *line == '\211'
               ? " (it is a trace, which tlbsim and misses read)"
               : " ('tlblab import' reads what lmbench, tinymembench and others write)";
}

/* Reads metadata and header. `first` is a `#` line already read, or NULL. Puts the first row back
 * if the header is a `#` line. */
static void read_head(struct table *t, struct source *s, char *first)
{
    size_t length = 0;
    bool cut = false;
    char *commented = NULL, *line = read_metas(s, first, &commented, &length, &cut);
    bool named = line != NULL && isalpha((unsigned char)*field_trim(line, strlen(line)).text);
    if (line == NULL && s->lines.number == 0 && !cut)
        die("%s: no header line: the input is empty%s", s->lines.name, table_instead);
    if (!named && commented == NULL)
        die("%s:%lu: no header line%s", s->lines.name, s->lines.number + (line == NULL),
            line != NULL && strchr(line, '\t') == NULL ? hint_of(line) : "");
    if (named && strchr(line, '\t') == NULL && strpbrk(line, " ,;:") != NULL)
        die("%s:%lu: this is no header line, since it has no tab between columns%s", s->lines.name,
            s->lines.number, hint_of(line));
    if (named)
        s->header_line = s->lines.number;
    set_header(t, s, named ? line : commented);
    if (cut)
        drop_cut_line(t, s);
    if (!named && line != NULL) /* it is the first row */
        lines_put_back(&s->lines, line, length);
    free(commented);
}

static void open_source(struct table *t, struct source *s, const char *name)
{
    if (strcmp(name, "-") == 0 && platform_is_terminal(stdin) && !args_quiet)
        warn("reading a table from this terminal (no FILE was named); Ctrl-D ends it");
    s->lines = lines_open(name);
    read_head(t, s, NULL);
}

static struct table *table_new(int count)
{
    struct table *t = allocate(1, sizeof *t);
    t->count = count;
    t->sources = allocate((size_t)count, sizeof *t->sources);
    return t;
}

struct table *table_of(FILE *file, const char *name, unsigned long before)
{
    struct table *t = table_new(1);
    t->sources[0].lines = lines_of(file, name, before);
    read_head(t, &t->sources[0], NULL);
    return t;
}

struct table *table_open(char *const *files, int count)
{
    struct table *t = table_new(count > 0 ? count : 1);
    for (int i = 0; i < t->count; i++)
        open_source(t, &t->sources[i], count > 0 ? files[i] : "-");
    return t;
}

void table_close(struct table *t)
{
    for (int i = 0; i < t->count; i++) {
        struct source *s = &t->sources[i];
        lines_close(&s->lines);
        table_free_meta(s);
        free(s->header);
        free(s->place);
    }
    free(t->sources);
    free(t->names);
    free(t->fields);
    free(t);
}

int table_partial(const struct table *t)
{
    return t->partial ? STATUS_PARTIAL : STATUS_DONE;
}

/* ---- rows ---- */

/* The text from `at` to `end` without surrounding blanks; no text for `-` or nothing. */
static struct field field_between(const char *at, const char *end)
{
    struct field field = field_trim(at, (size_t)(end - at));
    if (field.length == 0 || (field.length == 1 && *field.text == '-'))
        return (struct field){NULL, 0};
    return field;
}

/* Splits the row into fields. Dies if there are more or fewer fields than in the header: such a row
 * was cut or is two rows in one, and its fields may be under the wrong names. Accepts blanks after
 * the last. */
static void split_row(struct table *t, const struct source *s, const char *row, size_t row_length)
{
    const char *at = row, *end = row + row_length;
    size_t count = 0;
    for (; at != NULL && count < s->header_fields; count++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        t->fields[count] = field_between(at, tab != NULL ? tab : end);
        at = tab != NULL ? tab + 1 : NULL;
    }
    if (count < s->header_fields)
        die("%s:%lu: the row has %zu field%s, the header %zu", s->lines.name, s->lines.number,
            count, count == 1 ? "" : "s", s->header_fields);
    if (at != NULL && field_trim(at, (size_t)(end - at)).length > 0)
        die("%s:%lu: the row has more fields than the header, %zu", s->lines.name, s->lines.number,
            s->header_fields);
}

/* Whether the row repeats the header: tables without metadata, concatenated. */
static bool repeats_header(const struct source *s, const char *row, size_t length)
{
    return row[0] == s->header[0] && length >= s->header_length &&
           memcmp(row, s->header, s->header_length) == 0 &&
           field_trim(row + s->header_length, length - s->header_length).length == 0;
}

bool table_next(struct table *t)
{
    while (t->current < t->count) {
        struct source *s = &t->sources[t->current];
        size_t length;
        bool cut = false;
        char *row = lines_next(&s->lines, &length, &cut);
        if (row == NULL) {
            if (cut)
                drop_cut_line(t, s);
            t->current++;
        } else if (*row == '#') { /* concatenated tables: another head */
            read_head(t, s, row);
        } else if (field_trim(row, length).length > 0 && !repeats_header(s, row, length)) {
            split_row(t, s, row, length);
            return true;
        }
    }
    return false;
}

int table_file(const struct table *t)
{
    return t->current;
}

unsigned long table_head(const struct table *t)
{
    return table_source(t)->head;
}

int table_files(const struct table *t)
{
    return t->count;
}

const char *table_file_name(const struct table *t, int file)
{
    return t->sources[file].lines.name;
}

unsigned long table_header_line(const struct table *t)
{
    return table_source(t)->header_line;
}

unsigned long table_line(const struct table *t)
{
    return table_source(t)->lines.number;
}

struct table_row table_row(const struct table *t)
{
    return (struct table_row){(uint32_t)t->current, (uint32_t)table_line(t)};
}

void table_warn(struct table *t, struct table_row row, const char *format, ...)
{
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    warn("%s:%lu: %s", table_file_name(t, (int)row.file), (unsigned long)row.line, why);
    t->partial = true;
}
