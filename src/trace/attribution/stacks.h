/* stacks.h: the call stacks with which a program has taken its blocks of memory, and the names that
 * the blocks have from them. */
#ifndef TLBLAB_ATTRIBUTION_STACKS_H
#define TLBLAB_ATTRIBUTION_STACKS_H

#include "trace/attribution/symbols.h"
#include "trace/format/by_thread.h"
#include "trace/format/record.h"
#include "trace/tlbs/number_map.h"

/* How a block is named: by the first function of its stack that is not to be skipped. */
struct stack_form {
    const char *skip; /* a list with commas of names to skip, with * and ?; NULL: the usual ones
                         alone */
    unsigned depth;   /* how many functions, that one and its callers; 0: one */
    bool whole;       /* the whole stack instead */
};

/* Return addresses, the innermost first; the first is that of the call that takes the block. */
struct stack {
    uint64_t number, count;
    uint64_t sites[STACK_MOST];
};

/* Initialised by stacks_of(). */
struct stacks {
    struct stack *at;
    size_t count, room;
    struct number_map by_number; /* 1 + the place */
    struct by_thread current;    /* uint64_t: the same, of the thread's last record CALL */
};
struct stacks stacks_of(void);
void stacks_free(struct stacks *stacks);

/* Takes a record CALL. */
void stacks_take(struct stacks *stacks, const struct record *call);

/* The stack of a record ALLOC, or NULL where the trace has none; until the next record CALL. */
const struct stack *stacks_find(struct stacks *stacks, const struct record *alloc);

enum { STACK_NAME_ROOM = 1 << 14 }; /* [bound] */

/* Writes the name of the blocks that are taken with a stack: "heap FUNCTION (FILE:LINE)"; of
 * several functions the outermost first, with ';' between them. Returns how many of the sites it
 * takes to find the first of these functions. */
size_t stack_name(const struct stack_form *form, struct symbols *symbols, const uint64_t *sites,
                  size_t count, char name[STACK_NAME_ROOM]);

#endif
