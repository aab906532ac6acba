/* geometry.h: how the tests of stride_profile.c and organisation.c ask a made-up machine. */
#ifndef TLBLAB_TEST_GEOMETRY_H
#define TLBLAB_TEST_GEOMETRY_H

#include "detect/control.h"
#include "geometry/stride_profile.h"
#include "machine.h"

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

/* All that a sorted series tells. */
static inline struct stride_profile geometry_profile(struct series *series)
{
    const struct point *pages[CONTROLS_MOST];
    CU_ASSERT_FATAL(control_curves(series, pages) > 0);
    struct stride_profile profile = stride_profile_open(series, pages[0]);
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES && profile.levels > 0; k++)
        if (!stride_profile_add(&profile, k))
            break;
    return profile;
}

#endif
