/* test_trace_recent.c: the order of recent pages, encoded by the order within the next record.
 *
 *     bin/.obj/plain/tests/trace/test_trace_recent
 */
#include "base/random.h"
#include "tap.h"
#include "trace/format/level1.h"
#include "trace/format/recent.h"
#include "trace/tlbs/lru.h"
#include <stdlib.h>
#include <string.h>

static struct recent_orders orders;

TEST(each_order_is_there_once_and_an_access_puts_its_place_first)
{
    bool seen[256] = {false};
    recent_fill(&orders);
    for (int i = 0; i < RECENT_ORDERS; i++) {
        unsigned code = 0, places = 0;
        for (int k = 0; k < RECENT_PAGES; k++) {
            code = code << 2 | orders.place[i][k];
            places |= 1u << orders.place[i][k];
        }
        CU_ASSERT_EQUAL(places, 15);
        CU_ASSERT_FALSE(seen[code & 255]);
        seen[code & 255] = true;
        for (uint8_t k = 0; k < RECENT_PAGES; k++)
            CU_ASSERT_EQUAL(orders.place[orders.after[i][k]][0], k);
        CU_ASSERT_EQUAL(recent_touched(&orders, (uint8_t)i, (uint8_t)i), 0);
    }
}

/* Four places and their order, as a traced program and a reader keep them. */
struct four {
    int page[RECENT_PAGES];
    uint8_t order;
};

/* The pages, the newest first. */
static void list(const struct four *f, int pages[RECENT_PAGES])
{
    for (int i = 0; i < RECENT_PAGES; i++)
        pages[i] = f->page[orders.place[f->order][i]];
}

static void touch(int stack[RECENT_PAGES], int page)
{
    int at = 0;
    while (at < RECENT_PAGES - 1 && stack[at] != page)
        at++;
    memmove(stack + 1, stack, (size_t)at * sizeof *stack);
    stack[0] = page;
}

/* A stack of the last pages, which sees every access, and one that sees the records alone. */
TEST(a_reader_knows_the_order_of_recent_pages_at_each_record)
{
    struct four program = {{-1, -2, -3, -4}, RECENT_FRESH}, reader = program;
    int truth[RECENT_PAGES], read[RECENT_PAGES], listed[RECENT_PAGES], records = 0;
    struct random random;
    recent_fill(&orders);
    random_seed(&random, 11, 0);
    list(&program, truth);
    list(&program, read);
    for (int i = 0; i < 20000; i++) {
        int page = (int)random_below(&random, 6), place = 0;
        while (place < RECENT_PAGES && program.page[place] != page)
            place++;
        if (place < RECENT_PAGES)
            program.order = orders.after[program.order][place];
        else {
            uint8_t order = program.order, oldest = orders.place[order][RECENT_PAGES - 1];
            for (int k = recent_touched(&orders, reader.order, order) - 1; k >= 0; k--)
                touch(read, reader.page[orders.place[order][k]]);
            CU_ASSERT(memcmp(read, truth, sizeof read) == 0);
            touch(read, page);
            program.page[oldest] = reader.page[oldest] = page;
            program.order = reader.order = orders.after[order][oldest];
            records++;
        }
        touch(truth, page);
        list(&program, listed);
        CU_ASSERT(memcmp(listed, truth, sizeof truth) == 0);
    }
    CU_ASSERT(records > 2000 && records < 18000);
}

/* The latest use first; of two that never were, the one of the lower place. */
TEST(the_numbers_of_the_last_uses_give_the_order)
{
    struct random random;
    recent_fill(&orders);
    random_seed(&random, 3, 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t use[RECENT_PAGES];
        for (int k = 0; k < RECENT_PAGES; k++)
            use[k] = random_below(&random, 3) == 0 ? 0
                                                   : 4 * random_below(&random, 9) + (uint64_t)k + 1;
        const uint8_t *place = orders.place[recent_order(&orders, use[0], use[1], use[2], use[3])];
        for (int k = 0; k + 1 < RECENT_PAGES; k++) {
            CU_ASSERT(use[place[k]] >= use[place[k + 1]]);
            CU_ASSERT(use[place[k]] > use[place[k + 1]] || place[k] < place[k + 1]);
        }
    }
}

/* ---- level 1 as a traced program has it misses where plain LRU does ---- */

enum { SHIFT = 12, SITES = 8, ACCESSES = 20000 };

/* A page: that of the access before, or mostly one of a few, in an order that changes. */
static uint64_t draw_page(struct random *random, uint32_t entries, uint64_t before)
{
    if (before != 0 && random_below(random, 3) > 0)
        return before;
    uint64_t pages = random_below(random, 3) == 0 ? 3 * (uint64_t)entries : entries / 2 + 1;
    return 1 + random_below(random, pages);
}

