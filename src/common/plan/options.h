/* options.h: the options that `chase`, `sweep` and `simulate` have in common, from words to values.
 * Each dies with a usage error for a word that it does not know. */
#ifndef TLBLAB_PLAN_OPTIONS_H
#define TLBLAB_PLAN_OPTIONS_H

#include "access/point.h"
#include "base/args.h"
#include "plan/plan.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTION_LAYOUTS = 8 }; /* [bound] */

/* NULL stands for the default: read, scattered, random-box (also "auto"). global-random is refused:
 * one random cycle over the whole buffer has no windows. */
const struct kernel *option_kernel(const char *name);
const struct backing *option_backing(const char *name);
enum chain_mode option_chain(const char *name);

/* A comma list of layouts into chosen[] (its end is marked by NULL) and their number; NULL: `page`,
 * or the only one that the kernel goes on. */
size_t option_layouts(const char *names, const struct kernel *kernel,
                      const struct layout *chosen[OPTION_LAYOUTS]);

/* The plan of `--preset NAME --page-size SIZE` (NULL, 0: the defaults) for a machine with such base
 * pages and lines. A larger page is a huge one. */
struct plan_options option_plan(const char *preset, uint64_t page_size, uint64_t base_page_bytes,
                                uint64_t line_bytes);

/* Prints the table of presets, for --help. */
void option_print_presets(void);

/* Prints the tables of layouts, kernels and backings, for --help. */
void option_print_names(void);

/* A budget that was given must be more than 0 seconds. */
void option_check_budget(double budget);

/* A kind of core that was given (NULL: none) must be "performance" or "efficiency". */
void option_check_core_kind(const char *kind);

/* A spacing other than 0 (not given) must be a multiple of 8: nodes hold pointers. */
void option_check_spacing(uint64_t spacing);

/* layout_spacing(); what is given for `page` must be whole pages. */
uint64_t option_spacing(uint64_t given, const struct layout *layout, uint64_t page_bytes,
                        uint64_t line_bytes);

/* The buffer of layout `box`, 0 for the others; 256 MiB where `given` is 0. */
uint64_t option_buffer(uint64_t given, const struct layout *layout);

/* A point that options make must be possible (point_refuses()). */
void option_check_point(const struct point *point);

/* The seed of the points' table (NULL: none), so that the same points give the same chains; else a
 * fresh one. */
uint64_t option_seed(const struct table *source);

/* An earlier run: its table, still open for the metadata, and its rows. */
struct earlier {
    struct table *table;
    struct sample *rows;
    size_t count;
};

/* Reads samples of earlier runs (count 0: none). A cut last line is dropped with a warning. */
struct earlier option_earlier(char *const *files, int count);

void option_earlier_free(struct earlier *earlier);

/* The same for --resume FILE: refuses a FILE that is stdout, and takes over options and seed (where
 * *seed is 0; another one is a contradiction). */
struct earlier option_resume(const struct program *program, const char *file, uint64_t *seed);

/* Takes over the options of the earlier run's own command, and its seed. */
void option_inherit(const struct program *program, const struct earlier *earlier, uint64_t *seed);

#endif
