/* payload.h: the verification payload, section 9 of the whitepaper "TLB Analysis" of
 * macOS-memory-benchmark (0.55), from the tables of one run. src/tojson.schema.json describes it.
 */
#ifndef TLBLAB_REPORT_PAYLOAD_H
#define TLBLAB_REPORT_PAYLOAD_H

#include "report/run_tables.h"

struct json_object;

/* Builds it (release it with json_object_put()). What the tables don't tell is null. Dies when
 * there are no samples, when nobody looked for boundaries in them, and when the tables hold the
 * answers of several runs. */
struct json_object *payload_build(const struct run_tables *run);

#endif
