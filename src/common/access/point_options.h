/* point_options.h: the options that name points, from words to values. Each function dies with a
 * usage error for what is not possible. */
#ifndef TLBLAB_ACCESS_POINT_OPTIONS_H
#define TLBLAB_ACCESS_POINT_OPTIONS_H

#include "access/point.h"
#include <stddef.h>
#include <stdint.h>

enum { OPTION_LAYOUTS = 8 }; /* [bound] */

/* NULL and "auto" stand for random-box. global-random is refused: one random cycle over the whole
 * buffer has no windows. */
enum chain_mode option_chain(const char *name);

/* A comma list of layouts into chosen[] (its end is marked by NULL) and their number; NULL: `page`,
 * or the only one that the kernel goes on. */
size_t option_layouts(const char *names, const struct kernel *kernel,
                      const struct layout *chosen[OPTION_LAYOUTS]);

/* Prints the tables of layouts, kernels and backings, for --help. */
void option_print_names(void);

/* A spacing other than 0 (not given) must be a multiple of 8: nodes hold pointers. */
void option_check_spacing(uint64_t spacing);

/* layout_spacing(); what is given for `page` must be whole pages. */
uint64_t option_spacing(uint64_t given, const struct layout *layout, uint64_t page_bytes,
                        uint64_t line_bytes);

/* The buffer of layout `box`, 0 for the others; 256 MiB where `given` is 0. */
uint64_t option_buffer(uint64_t given, const struct layout *layout);

/* A point that options make must be possible (point_refuses()). */
void option_check_point(const struct point *point);

#endif
