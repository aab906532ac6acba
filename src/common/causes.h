/* causes.h: why a TLB level was not detected. */
#ifndef TLBLAB_CAUSES_H
#define TLBLAB_CAUSES_H

#include "gather.h"

/* Entries of the first level of the data TLB for small pages, or 0. */
double causes_first_level(const struct gather *run);

/* Says that a level was not detected, which of the usual causes show in the samples, and how to
 * look at them. */
void causes_say(const struct gather *run);

#endif
