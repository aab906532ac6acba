/* test_assoc.c: one set-associative structure against sequences worked out by hand, and against
 * what its policy means.
 *
 *     bin/.obj/plain/tests/tlb/simulate/test_assoc
 */
#include "base/random.h"
#include "tap.h"
#include "tlb/simulate/assoc.h"
#include <string.h>

enum { KEYS = 64 };
static uint64_t numbers[KEYS]; /* key k is page k */

static void open_for(struct assoc *assoc, const struct assoc_shape *shape, uint64_t seed)
{
    for (uint64_t key = 0; key < KEYS; key++)
        numbers[key] = key;
    assoc_open(assoc, shape, numbers, KEYS, seed);
}

static const enum assoc_replacement policies[] = {REPLACE_LRU,  REPLACE_PLRU, REPLACE_RANDOM,
                                                  REPLACE_FIFO, REPLACE_NRU,  REPLACE_SRRIP};

/* Rounds over `count` keys, each `apart` from the next; returns the hits of the last round. */
static int settle(struct assoc *assoc, uint32_t count, uint32_t apart)
{
    int hits = 0;
    for (int round = 0; round < 50; round++) {
        hits = 0;
        for (uint32_t key = 0; key < count; key++)
            hits += assoc_access(assoc, key * apart);
    }
    return hits;
}

/* Whether accesses to the keys, one digit each, hit (h) or miss (m). Stale content begins in the
 * state of zeros. */
static void check_sequence(enum assoc_replacement replacement, uint64_t ways, const char *keys,
                           const char *expected)
{
    struct assoc_shape shape = {.entries = ways, .ways = ways, .replacement = replacement};
    struct assoc assoc;
    char found[64] = "";
    open_for(&assoc, &shape, 1);
    if (assoc.states != NULL)
        memset(assoc.states, 0, assoc.leaves);
    for (size_t i = 0; i < strlen(keys); i++)
        found[i] = assoc_access(&assoc, (uint32_t)(keys[i] - '0')) ? 'h' : 'm';
    CU_ASSERT_STRING_EQUAL(found, expected);
    assoc_close(&assoc);
}

TEST(LRU_the_one_used_longest_ago_goes)
{
    check_sequence(REPLACE_LRU, 2, "01020121", "mmhmhmmh");
    check_sequence(REPLACE_LRU, 3, "012301230123", "mmmmmmmmmmmm");
    check_sequence(REPLACE_LRU, 4, "0123042", "mmmmhmh"); /* 1 had to go */
}

/* A hit does not save a key: 0 goes first though it was just used. */
TEST(FIFO_the_one_that_came_first_goes)
{
    check_sequence(REPLACE_FIFO, 2, "010201", "mmhmmm");
    check_sequence(REPLACE_FIFO, 3, "0120301", "mmmhmmm");
    check_sequence(REPLACE_FIFO, 3, "0120312", "mmmhmhh");
}

/* Four ways: 0, 1, 2, 3 fall into either half in turn. After a use of 0 the root points to the
 * other half, and there the bit points to 1, which goes. Then the root points to the half of 0 and
 * 2, and the bit there to 2. */
TEST(PLRU_the_trees_bits_lead_to_it)
{
    check_sequence(REPLACE_PLRU, 4, "012304", "mmmmhm");
    check_sequence(REPLACE_PLRU, 4, "0123041", "mmmmhmm");
    check_sequence(REPLACE_PLRU, 4, "0123042", "mmmmhmh");
    check_sequence(REPLACE_PLRU, 4, "0123043", "mmmmhmh");
    check_sequence(REPLACE_PLRU, 4, "01230412", "mmmmhmmm"); /* 1 took the way of 2 */
    check_sequence(REPLACE_PLRU, 2, "01020121", "mmhmhmmh"); /* two ways: LRU */
}

/* Three ways of a tree of four: 0 and 2 are in the half with two ways, and 1 and 3 take the third
 * way from one another. */
