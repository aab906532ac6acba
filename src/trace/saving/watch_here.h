/* watch_here.h: watches this machine (watch.h). */
#ifndef TLBLAB_SAVING_WATCH_HERE_H
#define TLBLAB_SAVING_WATCH_HERE_H

#include "trace/saving/watch.h"

/* Dies where nothing can be measured. The caller wrote the header. */
void watch_here(const struct watch_options *options, uint64_t seed);

#endif
