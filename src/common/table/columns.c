/* columns.c: the columns of a table, by name, and the fields of its rows. */
#include "base/error.h"
#include "table/private.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

void table_place_column(const struct table *t, struct source *s, int column)
{
    const char *name = t->names[column];
    size_t length = strlen(name);
    int number = 0;
    s->place[column] = -1;
    for (const char *at = s->header; at != NULL; number++) {
        const char *tab = strchr(at, '\t');
        struct field field = field_trim(at, tab != NULL ? (size_t)(tab - at) : strlen(at));
        if (field.length == length && memcmp(field.text, name, length) == 0) {
            if (s->place[column] >= 0)
                die("%s:%lu: column '%s': it appears twice in the header", s->lines.name,
                    s->header_line, name);
            s->place[column] = number;
        }
        at = tab != NULL ? tab + 1 : NULL;
    }
}

int table_column(struct table *t, const char *name)
{
    for (int c = 0; c < t->columns; c++)
        if (strcmp(t->names[c], name) == 0)
            return c;
    int column = t->columns++;
    t->names = reallocate(t->names, (size_t)t->columns, sizeof *t->names);
    t->names[column] = name;
    for (int i = 0; i < t->count; i++) {
        int **place = &t->sources[i].place;
        *place = reallocate(*place, (size_t)t->columns, sizeof **place);
        table_place_column(t, &t->sources[i], column);
    }
    return column;
}

int table_place(const struct table *t, int column)
{
    return table_source(t)->place[column];
}

bool table_has(const struct table *t, int column)
{
    return table_place(t, column) >= 0;
}

void table_require(struct table *t, int column)
{
    table_require_any(t, &column, 1);
}

void table_require_any(struct table *t, const int *columns, int count)
{
    for (int i = 0; i < t->count; i++) {
        bool any = false;
        for (int c = 0; c < count; c++)
            any = any || t->sources[i].place[columns[c]] >= 0;
        if (!any)
            die("%s:%lu: no column '%s' in the header", t->sources[i].lines.name,
                t->sources[i].header_line, t->names[columns[0]]);
    }
}

size_t table_names(const struct table *t, struct field **names)
{
    const struct source *s = table_source(t);
    const char *at = s->header;
    *names = allocate(s->header_fields, sizeof **names);
    for (size_t k = 0; k < s->header_fields; k++) {
        size_t length = strcspn(at, "\t");
        (*names)[k] = field_trim(at, length);
        at += length + 1;
    }
    return s->header_fields;
}

const struct field *table_fields(const struct table *t)
{
    return t->fields;
}

struct field table_field(struct table *t, int column)
{
    int place = table_source(t)->place[column];
    return place < 0 ? (struct field){NULL, 0} : t->fields[place];
}

const char *field_keep(struct field field)
{
    static struct kept {
        struct kept *next;
        char text[];
    } * first;
    struct kept *kept = first;
    while (kept != NULL && (strlen(kept->text) != field.length ||
                            memcmp(kept->text, field.text, field.length) != 0))
        kept = kept->next;
    if (kept == NULL) {
        kept = allocate(1, sizeof *kept + field.length + 1);
        memcpy(kept->text, field.text, field.length);
        kept->next = first;
        first = kept;
    }
    return kept->text;
}

void table_die(struct table *t, int column, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    die("%s:%lu: column '%s': %s", table_source(t)->lines.name, table_line(t), t->names[column],
        message);
}

bool table_number(struct table *t, int column, double *value)
{
    struct field field = table_field(t, column);
    if (field.text == NULL)
        return false;
    if (!parse_number(field.text, field.length, value))
        table_die(t, column, "'%.*s' is not a number", (int)(field.length < 80 ? field.length : 80),
                  field.text);
    return true;
}

bool table_count(struct table *t, int column, uint64_t *value)
{
    struct field field = table_field(t, column);
    uint64_t whole = 0;
    double number;
    if (field.length > 0 && field.length < 19 &&
        parse_digits(field.text, field.text + field.length, &whole) == field.text + field.length) {
        *value = whole;
        return true;
    }
    if (!table_number(t, column, &number))
        return false;
    if (!(number >= 0 && number <= 0x1p63) || number != floor(number))
        table_die(t, column, "'%.15g' is not a whole number from 0 up", number);
    *value = (uint64_t)number;
    return true;
}
