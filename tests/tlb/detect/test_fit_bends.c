/* test_fit_bends.c: rises of made-up curves whose pages come in other orders than a fixed one.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_fit_bends
 */
#include "base/random.h"
#include "machine.h"
#include "tap.h"
#include "tlb/fit/fit.h"
#include "tlb/simulate/assoc.h"

/* Levels whose entries are visited at random. */
static struct machine levels(double first, double first_ns, double second, double second_ns)
{
    return (struct machine){
        .load_ns = 1,
        .tlb = {{first, 0, first_ns, MISS_AT_RANDOM}, {second, 0, second_ns, MISS_AT_RANDOM}}};
}

/* What translation costs, four sizes an octave to 16384, and close to each capacity. */
static struct curve make(struct curve_point at[MACHINE_SIZES], const struct machine *m,
                         double noise)
{
    double sizes[MACHINE_SIZES];
    size_t count = machine_sizes(m, 4, 16384, sizes);
    struct random random;
    random_seed(&random, 11, 0);
    for (size_t i = 0; i < count; i++) {
        struct point point = point_of("page", (uint64_t)sizes[i], MACHINE_PAGE);
        double ns = machine_translation(m, &point);
        at[i] = (struct curve_point){.pages = sizes[i],
                                     .ns = ns + noise * random_normal(&random),
                                     .error = noise,
                                     .load_ns = ns + 1,
                                     .samples = 9,
                                     .kept = 5};
    }
    return (struct curve){at, count};
}

static void two_levels_that_bend(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct fitted_level rises[FIT_LEVELS_MOST];
    struct machine m = levels(288, 2, 3072, 9);
    struct curve curve = make(at, &m, 0);
    CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_NEIGHBOURS, rises), 2);
    for (int k = 0; k < 2; k++) {
        struct fitted_level capacity = rises[k];
        CU_ASSERT_DOUBLE_EQUAL(capacity.entries / m.tlb[k].entries, 1, 0.01);
        CU_ASSERT(capacity.least <= m.tlb[k].entries && m.tlb[k].entries <= capacity.most);
    }
    CU_ASSERT(fabs(rises[0].knee.step_ns - 2) < 0.05);
    CU_ASSERT(!rises[0].knee.reaches_end);
}

/* The second level begins at two and a half times the first, where the step is not yet complete.
 */
static void a_step_goes_on_behind_the_next_level(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct fitted_level rises[FIT_LEVELS_MOST];
    struct machine m = levels(288, 2, 720, 1);
    struct curve curve = make(at, &m, 0);
    CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_NEIGHBOURS, rises), 2);
    CU_ASSERT(fabs(rises[0].knee.step_ns - 2) < 0.05);
}

/* The range holds the truth, whatever the noise hides. */
static void noise_widens_the_range(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct fitted_level rises[FIT_LEVELS_MOST];
    struct machine m = levels(64, 2, 1024, 9);
    for (double noise = 0.005; noise < 0.04; noise += 0.01) {
        struct curve curve = make(at, &m, noise);
        CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_NEIGHBOURS, rises), 2);
        for (int k = 0; k < 2; k++) {
            struct fitted_level capacity = rises[k];
            CU_ASSERT(capacity.least <= m.tlb[k].entries && m.tlb[k].entries <= capacity.most);
        }
    }
}

/* The part of loads that miss a TLB whose pages are visited in a new order in every round. */
static double missing_share(const struct assoc_shape *shape, uint32_t pages, struct random *random)
{
    enum { ROUNDS = 200, PAGES_MOST = 2048 };
    static uint32_t order[PAGES_MOST];
    static uint64_t numbers[PAGES_MOST];
    uint64_t misses = 0;
    struct assoc tlb;
    for (uint32_t i = 0; i < pages; i++)
        numbers[i] = order[i] = i;
    assoc_open(&tlb, shape, numbers, pages, 1);
    for (int round = 0; round <= ROUNDS; round++) {
        random_shuffle(order, pages, random);
        for (uint32_t i = 0; i < pages; i++)
            if (!assoc_hit(&tlb, order[i])) {
                assoc_fill(&tlb, order[i]);
                misses += round > 0;
            }
    }
    assoc_close(&tlb);
    return (double)misses / ROUNDS / pages;
}

static void a_new_order_in_every_round(void)
{
    static const struct assoc_shape shapes[] = {{64, 64, INDEX_LINEAR, REPLACE_LRU, .fold = 0},
                                                {512, 8, INDEX_LINEAR, REPLACE_LRU, .fold = 0},
                                                {512, 4, INDEX_LINEAR, REPLACE_LRU, .fold = 0},
                                                {64, 64, INDEX_LINEAR, REPLACE_RANDOM, .fold = 0}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct curve_point at[MACHINE_SIZES];
        struct curve curve = {at, 0};
        struct fitted_level rises[FIT_LEVELS_MOST];
        struct random random;
        double entries = (double)shapes[k].entries;
        random_seed(&random, 5, k);
        for (double size = entries / 4; size <= 4 * entries; size *= exp2(1.0 / 32)) {
            double share = missing_share(&shapes[k], (uint32_t)size, &random);
            double ns = share + 0.01 * random_normal(&random);
            at[curve.count++] = (struct curve_point){floor(size), ns, 0.01, 2, 9, 9};
        }
        CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_CODE, rises), 1);
        struct fitted_level capacity = rises[0];
        CU_ASSERT_DOUBLE_EQUAL(capacity.entries / entries, 1, 0.02);
        CU_ASSERT(capacity.least <= entries && entries <= capacity.most);
        CU_ASSERT(capacity.most - capacity.least <= 0.1 * entries);
    }
}

/* A flat curve, a slope without a foot, and what makes no difference to a load. */
static void what_is_no_level(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct fitted_level rises[FIT_LEVELS_MOST];
    struct machine flat = levels(64, 0, 1024, 0), small = levels(64, 0.08, 1024, 0);
    struct curve curve = make(at, &flat, 0.01);
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_CODE, rises), 0);
    curve = make(at, &small, 0);
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_CODE, rises), 0);
    curve = make(at, &flat, 0);
    for (size_t i = 0; i < curve.count; i++)
        at[i].ns = at[i].pages / 1000;
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_CODE, rises), 0);
    curve.count = 1;
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_CODE, rises), 0);
    curve.count = 0;
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_CODE, rises), 0);
}

int main(void)
{
    TAP_SUITE("rise", {"two levels that bend", two_levels_that_bend},
              {"a step goes on behind the next level", a_step_goes_on_behind_the_next_level},
              {"noise widens the range", noise_widens_the_range},
              {"a new order in every round", a_new_order_in_every_round},
              {"what is no level", what_is_no_level});
    return tap_run();
}
