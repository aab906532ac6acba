/* test_organisation.c: from made-up machines to the rows of the organisation table, through all
 * stages of the plan, which asks for no sample twice and comes to an end (machine.h sees to that).
 *
 *     bin/.obj/plain/tests/tlb/geometry/test_organisation
 */
#include "machine.h"
#include "named.h"
#include "tlb/geometry/answers.h"
#include "tlb/geometry/organisation.h"

static const char *const seven_folded = "0^7,1^8,2^9,3^10,4^11,5^12,6^13";

static const struct machine_sets first_of_64 = {.ways = 4, .sets = 16},
                                 full_72 = {.ways = 72, .sets = 1},
                                 linear_1536 = {.ways = 12, .sets = 128},
                                 linear_3072 = {.ways = 24, .sets = 128},
                                 folded_2048 = {.ways = 16, .sets = 128, .fold = 7};

/* Shares of samples that something delays. */
static const double spikes[] = {0, 0.05};

enum { NOISES = sizeof spikes / sizeof *spikes };

/* Without LONG in the environment only the last. */
static int first_noise(void)
{
    return getenv("LONG") != NULL ? 0 : NOISES - 1;
}

static bool is_long(void)
{
    return getenv("LONG") != NULL || getenv("WHOLE") != NULL;
}

static struct plan_options geometry_plan(void)
{
    struct plan_options options = option_plan(NULL, 0, MACHINE_PAGE, MACHINE_LINE);
    options.kind = PLAN_GEOMETRY;
    return options;
}

/* From nothing to the rows; returns their number. */
static size_t all_rows(const struct machine *m, const struct plan_options *options,
                       struct organisation rows[ORGANISATION_LEVELS])
{
    struct series series;
    series_init(&series);
    machine_follow(m, options, &series);
    struct answers answers = answers_of(&series);
    size_t count = organisation_of(&answers, rows);
    answers_free(&answers);
    series_free(&series);
    return count;
}

/* Finds the organisation of a machine under the i-th noise. */
static size_t tell(struct machine t, int i, struct organisation rows[ORGANISATION_LEVELS])
{
    struct plan_options options = geometry_plan();
    t.spikes = spikes[i];
    t.seed = 1;
    return all_rows(&t, &options, rows);
}

static void check_level(const struct organisation *row, const struct machine_sets *level,
                        const char *index, const char *bits)
{
    CU_ASSERT_EQUAL(row->ways, (double)level->ways);
    CU_ASSERT_EQUAL(row->sets, (double)level->sets);
    CU_ASSERT_EQUAL(row->entries, (double)(level->ways * level->sets));
    CU_ASSERT_STRING_EQUAL(row->index, index);
    CU_ASSERT_STRING_EQUAL(row->index_bits, bits);
    if (strcmp(row->relation, "exclusive") != 0)
        CU_ASSERT_NOT_EQUAL(row->confidence, CONFIDENCE_LOW);
}

/* Two levels, under every noise. */
static void check_pair(struct machine t, const char *first, const char *first_bits,
                       const char *second, const char *second_bits, const char *relation)
{
    struct organisation rows[ORGANISATION_LEVELS];
    for (int i = first_noise(); i < NOISES; i++) {
        CU_ASSERT_EQUAL_FATAL(tell(t, i, rows), 2);
        check_level(&rows[0], &t.sets[0], first, first_bits);
        check_level(&rows[1], &t.sets[1], second, second_bits);
        CU_ASSERT_STRING_EQUAL(rows[0].relation, "-");
        CU_ASSERT_STRING_EQUAL(rows[1].relation, relation);
        CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "");
        CU_ASSERT_EQUAL(rows[0].level, 1);
        CU_ASSERT_EQUAL(rows[1].level, 2);
    }
}

/* Pages of one set of the second level are pages of one set of the first, which holds fewer: what
 * the two have to do with each other does not show. */
TEST_IF(is_long(), two_linear_levels_are_reported)
{
    check_pair(machine_of_sets(first_of_64, linear_1536, INCLUSION_NEITHER), "linear", "0,1,2,3",
               "linear", "0,1,2,3,4,5,6", "unknown");
    check_pair(machine_of_sets(first_of_64, linear_1536, INCLUSION_INCLUSIVE), "linear", "0,1,2,3",
               "linear", "0,1,2,3,4,5,6", "unknown");
}

