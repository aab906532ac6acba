/* point_list.c: points in, samples out. */
#include "measure/point_list.h"
#include "base/error.h"
#include "measure/run.h"
#include <stdlib.h>

void point_list_read(struct point_list *list, char **files, int count,
                     const char *(*adapt)(struct point *point))
{
    struct table *table = list->source = table_open(files, count);
    struct point_reader *reader = point_reader_open(table, false);
    struct sample row;
    while (point_reader_next(reader, &row)) {
        const char *why = adapt(&row.point);
        if (why != NULL)
            die("%s:%lu: %s", table_file_name(table, table_file(table)), table_line(table), why);
        points_append(&list->points, &row.point);
    }
    point_reader_close(reader);
}

int point_list_measure(struct point_list *list, const struct machine *machine, double budget_s)
{
    struct points *points = &list->points;
    struct run_options options = {.machine = machine,
                                  .budget_s = budget_s,
                                  .earlier = &list->earlier,
                                  .source = list->source};
    struct run *run = run_begin(&options, points->at, points->count,
                                run_columns(points->at, points->count));
    run_points(run, points, list->passes > 0 ? list->passes : 1, NULL);
    int status = run_end(run);
    if (list->source != NULL) {
        status = table_partial(list->source) ? STATUS_PARTIAL : status;
        table_close(list->source);
    }
    earlier_free(&list->earlier);
    free(points->at);
    return status;
}
