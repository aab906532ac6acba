/* refuse.h: why a point is impossible, in one place for all who are given points. */
#ifndef TLBLAB_ACCESS_REFUSE_H
#define TLBLAB_ACCESS_REFUSE_H

#include "access/point.h"
#include <stdint.h>

/* Why no machine can measure the point, or NULL. The text begins with the word of what is wrong and
 * its value ("spacing 12: nodes hold pointers, …"), as the option has it behind its dashes. It
 * holds until the next call. */
const char *point_refuses(const struct point *point);

/* The same for a backing and a size of page, on a machine with such base pages: huge pages are
 * larger, all others are as large. */
const char *backing_refuses(const struct backing *backing, uint64_t page_bytes,
                            uint64_t base_page_bytes);

#endif
