/* progress.h: a bar that shows how far a run is, on a stderr that is a terminal. */
#ifndef TLBLAB_BASE_PROGRESS_H
#define TLBLAB_BASE_PROGRESS_H

#include <stddef.h>

/* Draws the share that is done and the seconds left, ten times a second at most; wipes it away when
 * all is done. Nothing where stderr is no terminal or stdout is one, or with --quiet. */
void progress_draw(size_t done, size_t count, double left_s);

#endif
