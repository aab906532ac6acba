/* test_soft_knee.c: rises of made-up curves that are no steps.
 *
 *     bin/.obj/plain/unit/test_soft_knee
 */
#include "curve/soft_knee.h"
#include "machine.h"
#include "tap.h"

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
    struct knee rises[KNEES_MOST];
    struct machine m = levels(288, 2, 3072, 9);
    struct curve curve = make(at, &m, 0);
    CU_ASSERT_EQUAL_FATAL(soft_knee_find(&curve, rises), 2);
    for (int k = 0; k < 2; k++) {
        double last = at[rises[k].before].pages, foot = soft_knee_foot(&curve, &rises[k]);
        CU_ASSERT(last >= m.tlb[k].entries && last <= 1.02 * m.tlb[k].entries);
        CU_ASSERT(foot <= m.tlb[k].entries && foot >= 0.97 * m.tlb[k].entries);
    }
    CU_ASSERT(rises[0].step_ns > 1.4 && rises[0].step_ns <= 2);
    CU_ASSERT(rises[0].gradual && !rises[0].reaches_end);
}

/* The second level begins at two and a half times the first; the step is measured up to four times.
 */
static void a_step_ends_where_the_next_level_begins(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct knee rises[KNEES_MOST];
    struct machine m = levels(288, 2, 720, 1);
    struct curve curve = make(at, &m, 0);
    CU_ASSERT_EQUAL_FATAL(soft_knee_find(&curve, rises), 2);
    CU_ASSERT(rises[0].step_ns > 1.1 && rises[0].step_ns < 1.3);
}

static void a_step_that_noise_hides_may_begin_a_size_earlier(void)
{
    struct curve_point at[] = {{60, 10, 1, 11, 9, 9, 0, 0}, {70, 12, 1, 13, 9, 9, 0, 0}};
    struct curve curve = {at, 2};
    struct knee step = {.before = 0, .after = 1, .end = 1, .plateau_ns = 10, .step_ns = 2};
    CU_ASSERT_DOUBLE_EQUAL(soft_knee_foot(&curve, &step), 50, 1e-9);
}

/* The range holds the truth, whatever the noise hides. */
static void noise_widens_the_range(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct knee rises[KNEES_MOST];
    struct machine m = levels(64, 2, 1024, 9);
    for (double noise = 0.005; noise < 0.04; noise += 0.01) {
        struct curve curve = make(at, &m, noise);
        CU_ASSERT_EQUAL_FATAL(soft_knee_find(&curve, rises), 2);
        for (int k = 0; k < 2; k++) {
            double before = at[rises[k].before].pages;
            CU_ASSERT(2 * soft_knee_foot(&curve, &rises[k]) - before <= m.tlb[k].entries);
            CU_ASSERT(at[rises[k].after].pages > m.tlb[k].entries);
        }
    }
}

/* A flat curve, a slope without a foot, and what makes no difference to a load. */
static void what_is_no_level(void)
{
    struct curve_point at[MACHINE_SIZES];
    struct knee rises[KNEES_MOST];
    struct machine flat = levels(64, 0, 1024, 0), small = levels(64, 0.08, 1024, 0);
    struct curve curve = make(at, &flat, 0.01);
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
    curve = make(at, &small, 0);
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
    curve = make(at, &flat, 0);
    for (size_t i = 0; i < curve.count; i++)
        at[i].ns = at[i].pages / 1000;
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
    curve.count = 1;
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
    curve.count = 0;
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
}

int main(void)
{
    TAP_SUITE("rise", {"two levels that bend", two_levels_that_bend},
              {"a step ends where the next level begins", a_step_ends_where_the_next_level_begins},
              {"a step that noise hides may begin a size earlier",
               a_step_that_noise_hides_may_begin_a_size_earlier},
              {"noise widens the range", noise_widens_the_range},
              {"what is no level", what_is_no_level});
    return tap_run();
}
