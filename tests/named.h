/* named.h: a kernel or a backing by its name. */
#ifndef TLBLAB_TESTS_NAMED_H
#define TLBLAB_TESTS_NAMED_H

#include "access/kernel.h"
#include "access/layout.h"
#include "base/choice.h"

/* NULL: there is none of that name. */
static inline const struct backing *backing_named(const char *name)
{
    struct choice choice = CHOICE_OF(backings);
    choose(&choice, name);
    return choice.chosen;
}

static inline const struct kernel *kernel_named(const char *name)
{
    struct choice choice = CHOICE_OF(kernels);
    choose(&choice, name);
    return choice.chosen;
}

#endif
