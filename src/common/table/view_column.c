/* view_column.c: a column of the view: its title with the unit, and its values.
 *
 *     view_column_of("bytes_max", 9, boundary_columns)    -> "size max", 393216 as "384 KiB"
 */
#include "table/view_column.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How a part of a name is written, and the form of values of such a name; decimals where the
 * declaration does not have them. */
static const struct {
    const char *part, *written;
    enum view_form form;
    int decimals;
} units[] = {
    {"gb_per_s", "GB/s", VIEW_NUMBER, 2}, {"_percent", " %", VIEW_NUMBER, 1},
    {"bytes_", "size ", VIEW_SIZE, -1},   {"_bytes", "", VIEW_SIZE, -1},
    {"bytes", "size", VIEW_SIZE, -1},     {"_ns", " ns", VIEW_NUMBER, 3},
    {"seconds_", "s ", VIEW_NUMBER, 3},   {"seconds", "s", VIEW_NUMBER, 3},
    {"_s", " s", VIEW_NUMBER, 3},         {"ns", "ns", VIEW_NUMBER, 3},
};
enum { UNITS = sizeof units / sizeof *units };

static bool has_unit(const char *name, size_t length, size_t k, size_t *at)
{
    const char *part = units[k].part;
    size_t size = strlen(part);
    if (size > length)
        return false;
    *at = part[size - 1] == '_' ? 0 : length - size;
    bool whole = *part == '_' || part[size - 1] == '_' || size == length;
    return whole && memcmp(name + *at, part, size) == 0;
}

static void set_title(struct view_column *c, const char *name, size_t length)
{
    size_t k = 0, at = length, size = 0;
    while (k < UNITS && !has_unit(name, length, k, &at))
        k++;
    if (k < UNITS) {
        size = strlen(units[k].part);
        c->form = units[k].form;
        c->decimals = units[k].decimals;
    } else
        at = length;
    snprintf(c->title, sizeof c->title, "%.*s%s%.*s", (int)at, name,
             k < UNITS ? units[k].written : "", (int)(length - at - size), name + at + size);
    for (char *t = c->title; *t != '\0'; t++)
        *t = *t == '_' ? ' ' : *t;
}

static const struct column *find(const struct column *declared, const char *name, size_t length)
{
    for (; declared != NULL && declared->name != NULL; declared++)
        if (strlen(declared->name) == length && memcmp(declared->name, name, length) == 0)
            return declared;
    return NULL;
}

struct view_column view_column_of(const char *name, size_t length, const struct column *declared)
{
    struct view_column c = {.declared = find(declared, name, length), .numbers = true};
    c.decimals = -1;
    set_title(&c, name, length);
    if (c.declared == NULL)
        return c;
    c.view = c.declared->view;
    if (c.declared->title != NULL)
        snprintf(c.title, sizeof c.title, "%s", c.declared->title);
    if (c.declared->kind == COLUMN_NOTE)
        c.form = VIEW_WORDS;
    if (c.declared->per_unit > 0 && c.form != VIEW_SIZE) {
        c.form = VIEW_NUMBER;
        c.decimals = (int)lround(ceil(log10(c.declared->per_unit)));
    }
    return c;
}

/* Words with commas between as a sentence has them. */
static void spread(const char *field, size_t length, char cell[VIEW_CELL])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 3 < VIEW_CELL; i++) {
        cell[used++] = field[i];
        if (field[i] == ',')
            cell[used++] = ' ';
    }
    cell[used] = '\0';
}

void view_cell(const struct view_column *c, const char *field, size_t length, char cell[VIEW_CELL])
{
    double value;
    bool number = parse_number(field, length, &value);
    if (number && c->form == VIEW_SIZE)
        size_text(value, 3, cell);
    else if (number && c->form == VIEW_NUMBER && c->decimals >= 0)
        snprintf(cell, VIEW_CELL, "%.*f", c->decimals, value);
    else if (c->form == VIEW_WORDS)
        spread(field, length, cell);
    else
        snprintf(cell, VIEW_CELL, "%.*s", (int)length, field);
}

size_t view_usual_width(const struct view_column *c)
{
    size_t widest = 8; /* of "1023 KiB", "1234.567" */
    if (c->declared == NULL || c->declared->list == NULL)
        return widest;
    widest = 0;
    for (const char *item = c->declared->list; *(const char *const *)(const void *)item != NULL;
         item += c->declared->list_stride) {
        size_t length = strlen(*(const char *const *)(const void *)item);
        widest = length > widest ? length : widest;
    }
    return widest;
}