TEST(PLRU_a_missing_way_is_never_chosen)
{
    check_sequence(REPLACE_PLRU, 3, "012301", "mmmmhm");
    check_sequence(REPLACE_PLRU, 3, "012302", "mmmmhh");
    check_sequence(REPLACE_PLRU, 3, "012012012", "mmmhhhhhh");
}

/* How many of the keys hit in each round, in steady state. */
TEST(PLRU_with_missing_ways_keeps_stale_content)
{
    static const struct {
        uint64_t ways;
        uint32_t keys;
        int hits;
    } cases[] = {{16, 16, 16}, {16, 17, 0},  {3, 3, 3},   {3, 4, 2},    {12, 9, 9},
                 {12, 10, 5},  {12, 13, 7},  {12, 17, 0}, {20, 9, 9},   {20, 10, 5},
                 {20, 21, 11}, {20, 32, 16}, {20, 33, 0}, {24, 17, 17}, {24, 18, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 1; seed < 20; seed++) {
            struct assoc_shape shape = {.entries = cases[i].ways, .ways = cases[i].ways};
            struct assoc assoc;
            shape.replacement = REPLACE_PLRU;
            open_for(&assoc, &shape, seed);
            CU_ASSERT_EQUAL(settle(&assoc, cases[i].keys, 1), cases[i].hits);
            CU_ASSERT_EQUAL(assoc_held(&shape) >= cases[i].keys,
                            cases[i].hits == (int)cases[i].keys);
            assoc_close(&assoc);
        }
}

/* Three ways: 2 marks the last one, so that only its mark is left, and 3 takes the first way. Then
 * 1 marks the last one, and 0 takes the first way again. */
TEST(NRU_the_first_unmarked_one_goes)
{
    check_sequence(REPLACE_NRU, 3, "01231", "mmmmh");
    check_sequence(REPLACE_NRU, 3, "0123102", "mmmmhmh");
    check_sequence(REPLACE_NRU, 3, "0123103", "mmmmhmm");
    check_sequence(REPLACE_NRU, 1, "0010", "mhmm");
}

/* Three ways: 0 hits and has age 0, so that of 1 and 2, which have age 2, the first goes; then 2
 * hits too, and 1 takes the way of 3. */
TEST(SRRIP_the_first_of_the_greatest_age_goes)
{
    check_sequence(REPLACE_SRRIP, 3, "01203", "mmmhm");
    check_sequence(REPLACE_SRRIP, 3, "0120321", "mmmhmhm");
    check_sequence(REPLACE_SRRIP, 3, "01203210", "mmmhmhmh");
    check_sequence(REPLACE_SRRIP, 3, "01203213", "mmmhmhmm");
}

/* The way that random replacement takes: each as often, the same again for the same seed. */
TEST(random_any_goes_by_seed)
{
    struct assoc_shape shape = {.entries = 4, .ways = 4, .replacement = REPLACE_RANDOM};
    int gone[4] = {0};
    uint32_t before = 0;
    for (uint64_t round = 0; round < 800; round++) {
        struct assoc assoc;
        open_for(&assoc, &shape, round / 2);
        for (uint32_t key = 0; key < 4; key++)
            CU_ASSERT_EQUAL(assoc_fill(&assoc, key), ASSOC_NONE);
        uint32_t victim = assoc_fill(&assoc, 4);
        CU_ASSERT_FATAL(victim < 4);
        CU_ASSERT(round % 2 == 0 || victim == before);
        before = victim;
        gone[victim]++;
        assoc_close(&assoc);
    }
    for (int key = 0; key < 4; key++)
        CU_ASSERT(gone[key] > 112 && gone[key] < 288); /* 200 ± 5 standard deviations */
}

/* Keys 0, 4, 8, … share the first of four sets of three ways, whatever the policy. */
TEST(a_set_has_its_ways_whatever_the_policy)
{
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        struct assoc_shape shape = {.entries = 12, .ways = 3, .replacement = policies[p]};
        struct assoc assoc;
        open_for(&assoc, &shape, 1);
        CU_ASSERT_EQUAL(settle(&assoc, 3, 4), 3);
        CU_ASSERT_FALSE(assoc_hit(&assoc, 12));
        CU_ASSERT_NOT_EQUAL(assoc_fill(&assoc, 12), ASSOC_NONE);
        CU_ASSERT_EQUAL(assoc_hit(&assoc, 0) + assoc_hit(&assoc, 4) + assoc_hit(&assoc, 8), 2);
        assoc_close(&assoc);
    }
}

