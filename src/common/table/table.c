/* table.c: reading the tab-separated tables: heads and rows. columns.c and meta.c read their fields
 * and metadata.
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
#include <stdlib.h>
#include <string.h>

struct field field_trim(const char *text, size_t length)
{
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return (struct field){text, length};
}

char *field_copy(struct field field)
{
    char *copy = allocate(field.length + 1, 1);
    memcpy(copy, field.text, field.length);
    return copy;
}

/* An interrupted run leaves a last line without newline. */
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
    while (length > 0 && isspace((unsigned char)text[length - 1])) /* tabs too: no empty names */
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
 * the end). *behind becomes a copy of the last `#` line with tabs, which may be a header. */
static char *read_metas(struct source *s, char *line, char **behind, size_t *length, bool *cut)
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
            free(*behind);
            *behind = field_copy((struct field){line + 1, strlen(line + 1)});
            s->header_line = s->lines.number;
        }
    }
    return NULL;
}

/* Reads metadata and header. `first` is a `#` line that was read already, or NULL. Puts the first
 * row back when the header is a `#` line. */
static void read_head(struct table *t, struct source *s, char *first)
{
    size_t length = 0;
    bool cut = false;
    char *behind = NULL, *line = read_metas(s, first, &behind, &length, &cut);
    bool named = line != NULL && isalpha((unsigned char)*field_trim(line, strlen(line)).text);
    if (line == NULL && s->lines.number == 0 && !cut)
        die("%s: no header line: the input is empty", s->lines.name);
    if (!named && behind == NULL)
        die("%s:%lu: no header line", s->lines.name, s->lines.number + (line == NULL));
    if (named)
        s->header_line = s->lines.number;
    set_header(t, s, named ? line : behind);
    if (cut)
        drop_cut_line(t, s);
    if (!named && line != NULL) /* it is the first row */
        lines_put_back(&s->lines, line, length);
    free(behind);
}

static void open_source(struct table *t, struct source *s, const char *name)
{
    if (strcmp(name, "-") == 0 && platform_is_terminal(stdin) && !args_quiet)
        warn("reading a table from this terminal (no FILE was named); Ctrl-D ends it");
    s->lines = lines_open(name);
    read_head(t, s, NULL);
}

struct table *table_open(char *const *files, int count)
{
    struct table *t = allocate(1, sizeof *t);
    t->count = count > 0 ? count : 1;
    t->sources = allocate((size_t)t->count, sizeof *t->sources);
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

struct source *table_source(const struct table *t)
{
    return &t->sources[t->current < t->count ? t->current : t->count - 1];
}

/* ---- rows ---- */

/* The text from `at` to `end` without blanks around it; without text for `-` or nothing. */
static struct field field_between(const char *at, const char *end)
{
    struct field field = {at, (size_t)(end - at)};
    if (at < end && ((unsigned char)*at <= ' ' || (unsigned char)end[-1] <= ' '))
        field = field_trim(at, field.length);
    if (field.length == 0 || (field.length == 1 && *field.text == '-'))
        return (struct field){NULL, 0};
    return field;
}

/* Splits the row into fields. Dies for more or fewer fields than the header's: such a row was cut
 * or is two rows in one, and its fields may stand under wrong names. Accepts blanks after the last.
 */
static void split_row(struct table *t, const struct source *s)
{
    const char *at = t->row, *end = t->row + t->row_length;
    size_t count = 0;
    while (at != NULL && count < s->header_fields) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        tab = tab != NULL ? tab : end;
        t->fields[count++] = field_between(at, tab);
        at = tab < end ? tab + 1 : NULL;
    }
    if (count < s->header_fields)
        die("%s:%lu: the row has %zu field%s, the header %zu", s->lines.name, s->lines.number,
            count, count == 1 ? "" : "s", s->header_fields);
    if (at != NULL && field_trim(at, (size_t)(end - at)).length > 0)
        die("%s:%lu: the row has more fields than the header, %zu", s->lines.name, s->lines.number,
            s->header_fields);
}

/* Whether the row repeats the header: tables without metadata joined by cat. */
static bool repeats_header(const struct table *t, const struct source *s)
{
    return t->row[0] == s->header[0] && t->row_length >= s->header_length &&
           memcmp(t->row, s->header, s->header_length) == 0 &&
           field_trim(t->row + s->header_length, t->row_length - s->header_length).length == 0;
}

bool table_next(struct table *t)
{
    while (t->current < t->count) {
        struct source *s = &t->sources[t->current];
        bool cut = false;
        t->row = lines_next(&s->lines, &t->row_length, &cut);
        if (t->row == NULL) {
            if (cut)
                drop_cut_line(t, s);
            t->current++;
        } else if (*t->row == '#') { /* tables joined by cat: another head */
            read_head(t, s, t->row);
        } else if (field_trim(t->row, t->row_length).length > 0 && !repeats_header(t, s)) {
            split_row(t, s);
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
