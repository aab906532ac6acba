/* organised.h: the organisation table (geometry) in sentences. */
#ifndef TLBLAB_ORGANISED_H
#define TLBLAB_ORGANISED_H

#include "gather.h"

/* Says how the level of a row is organised; what is unknown is called so. */
void organised_say(const struct gather_row *row);

#endif