/* LRU and FIFO by definition: of all that the set holds, the one goes that was used, or
 * came, longest ago. */
struct plain {
    uint64_t since[KEYS]; /* 0: not held */
    uint64_t now;
};

static bool plain_access(struct plain *plain, uint32_t key, uint32_t sets, uint32_t ways, bool fifo)
{
    bool hit = plain->since[key] > 0;
    uint32_t held = 0, oldest = key;
    for (uint32_t other = key % sets; other < KEYS && !hit; other += sets)
        if (plain->since[other] > 0) {
            held++;
            if (oldest == key || plain->since[other] < plain->since[oldest])
                oldest = other;
        }
    if (held == ways)
        plain->since[oldest] = 0;
    plain->now++;
    if (!hit || !fifo)
        plain->since[key] = plain->now;
    return hit;
}

TEST(LRU_and_FIFO_do_what_they_mean)
{
    struct random random;
    random_seed(&random, 21, 0);
    for (int round = 0; round < 200; round++) {
        uint32_t sets = 1 + (uint32_t)random_below(&random, 9);
        uint32_t ways = 1 + (uint32_t)random_below(&random, 9);
        bool fifo = round % 2 > 0;
        struct assoc_shape shape = {.entries = (uint64_t)sets * ways, .ways = ways};
        struct plain plain = {.now = 0};
        struct assoc assoc;
        int different = 0;
        shape.replacement = fifo ? REPLACE_FIFO : REPLACE_LRU;
        open_for(&assoc, &shape, 1);
        for (int i = 0; i < 1000; i++) {
            uint32_t key = (uint32_t)random_below(&random, KEYS);
            if (random_below(&random, 8) == 0) {
                assoc_drop(&assoc, key);
                plain.since[key] = 0;
            } else
                different += assoc_access(&assoc, key) !=
                             plain_access(&plain, key, sets, ways, fifo);
        }
        CU_ASSERT_EQUAL(different, 0);
        assoc_close(&assoc);
    }
}

/* One step of what_is_held_is_what_was_filled_and_has_not_left(): uses a key, drops it if it is
 * there, else fills it in. Counts what is wrong. A key may go before stale content does. */
static int account(struct assoc *assoc, uint32_t key, uint32_t sets, bool *here, uint32_t *held)
{
    int wrong = assoc_hit(assoc, key) != here[key];
    bool stale = assoc->states != NULL;
    if (here[key]) {
        assoc_drop(assoc, key);
        held[key % sets]--;
    } else {
        uint32_t victim = assoc_fill(assoc, key);
        bool full = held[key % sets] == assoc->shape->ways;
        if (victim == ASSOC_NONE) {
            wrong += full;
            held[key % sets]++;
        } else {
            wrong += (!full && !stale) || victim % sets != key % sets || !here[victim];
            here[victim] = false;
        }
    }
    here[key] = !here[key];
    return wrong;
}

/* Under any policy, also where ways are no power of two and keys are dropped, what is held is what
 * was filled and has not left, and never more than there are ways. */
