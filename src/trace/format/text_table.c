/* text_table.c: a trace as a table.
 *
 *     text_table_put_header();
 *     text_put_table(&record, 1);
 */
#include "trace/format/text_table.h"
#include "base/error.h"
#include "table/table.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCE, TIME, PROCESS, THREAD, OP, ADDRESS, BYTES, SITE, LEVEL };
static const char *const columns[TEXT_TABLE_COLUMNS] = {
    "sequence", "time_ns", "process", "thread", "op", "address", "bytes", "site", "level"};

/* ---- writing ---- */

void text_table_put_header(void)
{
    char header[128] = "";
    for (int c = 0; c < TEXT_TABLE_COLUMNS; c++)
        snprintf(header + strlen(header), sizeof header - strlen(header), "%s%s", c > 0 ? "\t" : "",
                 columns[c]);
    table_put_header(header);
}

void text_put_table(const struct record *r, uint64_t number)
{
    (void)number;
    put_formatted("%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%s\t0x%" PRIx64 "\t%" PRIu64
                  "\t0x%" PRIx64 "\t%d\n",
                  r->sequence, r->time_ns, r->process, r->thread, trace_op_names[r->op], r->address,
                  r->bytes, r->site, r->level);
}

/* ---- reading ---- */

/* Whether the line is a header with this column. */
static bool has_column(const char *line, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = line; at != NULL; at = strchr(at, '\t')) {
        at += *at == '\t';
        if (strncmp(at, name, length) == 0 && (at[length] == '\t' || at[length] == '\0'))
            return true;
    }
    return false;
}

bool text_table_begins(const char *line)
{
    return has_column(line, columns[OP]) && has_column(line, columns[ADDRESS]);
}

/* The fields of a row in *fields, NUL-terminated; their number. */
static int split(char *line, char *fields[], int room)
{
    int count = 0;
    for (char *at = line; at != NULL && count < room; count++) {
        fields[count] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    return count;
}

enum { FIELDS_MAX = 64 }; /* [bound] */

static uint64_t read_number(const struct text_table *t, const struct lines *lines, char **fields,
                            int column, uint64_t most)
{
    const char *text = t->place[column] >= 0 ? fields[t->place[column]] : "-";
    char *end;
    if (strcmp(text, "-") == 0)
        return 0;
    errno = 0;
    uint64_t number = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0)
        die("%s:%lu: column '%s': '%.80s' is not a number", lines->name, lines->number,
            columns[column], text);
    if (number > most)
        die("%s:%lu: column '%s': %.80s is more than %" PRIu64, lines->name, lines->number,
            columns[column], text, most);
    return number;
}

void text_table_head(struct text_table *t, const struct lines *lines, char *line)
{
    char *fields[FIELDS_MAX];
    int count = split(line, fields, FIELDS_MAX);
    for (int c = 0; c < TEXT_TABLE_COLUMNS; c++) {
        t->place[c] = -1;
        for (int i = 0; i < count; i++)
            if (strcmp(fields[i], columns[c]) == 0)
                t->place[c] = i;
    }
    if (t->place[OP] < 0 || t->place[ADDRESS] < 0)
        die("%s:%lu: a table of a trace needs the columns op and address", lines->name,
            lines->number);
}

struct record text_table_row(const struct text_table *t, const struct lines *lines, char *line)
{
    char *fields[FIELDS_MAX];
    struct record r = {.op = TRACE_OPS};
    int count = split(line, fields, FIELDS_MAX);
    for (int c = 0; c < TEXT_TABLE_COLUMNS; c++)
        if (t->place[c] >= count)
            die("%s:%lu: fewer fields than the header has", lines->name, lines->number);
    for (int op = 0; op < TRACE_OPS; op++)
        if (strcmp(fields[t->place[OP]], trace_op_names[op]) == 0)
            r.op = (uint8_t)op;
    if (r.op >= TRACE_MAPS)
        die("%s:%lu: column 'op': '%.80s' is no operation", lines->name, lines->number,
            fields[t->place[OP]]);
    r.sequence = read_number(t, lines, fields, SEQUENCE, UINT64_MAX);
    r.time_ns = read_number(t, lines, fields, TIME, UINT64_MAX);
    r.process = (uint32_t)read_number(t, lines, fields, PROCESS, UINT32_MAX);
    r.thread = (uint32_t)read_number(t, lines, fields, THREAD, UINT32_MAX);
    r.address = read_number(t, lines, fields, ADDRESS, UINT64_MAX);
    r.bytes = read_number(t, lines, fields, BYTES, UINT64_MAX);
    r.site = read_number(t, lines, fields, SITE, UINT64_MAX);
    r.level = (uint8_t)read_number(t, lines, fields, LEVEL, LEVEL_MAX);
    return r;
}
