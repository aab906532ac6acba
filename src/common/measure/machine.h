/* machine.h: what points are measured on: this machine (this_machine.h) or one that is simulated. A
 * run (run.h) is the same on both. */
#ifndef TLBLAB_MEASURE_MACHINE_H
#define TLBLAB_MEASURE_MACHINE_H

#include "access/point.h"
#include <stddef.h>

struct machine {
    void *self;                    /* for the functions below */
    struct sample_columns columns; /* that its rows have, whatever the points are */

    /* Why the point cannot be measured there; NULL where it can. The text holds until the next
     * call. */
    const char *(*refuses)(void *self, const struct point *point);

    /* Writes the metadata: those of `source` (NULL: none), the history, what is known of the
     * machine and of the first points. Dies before that where these points need more than there is.
     */
    void (*put_meta)(void *self, const struct table *source, const struct point *points,
                     size_t count);

    /* Readies the machine for its first points, behind the header since that may take its time.
     * NULL: it is ready. */
    void (*prepare)(void *self, const struct point *points, size_t count);

    /* A guess of the seconds that a sample of the point takes. */
    double (*estimate_s)(void *self, const struct point *point);

    void (*measure)(void *self, const struct point *point, struct sample *sample);
};

#endif
