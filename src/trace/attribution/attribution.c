/* attribution.c: what the addresses of a trace belong to.
 *
 *     struct labels labels = {0};
 *     struct attribution *attribution = attribution_open(&labels);
 *     puts(labels.at[attribution_object(attribution, record, record->address)]);
 */
#include "trace/attribution/attribution.h"
#include "base/error.h"
#include "trace/attribution/memory_blocks.h"
#include "trace/attribution/stacks.h"
#include <stdlib.h>
#include <string.h>

struct process {
    uint32_t number;
    struct symbols *symbols;
    char *maps;
    struct blocks blocks;     /* taken by the program; labels */
    struct blocks free;       /* pages that were accessed before they were taken; labels */
    struct number_map makers; /* of numbers of stacks: label + 1 */
};

/* The objects found last: most are accessed again before memory is taken or freed. */
struct found {
    uint64_t version; /* that of the attribution then */
    uint32_t process, label;
    uint64_t begin, last; /* of the object */
    uint64_t from, to;    /* on one page: addresses with this answer */
};

/* [bound] */
enum { FOUND = 1 << 10, FOUND_SHIFT = 6 };

struct attribution {
    struct found found[FOUND];
    uint64_t version; /* grows with each change of memory */
    struct binaries binaries;
    struct stacks stacks;
    struct makers makers;
    struct number_map takers; /* of labels of pages in process.free: 1 + the label of the block */
    struct process *processes;
    size_t count, last;
};

/* ---- processes ---- */

struct attribution *attribution_open(struct labels *labels)
{
    struct attribution *a = allocate(1, sizeof *a);
    a->binaries.labels = a->makers.labels = labels;
    a->stacks = stacks_of();
    a->version = 1;
    return a;
}

static void forget_makers(struct process *p)
{
    number_map_free(&p->makers);
    p->makers = (struct number_map){0};
}

static void free_process(struct process *p)
{
    forget_makers(p);
    blocks_free(&p->blocks);
    blocks_free(&p->free);
    symbols_close(p->symbols);
    free(p->maps);
}

void attribution_close(struct attribution *a)
{
    for (size_t i = 0; i < a->count; i++)
        free_process(&a->processes[i]);
    stacks_free(&a->stacks);
    makers_free(&a->makers);
    binaries_free(&a->binaries);
    number_map_free(&a->takers);
    free(a->processes);
    free(a);
}

static void set_maps(struct attribution *a, struct process *p, const char *maps)
{
    forget_makers(p);
    symbols_close(p->symbols);
    free(p->maps);
    p->maps = allocate(strlen(maps) + 1, 1);
    strcpy(p->maps, maps);
    p->symbols = symbols_open(&a->binaries, maps);
}

static struct process *find_process(struct attribution *a, uint32_t number)
{
    if (a->last < a->count && a->processes[a->last].number == number)
        return &a->processes[a->last];
    for (size_t i = 0; i < a->count; i++)
        if (a->processes[i].number == number)
            return &a->processes[a->last = i];
    return NULL;
}

/* A process with the memory of another one, if any. */
static struct process copy_of(struct attribution *a, uint32_t number, const struct process *other)
{
    struct process p = {.number = number};
    if (other != NULL)
        p.blocks = blocks_copy(&other->blocks);
    p.symbols = symbols_open(&a->binaries, "");
    set_maps(a, &p, other != NULL ? other->maps : "");
    return p;
}

static struct process *process_of(struct attribution *a, uint32_t number)
{
    struct process *known = find_process(a, number);
    if (known != NULL)
        return known;
    struct process p = copy_of(a, number, a->count > 0 ? &a->processes[0] : NULL);
    a->processes = reallocate(a->processes, a->count + 1, sizeof *a->processes);
    a->processes[a->count] = p;
    a->last = a->count;
    return &a->processes[a->count++];
}

/* The number may be that of a process which has ended. */
static void fork_process(struct attribution *a, const struct record *r)
{
    const struct process *parent = find_process(a, (uint32_t)r->address);
    if (parent == NULL || r->address == r->process)
        return;
    struct process child = copy_of(a, r->process, parent), *p = process_of(a, r->process);
    free_process(p);
    *p = child;
}

