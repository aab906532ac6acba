/* configuration.h: the object `configuration` of the verification payload (payload.h). */
#ifndef TLBLAB_PAYLOAD_CONFIGURATION_H
#define TLBLAB_PAYLOAD_CONFIGURATION_H

#include "report/run/run_tables.h"

struct json_object;

/* Builds it from the metadata and samples of one run, which must have at least one sample. Unknown
 * values are null. */
struct json_object *configuration_of(const struct run_tables *run);

#endif
