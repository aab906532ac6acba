/* plan: chooses the points that are still worth measuring, given the samples so far.
 *
 * usage: plan [OPTION...] [SAMPLES...]
 * Without SAMPLES these are the first points; when the samples are enough, there are none. sweep is
 * the loop of `plan SAMPLES` and `chase`, in one process.
 *
 * example: plan | chase | detect
 */
#include "base/error.h"
#include "tlb/plan/arguments.h"
#include "tlb/plan/print.h"

static const struct flag flags[] = {{"gpu", FLAG_YES, &plan_arguments.gpu, NULL,
                                     "plan for a graphics card, which gpu chase measures",
                                     .excludes = "backing density"},
                                    {0}};

static const struct program program = {
    .name = "plan",
    .purpose = "choose the points that are still worth measuring",
    .operands = "[SAMPLES...]",
    .example = "plan | chase | detect",
    .flags = flags,
    .shared = plan_flags,
    .inherits = "sweep ",
    .writes_table = true,
    .topics = plan_topics,
};

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    return finish(plan_print(argv + first, argc - first));
}
