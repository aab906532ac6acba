/* point_list.h: points in, samples out: a list of points, of files or of options, measured on any
 * machine. */
#ifndef TLBLAB_MEASURE_POINT_LIST_H
#define TLBLAB_MEASURE_POINT_LIST_H

#include "access/earlier.h"
#include "measure/machine.h"

struct point_list {
    struct points points;
    uint64_t passes;        /* over the points (run.h); 0: one */
    struct table *source;   /* of points from files; NULL: they come from options */
    struct earlier earlier; /* of --resume */
};

/* Reads the points of files (count 0: stdin). `adapt` sets the members of a point that the
 * machine decides, and returns why it cannot measure the point, or NULL. Dies with file and line
 * for a refused point. */
void point_list_read(struct point_list *list, char **files, int count,
                     const char *(*adapt)(struct point *point));

/* Measures the points within the budget (run.h), and frees the list. Returns the exit status. */
int point_list_measure(struct point_list *list, const struct machine *machine, double budget_s);

#endif