/* An access in plain LRU; whether it misses. */
static bool misses_plain(struct lru *lru, uint64_t page, uint32_t sets)
{
    uint32_t set = (uint32_t)page & (sets - 1), held = lru_find(lru, page);
    if (held != LRU_NONE)
        lru_use(lru, held, set);
    else
        lru_fill(lru, page, set);
    return held == LRU_NONE;
}

/* Level 1, the visits that it does not know yet, and which accesses have missed it. */
struct program {
    struct level1 level1;
    struct visit visits[VISITS], *site[SITES];
    unsigned count, begun;
    bool missed[ACCESSES + 1];
};

static void end_visits(struct program *p)
{
    for (unsigned k = 0; k < p->count; k++) {
        const struct visit *v = &p->visits[k];
        struct level1_entry *entry;
        if (level1_visit(&p->level1, v->use.address, v->begun, v->use.last, &entry))
            p->missed[v->begun] = true;
    }
    level1_end_all(&p->level1);
    for (unsigned k = 0; k < VISITS; k++)
        p->visits[k].use.page = PAGE_NONE;
    p->count = 0;
}

/* Each site remembers the visit that it found last, and notes accesses there by itself. */
static void access_page(struct program *p, uint64_t site, uint64_t page, uint64_t number)
{
    if (p->site[site]->use.page != page) {
        if (p->count == VISITS)
            end_visits(p);
        if (p->level1.begun != NULL)
            level1_begin(&p->level1, p->visits, p->count, page);
        p->site[site] = &p->visits[p->count++];
        *p->site[site] = (struct visit){.use = {.page = page, .address = page}, .begun = number};
        p->begun++;
    }
    p->site[site]->use.last = number;
}

static void compare(uint32_t entries, uint32_t sets)
{
    static struct program p;
    struct lru lru;
    struct random random;
    bool missed[ACCESSES + 1] = {false};
    void *memory = malloc(level1_bytes(entries, sets)), *plain = malloc(lru_bytes(entries, sets));
    unsigned differ = 0, misses = 0;
    uint64_t at[SITES] = {0};
    CU_ASSERT_FATAL(memory != NULL && plain != NULL);
    p = (struct program){.begun = 0};
    for (int k = 0; k < SITES; k++)
        p.site[k] = &p.visits[0];
    level1_open(&p.level1, entries, sets, SHIFT, memory);
    end_visits(&p);
    lru_open(&lru, entries, sets, plain);
    random_seed(&random, 5, entries);
    for (uint64_t number = 1; number <= ACCESSES; number++) {
        uint64_t site = random_below(&random, SITES);
        uint64_t page = at[site] = draw_page(&random, entries, at[site]);
        access_page(&p, site, page << SHIFT, number);
        missed[number] = misses_plain(&lru, page, sets);
    }
    end_visits(&p);
    for (unsigned number = 1; number <= ACCESSES; number++) {
        differ += missed[number] != p.missed[number];
        misses += missed[number];
    }
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT(misses > 1000 && p.begun > misses + 500 && p.begun < ACCESSES - 500);
    free(memory);
    free(plain);
}

/* Of a page that it holds, level 1 learns by the number of its last access alone. */
static void compare_at_once(uint32_t entries, uint32_t sets)
{
    struct level1 level1;
    struct level1_entry *entry;
    struct lru lru;
    struct random random;
    void *memory = malloc(level1_bytes(entries, sets)), *plain = malloc(lru_bytes(entries, sets));
    unsigned differ = 0, misses = 0;
    uint64_t page = 0;
    CU_ASSERT_FATAL(memory != NULL && plain != NULL);
    level1_open(&level1, entries, sets, SHIFT, memory);
    lru_open(&lru, entries, sets, plain);
    random_seed(&random, 6, entries);
    for (uint64_t number = 1; number <= ACCESSES; number++) {
        page = draw_page(&random, entries, page);
        bool missed = misses_plain(&lru, page, sets);
        uint32_t at = level1_find(&level1, page << SHIFT);
        if (at != LEVEL1_NONE)
            level1_at(&level1, at)->last = number;
        else
            level1_visit(&level1, page << SHIFT, number, number, &entry);
        differ += missed != (at == LEVEL1_NONE);
        misses += missed;
    }
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT(misses > 1000);
    free(memory);
    free(plain);
}

TEST(learning_of_each_access_at_once_it_misses_where_plain_LRU_does)
{
    compare_at_once(72, 1);
    compare_at_once(64, 16);
    compare_at_once(16, 16);
}

TEST(fully_associative_it_misses_where_plain_LRU_does)
{
    compare(72, 1);
    compare(64, 1);
    compare(63, 1);
    compare(16, 1);
}

TEST(in_sets_down_to_one_way_it_misses_where_plain_LRU_does)
{
    compare(64, 16);
    compare(24, 8);
    compare(16, 16);
}
