/* watch.h: what a translation costs on a host, over days: a short chase now and then, whose own
 * processor time is counted, so that it stays within a budget. */
#ifndef TLBLAB_SAVING_WATCH_H
#define TLBLAB_SAVING_WATCH_H

#include "table/row.h"
#include <stdint.h>

/* The numbers of pages: more than a first level holds, and more than any level. [prior] */
enum { WATCH_SIZES = 2 };
extern const uint64_t watch_pages[WATCH_SIZES];

/* The source of the time, and a chase. */
struct watch_parts {
    void *self;
    double (*now_s)(void *self);
    double (*cpu_s)(void *self); /* of this process, all that it used so far */
    void (*wait_s)(void *self, double seconds);
    double (*chase_ns)(void *self, int size, bool packed); /* per access */
};

struct watch_options {
    double period_s;
    double share;     /* of a processor that may be used */
    uint64_t periods; /* 0: without end */
};

/* Writes a row for each size and period. Without time left in the budget it has no measurement. */
void watch_run(const struct watch_parts *parts, const struct watch_options *options);

/* A member is NaN where nothing was measured. */
struct watch_row {
    double t_s;
    uint64_t pages;
    double page_ns, packed_ns, cost_ns, cpu_s;
};
extern const struct column watch_columns[];

/* The same of this machine. Dies where nothing can be measured. The caller wrote the header. */
void watch_here(const struct watch_options *options, uint64_t seed);

#endif
