/* stacks.c: the call stacks of blocks of memory.
 *
 *     stacks_take(&stacks, call);
 *     const struct stack *stack = stacks_find(&stacks, alloc);
 */
#include "trace/attribution/stacks.h"
#include "base/error.h"
#include <stdlib.h>

struct stacks stacks_of(void)
{
    return (struct stacks){.current = by_thread_of(sizeof(uint64_t)),
                           .names = by_thread_of(sizeof(struct object_name))};
}

void stacks_free(struct stacks *s)
{
    free(s->at);
    number_map_free(&s->by_number);
    by_thread_free(&s->current);
    by_thread_free(&s->names);
}

void stacks_take(struct stacks *s, const struct record *call)
{
    uint64_t *place = number_map_at(&s->by_number, call->address);
    if (*place == 0) {
        if (s->count == s->room)
            s->at = reallocate(s->at, s->room = 2 * s->room + 16, sizeof *s->at);
        s->at[s->count] = (struct stack){.number = call->address};
        *place = ++s->count;
    }
    *(uint64_t *)by_thread(&s->current, call->process, call->thread) = *place;
    struct stack *stack = &s->at[*place - 1];
    if (call->bytes == 0 || call->bytes > STACK_MAX)
        return;
    stack->sites[call->bytes - 1] = call->site;
    stack->count = call->bytes > stack->count ? call->bytes : stack->count;
}

const struct stack *stacks_find(struct stacks *s, const struct record *alloc)
{
    uint64_t place = *(uint64_t *)by_thread(&s->current, alloc->process, alloc->thread);
    const struct stack *stack = place > 0 ? &s->at[place - 1] : NULL;
    return stack != NULL && stack->sites[0] == alloc->site ? stack : NULL;
}

void stacks_take_name(struct stacks *s, const struct record *piece)
{
    struct object_name *name = by_thread(&s->names, piece->process, piece->thread);
    if (piece->bytes == 0 || piece->bytes > NAME_BYTES_MAX / NAME_PIECE)
        return;
    char *at = name->text + (piece->bytes - 1) * NAME_PIECE;
    for (int i = 0; i < NAME_PIECE; i++) {
        char c = (char)(piece->address >> 8 * i & 255);
        at[i] = (char)(c != '\0' && (c & 127) < ' ' ? '?' : c);
    }
    at[NAME_PIECE] = '\0';
}

const char *stacks_name(struct stacks *s, const struct record *alloc)
{
    const struct object_name *name = by_thread(&s->names, alloc->process, alloc->thread);
    return name->text[0] != '\0' ? name->text : NULL;
}
