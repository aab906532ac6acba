/* curve.c: the misses of a trace for every size of a TLB.
 *
 *     struct curve *curve = curve_open(&pages, 0, 0);
 *     while ((record = trace_next(trace)) != NULL)
 *         curve_run(curve, record);
 *     curve_write(curve);
 */
#include "trace/curve.h"
#include "base/error.h"
#include "table/table.h"
#include "trace/stack_distance.h"
#include "trace/structure.h"
#include <stdlib.h>
#include <string.h>

enum { SET_COUNTS = 17 }; /* 1 to 65536 */

struct curve_thread {
    uint32_t process, thread;
    uint64_t accesses, records; /* all of them; those in the trace */
    struct stack stack;
    struct shards shards;
    struct structure sets[SET_COUNTS];
};

struct curve {
    struct pages *pages;
    uint64_t shards, ways;
    struct curve_thread **threads;
    size_t count;
    struct curve_thread *last;
    struct distances distances; /* without shards, of all threads */
    double hits[SET_COUNTS];
    double visits;  /* pages of accesses in the trace */
    uint64_t least; /* entries of the smallest TLB that is known */
};

struct curve *curve_open(struct pages *pages, uint64_t shards, uint64_t ways)
{
    struct curve *c = allocate(1, sizeof *c);
    c->pages = pages;
    c->shards = shards;
    c->ways = ways;
    c->least = 1;
    return c;
}

void curve_begin_at(struct curve *c, uint64_t entries)
{
    c->least = entries;
}

static struct curve_thread *thread_of(struct curve *c, const struct record *r)
{
    if (c->last != NULL && c->last->thread == r->thread && c->last->process == r->process)
        return c->last;
    for (size_t i = 0; i < c->count; i++)
        if (c->threads[i]->thread == r->thread && c->threads[i]->process == r->process)
            return c->last = c->threads[i];
    struct curve_thread *t = allocate(1, sizeof *t);
    t->process = r->process;
    t->thread = r->thread;
    if (c->shards > 0)
        shards_open(&t->shards, c->shards);
    for (int k = 0; k < SET_COUNTS && c->ways > 0; k++) {
        struct assoc_shape shape = {.entries = c->ways << k, .ways = c->ways};
        structure_open(&t->sets[k], &shape, 0);
    }
    c->threads = reallocate(c->threads, c->count + 1, sizeof *c->threads);
    c->threads[c->count++] = t;
    return c->last = t;
}

/* One TLB of each number of sets. */
static void visit_sets(struct curve *c, struct curve_thread *t, uint64_t number, uint64_t tag)
{
    for (int k = 0; k < SET_COUNTS; k++)
        if (structure_hit(&t->sets[k], number, tag))
            c->hits[k]++;
        else
            structure_fill(&t->sets[k], number, tag);
}

/* Pages of different sizes may have the same number: the lowest bits of `page` say which size. */
static void visit_page(struct curve *c, struct curve_thread *t, uint64_t address, int kind)
{
    uint64_t number = address >> c->pages->shift[kind];
    uint64_t page = number * PAGE_KINDS + (uint64_t)kind;
    c->visits++;
    if (c->ways > 0)
        visit_sets(c, t, number, page + 1);
    else if (c->shards > 0)
        shards_access(&t->shards, page);
    else
        distances_add(&c->distances, stack_access(&t->stack, page), 1);
}

void curve_run(struct curve *c, const struct record *r)
{
    uint64_t address = r->address, last = address + (r->bytes > 0 ? r->bytes - 1 : 0);
    if (r->op != TRACE_TOTAL && !record_is_access(r))
        return;
    struct curve_thread *t = thread_of(c, r);
    t->accesses = r->sequence > t->accesses ? r->sequence : t->accesses;
    if (r->op == TRACE_TOTAL)
        return;
    t->records++;
    for (;;) {
        int kind = pages_kind(c->pages, address);
        uint64_t page_last = address | (((uint64_t)1 << c->pages->shift[kind]) - 1);
        visit_page(c, t, address, kind);
        if (page_last >= last || page_last == UINT64_MAX)
            return;
        address = page_last + 1;
    }
}

/* ---- the table ---- */

static void put_row(uint64_t entries, uint64_t ways, double accesses, double misses)
{
    put_count(entries, '\t');
    put_count(ways, '\t');
    put_count(entries / ways, '\t');
    put_number(rounded(accesses, 1), '\t');
    put_number(rounded(misses, 1), '\t');
    put_number(accesses > 0 ? misses / accesses : 0, '\n');
}

/* A row where the misses change, and one for a single entry. `repeats` accesses went to the page of
 * the access before and are not in the trace: they hit everywhere. */
static void write_distances(const struct distances *d, uint64_t least, double visits,
                            double repeats)
{
    double misses = visits;
    for (size_t k = 1; k < d->room; k++) {
        misses -= d->count[k];
        if (k == least || (k > least && d->count[k] > 0)) {
            uint64_t entries = distances_last(d, k);
            put_row(entries, entries, visits + repeats, misses > 0 ? misses : 0);
        }
    }
    if (d->room <= least)
        put_row(least, least, visits + repeats, misses);
}

/* The counts of all threads in one. */
static void unite_shards(struct curve *c)
{
    c->distances.coarse = true;
    for (size_t i = 0; i < c->count; i++) {
        struct shards *s = &c->threads[i]->shards;
        shards_finish(s);
        distances_add(&c->distances, 0, s->distances.cold);
        for (size_t k = 1; k < s->distances.room; k++)
            if (s->distances.count[k] > 0)
                distances_add(&c->distances, distances_last(&s->distances, k),
                              s->distances.count[k]);
    }
}

void curve_write(struct curve *c)
{
    double repeats = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->threads[i]->accesses > c->threads[i]->records)
            repeats += (double)(c->threads[i]->accesses - c->threads[i]->records);
    if (c->shards > 0 && c->ways == 0)
        unite_shards(c);
    if (c->ways == 0)
        write_distances(&c->distances, c->least, c->visits, repeats);
    else
        for (int k = 0; k < SET_COUNTS; k++)
            put_row(c->ways << k, c->ways, c->visits + repeats, c->visits - c->hits[k]);
}

void curve_close(struct curve *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct curve_thread *t = c->threads[i];
        stack_free(&t->stack);
        if (c->shards > 0)
            shards_close(&t->shards);
        for (int k = 0; k < SET_COUNTS && c->ways > 0; k++)
            structure_close(&t->sets[k]);
        free(t);
    }
    free(c->threads);
    distances_free(&c->distances);
    free(c);
}
