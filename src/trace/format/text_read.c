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
    const char *line; /* the last */
    char symbol[256];
    struct by_thread accesses; /* uint64_t: so far, where the form does not number them */
};

void text_close(struct text_reader *t)
{
    by_thread_free(&t->accesses);
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

size_t text_next(struct text_reader *t, struct record records[2], bool *cut)
{
    size_t length, count = 0;
    char *line;
    while (count == 0 && (line = lines_next(t->lines, &length, cut)) != NULL) {
        enum text_line held = TEXT_ONE;
        if (t->form == TABLE)
            records[0] = text_table_row(&t->table, t->lines, line);
        else
            held = forms[t->form].parse(line, records);
        if (t->sampled && held == TEXT_ONE && records[0].level != LEVEL_MOST)
            held = TEXT_REMARK; /* another event */
        t->line = line;
        if (held == TEXT_UNKNOWN)
            die("%s:%lu: this is no line of %s's", t->lines->name, t->lines->number,
                forms[t->form].name);
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
static enum form form_of(const char *line, struct record records[2])
{
    if (text_table_begins(line))
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
    t->accesses = by_thread_of(sizeof(uint64_t));
    struct record records[2] = {{0}};
    while ((line = lines_next(lines, &length, &cut)) != NULL) {
        t->form = form_of(line, records);
        if (t->form == TABLE)
            text_table_head(&t->table, lines, line);
        else if (t->form != FORMS)
            lines_put_back(lines, line, length);
        t->sampled = t->form == PERF && records[0].level == LEVEL_MOST;
        if (t->sampled) {
            text_meta(metas, "record: misses", 14);
            text_meta(metas, "sampled: yes", 12);
        }
        if (t->form != FORMS)
            return t;
        if (strncmp(line, "# ", 2) == 0)
            text_meta(metas, line + 2, length - 2);
    }
    die("%s: this is no trace that tlblab reads: neither its own, nor one of lackey, perf script "
        "or drmemtrace",
        lines->name);
}
