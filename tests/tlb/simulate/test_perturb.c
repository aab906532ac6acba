/* test_perturb.c: what is swapped out, against a memory whose pages are kept in a list and dropped
 * from its end. */
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/random.h"
#include "measure/mistake.h"
#include "tap.h"
#include "tlb/simulate/perturb.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 400, CYCLES = 3 };

static struct sample sample_of(const char *layout, uint64_t nodes, uint64_t spacing)
{
    struct sample s = {.point = {.pages = nodes,
                                 .spacing = spacing,
                                 .page_bytes = PAGE,
                                 .layout = layout_find(layout, strlen(layout)),
                                 .backing = backings,
                                 .kernel = kernels},
                       .ns = 10,
                       .loads = 1e6};
    return s;
}

static double share_of(const char *layout, uint64_t nodes, uint64_t spacing, uint64_t frames)
{
    struct conditions conditions = {.memory_bytes = frames * PAGE};
    struct sample s = sample_of(layout, nodes, spacing);
    perturb_of("swap")(&conditions, &s);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 10 + s.faults / s.loads * 100e3, 1e-6);
    return s.faults / s.loads;
}

/* Moves the page to the front of the list; returns its old position, or `frames` if it was not
 * there. */
static uint64_t touch(uint32_t *list, uint64_t frames, uint32_t page)
{
    uint64_t place = 0;
    while (place < frames && list[place] != page)
        place++;
    memmove(list + 1, list, (place < frames ? place : frames - 1) * sizeof *list);
    list[0] = page;
    return place;
}

/* The share of the last cycle's visits that missed; each page is visited this many times per cycle,
 * in the same random order in all of them. */
static double missed(uint64_t visits, uint64_t frames)
{
    uint32_t order[PAGES * 64], list[PAGES];
    uint64_t count = PAGES * visits, misses = 0;
    struct random random;
    random_seed(&random, 7, visits);
    memset(list, 0xff, sizeof list);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t other = random_below(&random, i + 1);
        order[i] = order[other];
        order[other] = (uint32_t)(i / visits);
    }
    for (uint64_t i = 0; i < CYCLES * count; i++) {
        uint64_t place = touch(list, frames, order[i % count]);
        misses += i >= (CYCLES - 1) * count && place == frames;
    }
    return (double)misses / (double)count;
}

TEST(swap_is_what_a_list_says)
{
    static const uint64_t visits[] = {1, 2, 4, 16, 64}, frames[] = {100, 200, 360};
    for (size_t v = 0; v < sizeof visits / sizeof *visits; v++)
        for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
            double share = share_of("line", PAGES * visits[v], PAGE / visits[v], frames[f]);
            CU_ASSERT_DOUBLE_EQUAL(share, missed(visits[v], frames[f]), 0.03);
        }
}

TEST(swap_begins_at_the_limit)
{
    CU_ASSERT_EQUAL(share_of("page", 1000, PAGE, 1000), 0);
    CU_ASSERT_EQUAL(share_of("page", 1001, PAGE, 1000), 1);
    CU_ASSERT_EQUAL(share_of("packed", 64 * 1000, 64, 1000), 0);
    CU_ASSERT_TRUE(share_of("packed", 64 * 1100, 64, 1000) > 0.05);
    CU_ASSERT_EQUAL(share_of("local", 64 * 2000, 64, 1000), 1.0 / 64);
}

TEST(a_cold_clock_comes_up)
{
    struct conditions conditions = {.elapsed_s = 0};
    struct sample first = sample_of("page", 4, PAGE), last = first;
    perturb_of("cold")(&conditions, &first);
    CU_ASSERT_EQUAL(first.ns, 30);
    CU_ASSERT_EQUAL(first.t_s, 0);
    CU_ASSERT_DOUBLE_EQUAL(conditions.elapsed_s, 0.03, 1e-9);
    conditions.elapsed_s = 1;
    perturb_of("cold")(&conditions, &last);
    CU_ASSERT_DOUBLE_EQUAL(last.ns, 10, 1e-6);
}

/* Only the requested fact is false. */
TEST(mistake_claims_halves_the_claims_that_it_should)
{
    const struct mistake *claims = mistake_find("claims", true), *cold = mistake_find("cold", true);
    CU_ASSERT_EQUAL(mistake_claim(claims, "l2_bytes", 1024), 512);
    CU_ASSERT_EQUAL(mistake_claim(claims, "claim_itlb1_entries", 1), 1);
    CU_ASSERT_EQUAL(mistake_claim(claims, "dtlb2_4k_ways", 12), 6);
    CU_ASSERT_EQUAL(mistake_claim(claims, "line_bytes", 64), 128);
    CU_ASSERT_EQUAL(mistake_claim(claims, "page_bytes", 4096), 4096);
    CU_ASSERT_EQUAL(mistake_claim(claims, "memory_limit_bytes", 4096), 4096);
    CU_ASSERT_EQUAL(mistake_claim(cold, "l2_bytes", 1024), 1024);
    CU_ASSERT_EQUAL(mistake_claim(NULL, "l2_bytes", 1024), 1024);
}

TEST(facts_lie_where_they_count)
{
    struct facts *facts = allocate(1, sizeof *facts);
    facts_add(facts, "l1d_bytes", "32768", "bytes", "one");
    facts_add(facts, "l1d_bytes", "65536", "bytes", "another");
    facts_add(facts, "dtlb1_4k_ways", "full", "ways", "one");
    facts_add(facts, "page_bytes", "4096", "bytes", "one");
    mistake_claim_facts(mistake_find("swap", false), facts);
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "l1d_bytes"), "32768");
    mistake_claim_facts(mistake_find("claims", false), facts);
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "l1d_bytes"), "16384");
    CU_ASSERT_STRING_EQUAL(facts->at[1].value, "65536");
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "dtlb1_4k_ways"), "full");
    CU_ASSERT_STRING_EQUAL(facts_value(facts, "page_bytes"), "4096");
    facts_free(facts);
}

/* As every kernel does (access/kernel.h): the time of an access is what they took by their number.
 */
TEST(a_loop_with_a_mistake_makes_one_access_at_least)
{
    void *node = &node, **start = &node;
    uint64_t end[KERNEL_CHAINS], memory[2] = {0};
    struct kernel_work work = {
        .start = {start}, .memory = (char *)memory, .pages = 2, .spacing = sizeof *memory};
    CU_ASSERT_EQUAL(mistake_find("vanished", false)->run(&work, end), 1);
    CU_ASSERT_EQUAL(mistake_find("storebuffer", false)->run(&work, end), 1);
    CU_ASSERT_NOT_EQUAL(memory[0] + memory[1], 0);
}

TEST(a_simulated_mistake_changes_samples_or_claims)
{
    for (const struct mistake *mistake = mistakes; mistake->name != NULL; mistake++)
        CU_ASSERT_EQUAL(perturb_of(mistake->name) != NULL, mistake->simulated && !mistake->lies);
}
