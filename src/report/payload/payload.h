/* payload.h: the verification payload of one run: section 9 of the whitepaper "TLB Analysis" of
 * macOS-memory-benchmark (0.55). src/tojson.schema.json describes it. */
#ifndef TLBLAB_PAYLOAD_PAYLOAD_H
#define TLBLAB_PAYLOAD_PAYLOAD_H

#include "report/run/run_tables.h"

struct json_object;

/* Builds it; release it with json_object_put(). Unknown values are null. Dies without samples or
 * the table of detect, or if a level or the penalty of method raw has several rows. */
struct json_object *payload_build(const struct run_tables *run);

#endif
