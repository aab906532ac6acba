/* measured.c: what huge pages saved, as `tlbcost --huge` measured it.
 *
 *     measured_read(&measured, "column.tsv,pred.tsv");
 *     measured_of(&measured, "heap new_column (bfs.c:20)")->saved_s
 */
#include "trace/saving/measured.h"
#include "base/error.h"
#include "base/stats.h"
#include "trace/attribution/names.h"
#include "trace/saving/cost_row.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A last row: what is saved by one of the clocks. */
static void take_saving(struct measured_run *run, const struct cost_row *row)
{
    if (row->clock == COST_WALL)
        run->speedup = 1 / (1 - row->saving_percent / 100);
    if (row->clock != COST_USER)
        return;
    run->saved_s = row->saving_percent / 100;
    run->low_s = row->low_percent / 100;
    run->high_s = row->high_percent / 100;
}

/* Shares of the time on base pages become seconds. */
static void read_file(struct measured_run *run, char *file)
{
    struct table *t = table_open(&file, 1);
    struct row_reader reader = row_reader_open(t, cost_columns);
    const char *objects = table_meta(t, 0, "huge");
    struct cost_row row;
    double *base = NULL;
    size_t count = 0;
    if (objects == NULL)
        die("%s: this is no table of 'tlbcost --huge'", file);
    *run = (struct measured_run){.saved_s = NAN, .speedup = NAN};
    run->objects = allocate(strlen(objects) + 1, 1);
    strcpy(run->objects, objects);
    while (table_next(t)) {
        row_read(&reader, &row);
        take_saving(run, &row);
        if (row.pages != COST_BASE || isnan(row.user_s))
            continue;
        base = reallocate(base, count + 1, sizeof *base);
        base[count++] = row.user_s;
    }
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
