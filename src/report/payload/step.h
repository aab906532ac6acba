/* step.h: the verification payload of a step found by method segment. */
#ifndef TLBLAB_PAYLOAD_STEP_H
#define TLBLAB_PAYLOAD_STEP_H

#include "report/run/run_tables.h"

struct json_object;

/* Whether method segment found the row. */
bool step_by_segment(const struct boundary *row);

/* Adds `boundary_index`, `boundary_latency_ns` and `persistent_jump`. No table has them: they are
 * recomputed from the samples, and null if those do not yield the row or the method is another. */
void step_add(struct json_object *object, const struct run_tables *run, const struct boundary *row);

/* A sentence for a row without a control, else NULL. */
struct json_object *step_warning(const struct boundary *row);

#endif
