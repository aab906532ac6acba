/* text_read.c: reads a trace line by line.
 *
 *     struct text_reader *reader = text_open(&lines, &metas);
 *     while ((count = text_next(reader, records, &cut)) > 0)
 *         use(records, count);
 */
#include "trace/format/text_read.h"
#include "base/error.h"
#include "trace/format/by_thread.h"
#include "trace/format/text.h"
#include "trace/format/text_table.h"
#include <stdlib.h>
#include <string.h>

enum form { TABLE, LACKEY, PERF, DRMEMTRACE, FORMS };

static const struct {
    const char *name;
    text_parse *parse;
} forms[FORMS] = {
    {"table", NULL}, {"lackey", text_lackey}, {"perf", text_perf}, {"drmemtrace", text_drmemtrace}};

struct text_reader {
    struct lines *lines;
    enum form form;
    struct text_table table;
    bool sampled;     /* records are samples that missed */
    bool skipped;     /* lines of a program's own output */
    bool other;       /* samples of perf that missed in no TLB, before any that did */
    const char *line; /* the last that says of which code a record is */
    char *sample;     /* a copy of a line of perf */
    char symbol[256];
    struct by_thread accesses; /* uint64_t: so far, where the form does not number them */
};

void text_close(struct text_reader *t)
{
    by_thread_free(&t->accesses);
    free(t->sample);
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

const char *text_symbol(struct text_reader *t)
{
    if (t->form != PERF)
        return NULL;
    text_perf_symbol(t->line, t->symbol, sizeof t->symbol);
    return t->symbol[0] != '\0' ? t->symbol : NULL;
}

/* The next line; files of Windows have a carriage return at the end of each. */
static char *next_line(struct lines *lines, size_t *length, bool *cut)
{
    char *line = lines_next(lines, length, cut);
    if (line != NULL && *length > 0 && line[*length - 1] == '\r')
        line[*length - 1] = '\0';
    return line;
}

/* A program writes to the same terminal as lackey. */
static void skip_output(struct text_reader *t)
{
    if (!t->skipped)
        warn("%s:%lu: this is no line of lackey's but perhaps the program's own output, which is "
             "skipped here and from now on (valgrind --log-file=FILE keeps them apart)",
             t->lines->name, t->lines->number);
    t->skipped = true;
}

_Noreturn static void refuse(const struct text_reader *t, enum text_line held)
{
    if (held == TEXT_NO_ADDRESS)
        die("%s:%lu: this sample has no address but that of the code: record with 'perf record -d' "
            "and an event that is precise (:P), and print 'perf script -F "
            "pid,tid,time,event,addr,ip,sym'",
            t->lines->name, t->lines->number);
    die("%s:%lu: this is no line of %s's", t->lines->name, t->lines->number, forms[t->form].name);
}

/* Reads on where the code of a sample is in the first line of its call chain. */
static void join_chain(struct text_reader *t, struct record *record, bool *cut)
{
    size_t length;
    char *line;
    free(t->sample);
    t->sample = allocate(strlen(t->line) + 1, 1);
    t->line = strcpy(t->sample, t->line);
    if ((line = next_line(t->lines, &length, cut)) == NULL)
        return;
    if (text_perf_is_frame(line)) {
        enum text_line held = text_perf_chained(t->sample, line, record);
        if (held == TEXT_NO_ADDRESS)
            refuse(t, held);
        t->line = line;
    } else
        lines_put_back(t->lines, line, length);
}

bool text_partial(const struct text_reader *t)
{
    return t->skipped;
}

size_t text_next(struct text_reader *t, struct record records[2], bool *cut)
{
    size_t length, count = 0;
    char *line;
    while (count == 0 && (line = next_line(t->lines, &length, cut)) != NULL) {
        enum text_line held = TEXT_ONE;
        if (t->form == TABLE)
            records[0] = text_table_row(&t->table, t->lines, line);
        else
            held = forms[t->form].parse(line, records);
        if (t->sampled && held == TEXT_ONE && records[0].level == 0)
            held = TEXT_REMARK; /* another event */
        t->line = line;
        if (held == TEXT_OUTPUT && line[0] != TRACE_MAGIC[0]) {
            skip_output(t);
            held = TEXT_REMARK;
        }
        if (held < TEXT_REMARK)
            refuse(t, held);
        if (t->sampled && held == TEXT_ONE && text_symbol(t) == NULL)
            join_chain(t, &records[0], cut);
        count = (size_t)held;
    }
    for (size_t i = 0; i < count; i++) {
        struct record *r = &records[i];
        if (record_is_access(r) && r->sequence == 0)
            r->sequence = ++*(uint64_t *)by_thread(&t->accesses, r->process, r->thread);
    }
    return count;
}

/* The form that the line has; FORMS: it says nothing. */
static enum form form_of(struct text_reader *t, const char *line, struct record records[2])
{
    if (text_table_begins(line))
        return TABLE;
    for (enum form form = LACKEY; form < FORMS; form++) {
        enum text_line held = forms[form].parse(line, records);
        if (held == TEXT_NO_ADDRESS)
            refuse(t, held);
        if (held > TEXT_REMARK)
            return form;
        t->other = t->other || (form == PERF && held == TEXT_REMARK && text_perf_is_sample(line));
    }
    return FORMS;
}

/* Lines before the first that belongs to a form are heads and remarks. */
struct text_reader *text_open(struct lines *lines, struct trace_metas *metas)
{
    size_t length;
    bool cut = false;
    char *line;
    struct text_reader *t = allocate(1, sizeof *t);
    t->lines = lines;
    t->accesses = by_thread_of(sizeof(uint64_t));
    struct record records[2] = {{0}};
    while ((line = next_line(lines, &length, &cut)) != NULL) {
        t->form = form_of(t, line, records);
        if (t->form == TABLE)
            text_table_head(&t->table, lines, line);
        else if (t->form != FORMS)
            lines_put_back(lines, line, length);
        t->sampled = t->form == PERF && records[0].level > 0;
        if (t->sampled) {
            text_meta(metas, "record: misses", 14);
            text_meta(metas, "sampled: yes", 12);
        }
        if (t->form != FORMS)
            return t;
        if (strncmp(line, "# ", 2) == 0)
            text_meta(metas, line + 2, length - 2);
    }
    if (t->other)
        die("%s: no sample of it missed in a TLB: record an event of theirs, such as 'perf record "
            "-d -e dTLB-load-misses:P'",
            lines->name);
    if (cut && lines->number == 0)
        die("%s: its only line has no end, so it is cut", lines->name);
    die("%s: this is no trace that tlblab reads: neither its own, nor one of lackey, drmemtrace or "
        "'perf script -F pid,tid,time,event,addr,ip,sym'",
        lines->name);
}
