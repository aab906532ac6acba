/* payload.h: the verification payload of one run: section 9 of the whitepaper "TLB Analysis" of
 * macOS-memory-benchmark (0.55). src/tojson.schema.json describes it. */
#ifndef TLBLAB_PAYLOAD_PAYLOAD_H
#define TLBLAB_PAYLOAD_PAYLOAD_H

#include "report/run/run_tables.h"

struct json_object;

/* Builds it; release it with json_object_put(). Unknown values are null. Dies without samples or
 * the table of detect, or if a level or the penalty of method raw has several rows. */
struct json_object *payload_build(const struct run_tables *run);

/* ---- its parts ---- */

/* configuration.c: the object `configuration`, from the metadata and samples of one run, which must
 * have at least one sample. Unknown values are null. */
struct json_object *configuration_of(const struct run_tables *run);

/* step.c: whether method segment found the row. */
bool step_by_segment(const struct boundary *row);

/* Adds `boundary_index`, `boundary_latency_ns` and `persistent_jump`. No table has them: they are
 * recomputed from the samples, and null if those do not yield the row or the method is another. */
void step_add(struct json_object *object, const struct run_tables *run, const struct boundary *row);

/* A sentence for a row without a control, else NULL. */
struct json_object *step_warning(const struct boundary *row);

#endif
