/* text_read.c: reads a trace line by line.
 *
 *     struct text_reader *reader = text_open(&lines, &metas);
 *     while ((count = text_next(reader, records, &cut)) > 0)
 *         use(records, count);
 */
#include "trace/text_read.h"
#include "base/error.h"
#include "trace/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum form { TABLE, LACKEY, PERF, DRMEMTRACE, FORMS };

static const struct {
    const char *name;
    text_parse *parse;
} forms[FORMS] = {
    {"table", NULL}, {"lackey", text_lackey}, {"perf", text_perf}, {"drmemtrace", text_drmemtrace}};

/* The columns of the table, in the order in which tlbsim writes them. */
enum { SEQUENCE, TIME, PROCESS, THREAD, OP, ADDRESS, BYTES, SITE, LEVEL, TABLE_COLUMNS };
static const char *const table_columns[TABLE_COLUMNS] = {
    "sequence", "time_ns", "process", "thread", "op", "address", "bytes", "site", "level"};

/* The accesses of a thread so far, where the form does not number them. */
struct thread_count {
    uint32_t process, thread;
    uint64_t accesses;
};

struct text_reader {
    struct lines *lines;
    enum form form;
    int place[TABLE_COLUMNS]; /* of each column in a row, or -1 */
    struct thread_count *threads;
    size_t thread_count, thread;
};

void text_close(struct text_reader *t)
{
    free(t->threads);
    free(t);
}

/* Text that is no such line is no metadata. */
void text_meta(struct trace_metas *metas, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    if (colon == NULL || colon == line)
        return;
    const char *value = colon + 1, *end = line + length;
    while (value < end && *value == ' ')
        value++;
    trace_metas_add(metas, line, (size_t)(colon - line), value, (size_t)(end - value));
}

/* Numbers the access where the form does not. */
static void number_access(struct text_reader *t, struct record *r)
{
    struct thread_count *c = t->threads + t->thread;
    if (t->thread >= t->thread_count || c->thread != r->thread || c->process != r->process) {
        for (t->thread = 0; t->thread < t->thread_count; t->thread++)
            if (t->threads[t->thread].thread == r->thread &&
                t->threads[t->thread].process == r->process)
                break;
        if (t->thread == t->thread_count) {
            t->threads = reallocate(t->threads, ++t->thread_count, sizeof *t->threads);
            t->threads[t->thread] = (struct thread_count){r->process, r->thread, 0};
        }
        c = t->threads + t->thread;
    }
    r->sequence = ++c->accesses;
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

enum { FIELDS_MOST = 64 };

static uint64_t table_field_number(const struct text_reader *t, char **fields, int column)
{
    const char *text = t->place[column] >= 0 ? fields[t->place[column]] : "-";
    char *end;
    if (strcmp(text, "-") == 0)
        return 0;
    errno = 0;
    uint64_t number = strtoull(text, &end, 0);
    if (end == text || *end != '\0' || errno != 0 || *text == '-')
        die("%s:%lu: column '%s': '%s' is no number", t->lines->name, t->lines->number,
            table_columns[column], text);
    return number;
}

static struct record parse_row(const struct text_reader *t, char *line)
{
    char *fields[FIELDS_MOST];
    struct record r = {.op = TRACE_OPS};
    int count = split(line, fields, FIELDS_MOST);
    for (int c = 0; c < TABLE_COLUMNS; c++)
        if (t->place[c] >= count)
            die("%s:%lu: fewer fields than the header has", t->lines->name, t->lines->number);
    for (int op = 0; op < TRACE_OPS; op++)
        if (strcmp(fields[t->place[OP]], trace_op_names[op]) == 0)
            r.op = (uint8_t)op;
    if (r.op >= TRACE_MAPS)
        die("%s:%lu: column 'op': '%s' is no operation", t->lines->name, t->lines->number,
            fields[t->place[OP]]);
    r.sequence = table_field_number(t, fields, SEQUENCE);
    r.time_ns = table_field_number(t, fields, TIME);
    r.process = (uint32_t)table_field_number(t, fields, PROCESS);
    r.thread = (uint32_t)table_field_number(t, fields, THREAD);
    r.address = table_field_number(t, fields, ADDRESS);
    r.bytes = table_field_number(t, fields, BYTES);
    r.site = table_field_number(t, fields, SITE);
    r.level = (uint8_t)(table_field_number(t, fields, LEVEL) & 15);
    return r;
}

static void read_header(struct text_reader *t, char *line)
{
    char *fields[FIELDS_MOST];
    int count = split(line, fields, FIELDS_MOST);
    for (int c = 0; c < TABLE_COLUMNS; c++) {
        t->place[c] = -1;
        for (int i = 0; i < count; i++)
            if (strcmp(fields[i], table_columns[c]) == 0)
                t->place[c] = i;
    }
    if (t->place[OP] < 0 || t->place[ADDRESS] < 0)
        die("%s:%lu: a table of a trace needs the columns op and address", t->lines->name,
            t->lines->number);
}

size_t text_next(struct text_reader *t, struct record records[2], bool *cut)
{
    size_t length, count = 0;
    char *line;
    while (count == 0 && (line = lines_next(t->lines, &length, cut)) != NULL) {
        enum text_line held = TEXT_ONE;
        if (t->form == TABLE)
            records[0] = parse_row(t, line);
        else
            held = forms[t->form].parse(line, records);
        if (held == TEXT_UNKNOWN)
            die("%s:%lu: this is no line of %s's", t->lines->name, t->lines->number,
                forms[t->form].name);
        count = (size_t)held;
    }
    for (size_t i = 0; i < count; i++)
        if (record_is_access(&records[i]) && records[i].sequence == 0)
            number_access(t, &records[i]);
    return count;
}

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

/* The form that the line has; FORMS: it tells nothing. */
static enum form form_of(const char *line)
{
    struct record records[2];
    if (has_column(line, table_columns[OP]) && has_column(line, table_columns[ADDRESS]))
        return TABLE;
    for (enum form form = LACKEY; form < FORMS; form++)
        if (forms[form].parse(line, records) > TEXT_REMARK)
            return form;
    return FORMS;
}

/* Lines before the first that belongs to a form are heads and remarks. */
struct text_reader *text_open(struct lines *lines, struct trace_metas *metas)
{
    size_t length;
    bool cut;
    char *line;
    struct text_reader *t = allocate(1, sizeof *t);
    t->lines = lines;
    while ((line = lines_next(lines, &length, &cut)) != NULL) {
        t->form = form_of(line);
        if (t->form == TABLE)
            read_header(t, line);
        else if (t->form != FORMS)
            lines_put_back(lines, line, length);
        if (t->form != FORMS)
            return t;
        if (strncmp(line, "# ", 2) == 0)
            text_meta(metas, line + 2, length - 2);
    }
    die("%s: this is no trace that tlblab reads: neither its own, nor one of lackey, perf script "
        "or "
        "drmemtrace",
        lines->name);
}
