/* machine.h: a machine on which points are measured: this one (measure.h) or a simulated one.
 * A run (run.h) is the same on both. */
#ifndef TLBLAB_MEASURE_MACHINE_H
#define TLBLAB_MEASURE_MACHINE_H

#include "access/point.h"
#include <stdbool.h>
#include <stddef.h>

struct machine {
    void *self;       /* first argument of the functions below */
    unsigned columns; /* the optional columns (point.h) of its rows, whatever the points are */

    /* Why the machine cannot measure the point, or NULL. The text is valid until the next call. */
    const char *(*refuses)(void *self, const struct point *point);

    /* Writes the metadata of `source` (NULL: none), the history, the machine and the first points.
     * Dies before that when these points need more memory than there is. */
    void (*put_meta)(void *self, const struct table *source, const struct point *points,
                     size_t count);

    /* Prepares these points, which are measured next (buffers; warm-up before the first ones). The
     * header has been written by then, since this may take seconds. NULL: nothing to prepare. */
    void (*prepare)(void *self, const struct point *points, size_t count);

    /* Estimated seconds of a sample of the point. */
    double (*estimate_s)(void *self, const struct point *point);

    /* All that it leaves alone is unknown (row_clear()). */
    void (*measure)(void *self, const struct point *point, struct sample *sample);

    /* Frees its resources, and warns of anything that was wrong. False when samples have no time.
     * NULL: nothing to close. */
    bool (*close)(void *self);
};

#endif
