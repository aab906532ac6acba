/* configuration.h: what was measured, how and where: the part of that name of the verification
 * payload (payload.h), from the metadata and the samples of one run. */
#ifndef TLBLAB_REPORT_CONFIGURATION_H
#define TLBLAB_REPORT_CONFIGURATION_H

#include "report/run_tables.h"

struct json_object;

/* The samples must not be empty. What the tables don't tell is null. */
struct json_object *configuration_of(const struct run_tables *run);

#endif
