/* test_trace_first_level.c: level 1 as a traced program has it evicts what plain LRU evicts.
 *
 *     bin/.obj/plain/unit/test_trace_first_level
 */
#include "base/random.h"
#include "tap.h"
#include "trace/first_level.h"
#include "trace/lru.h"
#include <stdlib.h>

enum { SHIFT = 12, SITES = 8 };

/* A page: mostly one of a few, in an order that changes. */
static uint64_t draw_page(struct random *random, uint32_t entries)
{
    uint64_t pages = random_below(random, 3) == 0 ? 3 * (uint64_t)entries : entries / 2 + 1;
    return 1 + random_below(random, pages);
}

/* Each site remembers the entry that it found last, and notes hits there by itself. */
static void compare(uint32_t entries, uint32_t sets)
{
    struct first_level f;
    struct lru lru;
    struct random random;
    struct page_use nowhere = {0, 0}, *site[SITES];
    void *memory = malloc(first_bytes(entries, sets)), *plain = malloc(lru_bytes(entries, sets));
    unsigned differ = 0, misses = 0, called = 0, plainly = 0;
    CU_ASSERT_FATAL(memory != NULL && plain != NULL);
    for (int k = 0; k < SITES; k++)
        site[k] = &nowhere;
    first_open(&f, entries, sets, SHIFT, memory);
    lru_open(&lru, entries, sets, plain);
    random_seed(&random, 5, entries);
    for (uint64_t number = 1; number <= 20000; number++) {
        uint64_t k = random_below(&random, SITES), page = draw_page(&random, entries);
        uint32_t set = (uint32_t)page & (sets - 1), held = lru_find(&lru, page);
        bool hit = site[k]->page == page << SHIFT;
        if (!hit) {
            struct first_entry *e = first_find(&f, page << SHIFT);
            hit = e != NULL;
            if (!hit) {
                e = first_fill_plainly(&f, first_bucket(&f, page << SHIFT), page << SHIFT, number);
                plainly += e != NULL;
            }
            if (e == NULL)
                e = first_fill(&f, page << SHIFT, number);
            site[k] = &e->use;
            called++;
        }
        site[k]->last = number;
        differ += hit != (held != LRU_NONE);
        misses += !hit;
        if (held != LRU_NONE)
            lru_use(&lru, held, set);
        else
            lru_fill(&lru, page, set);
    }
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT(plainly > misses / 20 && plainly < misses);
    CU_ASSERT(misses > 1000 && called > misses + 500 && called < 20000);
    free(memory);
    free(plain);
}

static void test_full(void)
{
    compare(72, 1);
    compare(16, 1);
}

static void test_sets(void)
{
    compare(64, 16);
    compare(24, 8);
    compare(16, 16);
}

int main(void)
{
    TAP_SUITE("level 1 of a traced program",
              {"fully associative, it misses where plain LRU does", test_full},
              {"in sets, down to one way, it misses where plain LRU does", test_sets});
    return tap_run();
}
