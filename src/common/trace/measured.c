/* measured.c: what huge pages really gave, from tables of `tlbcost --huge`.
 *
 *     measured_read(&measured, "column.tsv,pred.tsv");
 *     measured_of(&measured, "heap new_column (bfs.c:20)")->saved_s
 */
#include "trace/measured.h"
#include "base/error.h"
#include "base/stats.h"
#include "table/table.h"
#include "trace/object_names.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(struct field field, const char *text)
{
    return field.text != NULL && field.length == strlen(text) &&
           memcmp(field.text, text, field.length) == 0;
}

/* A last row: what is saved by one of the clocks. */
static void take_summary(struct table *t, struct measured_run *run)
{
    double saving, low, high;
    int clock = table_column(t, "clock");
    if (!table_number(t, table_column(t, "saving_percent"), &saving) ||
        !table_number(t, table_column(t, "low_percent"), &low) ||
        !table_number(t, table_column(t, "high_percent"), &high))
        return;
    if (is_text(table_field(t, clock), "wall"))
        run->speedup = 1 / (1 - saving / 100);
    else if (is_text(table_field(t, clock), "user")) {
        run->saved_s = saving / 100;
        run->low_s = low / 100;
        run->high_s = high / 100;
    }
}

/* Shares of the time on base pages become seconds. */
static void read_file(struct measured_run *run, char *file)
{
    struct table *t = table_open(&file, 1);
    const char *objects = table_meta(t, 0, "huge");
    int pages = table_column(t, "pages"), user = table_column(t, "user_s");
    double *base = NULL, seconds;
    size_t count = 0;
    if (objects == NULL)
        die("%s: this is no table of 'tlbcost --huge'", file);
    *run = (struct measured_run){.saved_s = NAN, .speedup = NAN};
    run->objects = allocate(strlen(objects) + 1, 1);
    strcpy(run->objects, objects);
    table_require(t, pages);
    table_require(t, user);
    while (table_next(t))
        if (is_text(table_field(t, pages), "4K") && table_number(t, user, &seconds)) {
            base = reallocate(base, count + 1, sizeof *base);
            base[count++] = seconds;
        } else
            take_summary(t, run);
    table_close(t);
    if (isnan(run->saved_s) || isnan(run->speedup) || count == 0)
        die("%s: tlbcost did not finish: its last rows are missing", file);
    double typical = stats_median(base, count);
    run->saved_s *= typical;
    run->low_s *= typical;
    run->high_s *= typical;
    free(base);
}

void measured_read(struct measured *m, const char *files)
{
    char *copy = allocate(strlen(files) + 1, 1), *rest = NULL;
    strcpy(copy, files);
    for (char *file = strtok_r(copy, ",", &rest); file != NULL; file = strtok_r(NULL, ",", &rest)) {
        m->runs = reallocate(m->runs, m->count + 1, sizeof *m->runs);
        read_file(&m->runs[m->count++], file);
    }
    free(copy);
}

const struct measured_run *measured_of(const struct measured *m, const char *label)
{
    for (size_t i = 0; i < m->count; i++)
        if (object_is_named(m->runs[i].objects, label))
            return &m->runs[i];
    return NULL;
}

void measured_free(struct measured *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->runs[i].objects);
    free(m->runs);
}
