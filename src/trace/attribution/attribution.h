/* attribution.h: what the addresses of a trace belong to: objects, lines, functions. */
#ifndef TLBLAB_ATTRIBUTION_ATTRIBUTION_H
#define TLBLAB_ATTRIBUTION_ATTRIBUTION_H

#include "trace/attribution/stacks.h"
#include "trace/format/trace.h"

/* Names, each with a number from 0. */
struct labels {
    char **at;
    size_t count;
    uint32_t *slots; /* private: a table of their numbers + 1 */
    size_t room;
};
void labels_free(struct labels *labels);

struct attribution;

/* `form` says how blocks of the heap are named; it stays the caller's. */
struct attribution *attribution_open(struct labels *labels, const struct stack_form *form);

/* Takes records that say what addresses mean: ALLOC, FREE, STACK, CALL, MAPS (its text is the
 * trace's). Others change nothing. */
void attribution_take(struct attribution *attribution, const struct trace *trace,
                      const struct record *record);

/* The number of the label of an object: a global variable; of a block what stack_name() says;
 * "stack"; or what symbols_object() says. */
uint32_t attribution_object(struct attribution *attribution, const struct record *record,
                            uint64_t address);

/* The bytes that the object has at this address: *begin … *last. */
void attribution_range(struct attribution *attribution, const struct record *record,
                       uint64_t address, uint64_t *begin, uint64_t *last);

/* The line and the function of a record's site, as labels. */
uint32_t attribution_line(struct attribution *attribution, const struct record *record);
uint32_t attribution_function(struct attribution *attribution, const struct record *record);

/* The function of a record's site is called so. */
void attribution_know(struct attribution *attribution, const struct record *record,
                      const char *function);
void attribution_close(struct attribution *attribution);

#endif
