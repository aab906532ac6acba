/* stacks.c: the call stacks of blocks of memory.
 *
 *     struct stack_form form = {.skip = "pool_*"};
 *     stack_name(&form, symbols, stack->sites, stack->count, name);
 */
#include "trace/attribution/stacks.h"
#include "base/error.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that take memory for others. */
static const char usual[] = "malloc,calloc,realloc,aligned_alloc,x*alloc,*_malloc,*_calloc,"
                            "*_realloc,operator new*,std::*,__gnu_cxx::*";

/* ---- stacks ---- */

struct stacks stacks_of(void)
{
    return (struct stacks){.current = by_thread_of(sizeof(uint64_t))};
}

void stacks_free(struct stacks *s)
{
    free(s->at);
    number_map_free(&s->by_number);
    by_thread_free(&s->current);
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
    if (call->bytes == 0 || call->bytes > STACK_MOST)
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

/* ---- names ---- */

static bool is_in(const char *list, const char *function)
{
    char pattern[FUNCTION_ROOM];
    for (const char *at = list; at != NULL && *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, function, 0) == 0)
            return true;
        at += length;
    }
    return false;
}

static bool is_skipped(const struct stack_form *form, const struct frame *f)
{
    return is_in(usual, f->function) || is_in(form->skip, f->function);
}

/* The functions of a stack, up to main(). */
struct functions {
    struct frame *at;
    size_t count;
};

static struct functions functions_of(struct symbols *symbols, const uint64_t *sites, size_t count)
{
    struct functions f = {NULL, 0};
    for (size_t i = 0; i < count; i++) {
        f.at = reallocate(f.at, f.count + FRAMES_MOST, sizeof *f.at);
        /* a return address is that of the instruction after the call */
        size_t all = f.count +
                     symbols_frames(symbols, sites[i] > 0 ? sites[i] - 1 : 0, f.at + f.count);
        for (; f.count < all; f.count++)
            f.at[f.count].place = i;
        if (strcmp(f.at[f.count - 1].function, "main") == 0)
            break;
    }
    return f;
}

/* Leaves one frame of each function that was called, whose line is the first one in it that is not
 * skipped, be it of a function that was expanded there. Where the function itself is skipped, that
 * one is in its place; where all are, none. */
static void choose(const struct stack_form *form, struct functions *f)
{
    size_t kept = 0, first = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->at[i].inlined)
            continue;
        while (first < i && is_skipped(form, &f->at[first]))
            first++;
        bool skipped = is_skipped(form, &f->at[i]);
        if (first < i || !skipped) {
            struct frame chosen = f->at[skipped ? first : i];
            memcpy(chosen.line, f->at[first].line, sizeof chosen.line);
            f->at[kept++] = chosen;
        }
        first = i + 1;
    }
    size_t depth = form->depth > 0 ? form->depth : 1;
    f->count = kept < depth ? kept : depth;
}

static void put_frame(char name[STACK_NAME_ROOM], const struct frame *f, char before)
{
    size_t used = strlen(name);
    const char *blank = f->line[0] != '\0' ? " (" : "", *end = f->line[0] != '\0' ? ")" : "";
    snprintf(name + used, STACK_NAME_ROOM - used, "%c%s%s%s%s", before, f->function, blank, f->line,
             end);
}

size_t stack_name(const struct stack_form *form, struct symbols *symbols, const uint64_t *sites,
                  size_t count, char name[STACK_NAME_ROOM])
{
    struct functions f = functions_of(symbols, sites, count);
    size_t all = f.count;
    struct frame innermost = f.at[0];
    if (!form->whole)
        choose(form, &f);
    if (f.count == 0 && all > 0)
        f.at[f.count++] = innermost; /* all are skipped */
    snprintf(name, STACK_NAME_ROOM, "heap");
    for (size_t i = f.count; i-- > 0;)
        put_frame(name, &f.at[i], i + 1 == f.count && !form->whole ? ' ' : ';');
    size_t taken = f.at[0].place + 1;
    free(f.at);
    return taken;
}
