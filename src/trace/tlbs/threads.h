/* threads.h: a trace through TLBs: each thread of each process has its own. */
#ifndef TLBLAB_TLBS_THREADS_H
#define TLBLAB_TLBS_THREADS_H

#include "trace/format/by_thread.h"
#include "trace/format/trace.h"
#include "trace/tlbs/tlb.h"

struct thread_tlb {
    uint64_t accesses; /* so far, those included that the trace leaves out */
    struct tlb tlb;
};

struct threads {
    const struct tlb_plan *plan;
    struct pages *pages;
    uint64_t seed;
    struct by_thread by_thread; /* struct thread_tlb */
};

static inline struct thread_tlb *threads_at(const struct threads *threads, size_t i)
{
    return threads->by_thread.at[i].item;
}

/* A part of an access within one page, of which `levels` levels missed (at least 1). */
struct missed {
    const struct record *access;
    uint64_t address, bytes;
    int levels;
    bool walked;         /* all levels missed */
    unsigned references; /* of the walk; 0 without one */
};
typedef void on_missed(void *context, const struct missed *missed);

void threads_open(struct threads *threads, const struct tlb_plan *plan, struct pages *pages,
                  uint64_t seed);

/* Runs a record of any kind; calls `missed` for each page of an access that misses. */
void threads_run(struct threads *threads, const struct record *record, on_missed *missed,
                 void *context);

/* The same for a part of an access that lies within one page of this kind, whatever `pages` says.
 */
void threads_run_page(struct threads *threads, const struct record *record, uint64_t address,
                      int kind, on_missed *missed, void *context);
void threads_close(struct threads *threads);

/* Dies when the trace has misses alone, or leaves out accesses that change the plan's misses. */
void threads_check(const struct trace *trace, const struct tlb_plan *plan,
                   const struct pages *pages);

/* A number that differs for machines that differ. */
uint64_t threads_machine_sum(const struct tlb_plan *plan);

#endif
