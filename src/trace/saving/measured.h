/* measured.h: what huge pages saved, as `tlbcost --huge` measured it. */
#ifndef TLBLAB_SAVING_MEASURED_H
#define TLBLAB_SAVING_MEASURED_H

#include <stddef.h>

/* One table: objects that were on huge pages, all of them together. */
struct measured_run {
    char *objects;
    double saved_s, low_s, high_s; /* of the processor's time of the program itself */
    double speedup;                /* by the clock on the wall: time before over time after */
};

/* Initialised by {0}. */
struct measured {
    struct measured_run *runs;
    size_t count;
};

/* Reads the files of a list with commas. Dies where one is no table of `tlbcost --huge`, or was cut
 * before its last rows. */
void measured_read(struct measured *measured, const char *files);

/* The run whose objects name this label (names.h), or NULL. */
const struct measured_run *measured_of(const struct measured *measured, const char *label);
void measured_free(struct measured *measured);

#endif
