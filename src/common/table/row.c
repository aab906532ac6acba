/* row.c: writing and reading the rows of a kind of table. */
#include "table/row.h"
#include "base/choice.h"
#include "base/error.h"
#include "base/number.h"
#include "table/private.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first of these columns that `options` selects. */
static const struct column *next_column(const struct column *c, unsigned options)
{
    while (c->name != NULL && c->option != 0 && (c->option & options) == 0)
        c++;
    return c;
}

bool column_is_text(const struct column *c)
{
    return c->kind == COLUMN_TEXT || c->kind == COLUMN_WORD || c->kind == COLUMN_NAMED ||
           c->kind == COLUMN_NOTE;
}

/* ---- lists of names ---- */

static const void *list_at(const struct column *c, size_t i)
{
    return (const char *)c->list + i * c->list_stride;
}

static const char *name_at(const void *item)
{
    return *(const char *const *)item;
}

/* The number of a name in the list, or -1. */
static int find_name(const struct column *c, struct field field)
{
    const struct choice names = {c->list, c->list_stride, NULL};
    const char *found = choice_find(&names, field.text, field.length);
    return found != NULL ? (int)((size_t)(found - (const char *)c->list) / c->list_stride) : -1;
}

/* ---- writing ---- */

void table_put_columns(const struct column *columns, unsigned options)
{
    char header[1024];
    size_t used = 0;
    for (const struct column *c = next_column(columns, options); c->name != NULL;
         c = next_column(c + 1, options)) {
        used += (size_t)snprintf(header + used, sizeof header - used, "%s%s", used > 0 ? "\t" : "",
                                 c->name);
        if (used >= sizeof header)
            die("column '%s': the header is too long", c->name);
    }
    table_put_declared(header, columns);
}

const char *level_text(const struct column *c, int level, char text[LEVEL_ROOM])
{
    const char *word = c->word != NULL ? c->word : "-";
    if (level > 0)
        snprintf(text, LEVEL_ROOM, "%d", level);
    else if (level == 0 || c->word == NULL)
        snprintf(text, LEVEL_ROOM, "%s", word);
    else
        snprintf(text, LEVEL_ROOM, "%s%d", word, -level);
    return text;
}

static void put_column(const struct column *c, const void *row, char after)
{
    const void *member = (const char *)row + c->offset;
    const void *named;
    char text[NOTE_ROOM];
    switch (c->kind) {
    case COLUMN_NUMBER: {
        double value = *(const double *)member;
        put_number(c->per_unit > 0 ? rounded(value, c->per_unit) : value, after);
        break;
    }
    case COLUMN_COUNT:
        if (*(const uint64_t *)member == COUNT_MISSING)
            put_text(NULL, after);
        else
            put_count(*(const uint64_t *)member, after);
        break;
    case COLUMN_LEVEL:
        put_text(level_text(c, *(const int *)member, text), after);
        break;
    case COLUMN_TEXT:
    case COLUMN_MIXED:
        named = *(const char *const *)member;
        put_field((struct field){named, named != NULL ? strlen(named) : 0}, after);
        break;
    case COLUMN_WORD:
        put_text(*(const int *)member < 0 ? NULL
                                          : name_at(list_at(c, (size_t) * (const int *)member)),
                 after);
        break;
    case COLUMN_NAMED:
        memcpy(&named, member, sizeof named);
        put_text(named != NULL ? name_at(named) : NULL, after);
        break;
    case COLUMN_NOTE:
        put_text(note_text(member, text), after);
        break;
    }
}

void table_put_row(const struct column *columns, unsigned options, const void *row)
{
    const struct column *c = next_column(columns, options), *next;
    for (; c->name != NULL; c = next) {
        next = next_column(c + 1, options);
        put_column(c, row, next->name != NULL ? '\t' : '\n');
    }
}

/* ---- reading ---- */

struct row_reader row_reader_open(struct table *table, const struct column *columns)
{
    struct row_reader reader = {.table = table, .columns = columns};
    for (size_t k = 0; columns[k].name != NULL; k++) {
        if (k == COLUMNS_MAX)
            die("column '%s': more than %d columns", columns[k].name, COLUMNS_MAX);
        reader.at[k] = table_column(table, columns[k].name);
    }
    return reader;
}

static size_t member_size(const struct column *c)
{
    static const size_t sizes[] = {
        [COLUMN_NUMBER] = sizeof(double),      [COLUMN_COUNT] = sizeof(uint64_t),
        [COLUMN_LEVEL] = sizeof(int),          [COLUMN_TEXT] = sizeof(const char *),
        [COLUMN_MIXED] = sizeof(const char *), [COLUMN_WORD] = sizeof(int),
        [COLUMN_NAMED] = sizeof(const void *), [COLUMN_NOTE] = sizeof(struct note),
    };
    return sizes[c->kind];
}

