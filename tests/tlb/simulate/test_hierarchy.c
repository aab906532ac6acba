/* test_hierarchy.c: levels of TLBs and caches: how sets are chosen and replaced, what levels have
 * to do with one another, and the two ways to the steady state; against cases counted by hand.
 *
 *     bin/.obj/plain/tests/tlb/simulate/test_hierarchy
 */
#include "base/random.h"
#include "small_model.h"

/* ---- sets and replacement ---- */

TEST(xor_folds_what_a_linear_index_loses)
{
    struct model linear = small_model(), folded = small_model();
    add_tlb(&linear, 8, 2, 0);
    struct assoc_shape *shape = &add_tlb(&folded, 8, 2, 0)->shape;
    shape->index = INDEX_XOR;
    shape->fold = 2;
    CYCLE(&linear, 3 * (1e6 + 1e12), "page", 3, 4 * 4096); /* one set of two ways */
    CYCLE(&folded, 8 * 1e6, "page", 8, 4 * 4096);          /* page 4k falls into set k mod 4 */
    CYCLE(&folded, 8 * 1e6, "page", 8, 4096);
    CYCLE(&folded, 9 * 1e6 + 3 * 1e12, "page", 9, 4096);
    CYCLE(&folded, 3 * (1e6 + 1e12), "page", 3, 16 * 4096); /* bits 4 and up do not count */
}

TEST(index_bits_count_and_no_others)
{
    struct model m = small_model();
    struct assoc_shape *shape = &add_tlb(&m, 8, 2, 0)->shape;
    shape->index = INDEX_BITS;
    shape->mask[0] = 1;
    shape->mask[1] = 8;
    CYCLE(&m, 4 * 1e6, "page", 4, 4 * 4096); /* bit 3 splits them between two sets */
    CYCLE(&m, 3 * (1e6 + 1e12), "page", 3, 16 * 4096);
    CYCLE(&m, 4 * 1e6, "page", 4, 4096);
    CYCLE(&m, 8 * (1e6 + 1e12), "page", 8, 4096); /* bits 1 and 2 do not count */
}

/* Some set of a hashed level is full long before all are, and some are not full until long
 * after. */
TEST(a_hashed_index_has_no_sharp_edge)
{
    struct model m = small_model();
    add_tlb(&m, 1024, 8, 0)->shape.index = INDEX_HASHED;
    struct point p = point_of("page", 700, 4096);
    double first = cycle_ns(&m, &p, 1);
    CU_ASSERT(first > 1e12);
    CU_ASSERT_EQUAL(cycle_ns(&m, &p, 2), first); /* the machine's hash, not the seed's */
    p.pages = 1024;
    CU_ASSERT(cycle_ns(&m, &p, 1) < 900 * 1e12);
    p.spacing = 4096 * 128;
    CU_ASSERT(cycle_ns(&m, &p, 1) < 900 * 1e12);
}

static void set_replacement(struct model *m, enum assoc_replacement replacement)
{
    for (int i = 0; i < m->dtlb.count; i++)
        m->dtlb.at[i].shape.replacement = replacement;
}

/* A chain that visits each page once per cycle cannot distinguish FIFO from LRU. */
TEST(a_cyclic_chain_cannot_distinguish_FIFO_from_LRU)
{
    struct random random;
    random_seed(&random, 5, 0);
    for (int round = 0; round < 40; round++) {
        struct model m = small_model();
        uint64_t ways = 1 + random_below(&random, 6), sets = 1 + random_below(&random, 9);
        add_tlb(&m, ways * sets, ways, 0);
        add_tlb(&m, 3 * ways * sets, 3, 1e9);
        struct point p = point_of("page", 1 + random_below(&random, 100), 4096);
        double lru = cycle_ns(&m, &p, 1);
        set_replacement(&m, REPLACE_FIFO);
        CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&m, &p, 1) / lru, 1, 1e-9);
    }
}

/* Levels under LRU go a short way to the steady state; a first level that helps nothing, and is not
 * LRU, makes them go the long one. Some pages and lines hold many nodes, some one. */
TEST(level_by_level_and_visit_by_visit_come_to_the_same)
{
    struct random random;
    random_seed(&random, 6, 0);
    for (int round = 0; round < 60; round++) {
        struct model m = small_model(), slow = small_model();
        add_tlb(&slow, 1, 1, 0)->shape.replacement = REPLACE_FIFO;
        add_cache(&slow, 1, 1, 1)->shape.replacement = REPLACE_FIFO;
        for (int level = 0; level < 2; level++) {
            uint64_t ways = 1 + random_below(&random, 6), sets = 1 + random_below(&random, 9);
            add_tlb(&m, ways * sets, ways, level * 1e9);
            add_tlb(&slow, ways * sets, ways, level * 1e9);
            add_cache(&m, 32 * ways * sets, ways, level > 0 ? 1e3 : 1);
            add_cache(&slow, 32 * ways * sets, ways, level > 0 ? 1e3 : 1);
        }
        struct point p = point_of("line", 1 + random_below(&random, 2000), 32);
        p.spacing <<= random_below(&random, 8);
        CU_ASSERT_DOUBLE_EQUAL(cycle_ns(&slow, &p, 1) / cycle_ns(&m, &p, 1), 1, 1e-9);
    }
}

