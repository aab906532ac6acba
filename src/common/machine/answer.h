/* answer.h: what came of a request to the platform, as it stands in the tables. */
#ifndef TLBLAB_MACHINE_ANSWER_H
#define TLBLAB_MACHINE_ANSWER_H

#include "platform.h"
#include <stddef.h>

/* "yes", or "no" or "hint" with the reason; returns text. */
enum { ANSWER_ROOM = PLATFORM_WHY_ROOM + 8 };
const char *answer_text(struct platform_result result, char text[ANSWER_ROOM]);

/* The same for rows, which are many, while there are few answers: each is kept once, for good.
 * answer_kept() keeps one that was read. */
const char *answer_keep(struct platform_result result);
const char *answer_kept(const char *text, size_t length);

#endif
