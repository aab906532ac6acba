/* this_machine.h: the machine that the program runs on. */
#ifndef TLBLAB_MEASURE_THIS_MACHINE_H
#define TLBLAB_MEASURE_THIS_MACHINE_H

#include "machine/facts.h"
#include "measure/machine.h"
#include "measure/measure.h"

struct this_machine {
    const struct rig_options *options;
    const struct facts *facts; /* for the metadata */
    struct rig *rig;
    double quickest_ns; /* the minimum time of a dependent access */
};

/* Opens the rig. `here`, the options and the facts must outlive the result. Closing it warns if an
 * access took less than a cycle. */
struct machine this_machine_open(struct this_machine *here, const struct rig_options *options,
                                 const struct facts *facts);

#endif
