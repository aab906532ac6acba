/* point_options.h: the values of options that describe points. Each function dies with a usage
 * error for an impossible value. */
#ifndef TLBLAB_ACCESS_POINT_OPTIONS_H
#define TLBLAB_ACCESS_POINT_OPTIONS_H

#include "access/point.h"
#include "base/number.h"
#include <stddef.h>
#include <stdint.h>

/* Layouts of one list, and the NULL at its end. [bound] */
enum { OPTION_LAYOUTS = 16 };

/* The mode of --chain; NULL and "auto" are random-box. Refuses global-random: one random cycle over
 * the whole buffer has no windows. */
enum chain_mode option_chain(const char *name);

/* Writes a comma list of layouts to chosen[], which NULL ends, and returns their number. Without
 * names (NULL): `page`, or the only layout of the kernel. */
size_t option_layouts(const char *names, const struct kernel *kernel,
                      const struct layout *chosen[OPTION_LAYOUTS]);

/* Dies for a page below the base page; 0 (not given) passes. */
void option_check_page(uint64_t page_bytes, uint64_t base);

/* layout_spacing() of the spacing, 0: not given. Dies for a spacing of `page` that is not a
 * multiple of page_bytes. */
uint64_t option_spacing(uint64_t given, const struct layout *layout, uint64_t page_bytes,
                        uint64_t line_bytes);

/* Bytes of the buffer of layout `box`; 0 for other layouts. */
uint64_t option_buffer(const struct layout *layout);

/* Dies for an impossible point (point_refuses()). */
void option_check_point(const struct point *point);

/* Appends the point once for each number of chains of --chains, after option_check_point(). */
void option_append(struct points *list, struct point point, const struct range *chains);

#endif