/* ---- names ---- */

/* Blocks are named by where they were taken: by their stack, or where the trace has none, by the
 * call alone. */
static uint32_t maker_of(struct attribution *a, struct process *p, const struct record *alloc)
{
    const struct stack *stack = stacks_find(&a->stacks, alloc);
    /* the number of a stack has 56 bits (runtime/stacks.c) */
    uint64_t *label = number_map_at(&p->makers, stack != NULL ? stack->number : ~alloc->site);
    if (*label == 0)
        *label = makers_label(&a->makers, p->symbols, stack != NULL ? stack->sites : &alloc->site,
                              stack != NULL ? stack->count : 1) +
                 (uint64_t)1;
    return (uint32_t)(*label - 1);
}

/* Memory that an allocator accesses before it is taken. Its pages, and the headers that an
 * allocator writes before a block, are those of the block that is taken there next. [prior] */
enum { FREE_SHIFT = 12, HEADER_BYTES = 16 };

static uint64_t page_of(uint64_t address)
{
    return address >> FREE_SHIFT << FREE_SHIFT;
}

static void take_pages(struct attribution *a, struct process *p, const struct record *alloc,
                       uint32_t label)
{
    uint64_t begin = page_of(alloc->address > HEADER_BYTES ? alloc->address - HEADER_BYTES : 0);
    const struct block *page = blocks_after(&p->free, begin);
    if (page == NULL || page->begin > record_last(alloc))
        return;
    for (; page != NULL && page->begin <= record_last(alloc);
         page = blocks_after(&p->free, page->begin + 1))
        *number_map_at(&a->takers, page->label) = label + (uint64_t)1;
    blocks_remove(&p->free, begin, record_last(alloc));
}

/* The label of a page that nothing explains yet: one of its own, named as `unknown` is. */
static uint32_t free_page(struct attribution *a, struct process *p, uint64_t address,
                          uint32_t unknown)
{
    const struct block *page = blocks_find(&p->free, address);
    uint64_t begin = page_of(address);
    if (page != NULL)
        return page->label;
    uint32_t label = labels_add(a->binaries.labels, a->binaries.labels->at[unknown]);
    *number_map_at(&a->takers, label) = unknown + (uint64_t)1;
    blocks_put(&p->free, begin, begin + (((uint64_t)1 << FREE_SHIFT) - 1), label);
    return label;
}

/* A part of a block that the program has named is put into that block. */
static void take_block(struct attribution *a, struct process *p, const struct record *alloc)
{
    uint64_t last = record_last(alloc);
    const char *name = alloc->site == 0 ? stacks_name(&a->stacks, alloc) : NULL;
    const struct block *around = name != NULL ? blocks_find(&p->blocks, alloc->address) : NULL;
    struct block whole = around != NULL ? *around : (struct block){0};
    uint32_t label = name != NULL ? labels_number(a->binaries.labels, name) : maker_of(a, p, alloc);
    blocks_put(&p->blocks, alloc->address, last, label);
    take_pages(a, p, alloc, label);
    if (whole.last > last)
        blocks_put(&p->blocks, last + 1, whole.last, whole.label);
}

/* free() itself accesses a block, whose record comes before: so a block keeps its name until its
 * memory is taken again. The memory of large ones goes back to the system. [prior] */
enum { KEPT_BYTES = 1 << 16 };

static void free_block(struct process *p, const struct record *r)
{
    const struct block *b = blocks_find(&p->blocks, r->address);
    if (r->bytes > 0 || b == NULL || b->last - b->begin >= KEPT_BYTES)
        blocks_remove(&p->blocks, r->address, record_last(r));
}

