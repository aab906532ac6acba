/* heading.h: the head of the report: the machine, the run, and what samples there are. */
#ifndef TLBLAB_HEADING_H
#define TLBLAB_HEADING_H

#include "gather.h"

void heading_say(const struct gather *run);

#endif
