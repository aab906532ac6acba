/* backing.h: whether the memory of a command was on huge pages, and whether these are huge on the
 * host. */
#ifndef TLBLAB_SAVING_BACKING_H
#define TLBLAB_SAVING_BACKING_H

#include "platform.h"
#include <stdbool.h>

/* How much of the memory was on huge pages: "huge", "partly", "base" or "unknown", as where most of
 * it was freed before the end; "little_memory" for a program that has little to put on them.
 * `of_all`: huge pages were asked for all of its memory, not for some objects. */
const char *backing_of(const struct platform_usage *usage, bool of_all);

/* If hardly any memory was on huge pages, both kinds of runs translate alike: a difference
 * of their times has another cause. */
bool backing_is_alike(const char *backing);

/* Whether the host backs huge pages with small ones: "yes" or "no", as detect(1) notes it in this
 * table of boundaries; without the table (NULL), or where it says nothing, "unknown" in a guest,
 * else "no". */
const char *backing_splintered(const char *file);

#endif
