/* test_trace_memory_blocks.c: blocks of memory against a list that is searched; misses by key;
 * penalties.
 *
 *     bin/.obj/plain/tests/trace/test_trace_memory_blocks
 */
#include "base/random.h"
#include "tap.h"
#include "trace/attribution/memory_blocks.h"
#include "trace/attribution/penalties.h"
#include "trace/attribution/tally.h"
#include <math.h>

enum { SPACE = 2000 };

/* The label of each address, and where its block begins; 0: none. */
static uint32_t labels[SPACE + 100];
static uint64_t begins[SPACE + 100];

/* A new block takes the place of all that begin in it, and of the end of one that began before. */
static void clear_for(uint64_t begin, uint64_t end)
{
    uint64_t cut = labels[begin] != 0 && begins[begin] < begin ? begins[begin] : UINT64_MAX;
    for (uint64_t a = begin; a < SPACE + 100; a++)
        if ((begins[a] >= begin && begins[a] < end) || begins[a] == cut)
            labels[a] = 0;
}

TEST(they_are_found_as_in_a_list_that_is_searched)
{
    struct blocks blocks = {0};
    struct random random;
    int differences = 0;
    random_seed(&random, 4, 4);
    for (uint32_t step = 1; step <= 20000; step++) {
        uint64_t begin = random_below(&random, SPACE), bytes = 1 + random_below(&random, 40);
        if (random_below(&random, 3) > 0) {
            blocks_put(&blocks, begin, begin + bytes - 1, step);
            clear_for(begin, begin + bytes);
            for (uint64_t a = begin; a < begin + bytes; a++) {
                labels[a] = step;
                begins[a] = begin;
            }
        } else if (labels[begin] != 0) {
            uint64_t first = begins[begin];
            uint32_t label = labels[begin];
            blocks_remove(&blocks, first, first);
            for (uint64_t a = first; a < SPACE + 100; a++)
                if (labels[a] == label)
                    labels[a] = 0;
        }
        uint64_t probe = random_below(&random, SPACE);
        const struct block *found = blocks_find(&blocks, probe);
        differences += (found != NULL ? found->label : 0) != labels[probe];
    }
    CU_ASSERT_EQUAL(differences, 0);
    struct blocks copy = blocks_copy(&blocks);
    blocks_free(&blocks);
    for (uint64_t a = 0; a < SPACE; a++) {
        const struct block *found = blocks_find(&copy, a);
        differences += (found != NULL ? found->label : 0) != labels[a];
    }
    CU_ASSERT_EQUAL(differences, 0);
    blocks_remove(&copy, 0, UINT64_MAX);
    CU_ASSERT_PTR_NULL(copy.root);
}

TEST(one_may_end_at_the_last_address)
{
    struct blocks blocks = {0};
    blocks_put(&blocks, UINT64_MAX - 9, UINT64_MAX, 1);
    blocks_put(&blocks, UINT64_MAX, UINT64_MAX, 2);
    CU_ASSERT_EQUAL(blocks_find(&blocks, UINT64_MAX - 1)->label, 1);
    CU_ASSERT_EQUAL(blocks_after(&blocks, UINT64_MAX)->label, 2);
    CU_ASSERT_EQUAL(blocks_find(&blocks, UINT64_MAX)->label, 2);
    blocks_put(&blocks, UINT64_MAX, UINT64_MAX, 3);
    CU_ASSERT_EQUAL(blocks_find(&blocks, UINT64_MAX)->label, 3);
    blocks_remove(&blocks, UINT64_MAX, UINT64_MAX);
    CU_ASSERT_PTR_NULL(blocks_find(&blocks, UINT64_MAX));
    blocks_free(&blocks);
}

TEST(keys_of_several_processes_are_counted_apart)
{
    struct tally tally = {0};
    struct record read = {.op = TRACE_READ}, write = {.op = TRACE_WRITE};
    for (uint64_t key = 0; key < 3000; key++)
        for (uint64_t k = 0; k <= key % 7; k++)
            tally_add(tally_row(&tally, (uint32_t)(key % 2), key / 2), k % 2 ? &write : &read, 0.5);
    CU_ASSERT_EQUAL(tally.count, 3000);
    struct tally_row row = *tally_row(&tally, 1, 3); /* key 7 */
    CU_ASSERT_EQUAL(row.misses, 1);
    row = *tally_row(&tally, 0, 3); /* key 6 */
    CU_ASSERT(row.misses == 7 && row.reads == 4 && row.writes == 3);
    CU_ASSERT_DOUBLE_EQUAL(row.seconds, 3.5, 1e-9);
    tally_sort(&tally);
    for (size_t i = 1; i < tally.count; i++)
        CU_ASSERT(tally.rows[i - 1].misses >= tally.rows[i].misses);
    tally_free(&tally);
}

TEST(a_miss_costs_what_its_last_level_does)
{
    struct penalties p = {.known = false};
    CU_ASSERT(isnan(penalties_seconds(&p, 1, 2)));
    p = (struct penalties){.known = true, .level_ns = {0, 2, NAN}, .walk_ns = 30};
    CU_ASSERT_DOUBLE_EQUAL(penalties_seconds(&p, 1, 2), 2e-9, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(penalties_seconds(&p, 2, 2), 30e-9, 1e-15);
    CU_ASSERT(isnan(penalties_seconds(&p, 2, 3)));
    CU_ASSERT_DOUBLE_EQUAL(penalties_seconds(&p, 1, 1), 30e-9, 1e-15);
}
