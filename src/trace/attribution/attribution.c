/* attribution.c: what the addresses of a trace belong to.
 *
 *     struct labels labels = {0};
 *     struct attribution *attribution = attribution_open(&labels);
 *     puts(labels.at[attribution_object(attribution, record, record->address)]);
 */
#include "trace/attribution/attribution.h"
#include "base/error.h"
#include "trace/attribution/memory_blocks.h"
#include "trace/attribution/symbols.h"
#include "trace/tlbs/number_map.h"
#include <stdlib.h>
#include <string.h>

/* One process. The names of sites and of stacks are kept, since libdw takes long. */
struct process {
    uint32_t number;
    struct symbols *symbols;
    char *maps;
    struct blocks blocks;                       /* taken by the program; labels */
    struct blocks names;                        /* cached symbol lookups, by address */
    struct number_map lines, functions, makers; /* of sites: label + 1 */
    struct number_map stacks;                   /* of their numbers: the same */
};

struct attribution {
    struct labels *labels;
    const struct stack_form *form;
    struct stacks stacks;
    struct process *processes;
    size_t count, last;
};

/* ---- labels ---- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash ^ hash >> 29;
}

static size_t label_slot(const struct labels *l, const char *name)
{
    size_t at = hash_text(name) & (l->room - 1);
    while (l->slots[at] != 0 && strcmp(l->at[l->slots[at] - 1], name) != 0)
        at = (at + 1) & (l->room - 1);
    return at;
}

static void grow_labels(struct labels *l)
{
    free(l->slots);
    l->room = l->room > 0 ? 2 * l->room : 256;
    l->slots = allocate(l->room, sizeof *l->slots);
    l->at = reallocate(l->at, l->room, sizeof *l->at);
    for (size_t i = 0; i < l->count; i++)
        l->slots[label_slot(l, l->at[i])] = (uint32_t)i + 1;
}

static uint32_t labels_number(struct labels *l, const char *name)
{
    if (2 * (l->count + 1) > l->room)
        grow_labels(l);
    uint32_t *slot = &l->slots[label_slot(l, name)];
    if (*slot == 0) {
        size_t bytes = strlen(name) + 1;
        l->at[l->count] = allocate(bytes, 1);
        memcpy(l->at[l->count], name, bytes);
        *slot = (uint32_t)++l->count;
    }
    return *slot - 1;
}

void labels_free(struct labels *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->at[i]);
    free(l->at);
    free(l->slots);
}

/* ---- processes ---- */

struct attribution *attribution_open(struct labels *labels, const struct stack_form *form)
{
    struct attribution *a = allocate(1, sizeof *a);
    a->labels = labels;
    a->form = form;
    a->stacks = stacks_of();
    return a;
}

static void forget_names(struct process *p)
{
    blocks_free(&p->names);
    number_map_free(&p->lines);
    number_map_free(&p->functions);
    number_map_free(&p->makers);
    number_map_free(&p->stacks);
    p->lines = p->functions = p->makers = p->stacks = (struct number_map){0};
}

static void free_process(struct process *p)
{
    forget_names(p);
    blocks_free(&p->blocks);
    symbols_close(p->symbols);
    free(p->maps);
}

void attribution_close(struct attribution *a)
{
    for (size_t i = 0; i < a->count; i++)
        free_process(&a->processes[i]);
    stacks_free(&a->stacks);
    free(a->processes);
    free(a);
}

static void set_maps(struct process *p, const char *maps)
{
    forget_names(p);
    symbols_close(p->symbols);
    free(p->maps);
    p->maps = allocate(strlen(maps) + 1, 1);
    strcpy(p->maps, maps);
    p->symbols = symbols_open(maps);
}

/* A process that is new was forked by the first one: it begins with the same memory. */
static struct process *process_of(struct attribution *a, uint32_t number)
{
    if (a->last < a->count && a->processes[a->last].number == number)
        return &a->processes[a->last];
    for (size_t i = 0; i < a->count; i++)
        if (a->processes[i].number == number)
            return &a->processes[a->last = i];
    struct process p = {.number = number};
    const char *maps = a->count > 0 ? a->processes[0].maps : "";
    if (a->count > 0)
        p.blocks = blocks_copy(&a->processes[0].blocks);
    p.symbols = symbols_open("");
    set_maps(&p, maps);
    a->processes = reallocate(a->processes, a->count + 1, sizeof *a->processes);
    a->processes[a->count] = p;
    a->last = a->count;
    return &a->processes[a->count++];
}

