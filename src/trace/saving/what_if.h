/* what_if.h: the misses of each object, as the pages are and with some objects on huge pages. */
#ifndef TLBLAB_SAVING_WHAT_IF_H
#define TLBLAB_SAVING_WHAT_IF_H

#include "trace/attribution/makers.h"
#include "trace/attribution/penalties.h"
#include "trace/format/trace.h"
#include "trace/saving/measured.h"

/* Runs a trace of accesses through the TLBs twice at once: with the machine's own pages everywhere,
 * and with the objects that `huge` names (a comma list of labels as `misses --by object` writes
 * them in this form, or their first words; "all") on pages of 2 MiB. Writes a row for each object,
 * with what was measured beside what is predicted. Dies where no object has one of the names. */
int what_if(struct trace *trace, const struct model *model, const char *huge, bool contiguous,
            const struct name_form *form, const struct penalties *penalties,
            const struct measured *measured);

#endif