static void set_member(const struct column *c, void *row, const void *value)
{
    memcpy((char *)row + c->offset, value, member_size(c));
}

/* Sets the member to its value for `-`. */
static void clear_column(const struct column *c, void *row)
{
    static const struct note no_note;
    static const char *const no_text = "";
    static const void *const nothing = NULL;
    static const double no_number = NAN;
    static const uint64_t no_count = COUNT_MISSING;
    static const int no_level = 0, no_word = -1;
    static const void *const missing[] = {
        [COLUMN_NUMBER] = &no_number, [COLUMN_COUNT] = &no_count, [COLUMN_LEVEL] = &no_level,
        [COLUMN_TEXT] = &no_text,     [COLUMN_MIXED] = &no_text,  [COLUMN_WORD] = &no_word,
        [COLUMN_NAMED] = &nothing,    [COLUMN_NOTE] = &no_note,
    };
    set_member(c, row, missing[c->kind]);
}

void row_clear(const struct column *columns, void *row)
{
    for (; columns->name != NULL; columns++)
        clear_column(columns, row);
}

static int read_level(const struct row_reader *r, size_t k)
{
    struct field field = table_field(r->table, r->at[k]);
    const struct column *c = &r->columns[k];
    size_t length = c->word != NULL ? strlen(c->word) : 0;
    uint64_t level = 0;
    double depth = 0;
    if (length > 0 && field.length >= length && memcmp(field.text, c->word, length) == 0 &&
        (field.length == length ||
         parse_number(field.text + length, field.length - length, &depth)) &&
        depth >= 0 && depth <= INT16_MAX)
        return -(int)depth;
    table_count(r->table, r->at[k], &level);
    if (level > INT16_MAX)
        table_die(r->table, r->at[k], "no machine has that many levels");
    return (int)level;
}

static int read_name(const struct row_reader *r, size_t k)
{
    struct field field = table_field(r->table, r->at[k]);
    const struct column *c = &r->columns[k];
    int number = find_name(c, field);
    if (number < 0)
        table_die(r->table, r->at[k], "unknown %s '%.*s': there are %s", c->name, (int)field.length,
                  field.text, choice_names(&(struct choice){c->list, c->list_stride, NULL}));
    return number;
}

/* Columns without decimals are counts: entries, bytes. */
static double read_number(const struct row_reader *r, size_t k)
{
    double number = NAN;
    table_number(r->table, r->at[k], &number);
    if (r->columns[k].per_unit == 1 && !(number >= 0 && number <= 0x1p63))
        table_die(r->table, r->at[k], "'%.15g' is not a number from 0 to 2^63", number);
    return number;
}

static uint64_t read_count(const struct row_reader *r, size_t k)
{
    uint64_t count = 0;
    table_count(r->table, r->at[k], &count);
    if (count == 0 && r->columns[k].zero != NULL)
        table_die(r->table, r->at[k], "%s", r->columns[k].zero);
    return count;
}

void row_read_column(const struct row_reader *r, size_t k, void *row)
{
    const struct column *c = &r->columns[k];
    void *member = (char *)row + c->offset;
    switch (c->kind) {
    case COLUMN_NUMBER:
        *(double *)member = read_number(r, k);
        break;
    case COLUMN_COUNT:
        *(uint64_t *)member = read_count(r, k);
        break;
    case COLUMN_LEVEL:
        *(int *)member = read_level(r, k);
        break;
    case COLUMN_TEXT:
    case COLUMN_MIXED:
        *(const char **)member = field_keep(table_field(r->table, r->at[k]));
        break;
    case COLUMN_WORD:
        *(int *)member = read_name(r, k);
        break;
    case COLUMN_NAMED:
        set_member(c, row, &(const void *){list_at(c, (size_t)read_name(r, k))});
        break;
    case COLUMN_NOTE: {
        struct field field = table_field(r->table, r->at[k]);
        *(struct note *)member = note_parse(field.text, field.length);
        break;
    }
    }
}

/* `-`, or where words are expected "unknown", as geometry writes of a replacement. */
static bool is_missing(const struct row_reader *r, size_t k)
{
    static const char unknown[] = "unknown";
    struct field field = table_field(r->table, r->at[k]);
    return field.text == NULL ||
           (r->columns[k].kind == COLUMN_WORD && field.length == strlen(unknown) &&
            memcmp(field.text, unknown, field.length) == 0);
}

void row_read(const struct row_reader *r, void *row)
{
    for (size_t k = 0; r->columns[k].name != NULL; k++) {
        bool missing = is_missing(r, k);
        if (missing && r->columns[k].needed)
            table_die(r->table, r->at[k], "missing");
        if (missing)
            clear_column(&r->columns[k], row);
        else
            row_read_column(r, k, row);
    }
}