TEST_IF(is_long(), a_full_level_before_a_linear_one)
{
    const struct machine_sets small = {.ways = 10, .sets = 1}, four = {.ways = 4, .sets = 128};
    check_pair(machine_of_sets(full_72, linear_3072, INCLUSION_NEITHER), "full", "", "linear",
               "0,1,2,3,4,5,6", "neither");
    check_pair(machine_of_sets(small, four, INCLUSION_NEITHER), "full", "", "linear",
               "0,1,2,3,4,5,6", "neither");
}

TEST_IF(is_long(), a_folded_index_is_reported)
{
    const struct machine_sets eight = {.ways = 12, .sets = 256, .fold = 8};
    check_pair(machine_of_sets(full_72, folded_2048, INCLUSION_NEITHER), "full", "", "xor",
               seven_folded, "neither");
    check_pair(machine_of_sets(first_of_64, folded_2048, INCLUSION_NEITHER), "linear", "0,1,2,3",
               "xor", seven_folded, "neither");
    check_pair(machine_of_sets(first_of_64, eight, INCLUSION_NEITHER), "linear", "0,1,2,3", "xor",
               "0^8,1^9,2^10,3^11,4^12,5^13,6^14,7^15", "neither");
}

TEST_IF(!tap_brief(), an_index_of_three_parts_is_reported)
{
    const struct machine_sets second = {.ways = 12, .sets = 32, .fold = 5, .parts = 3};
    check_pair(machine_of_sets(first_of_64, second, INCLUSION_NEITHER), "linear", "0,1,2,3", "xor",
               "0^5^10,1^6^11,2^7^12,3^8^13,4^9^14", "neither");
}

/* Seven bits, folded with those nine places higher: two bits between them select nothing. */
TEST(a_fold_with_a_gap)
{
    const struct machine_sets second = {.ways = 12, .sets = 128, .fold = 9};
    check_pair(machine_of_sets(first_of_64, second, INCLUSION_NEITHER), "linear", "0,1,2,3", "xor",
               "0^9,1^10,2^11,3^12,4^13,5^14,6^15", "neither");
}

/* Twice as many targets as there are ways, and half of them too many for a set still. */
TEST_IF(is_long(), a_folded_index_with_fourteen_ways_is_reported)
{
    const struct machine_sets second = {.ways = 14, .sets = 128, .fold = 7};
    check_pair(machine_of_sets(first_of_64, second, INCLUSION_NEITHER), "linear", "0,1,2,3", "xor",
               seven_folded, "neither");
}

/* Others that flush a large first level reach beyond the fold, and some are in the targets' set. */
TEST_IF(is_long(), a_fold_behind_a_large_first_level)
{
    const struct machine_sets large = {.ways = 160, .sets = 1},
                              six = {.ways = 12, .sets = 64, .fold = 6};
    check_pair(machine_of_sets(large, folded_2048, INCLUSION_NEITHER), "full", "", "xor",
               seven_folded, "neither");
    check_pair(machine_of_sets(full_72, six, INCLUSION_NEITHER), "full", "", "xor",
               "0^6,1^7,2^8,3^9,4^10,5^11", "neither");
}

/* Others are in no set of the targets, so that few targets hit a first level that has sets. */
TEST_IF(!tap_brief(), others_that_do_not_flush)
{
    const struct machine_sets eight = {.ways = 8, .sets = 8}, second = {.ways = 8, .sets = 128};
    check_pair(machine_of_sets(eight, second, INCLUSION_NEITHER), "linear", "0,1,2", "linear",
               "0,1,2,3,4,5,6", "unknown");
}

/* In one of eight sets all ways are free: enough to count them, too few to be sure. */
TEST_IF(!tap_brief(), sets_that_somebody_else_uses)
{
    const struct machine_sets second = {.ways = 16, .sets = 128, .fold = 7, .held = 2};
    struct organisation rows[ORGANISATION_LEVELS];
    CU_ASSERT_EQUAL_FATAL(
        tell(machine_of_sets(first_of_64, second, INCLUSION_NEITHER), NOISES - 1, rows), 2);
    CU_ASSERT_EQUAL(rows[1].ways, second.ways);
    CU_ASSERT_EQUAL(rows[1].sets, second.sets);
    CU_ASSERT_EQUAL(rows[1].criteria, 0);
}

