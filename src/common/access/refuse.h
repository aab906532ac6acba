/* refuse.h: the rules that every point must keep, whatever machine measures it. */
#ifndef TLBLAB_ACCESS_REFUSE_H
#define TLBLAB_ACCESS_REFUSE_H

#include "access/point.h"
#include <stdint.h>

/* Why no machine can measure the point, or NULL. The text begins with the wrong column and its
 * value ("spacing 12: nodes hold pointers, …"), so that "--" before it names the option. It is
 * valid until the next call. */
const char *point_refuses(const struct point *point);

/* The same for a backing and a page size: huge pages are larger than the base page, pages of other
 * backings are base pages. */
const char *backing_refuses(const struct backing *backing, uint64_t page_bytes,
                            uint64_t base_page_bytes);

#endif
