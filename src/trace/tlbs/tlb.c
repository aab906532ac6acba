/* tlb.c: the TLBs and page-walk caches of one thread.
 *
 *     struct tlb_plan plan = tlb_plan(&model, &pages, false, 0);
 *     tlb_open(&tlb, &plan, seed);
 *     bool walked = tlb_access(&tlb, &plan.data[0], address) == plan.data[0].levels;
 */
#include "trace/tlbs/tlb.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"

/* Virtual addresses that four tables of 4 KiB pages translate; other sizes have as many tables as
 * that takes. No processor translates more than five of them do. [physics] */
enum { ADDRESS_BITS = 48, ADDRESS_BITS_MAX = 57, ENTRY_SHIFT = 3 };

/* ---- the plan ---- */

/* The row that each array was planned for, and the name under which others share it. */
struct planned {
    const char *shared[TLB_ARRAYS];
    const struct model_level *row[TLB_ARRAYS];
};

/* The array of a row: the one of a row planned before that shares it, or a new one. */
static int plan_array(struct tlb_plan *plan, struct planned *planned, const struct model_level *row)
{
    for (int i = 0; i < plan->arrays; i++)
        if (planned->row[i] == row || (row->shared != NULL && planned->shared[i] == row->shared))
            return i;
    planned->row[plan->arrays] = row;
    planned->shared[plan->arrays] = row->shared;
    plan->shape[plan->arrays] = row->shape;
    return plan->arrays++;
}

/* Tables that translate addresses of so many bits to pages of this size, 2^page. */
static unsigned tables_of(const struct tlb_plan *plan, unsigned page, unsigned address_bits)
{
    return (address_bits - page + plan->table_bits - 1) / plan->table_bits;
}

static void plan_walk(struct tlb_plan *plan, struct planned *planned, const struct model *model,
                      unsigned page, struct tlb_chain *chain)
{
    const struct model_level *walk[MODEL_LEVELS];
    unsigned bits = plan->table_bits, base = plan->base_shift;
    int walks = model_levels(&model->walk, model->page_bytes, walk);
    chain->page = page;
    chain->tables = tables_of(plan, page, ADDRESS_BITS);
    for (int i = 0; i < walks; i++) {
        unsigned covers = base + (unsigned)(i + 1) * bits;
        if (covers <= page || covers >= ADDRESS_BITS)
            continue;
        chain->walk[chain->walks] = plan_array(plan, planned, walk[i]);
        chain->walk_shift[chain->walks++] = covers;
    }
}

static struct tlb_chain plan_chain(struct tlb_plan *plan, struct planned *planned,
                                   const struct model *model, const struct model_rows *rows,
                                   unsigned page, bool contiguous)
{
    const struct model_level *level[MODEL_LEVELS];
    struct tlb_chain chain = {.levels = model_levels(rows, (uint64_t)1 << page, level)};
    for (int i = 0; i < chain.levels; i++) {
        chain.array[i] = plan_array(plan, planned, level[i]);
        chain.shift[i] = page + (contiguous ? highest_bit(level[i]->coalesce) : 0);
        chain.relation[i] = level[i]->relation;
    }
    plan_walk(plan, planned, model, page, &chain);
    return chain;
}

struct tlb_plan tlb_plan(const struct model *model, const struct pages *pages, bool contiguous,
                         uint64_t host_page_bytes)
{
    struct tlb_plan plan = {.base_shift = highest_bit(model->page_bytes),
                            .user_bits = model->user_address_bits,
                            .nested = host_page_bytes > 0};
    struct planned planned = {{NULL}, {NULL}};
    plan.table_bits = plan.base_shift - ENTRY_SHIFT;
    if (plan.nested)
        plan.host_tables = tables_of(&plan, highest_bit(host_page_bytes), ADDRESS_BITS);
    for (int kind = 0; kind < pages->kinds; kind++) {
        unsigned page = pages->shift[kind];
        plan.data[kind] = plan_chain(&plan, &planned, model, &model->dtlb, page, contiguous);
        plan.code[kind] = plan_chain(&plan, &planned, model, &model->itlb, page, contiguous);
        plan.code[kind].executes = true;
        if (plan.data[kind].levels == 0)
            die("%s has no dTLB for pages of %llu bytes", model->name,
                (unsigned long long)1 << page);
    }
    return plan;
}