TEST(what_is_held_is_what_was_filled_and_has_not_left)
{
    struct random random;
    random_seed(&random, 22, 0);
    for (int round = 0; round < 200; round++) {
        uint32_t sets = 1 + (uint32_t)random_below(&random, 5), held[5] = {0};
        struct assoc_shape shape = {.ways = 1 + random_below(&random, 13)};
        bool here[KEYS] = {false};
        struct assoc assoc;
        int wrong = 0;
        shape.entries = sets * shape.ways;
        shape.replacement = policies[round % 6];
        open_for(&assoc, &shape, 1);
        for (int i = 0; i < 1000; i++)
            wrong += account(&assoc, (uint32_t)random_below(&random, KEYS), sets, here, held);
        CU_ASSERT_EQUAL(wrong, 0);
        assoc_close(&assoc);
    }
}

/* ---- sets ---- */

TEST(a_linear_index_is_the_remainder_by_the_sets)
{
    struct assoc_shape eight = {.entries = 32, .ways = 4}, six = {.entries = 12, .ways = 2};
    struct assoc_shape full = {.entries = 7, .ways = 7};
    CU_ASSERT_EQUAL(assoc_set(&eight, 0xabcd), 5);
    CU_ASSERT_EQUAL(assoc_set(&six, 63), 3);
    CU_ASSERT_EQUAL(assoc_set(&full, 0xabcd), 0);
}

TEST(xor_bits_are_folded)
{
    struct assoc_shape shape = {.entries = 1536, .ways = 12, .index = INDEX_XOR, .fold = 7};
    CU_ASSERT_EQUAL(assoc_set(&shape, 5), 5);
    CU_ASSERT_EQUAL(assoc_set(&shape, 128), 1);
    CU_ASSERT_EQUAL(assoc_set(&shape, 3 * 128 + 3), 0);
    CU_ASSERT_EQUAL(assoc_set(&shape, 128 * 128), 0); /* bit 14 is not folded in */
    shape.fold = 8;
    CU_ASSERT_EQUAL(assoc_set(&shape, 128), 0);
    CU_ASSERT_EQUAL(assoc_set(&shape, 256 + 4), 5);
}

TEST(bits_each_is_the_exclusive_or_of_some_of_the_number)
{
    struct assoc_shape gap = {.entries = 16, .ways = 2, .index = INDEX_BITS, .mask = {1, 2, 8}};
    struct assoc_shape folded = {.entries = 8, .ways = 2, .index = INDEX_BITS, .mask = {0x25, 6}};
    CU_ASSERT_EQUAL(assoc_set(&gap, 3), 3);
    CU_ASSERT_EQUAL(assoc_set(&gap, 4), 0); /* bit 2 is left out */
    CU_ASSERT_EQUAL(assoc_set(&gap, 8 + 4 + 1), 5);
    CU_ASSERT_EQUAL(assoc_set(&gap, 16), 0);
    CU_ASSERT_EQUAL(assoc_set(&folded, 0x20), 1);
    CU_ASSERT_EQUAL(assoc_set(&folded, 0x21), 0);
    CU_ASSERT_EQUAL(assoc_set(&folded, 4), 3); /* of both bits */
    CU_ASSERT_EQUAL(assoc_set(&folded, 0x27), 1);
}

/* Pages that a power of two divides spread as any others do: sets fill unevenly, as random numbers
 * would. */
TEST(hashed_spread_like_random_numbers)
{
    struct assoc_shape shape = {.entries = 2048, .ways = 16, .index = INDEX_HASHED, .key = 7};
    struct assoc_shape other = shape;
    int same = 0;
    for (unsigned shift = 0; shift < 40; shift += 13) {
        int held[128] = {0}, least = 2048, most = 0;
        for (uint64_t page = 0; page < 2048; page++)
            held[assoc_set(&shape, page << shift)]++;
        for (int set = 0; set < 128; set++) {
            least = held[set] < least ? held[set] : least;
            most = held[set] > most ? held[set] : most;
        }
        CU_ASSERT(least > 0 && least < 12);
        CU_ASSERT(most > 20 && most < 48);
    }
    other.key = 8;
    for (uint64_t page = 0; page < 2048; page++)
        same += assoc_set(&shape, page) == assoc_set(&other, page);
    CU_ASSERT(same < 64); /* 16 expected */
}
