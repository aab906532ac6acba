/* threads.c: a trace through TLBs.
 *
 *     threads_open(&threads, &plan, &pages, seed);
 *     while ((record = trace_next(trace)) != NULL)
 *         threads_run(&threads, record, count_miss, &counts);
 */
#include "trace/tlbs/threads.h"
#include "base/error.h"
#include "base/number.h"
#include <string.h>

void threads_open(struct threads *t, const struct tlb_plan *plan, struct pages *pages,
                  uint64_t seed)
{
    *t = (struct threads){.plan = plan, .pages = pages, .seed = seed};
    t->by_thread = by_thread_of(sizeof(struct thread_tlb));
}

void threads_close(struct threads *t)
{
    for (size_t i = 0; i < t->by_thread.count; i++)
        tlb_close(&threads_at(t, i)->tlb);
    by_thread_free(&t->by_thread);
}

static inline struct thread_tlb *thread_of(struct threads *t, const struct record *r)
{
    struct thread_tlb *thread = by_thread(&t->by_thread, r->process, r->thread);
    if (thread->tlb.plan == NULL)
        tlb_open(&thread->tlb, t->plan, random_mix(t->seed, t->by_thread.last));
    return thread;
}

static inline void run_page(struct threads *t, struct thread_tlb *thread, struct missed *part,
                            int kind, on_missed *missed, void *context)
{
    const struct tlb_chain *chain = tlb_chain(t->plan, kind, part->access->op == TRACE_EXECUTE);
    part->levels = tlb_access(&thread->tlb, chain, part->address);
    if (part->levels == 0)
        return;
    part->walked = part->levels == chain->levels;
    part->references = part->walked ? thread->tlb.references : 0;
    missed(context, part);
}

void threads_run_page(struct threads *t, const struct record *r, uint64_t address, int kind,
                      on_missed *missed, void *context)
{
    struct missed part = {.access = r, .address = address, .bytes = 1};
    run_page(t, thread_of(t, r), &part, kind, missed, context);
}

void threads_run(struct threads *t, const struct record *r, on_missed *missed, void *context)
{
    if (r->op == TRACE_EXEC)
        by_thread_begin(&t->by_thread, r->process, r->thread);
    if (r->op != TRACE_TOTAL && r->op != TRACE_EXEC && !record_is_access(r))
        return;
    struct thread_tlb *thread = thread_of(t, r);
    thread->accesses = r->sequence > thread->accesses ? r->sequence : thread->accesses;
    if (!record_is_access(r))
        return;
    struct missed part = {.access = r, .address = r->address};
    for (uint64_t left = record_length(r); left > 0; left -= part.bytes) {
        int kind = pages_kind(t->pages, part.address);
        part.bytes = pages_part(part.address, left, t->pages->shift[kind]);
        run_page(t, thread, &part, kind, missed, context);
        part.address += part.bytes;
    }
}

void threads_check(const struct trace *trace, const struct tlb_plan *plan,
                   const struct pages *pages)
{
    const char *recorded = trace_meta(trace, "record"), *machine = trace_meta(trace, "machine");
    uint64_t filter = size_or(trace_meta(trace, "filter_bytes"), 0);
    uint64_t recent = size_or(trace_meta(trace, "filter_pages"), 1);
    const char *why = tlb_refuses_filter(plan, pages, filter, recent);
    if (trace_meta(trace, "fetches") != NULL && plan->code[0].levels > 0 &&
        plan->code[0].array[0] == plan->data[0].array[0])
        why = "the first level of this machine has data and code in common";
    if (recorded != NULL && strcmp(recorded, "accesses") != 0)
        die("%s: the trace has only the misses of a TLB (%s): those of another one do not "
            "follow from them; record accesses",
            trace_name(trace), machine != NULL ? machine : "of an unknown machine");
    if (why != NULL)
        die("%s: the trace leaves out accesses to the last %llu block(s) of %llu bytes, and %s",
            trace_name(trace), (unsigned long long)recent, (unsigned long long)filter, why);
}

uint64_t threads_machine_sum(const struct tlb_plan *plan)
{
    uint64_t sum = plan->base_shift;
    for (int i = 0; i < plan->arrays; i++) {
        const struct assoc_shape *s = &plan->shape[i];
        sum = random_mix(random_mix(sum, s->entries), s->ways);
        sum = random_mix(random_mix(sum, (uint64_t)s->index << 8 | s->fold),
                         (uint64_t)s->replacement);
        for (int bit = 0; s->index == INDEX_BITS && bit < ASSOC_MASKS; bit++)
            sum = random_mix(sum, s->mask[bit]);
    }
    for (int kind = 0; kind < 2 * PAGE_KINDS; kind++) {
        const struct tlb_chain *c = kind < PAGE_KINDS ? &plan->data[kind]
                                                      : &plan->code[kind - PAGE_KINDS];
        for (int i = 0; i < c->levels; i++)
            sum = random_mix(sum, (uint64_t)c->array[i] << 32 | (uint64_t)c->shift[i] << 8 |
                                      (uint64_t)c->relation[i]);
    }
    return sum;
}