/* The first level loses whatever does not fit in the second, so it shows no separate capacity. */
TEST_IF(!tap_brief(), an_inclusive_second_level)
{
    check_pair(machine_of_sets(full_72, linear_3072, INCLUSION_INCLUSIVE), "full", "", "linear",
               "0,1,2,3,4,5,6", "inclusive");
}

TEST_IF(is_long(), an_inclusive_level_with_a_folded_index)
{
    check_pair(machine_of_sets(full_72, folded_2048, INCLUSION_INCLUSIVE), "full", "", "xor",
               seven_folded, "inclusive");
}

TEST(an_exclusive_second_level)
{
    check_pair(machine_of_sets(first_of_64, linear_1536, INCLUSION_EXCLUSIVE), "linear", "0,1,2,3",
               "linear", "0,1,2,3,4,5,6", "exclusive");
}

TEST_IF(is_long(), an_exclusive_level_behind_a_full_one)
{
    check_pair(machine_of_sets(full_72, linear_3072, INCLUSION_EXCLUSIVE), "full", "", "linear",
               "0,1,2,3,4,5,6", "exclusive");
}

/* Which bits are folded is only asked of the second level. */
TEST_IF(!tap_brief(), a_folded_first_level)
{
    const struct machine_sets folded = {.ways = 4, .sets = 16, .fold = 4};
    struct organisation rows[ORGANISATION_LEVELS];
    for (int i = first_noise(); i < NOISES; i++) {
        CU_ASSERT_EQUAL_FATAL(
            tell(machine_of_sets(folded, linear_1536, INCLUSION_NEITHER), i, rows), 2);
        check_level(&rows[0], &folded, "xor", "");
        CU_ASSERT_STRING_EQUAL(NOTE(rows[0].note), "index_hash_unsolved");
        check_level(&rows[1], &linear_1536, "linear", "0,1,2,3,4,5,6");
    }
}

TEST(a_machine_of_one_level_has_one_row)
{
    const struct machine_sets none = {.ways = 0}, linear = {.ways = 4, .sets = 64};
    struct organisation rows[ORGANISATION_LEVELS];
    for (int i = first_noise(); i < NOISES; i++) {
        CU_ASSERT_EQUAL_FATAL(tell(machine_of_sets(linear, none, INCLUSION_NEITHER), i, rows), 1);
        check_level(&rows[0], &linear, "linear", "0,1,2,3,4,5");
        CU_ASSERT_EQUAL_FATAL(tell(machine_of_sets(full_72, none, INCLUSION_NEITHER), i, rows), 1);
        check_level(&rows[0], &full_72, "full", "");
    }
}

TEST(a_machine_without_a_TLB_has_no_row)
{
    const struct machine_sets none = {.ways = 0};
    struct organisation rows[ORGANISATION_LEVELS];
    for (int i = first_noise(); i < NOISES; i++)
        CU_ASSERT_EQUAL(tell(machine_of_sets(none, none, INCLUSION_NEITHER), i, rows), 0);
}

/* If address space ends before pages fall into one set, sets cannot be counted. */
TEST(sets_are_not_counted_where_address_space_ends)
{
    for (uint64_t bytes = (uint64_t)1 << 24; bytes <= (uint64_t)1 << 32; bytes *= 16) {
        struct machine t = machine_of_sets(first_of_64, folded_2048, INCLUSION_NEITHER);
        struct plan_options options = geometry_plan();
        struct organisation rows[ORGANISATION_LEVELS];
        options.address_bytes = bytes;
        size_t count = all_rows(&t, &options, rows);
        CU_ASSERT_TRUE(count <= 2);
        for (size_t i = 0; i < count; i++) {
            bool told = !isnan(rows[i].ways);
            CU_ASSERT_TRUE(!told || rows[i].ways == (double)t.sets[i].ways);
            CU_ASSERT_TRUE(!told || rows[i].sets == (double)t.sets[i].sets);
        }
    }
}