const char *tlb_refuses_filter(const struct tlb_plan *plan, const struct pages *pages,
                               uint64_t filter_bytes, uint64_t filter_pages)
{
    for (int i = 0; i < plan->arrays && filter_bytes > 0; i++)
        if (plan->shape[i].replacement == REPLACE_SRRIP)
            return "under srrip an access that is repeated changes the age of its entry";
    for (int kind = 0; kind < pages->kinds && filter_bytes > 0 && filter_pages > 1; kind++) {
        const struct assoc_shape *first = &plan->shape[plan->data[kind].array[0]];
        if (first->replacement != REPLACE_LRU || first->ways < filter_pages)
            return "only a first level with LRU and as many ways holds them for sure (trace again "
                   "with "
                   "TLBLAB_FILTER=1)";
    }
    for (int kind = 0; kind < pages->kinds; kind++)
        if ((uint64_t)1 << pages->shift[kind] < filter_bytes)
            return "its pages are smaller than the blocks that the trace distinguishes";
    return NULL;
}

/* The first level of a chain, which may share its entries with that of another one. */
static bool is_alone(const struct tlb_plan *plan, const struct tlb_chain *chain)
{
    const struct assoc_shape *first = &plan->shape[chain->array[0]];
    return first->replacement == REPLACE_LRU &&
           (first->index == INDEX_LINEAR || first->ways == first->entries) &&
           (chain->levels == 1 || chain->relation[1] == INCLUSION_NEITHER);
}

static bool may_share(const struct tlb_plan *plan, const struct tlb_chain *chain,
                      const struct tlb_chain *other)
{
    const struct assoc_shape *first = &plan->shape[chain->array[0]];
    bool apart = other->levels == 0 || chain == other || chain->array[0] != other->array[0] ||
                 (chain->executes == other->executes && first->ways == first->entries);
    for (int i = 1; i < other->levels; i++)
        apart = apart && other->array[i] != chain->array[0];
    return apart;
}

bool tlb_level1_alone(const struct tlb_plan *plan, const struct pages *pages, bool fetches)
{
    const struct tlb_chain *chains[] = {&plan->data[0], &plan->data[1], &plan->code[0],
                                        &plan->code[1]};
    bool alone = pages->kinds <= 2 && pages->count == 0;
    for (int i = 0; i < (fetches ? 4 : 2); i++)
        for (int k = 0; k < 4 && chains[i]->levels > 0; k++)
            alone = alone && is_alone(plan, chains[i]) && may_share(plan, chains[i], chains[k]);
    return alone;
}

/* ---- accesses ---- */

void tlb_open(struct tlb *tlb, const struct tlb_plan *plan, uint64_t seed)
{
    *tlb = (struct tlb){.plan = plan};
    for (int i = 0; i < plan->arrays; i++)
        tag_array_open(&tlb->array[i], &plan->shape[i], random_mix(seed, (uint64_t)i));
}

void tlb_close(struct tlb *tlb)
{
    for (int i = 0; i < tlb->plan->arrays; i++)
        tag_array_close(&tlb->array[i]);
}

/* An entry's tag: its number, what it covers, and a bit so that it is not 0. Entries that cover
 * different sizes may share an array. */
static uint64_t tag_of(uint64_t number, unsigned shift)
{
    return number << 7 | (uint64_t)shift << 1 | 1;
}

/* The number below a tag, which selects the set. */
static uint64_t number_of(uint64_t tag)
{
    return tag >> 7;
}

static bool takes_victims(const struct tlb_chain *chain, int level)
{
    return level < chain->levels && chain->relation[level] == INCLUSION_EXCLUSIVE;
}

/* Invalidates an evicted entry in the levels that this one includes. */
ALWAYS_INLINE void drop_included(struct tlb *tlb, const struct tlb_chain *chain, int level,
                                 uint64_t tag)
{
    while (level > 0 && chain->relation[level] == INCLUSION_INCLUSIVE) {
        level--;
        tag_array_drop(&tlb->array[chain->array[level]], number_of(tag), tag);
    }
}

/* The chain that an evicted entry belongs to: sizes of pages, data and code may share an array.
 */
