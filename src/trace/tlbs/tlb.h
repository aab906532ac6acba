/* tlb.h: the TLBs and page-walk caches of one thread, access by access: the machine descriptions of
 * simulate(1), with pages of several sizes. */
#ifndef TLBLAB_TLBS_TLB_H
#define TLBLAB_TLBS_TLB_H

#include "tlb/simulate/model.h"
#include "trace/tlbs/pages.h"
#include "trace/tlbs/tag_array.h"

/* [bound] */
enum { TLB_ARRAYS = 2 * MODEL_LEVELS * PAGE_KINDS + MODEL_WALK_LEVELS };

/* The levels that translate one size of pages for data or for code. */
struct tlb_chain {
    int levels;
    int array[MODEL_LEVELS];
    unsigned shift[MODEL_LEVELS]; /* of what one entry covers */
    enum relation relation[MODEL_LEVELS];
    int walks; /* page-walk caches that know tables above such a page */
    int walk[MODEL_WALK_LEVELS];
    unsigned walk_shift[MODEL_WALK_LEVELS];
    unsigned page;   /* log2 of its size */
    unsigned tables; /* references of a walk that no cache shortens */
    bool executes;   /* it is of code */
    int done;        /* levels that every access has missed: the trace leaves out what hits them */
};

/* The part that all threads share. */
struct tlb_plan {
    struct assoc_shape shape[TLB_ARRAYS];
    int arrays;
    struct tlb_chain data[PAGE_KINDS], code[PAGE_KINDS];
    unsigned base_shift, table_bits; /* of the base page; of the index into a table */
    unsigned user_bits;              /* of a program's address with that many tables */
    bool nested;
    unsigned host_tables;
};

/* A plan for these pages. `contiguous`: neighbouring pages lie on neighbouring frames, so that one
 * entry holds as many as `coalesce` says. `host_page_bytes`: 0, or the pages of the host that the
 * machine is a guest of. Dies where the machine has no TLB for one of the sizes. */
struct tlb_plan tlb_plan(const struct model *model, const struct pages *pages, bool contiguous,
                         uint64_t host_page_bytes);

/* Why a trace without accesses to the last `filter_pages` blocks of `filter_bytes` cannot give the
 * misses of this machine, or NULL: repeating an access must change nothing, and of several blocks
 * the first level must hold all for sure. */
const char *tlb_refuses_filter(const struct tlb_plan *plan, const struct pages *pages,
                               uint64_t filter_bytes, uint64_t filter_pages);

/* Whether nothing behind the first levels sees their hits, and its order is all that these change:
 * LRU, sets by the low bits, no inclusion, at most two sizes of pages, which share entries only in
 * one set. Of code only where it is traced. */
bool tlb_level1_alone(const struct tlb_plan *plan, const struct pages *pages, bool fetches);

struct tlb {
    const struct tlb_plan *plan;
    struct tag_array array[TLB_ARRAYS];
    unsigned references; /* to memory, of the last walk */
    struct tlb_count {
        uint64_t visits, missed[MODEL_LEVELS];
    } data, code;
};

void tlb_open(struct tlb *tlb, const struct tlb_plan *plan, uint64_t seed);
void tlb_close(struct tlb *tlb);

/* The levels of the chain for an access to a page of this kind. */
static inline const struct tlb_chain *tlb_chain(const struct tlb_plan *plan, int kind,
                                                bool executes)
{
    return executes ? &plan->code[kind] : &plan->data[kind];
}

/* One access to the page under the address, through a chain of the plan; returns how many levels
 * missed: all of the chain's where the page is walked for. */
int tlb_access(struct tlb *tlb, const struct tlb_chain *chain, uint64_t address);

#endif