/* Pages that fit are never replaced. One page too many costs every access under LRU; where any page
 * goes, there is always one that is missing, half a cycle away on average. */
TEST(random_replacement_keeps_most_of_what_is_too_much)
{
    struct model m = small_model();
    add_tlb(&m, 64, 64, 0);
    set_replacement(&m, REPLACE_RANDOM);
    m.walk_ns = m.memory_ns = 1;
    struct point p = point_of("page", 64, 4096);
    CU_ASSERT_EQUAL(cycle_ns(&m, &p, 1), 64);
    p.pages = 65;
    double misses = cycle_ns(&m, &p, 1) - 65;
    CU_ASSERT(misses > 1.7 && misses < 2.3);
}

TEST(pseudo_LRU_over_a_power_of_two_holds_as_many_as_there_are_ways)
{
    struct model m = small_model();
    add_tlb(&m, 48, 16, 0);
    set_replacement(&m, REPLACE_PLRU);
    CYCLE(&m, 48 * 1e6, "page", 48, 4096);
    CYCLE(&m, 51 * (1e6 + 1e12), "page", 51, 4096);
}

/* Stale content stays in the larger side of the tree: of 20 ways in three sets nine pages a set
 * hit, and of 21 pages in each every other one. */
TEST(pseudo_LRU_with_missing_ways_keeps_stale_content)
{
    struct model m = small_model();
    add_tlb(&m, 60, 20, 0);
    set_replacement(&m, REPLACE_PLRU);
    CYCLE(&m, 27 * 1e6, "page", 27, 4096);
    CYCLE(&m, 30 * 1e6 + 15 * 1e12, "page", 30, 4096);
    CYCLE(&m, 63 * 1e6 + 30 * 1e12, "page", 63, 4096); /* 0.476 of them */
}

/* ---- relations ---- */

TEST(what_leaves_an_inclusive_level_leaves_the_one_before)
{
    struct model m = small_model();
    add_tlb(&m, 4, 4, 0);
    struct model_level *second = add_tlb(&m, 4, 1, 1e9); /* four sets of one way */
    CYCLE(&m, 2 * 1e6, "page", 2, 4 * 4096);             /* the first level holds both */
    second->relation = INCLUSION_INCLUSIVE;
    CYCLE(&m, 2 * (1e6 + 1e12), "page", 2, 4 * 4096); /* the second has one, so the first too */
    CYCLE(&m, 4 * 1e6, "page", 4, 4096);
}

TEST(an_exclusive_pair_holds_the_sum)
{
    struct model m = small_model();
    add_tlb(&m, 4, 4, 0);
    struct model_level *second = add_tlb(&m, 8, 8, 1e9);
    CYCLE(&m, 9 * (1e6 + 1e12), "page", 9, 4096);
    second->relation = INCLUSION_EXCLUSIVE;
    CYCLE(&m, 4 * 1e6, "page", 4, 4096);
    CYCLE(&m, 5 * (1e6 + 1e9), "page", 5, 4096);
    CYCLE(&m, 12 * (1e6 + 1e9), "page", 12, 4096); /* together they hold the sum */
    CYCLE(&m, 13 * (1e6 + 1e12), "page", 13, 4096);
    second->shape.replacement = REPLACE_FIFO;
    CYCLE(&m, 12 * (1e6 + 1e9), "page", 12, 4096);
    CYCLE(&m, 13 * (1e6 + 1e12), "page", 13, 4096);
}

TEST(three_exclusive_levels_hold_the_sum_of_their_entries)
{
    struct model m = small_model();
    add_tlb(&m, 2, 2, 0);
    add_tlb(&m, 3, 3, 1e8)->relation = INCLUSION_EXCLUSIVE;
    add_tlb(&m, 4, 4, 1e10)->relation = INCLUSION_EXCLUSIVE;
    CYCLE(&m, 5 * (1e6 + 1e8), "page", 5, 4096);
    CYCLE(&m, 9 * (1e6 + 1e10), "page", 9, 4096);
    CYCLE(&m, 10 * (1e6 + 1e12), "page", 10, 4096);
}

/* The third level takes what the second drops, and the first loses that too. */
TEST(inclusive_and_exclusive_levels_together)
{
    struct model m = small_model();
    add_tlb(&m, 2, 2, 0);
    add_tlb(&m, 4, 4, 1e8)->relation = INCLUSION_INCLUSIVE;
    add_tlb(&m, 4, 4, 1e10)->relation = INCLUSION_EXCLUSIVE;
    CYCLE(&m, 2 * 1e6, "page", 2, 4096);
    CYCLE(&m, 4 * (1e6 + 1e8), "page", 4, 4096);
    CYCLE(&m, 8 * (1e6 + 1e10), "page", 8, 4096);
    CYCLE(&m, 9 * (1e6 + 1e12), "page", 9, 4096);
}

TEST(exclusive_caches_hold_the_sum_of_their_lines)
{
    struct model m = small_model();
    add_cache(&m, 4, 4, 1);
    add_cache(&m, 8, 8, 1e3)->relation = INCLUSION_EXCLUSIVE;
    CYCLE(&m, 4, "packed", 4, 64);
    CYCLE(&m, 12 * 1e3, "packed", 12, 64);
    CYCLE(&m, 13 * 1e6, "packed", 13, 64);
}
