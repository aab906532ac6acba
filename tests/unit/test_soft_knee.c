/* test_soft_knee.c: rises of made-up curves that are no steps.
 *
 *     bin/.obj/plain/unit/test_soft_knee
 */
#include "base/random.h"
#include "curve/soft_knee.h"
#include "tap.h"
#include <math.h>
#include <string.h>

enum { POINTS_MOST = 200 };

struct level {
    double entries, ns;
};

/* Misses of a level whose entries are visited at random: 1 - C/n. */
static double share(double entries, double pages)
{
    return pages <= entries ? 0 : 1 - entries / pages;
}

static size_t place(double *sizes, size_t count, double size)
{
    size_t i = 0;
    while (i < count && sizes[i] < size)
        i++;
    if (i < count && sizes[i] == size)
        return count;
    memmove(sizes + i + 1, sizes + i, (count - i) * sizeof *sizes);
    sizes[i] = size;
    return count + 1;
}

/* Four sizes an octave to 16384, and those next to each capacity. */
static struct curve make(struct curve_point at[POINTS_MOST], const struct level levels[2],
                         double noise)
{
    double sizes[POINTS_MOST];
    size_t count = 0;
    struct random random;
    random_seed(&random, 11, 0);
    for (double octave = 2; octave <= 14; octave += 0.25)
        count = place(sizes, count, round(exp2(octave)));
    for (int k = 0; k < 2; k++)
        for (double d = -3; d <= 12; d++)
            count = place(sizes, count, levels[k].entries + d);
    for (size_t i = 0; i < count; i++) {
        double ns = levels[0].ns * share(levels[0].entries, sizes[i]) +
                    levels[1].ns * share(levels[1].entries, sizes[i]);
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
    struct curve_point at[POINTS_MOST];
    struct knee rises[KNEES_MOST];
    const struct level levels[2] = {{288, 2}, {3072, 9}};
    struct curve curve = make(at, levels, 0);
    CU_ASSERT_EQUAL_FATAL(soft_knee_find(&curve, rises), 2);
    for (int k = 0; k < 2; k++) {
        double last = at[rises[k].before].pages, foot = soft_knee_foot(&curve, &rises[k]);
        CU_ASSERT(last >= levels[k].entries && last <= 1.02 * levels[k].entries);
        CU_ASSERT(foot <= levels[k].entries && foot >= 0.97 * levels[k].entries);
    }
    CU_ASSERT(rises[0].step_ns > 1.4 && rises[0].step_ns <= 2);
    CU_ASSERT(rises[0].gradual && !rises[0].reaches_end);
}

/* The range holds the truth, whatever the noise hides. */
static void noise_widens_the_range(void)
{
    struct curve_point at[POINTS_MOST];
    struct knee rises[KNEES_MOST];
    const struct level levels[2] = {{64, 2}, {1024, 9}};
    for (double noise = 0.005; noise < 0.04; noise += 0.01) {
        struct curve curve = make(at, levels, noise);
        CU_ASSERT_EQUAL_FATAL(soft_knee_find(&curve, rises), 2);
        for (int k = 0; k < 2; k++) {
            CU_ASSERT(soft_knee_foot(&curve, &rises[k]) <= levels[k].entries);
            CU_ASSERT(at[rises[k].after].pages > levels[k].entries);
        }
    }
}

/* A flat curve, a slope without a foot, and what makes no difference to a load. */
static void what_is_no_level(void)
{
    struct curve_point at[POINTS_MOST];
    struct knee rises[KNEES_MOST];
    const struct level flat[2] = {{64, 0}, {1024, 0}}, small[2] = {{64, 0.2}, {1024, 0}};
    struct curve curve = make(at, flat, 0.01);
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
    curve = make(at, small, 0);
    CU_ASSERT_EQUAL(soft_knee_find(&curve, rises), 0);
    curve = make(at, flat, 0);
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
              {"noise widens the range", noise_widens_the_range},
              {"what is no level", what_is_no_level});
    return tap_run();
}
