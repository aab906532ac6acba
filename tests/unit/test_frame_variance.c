/* test_frame_variance.c: the mean of samples that differ in luck. */
#include "curve/curve.h"
#include "curve/frame_variance.h"
#include "machine.h"
#include "tap.h"
#include <math.h>

/* From 1000 pages on a cache overflows. Every node of `page` pays the average for it; of the
 * samples of `packed` one in five pays five times that, and the others nothing. */
static struct series make(bool lucky, double noise, uint64_t seed)
{
    struct series series;
    struct random random;
    series_init(&series);
    random_seed(&random, seed, 0);
    for (double n = 500; n < 2000; n = floor(n * 1.02) + 1)
        for (uint64_t sample = 0; sample < 10; sample++) {
            double over = fmax(0, n - 1000) / 1000, paid = over;
            if (lucky)
                paid = random_unit(&random) < 0.2 ? 5 * over : 0;
            double page = 5 + over, packed = 3 + paid;
            add_sample(&series, point_of("page", (uint64_t)n, MACHINE_PAGE),
                       page * (1 + noise * random_normal(&random)));
            add_sample(&series, point_of("packed", (uint64_t)n, MACHINE_LINE),
                       packed * (1 + noise * random_normal(&random)));
        }
    series_sort(&series);
    return series;
}

/* The difference is 2 at all sizes. */
static void luck_does_not_move_the_control(void)
{
    struct series series = make(true, 0.01, 1);
    struct point page = point_of("page", 500, MACHINE_PAGE);
    struct curve curve = curve_control(&series, &page);
    double sum = 0, count = 0, squares = 0;
    CU_ASSERT_TRUE_FATAL(curve.count > 40);
    for (size_t i = 0; i < curve.count; i++) {
        double off = curve.at[i].ns - 2;
        squares += off * off / (curve.at[i].error * curve.at[i].error);
        if (curve.at[i].pages > 1500) {
            sum += off;
            count++;
        }
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / count, 0, 0.3); /* the median would be 0.75 off */
    CU_ASSERT_TRUE(squares / (double)curve.count < 3);
    curve_free(&curve);
    series_free(&series);
}

static void noise_alone_is_no_luck(void)
{
    struct series series = make(false, 0.03, 2);
    struct frame_variance luck;
    for (size_t i = 0; i < series.count; i++) {
        const struct point *p = &series.groups[i].point;
        struct point packed = point_of("packed", p->pages, MACHINE_LINE);
        const struct group *beside = series_find(&series, &packed);
        if (p->layout == &layouts[LAYOUT_PAGE])
            CU_ASSERT_FALSE(frame_variance_difference(&series, &series.groups[i], beside, &luck));
    }
    series_free(&series);
}

static void times_of_0_are_no_luck(void)
{
    struct series series;
    struct frame_variance luck;
    series_init(&series);
    for (uint64_t sample = 0; sample < 10; sample++) {
        add_sample(&series, point_of("page", 500, MACHINE_PAGE), 0);
        add_sample(&series, point_of("packed", 500, MACHINE_LINE), 0);
    }
    series_sort(&series);
    struct point page = point_of("page", 500, MACHINE_PAGE);
    struct point packed = point_of("packed", 500, MACHINE_LINE);
    CU_ASSERT_FALSE(frame_variance_difference(&series, series_find(&series, &page),
                                              series_find(&series, &packed), &luck));
    series_free(&series);
}

int main(void)
{
    TAP_SUITE("luck", {"luck does not move the control", luck_does_not_move_the_control},
              {"noise alone is no luck", noise_alone_is_no_luck},
              {"times of 0 are no luck", times_of_0_are_no_luck});
    return tap_run();
}
