/* geometry.h: how the tests of stride_profile.c and organisation.c ask a made-up machine. */
#ifndef TLBLAB_TEST_GEOMETRY_H
#define TLBLAB_TEST_GEOMETRY_H

#include "machine.h"
#include "tlb/geometry/stride_profile.h"

/* Fewer pages than `sweep` takes, so that the tests take less time. */
static inline struct plan_options geometry_plan(void)
{
    static uint64_t bounds[] = {4, 8192};
    struct plan_options options = plan_defaults(MACHINE_PAGE, MACHINE_LINE);
    free(options.pages.values);
    options.pages.values = bounds;
    options.kind = PLAN_GEOMETRY;
    return options;
}

/* Everything a sorted series shows. */
static inline struct stride_profile geometry_profile(const struct series *series)
{
    struct analysis analysis = analysis_of(series);
    struct stride_profile profile = stride_profile_read(&analysis);
    analysis_free(&analysis);
    return profile;
}

#endif
