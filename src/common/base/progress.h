/* progress.h: a progress bar on standard error. */
#ifndef TLBLAB_BASE_PROGRESS_H
#define TLBLAB_BASE_PROGRESS_H

#include <stddef.h>

/* Draws the share done and the seconds left, at most ten times a second; clears the bar when all is
 * done. Draws nothing with --quiet, or unless stderr is a terminal and stdout is not. */
void progress_draw(size_t done, size_t count, double left_s);

#endif