ALWAYS_INLINE const struct tlb_chain *owner(const struct tlb_plan *plan,
                                            const struct tlb_chain *chain, int level, uint64_t tag)
{
    unsigned shift = (unsigned)(tag >> 1 & 63);
    if (chain->shift[level] == shift)
        return chain;
    for (int kind = 0; kind < 2 * PAGE_KINDS; kind++) {
        const struct tlb_chain *c = kind < PAGE_KINDS ? &plan->data[kind]
                                                      : &plan->code[kind - PAGE_KINDS];
        if (level < c->levels && c->shift[level] == shift && c->array[level] == chain->array[level])
            return c;
    }
    return chain;
}

/* Fills a level; what that evicts goes to the next one where it is exclusive. */
ALWAYS_INLINE void fill(struct tlb *tlb, const struct tlb_chain *chain, int level, uint64_t number)
{
    uint64_t tag = tag_of(number, chain->shift[level]);
    tag = tag_array_fill(&tlb->array[chain->array[level]], number, tag);
    while (tag != 0) {
        chain = owner(tlb->plan, chain, level, tag);
        drop_included(tlb, chain, level, tag);
        if (!takes_victims(chain, ++level))
            return;
        tag = tag_array_fill(&tlb->array[chain->array[level]], number_of(tag), tag);
    }
}

/* Tables of a walk to this address. An address that has more bits than a program's with four tables
 * shows that the system has five, as with LA57 of x86; the system's own addresses begin with ones.
 */
static unsigned tables_to(const struct tlb_plan *plan, const struct tlb_chain *chain,
                          uint64_t address)
{
    uint64_t number = address >> 63 != 0 ? ~address : address;
    unsigned bits = highest_bit(number) + 1 + ADDRESS_BITS - plan->user_bits;
    if (number >> plan->user_bits == 0)
        return chain->tables;
    return tables_of(plan, chain->page, bits < ADDRESS_BITS_MAX ? bits : ADDRESS_BITS_MAX);
}

/* Looks the tables up in the page-walk caches; sets tlb->references. In a guest each reference
 * needs a walk of the host's tables, and so does the address that is found. */
ALWAYS_INLINE void walk(struct tlb *tlb, const struct tlb_chain *chain, uint64_t address)
{
    const struct tlb_plan *plan = tlb->plan;
    unsigned tables = tables_to(plan, chain, address);
    int hit = 0;
    for (; hit < chain->walks; hit++) {
        unsigned shift = chain->walk_shift[hit];
        uint64_t number = address >> shift;
        if (tag_array_hit(&tlb->array[chain->walk[hit]], number, tag_of(number, shift)))
            break;
    }
    if (hit < chain->walks)
        tables = chain->tables - tables_of(plan, chain->walk_shift[hit], ADDRESS_BITS);
    for (int i = 0; i < hit; i++) {
        uint64_t number = address >> chain->walk_shift[i];
        tag_array_fill(&tlb->array[chain->walk[i]], number, tag_of(number, chain->walk_shift[i]));
    }
    tlb->references = plan->nested ? (tables + 1) * (plan->host_tables + 1) - 1 : tables;
}

WIDE_AS_POSSIBLE
int tlb_access(struct tlb *tlb, const struct tlb_chain *chain, uint64_t address)
{
    int done = chain->done, hit = done;
    struct tlb_count *count = chain->executes ? &tlb->code : &tlb->data;
    count->visits++;
    for (int i = 0; i < done; i++)
        count->missed[i]++;
    for (; hit < chain->levels; hit++) {
        uint64_t number = address >> chain->shift[hit];
        if (tag_array_hit(&tlb->array[chain->array[hit]], number,
                          tag_of(number, chain->shift[hit])))
            break;
        count->missed[hit]++;
    }
    if (hit == 0)
        return 0;
    if (takes_victims(chain, hit)) {
        uint64_t number = address >> chain->shift[hit];
        tag_array_drop(&tlb->array[chain->array[hit]], number, tag_of(number, chain->shift[hit]));
    }
    for (int i = hit - 1; i >= done; i--)
        if (!takes_victims(chain, i))
            fill(tlb, chain, i, address >> chain->shift[i]);
    if (hit == chain->levels)
        walk(tlb, chain, address);
    return hit;
}
