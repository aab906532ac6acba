/* levels.h: the latency table in sentences. */
#ifndef TLBLAB_LEVELS_H
#define TLBLAB_LEVELS_H

#include "gather.h"

/* Says how long an access takes in each level, and what it waits for; nothing where there are no
 * such rows. */
void levels_say(const struct gather *run);

#endif