/* ---- names ---- */

/* A return address is that of the instruction after the call. */
static uint64_t call_of(uint64_t site)
{
    return site > 0 ? site - 1 : 0;
}

typedef const char *name_site(struct symbols *symbols, uint64_t address);

static uint32_t name_of_site(struct attribution *a, struct process *p, struct number_map *known,
                             uint64_t site, name_site *name)
{
    uint64_t *label = number_map_at(known, site);
    if (*label == 0)
        *label = labels_number(a->labels, name(p->symbols, call_of(site))) + (uint64_t)1;
    return (uint32_t)(*label - 1);
}

/* Blocks are named by where they were taken: by their stack, or where the trace has none, by the
 * call alone. */
static uint32_t maker_of(struct attribution *a, struct process *p, const struct record *alloc)
{
    char name[STACK_NAME_ROOM];
    const struct stack *stack = stacks_find(&a->stacks, alloc);
    uint64_t *label = stack != NULL ? number_map_at(&p->stacks, stack->number)
                                    : number_map_at(&p->makers, alloc->site);
    if (*label == 0) {
        if (stack != NULL)
            stack_name(a->form, p->symbols, stack->sites, stack->count, name);
        else
            stack_name(a->form, p->symbols, &alloc->site, 1, name);
        *label = labels_number(a->labels, name) + (uint64_t)1;
    }
    return (uint32_t)(*label - 1);
}

void attribution_take(struct attribution *a, const struct trace *trace, const struct record *r)
{
    if (r->op == TRACE_MAPS)
        set_maps(process_of(a, r->process), trace_maps(trace));
    else if (r->op == TRACE_EXEC) {
        blocks_free(&process_of(a, r->process)->blocks);
        set_maps(process_of(a, r->process), "");
    } else if (r->op == TRACE_ALLOC) {
        struct process *p = process_of(a, r->process);
        blocks_put(&p->blocks, r->address, record_last(r), maker_of(a, p, r));
    } else if (r->op == TRACE_CALL)
        stacks_take(&a->stacks, r);
    else if (r->op == TRACE_FREE)
        blocks_remove(&process_of(a, r->process)->blocks, r->address, record_last(r));
    else if (r->op == TRACE_STACK)
        blocks_put(&process_of(a, r->process)->blocks, r->address, record_last(r),
                   labels_number(a->labels, "stack"));
}

static const struct block *object_of(struct attribution *a, const struct record *r,
                                     uint64_t address)
{
    uint64_t begin, last;
    struct process *p = process_of(a, r->process);
    const struct block *b = blocks_find(&p->blocks, address);
    if (b == NULL)
        b = blocks_find(&p->names, address);
    if (b != NULL)
        return b;
    const char *name = symbols_object(p->symbols, address, &begin, &last);
    if (strcmp(name, "[stack]") == 0)
        name = "stack";
    blocks_put(&p->names, begin, last, labels_number(a->labels, name));
    return blocks_find(&p->names, address);
}

uint32_t attribution_object(struct attribution *a, const struct record *r, uint64_t address)
{
    return object_of(a, r, address)->label;
}

void attribution_range(struct attribution *a, const struct record *r, uint64_t address,
                       uint64_t *begin, uint64_t *last)
{
    const struct block *b = object_of(a, r, address);
    *begin = b->begin;
    *last = b->last;
}

uint32_t attribution_line(struct attribution *a, const struct record *r)
{
    struct process *p = process_of(a, r->process);
    return name_of_site(a, p, &p->lines, r->site, symbols_line);
}

uint32_t attribution_function(struct attribution *a, const struct record *r)
{
    struct process *p = process_of(a, r->process);
    return name_of_site(a, p, &p->functions, r->site, symbols_function);
}

void attribution_know(struct attribution *a, const struct record *r, const char *function)
{
    uint64_t *label = number_map_at(&process_of(a, r->process)->functions, r->site);
    if (*label == 0)
        *label = labels_number(a->labels, function) + (uint64_t)1;
}
