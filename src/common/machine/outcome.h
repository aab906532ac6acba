/* outcome.h: the outcome of a request to the platform, as written in tables. */
#ifndef TLBLAB_MACHINE_OUTCOME_H
#define TLBLAB_MACHINE_OUTCOME_H

#include "platform.h"

/* Writes "yes", or "no" or "hint" with the reason, to `text` and returns it. */
enum { OUTCOME_ROOM = PLATFORM_WHY_ROOM + 8 };
const char *outcome_text(struct platform_outcome result, char text[OUTCOME_ROOM]);

/* The same text, stored once for all rows that share it: see field_keep(). */
const char *outcome_keep(struct platform_outcome result);

/* Replaces `worst` with `other` if that is worse: NO is worse than HINT, HINT than YES. */
void outcome_keep_worse(struct platform_outcome *worst, const struct platform_outcome *other);

#endif
