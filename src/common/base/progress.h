/* progress.h: one line on standard error for the whole run. */
#ifndef TLBLAB_BASE_PROGRESS_H
#define TLBLAB_BASE_PROGRESS_H

#include <stddef.h>

/* Draws what is done, the seconds passed and the seconds left, at most ten times a second:
 *
 *     bandwidth: 30 %, 12 s, 28 s left
 *
 * `count` 0: how much there will be is not known, and `done` counts samples. `left_s` may be NaN or
 * infinite. Where tlblab measure runs several programs, it sets TLBLAB_RUN, and the line is that of
 * the whole: its stage, its seconds, and those that are left of its budget. Draws nothing with
 * --quiet, where stderr is not a terminal, or where stdout is one. */
void progress_draw(size_t done, size_t count, double left_s);

/* Clears the line. It is drawn again by the next progress_draw(). */
void progress_clear(void);

#endif
