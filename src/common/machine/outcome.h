/* outcome.h: what came of a request to the platform, as it stands in the tables. */
#ifndef TLBLAB_MACHINE_OUTCOME_H
#define TLBLAB_MACHINE_OUTCOME_H

#include "platform.h"
#include <stddef.h>

/* "yes", or "no" or "hint" with the reason; returns text. */
enum { OUTCOME_ROOM = PLATFORM_WHY_ROOM + 8 };
const char *outcome_text(struct platform_outcome result, char text[OUTCOME_ROOM]);

/* The same for rows, which are many, while there are few answers: see field_keep(). */
const char *outcome_keep(struct platform_outcome result);

#endif
