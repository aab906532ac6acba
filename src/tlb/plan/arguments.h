/* arguments.h: the command line of `plan` and `sweep`: one table of options, and the plan that they
 * ask for. */
#ifndef TLBLAB_PLAN_ARGUMENTS_H
#define TLBLAB_PLAN_ARGUMENTS_H

#include "access/earlier.h"
#include "base/args.h"
#include "machine/facts.h"
#include "tlb/plan/options.h"
#include <stdbool.h>
#include <stdint.h>

/* The options as given; 0 or NULL: not given. */
struct plan_arguments {
    struct range pages;
    struct choice kernel, backing, preset, density, core_kind;
    const char *layouts, *chain;
    uint64_t page_size, spacing, samples, loads, seed, buffer;
    bool gpu;
};

extern struct plan_arguments plan_arguments;

/* The options, for struct program; `gpu` is one of plan alone. */
extern const struct flag plan_flags[];

/* Names that options take, for --help. */
extern const struct topic plan_topics[];

/* The plan that the options ask for, on the machine of the samples or, without samples, this one.
 * `measured` here and now, its default sizes are those that this machine has memory for. Dies with
 * a usage error for options that contradict each other. */
struct plan_options plan_choose(const struct facts *facts, const struct earlier *earlier,
                                bool measured);

#endif
