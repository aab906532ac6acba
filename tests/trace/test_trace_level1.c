/* test_trace_level1.c: level 1 as a traced program has it misses where plain LRU does.
 *
 *     bin/.obj/plain/tests/trace/test_trace_level1
 */
#include "base/random.h"
#include "tap.h"
#include "trace/format/level1.h"
#include "trace/tlbs/lru.h"
#include <stdlib.h>

enum { SHIFT = 12, SITES = 8, ACCESSES = 20000 };

/* A page: that of the access before, or mostly one of a few, in an order that changes. */
static uint64_t draw_page(struct random *random, uint32_t entries, uint64_t before)
{
    if (before != 0 && random_below(random, 3) > 0)
        return before;
    uint64_t pages = random_below(random, 3) == 0 ? 3 * (uint64_t)entries : entries / 2 + 1;
    return 1 + random_below(random, pages);
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
        uint32_t set = (uint32_t)page & (sets - 1), held = lru_find(&lru, page);
        access_page(&p, site, page << SHIFT, number);
        missed[number] = held == LRU_NONE;
        if (held != LRU_NONE)
            lru_use(&lru, held, set);
        else
            lru_fill(&lru, page, set);
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
        uint32_t set = (uint32_t)page & (sets - 1), held = lru_find(&lru, page);
        uint32_t at = level1_find(&level1, page << SHIFT);
        if (at != LEVEL1_NONE)
            level1_at(&level1, at)->last = number;
        else
            level1_visit(&level1, page << SHIFT, number, number, &entry);
        differ += (held == LRU_NONE) != (at == LEVEL1_NONE);
        misses += held == LRU_NONE;
        if (held != LRU_NONE)
            lru_use(&lru, held, set);
        else
            lru_fill(&lru, page, set);
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
