/* all_sizes.c: the misses of a trace for every size of a TLB.
 *
 *     struct all_sizes *sizes = all_sizes_open(&pages, 0, 0);
 *     while ((record = trace_next(trace)) != NULL)
 *         all_sizes_run(sizes, record);
 *     all_sizes_write(sizes);
 */
#include "trace/tlbs/all_sizes.h"
#include "base/error.h"
#include "table/table.h"
#include "trace/format/by_thread.h"
#include "trace/tlbs/stack_distance.h"
#include "trace/tlbs/tag_array.h"
#include <stdlib.h>

enum { SET_COUNTS = 17 }; /* 1 to 65536 [bound] */

struct sizes_thread {
    bool open;
    uint64_t accesses, records; /* all of them; those in the trace */
    struct stack stack;
    struct shards shards;
    struct tag_array sets[SET_COUNTS];
};

struct all_sizes {
    struct pages *pages;
    uint64_t shards, ways;
    struct by_thread threads;   /* struct sizes_thread */
    struct distances distances; /* without shards, of all threads */
    double hits[SET_COUNTS];
    double visits;  /* pages of accesses in the trace */
    uint64_t least; /* entries of the smallest TLB that is known */
};

struct all_sizes *all_sizes_open(struct pages *pages, uint64_t shards, uint64_t ways)
{
    struct all_sizes *c = allocate(1, sizeof *c);
    c->pages = pages;
    c->shards = shards;
    c->ways = ways;
    c->least = 1;
    c->threads = by_thread_of(sizeof(struct sizes_thread));
    return c;
}

void all_sizes_begin_at(struct all_sizes *c, uint64_t entries)
{
    c->least = entries;
}

static struct sizes_thread *thread_of(struct all_sizes *c, const struct record *r)
{
    struct sizes_thread *t = by_thread(&c->threads, r->process, r->thread);
    if (t->open)
        return t;
    t->open = true;
    if (c->shards > 0)
        shards_open(&t->shards, c->shards);
    for (int k = 0; k < SET_COUNTS && c->ways > 0; k++) {
        struct assoc_shape shape = {.entries = c->ways << k, .ways = c->ways};
        tag_array_open(&t->sets[k], &shape, 0);
    }
    return t;
}

/* One TLB of each number of sets. */
static void visit_sets(struct all_sizes *c, struct sizes_thread *t, uint64_t number, uint64_t tag)
{
    for (int k = 0; k < SET_COUNTS; k++)
        if (tag_array_hit(&t->sets[k], number, tag))
            c->hits[k]++;
        else
            tag_array_fill(&t->sets[k], number, tag);
}

/* Pages of different sizes may have the same number: the lowest bits of `page` say which size. */
static void visit_page(struct all_sizes *c, struct sizes_thread *t, uint64_t address, int kind)
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

void all_sizes_run(struct all_sizes *c, const struct record *r)
{
    uint64_t address = r->address;
    if (r->op == TRACE_EXEC)
        by_thread_begin(&c->threads, r->process, r->thread);
    if (r->op != TRACE_TOTAL && r->op != TRACE_EXEC && !record_is_access(r))
        return;
    struct sizes_thread *t = thread_of(c, r);
    t->accesses = r->sequence > t->accesses ? r->sequence : t->accesses;
    if (!record_is_access(r))
        return;
    t->records++;
    for (uint64_t left = record_length(r), here; left > 0; left -= here, address += here) {
        int kind = pages_kind(c->pages, address);
        here = pages_part(address, left, c->pages->shift[kind]);
        visit_page(c, t, address, kind);
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

static struct sizes_thread *thread_at(const struct all_sizes *c, size_t i)
{
    return c->threads.at[i].item;
}

/* The counts of all threads in one. */
static void unite_shards(struct all_sizes *c)
{
    c->distances.coarse = true;
    for (size_t i = 0; i < c->threads.count; i++) {
        struct shards *s = &thread_at(c, i)->shards;
        shards_finish(s);
        distances_add(&c->distances, 0, s->distances.cold);
        for (size_t k = 1; k < s->distances.room; k++)
            if (s->distances.count[k] > 0)
                distances_add(&c->distances, distances_last(&s->distances, k),
                              s->distances.count[k]);
    }
}

void all_sizes_write(struct all_sizes *c)
{
    double repeats = 0;
    for (size_t i = 0; i < c->threads.count; i++)
        if (thread_at(c, i)->accesses > thread_at(c, i)->records)
            repeats += (double)(thread_at(c, i)->accesses - thread_at(c, i)->records);
    if (c->shards > 0 && c->ways == 0)
        unite_shards(c);
    if (c->ways == 0)
        write_distances(&c->distances, c->least, c->visits, repeats);
    else
        for (int k = 0; k < SET_COUNTS; k++)
            put_row(c->ways << k, c->ways, c->visits + repeats, c->visits - c->hits[k]);
}

void all_sizes_close(struct all_sizes *c)
{
    for (size_t i = 0; i < c->threads.count; i++) {
        struct sizes_thread *t = thread_at(c, i);
        stack_free(&t->stack);
        if (c->shards > 0)
            shards_close(&t->shards);
        for (int k = 0; k < SET_COUNTS && c->ways > 0; k++)
            tag_array_close(&t->sets[k]);
    }
    by_thread_free(&c->threads);
    distances_free(&c->distances);
    free(c);
}
