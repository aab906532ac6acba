/* attribution.h: what the addresses of a trace belong to: objects, lines, functions. */
#ifndef TLBLAB_ATTRIBUTION_ATTRIBUTION_H
#define TLBLAB_ATTRIBUTION_ATTRIBUTION_H

#include "trace/attribution/makers.h"
#include "trace/format/trace.h"

struct attribution;

struct attribution *attribution_open(struct labels *labels);

/* Takes records that say what addresses mean: ALLOC, FREE, STACK, CALL, MAPS (its text is the
 * trace's). Others change nothing. */
void attribution_take(struct attribution *attribution, const struct trace *trace,
                      const struct record *record);

/* The label of an object: "stack"; what symbols_object() says; or of a block all of its stack,
 * which attribution_names() makes short. */
uint32_t attribution_object(struct attribution *attribution, const struct record *record,
                            uint64_t address);

/* The bytes that the object has at this address: *begin … *last. */
void attribution_range(struct attribution *attribution, const struct record *record,
                       uint64_t address, uint64_t *begin, uint64_t *last);

/* The line and the function of a record's site, as labels. */
uint32_t attribution_line(struct attribution *attribution, const struct record *record);
uint32_t attribution_function(struct attribution *attribution, const struct record *record);

/* The names that objects have in the end, for each label so far (makers.h). The caller frees the
 * array. */
uint32_t *attribution_names(const struct attribution *attribution, const struct name_form *form);

/* Warns of files that lack names since they were stripped. */
void attribution_say_stripped(const struct attribution *attribution);
void attribution_close(struct attribution *attribution);

#endif
