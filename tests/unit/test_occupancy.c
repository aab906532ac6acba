/* test_occupancy.c: the capacity of a cache from chains whose page frames lie at random places. */
#include "curve/occupancy_fit.h"
#include "tap.h"
#include <math.h>

enum { POINTS = 40 };

static struct curve_point at[POINTS];
static const struct curve curve = {at, POINTS};

/* A cache of 4 ns before one of 12 ns, which takes `growth` more from one capacity to twice as
 * much: from 2000 lines on, eight sizes an octave. */
static void measure(double ways, double lines, double growth)
{
    struct miss_curve cache = {RULE_LRU, ways, true, 0, 0};
    double variance;
    for (int i = 0; i < POINTS; i++) {
        double pages = round(2000 * exp2(i / 8.0));
        double share = miss_curve_share(&cache, lines, pages, &variance);
        double ns = 4 + share * (8 + growth * pages / lines);
        at[i] = (struct curve_point){.pages = pages, .ns = ns, .error = 0.01, .load_ns = ns};
    }
}

static bool is_near(double value, double truth)
{
    return fabs(value / truth - 1) < 0.02;
}

static void a_chain_shows_lines_and_step_of_a_cache(void)
{
    static const double lines[] = {4096, 16384, 20480};
    for (int i = 0; i < 6; i++) {
        measure(i % 2 > 0 ? 8 : 16, lines[i / 2], 0);
        struct capacity c = occupancy_of_chain(&curve, 0, POINTS - 1);
        CU_ASSERT_TRUE(!c.poor && is_near(c.entries, lines[i / 2]) && is_near(c.step_ns, 8));
    }
}

static void a_next_cache_that_loses_lines_to_others_does_not_move_it(void)
{
    measure(8, 16384, 2);
    struct capacity c = occupancy_of_chain(&curve, 0, POINTS - 1);
    CU_ASSERT_TRUE(is_near(c.entries, 16384) && is_near(c.step_ns, 10));
}

static void few_points_show_nothing(void)
{
    measure(8, 16384, 0);
    CU_ASSERT_TRUE(occupancy_of_chain(&curve, 0, 6).poor);
}

int main(void)
{
    TAP_SUITE("occupancy",
              {"a chain shows lines and step of a cache", a_chain_shows_lines_and_step_of_a_cache},
              {"a next cache that loses lines to others does not move it",
               a_next_cache_that_loses_lines_to_others_does_not_move_it},
              {"few points show nothing", few_points_show_nothing});
    return tap_run();
}
