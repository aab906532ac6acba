/* stacks.h: the call stacks with which a program has taken its blocks of memory. */
#ifndef TLBLAB_ATTRIBUTION_STACKS_H
#define TLBLAB_ATTRIBUTION_STACKS_H

#include "trace/format/by_thread.h"
#include "trace/format/record.h"
#include "trace/tlbs/number_map.h"

/* Return addresses, the innermost first; the first is that of the call that takes the block. */
struct stack {
    uint64_t number, count;
    uint64_t sites[STACK_MAX];
};

enum { NAME_BYTES_MAX = 126, NAME_PIECE = 7 }; /* [bound] */
struct object_name {
    char text[NAME_BYTES_MAX + 1];
};

/* Initialised by stacks_of(). */
struct stacks {
    struct stack *at;
    size_t count, room;
    struct number_map by_number; /* 1 + the place */
    struct by_thread current;    /* uint64_t: the same, of the thread's last record CALL */
    struct by_thread names;      /* struct object_name: of its last records NAME */
};
struct stacks stacks_of(void);
void stacks_free(struct stacks *stacks);

/* Takes a record CALL. */
void stacks_take(struct stacks *stacks, const struct record *call);

/* Takes a record NAME; the name of a block that the thread then takes, or NULL. */
void stacks_take_name(struct stacks *stacks, const struct record *piece);
const char *stacks_name(struct stacks *stacks, const struct record *alloc);

/* The stack of a record ALLOC, or NULL where the trace has none; until the next record CALL. */
const struct stack *stacks_find(struct stacks *stacks, const struct record *alloc);

#endif