void attribution_take(struct attribution *a, const struct trace *trace, const struct record *r)
{
    a->version += r->op != TRACE_CALL && r->op != TRACE_NAME;
    if (r->op == TRACE_MAPS)
        set_maps(a, process_of(a, r->process), trace_maps(trace));
    else if (r->op == TRACE_EXEC) {
        blocks_free(&process_of(a, r->process)->blocks);
        blocks_free(&process_of(a, r->process)->free);
        set_maps(a, process_of(a, r->process), "");
    } else if (r->op == TRACE_FORK)
        fork_process(a, r);
    else if (r->op == TRACE_ALLOC)
        take_block(a, process_of(a, r->process), r);
    else if (r->op == TRACE_CALL)
        stacks_take(&a->stacks, r);
    else if (r->op == TRACE_NAME)
        stacks_take_name(&a->stacks, r);
    else if (r->op == TRACE_FREE)
        free_block(process_of(a, r->process), r);
    else if (r->op == TRACE_STACK)
        blocks_put(&process_of(a, r->process)->blocks, r->address, record_last(r),
                   labels_number(a->binaries.labels, "stack"));
}

/* The label of memory without a block, up to *last at most. An allocator keeps the size of a block
 * in front of it. */
static uint32_t look_between(struct attribution *a, struct process *p, uint64_t address,
                             uint32_t mapped, uint64_t *begin, uint64_t *last)
{
    const struct block *next = blocks_after(&p->blocks, address);
    *begin = address;
    if (next != NULL && next->begin <= *last)
        *last = next->begin - 1;
    if (next != NULL && next->begin - address <= HEADER_BYTES)
        return next->label;
    return free_page(a, p, address, mapped);
}

static uint32_t look_up(struct attribution *a, uint32_t process, uint64_t address, uint64_t *begin,
                        uint64_t *last)
{
    struct process *p = process_of(a, process);
    const struct block *b = blocks_find(&p->blocks, address);
    if (b == NULL) {
        uint32_t label = symbols_object(p->symbols, address, begin, last);
        const char *name = a->binaries.labels->at[label];
        bool is_free = strcmp(name, "mapped") == 0 || strcmp(name, "[heap]") == 0;
        return is_free ? look_between(a, p, address, label, begin, last) : label;
    }
    *begin = b->begin;
    *last = b->last;
    return b->label;
}

/* The object at an address. */
static const struct found *find(struct attribution *a, const struct record *r, uint64_t address)
{
    struct found *f = &a->found[address >> FOUND_SHIFT & (FOUND - 1)];
    uint64_t page = page_of(address), end = page + (((uint64_t)1 << FREE_SHIFT) - 1);
    if (f->version == a->version && f->process == r->process && address >= f->from &&
        address <= f->to)
        return f;
    f->label = look_up(a, r->process, address, &f->begin, &f->last);
    f->version = a->version;
    f->process = r->process;
    f->from = f->begin > page ? f->begin : page;
    f->to = f->last < end ? f->last : end;
    return f;
}

uint32_t attribution_object(struct attribution *a, const struct record *r, uint64_t address)
{
    return find(a, r, address)->label;
}

void attribution_range(struct attribution *a, const struct record *r, uint64_t address,
                       uint64_t *begin, uint64_t *last)
{
    const struct found *f = find(a, r, address);
    *begin = f->begin;
    *last = f->last;
}

/* A site is a return address: that of the instruction after the access. */
static uint64_t access_of(const struct record *r)
{
    return r->site > 0 ? r->site - 1 : 0;
}

uint32_t attribution_line(struct attribution *a, const struct record *r)
{
    return symbols_line(process_of(a, r->process)->symbols, access_of(r));
}

uint32_t attribution_function(struct attribution *a, const struct record *r)
{
    return symbols_function(process_of(a, r->process)->symbols, access_of(r));
}

void attribution_say_stripped(const struct attribution *a)
{
    binaries_say_stripped(&a->binaries);
}

uint32_t *attribution_names(const struct attribution *a, const struct name_form *form)
{
    size_t count = a->binaries.labels->count; /* the names themselves are further labels */
    uint32_t *names = makers_names(&a->makers, form);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t label = number_map_get(&a->takers, i);
        if (label != 0)
            names[i] = names[label - 1];
    }
    return names;
}
