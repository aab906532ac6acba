/* test_measure_loads.c: how often a loop runs for a sample, for how many loads, and how long that
 * is thought to take. */
#include "simulated_rig.h"

#include "tap.h"

TEST_IF(can_measure(), the_chain_is_walked_once_before_it_is_timed)
{
    struct sample s = sample_of(1, 3 * LAP, 0);
    CU_ASSERT_EQUAL(runs.count, 1 + 3);
    CU_ASSERT_EQUAL(runs.at[0].loads, PAGES);
    CU_ASSERT_EQUAL(s.loads, 3 * LAP);
    for (size_t i = 1; i < runs.count; i++) {
        CU_ASSERT_EQUAL(runs.at[i].loads, LAP);
        CU_ASSERT_PTR_EQUAL(runs.at[i].start, runs.at[i - 1].end); /* it goes on where that ended */
    }
}

TEST_IF(can_measure(), laps_are_whole_rounds_and_the_last_has_the_rest)
{
    struct sample s = sample_of(1, 2 * LAP + 1, 0);
    CU_ASSERT_EQUAL(s.runs, 2);
    CU_ASSERT_EQUAL(runs.at[1].loads, LAP);
    CU_ASSERT_EQUAL(runs.at[2].loads, LAP + 1);
    s = sample_of(1, LAP - 1, 0);
    CU_ASSERT_EQUAL(s.runs, 1);
    CU_ASSERT_EQUAL(s.loads, LAP - 1);
    struct rig *rig = open_rig(1, 0, NULL);
    struct point point = point_like(LAYOUT_PAGE, &walking, 9000);
    CU_ASSERT_EQUAL(long_run_loads(rig, &point, 65536), 9000);
    CU_ASSERT_EQUAL(long_run_loads(rig, &point, 160000),
                    27000); /* where the timer needs more loads */
    point.kernel = &adding;
    CU_ASSERT_EQUAL(long_run_loads(rig, &point, 65536), 65536);
    rig_close(rig);
}

/* Three laps of 1 ns a load, of which a neighbour makes the first and the last longer. */
TEST_IF(can_measure(), the_fastest_lap_is_reported_beside_the_mean)
{
    struct point point = point_like(LAYOUT_PACKED, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 3 * LAP, NULL);
    runs.extra_ns[1] = runs.extra_ns[3] = LAP;
    rig_measure(rig, &point, &s);
    rig_close(rig);
    CU_ASSERT_DOUBLE_EQUAL(s.min_ns, 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 5.0 / 3, 1e-9);
}

TEST_IF(can_measure(), the_mistake_cold_leaves_the_warm_up_out)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct mistake cold = {.name = "cold", .cold = true};
    struct sample sample;
    struct rig *rig = open_rig(1, LAP, &cold);
    rig_measure(rig, &point, &sample);
    rig_close(rig);
    CU_ASSERT_EQUAL(runs.count, 1);
    CU_ASSERT_EQUAL(runs.at[0].loads, LAP);
}

/* A reading takes 20 ns, so that 2 us are enough; loads of 1 ns are doubled from 1000 to 2000. The
 * time from reading to reading has one reading in it, which is subtracted. */
TEST_IF(can_measure(), the_timer_takes_a_hundredth_of_a_lap_at_the_most)
{
    struct sample s = sample_of(1, 1000, 0);
    CU_ASSERT_EQUAL(runs.count, 1 + 2);
    CU_ASSERT_EQUAL(s.loads, 2000);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 1, 1e-9);
    s = sample_of(1, 2000, 0); /* just long enough */
    CU_ASSERT_EQUAL(s.loads, 2000);
    s = sample_of(1, 1999, 0);
    CU_ASSERT_EQUAL(s.loads, 2 * 1999);
}

/* The counter of Apple processors ticks every 41.7 ns. Laps of 1.6 us, of loads of 0.2 ns, are
 * lengthened until a tick is a hundredth of them: so well is a lap known. */
TEST_IF(can_measure(), a_tick_of_24_MHz_takes_a_hundredth_of_a_lap_at_the_most)
{
    struct point point = point_like(LAYOUT_PACKED, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 0, NULL);
    runs.load_ns = 0.2;
    simulated.reading_ns = 5;
    simulated.shown_ns = 1000.0 / 24;
    rig->clock = clock_quality();
    CU_ASSERT_EQUAL(rig->clock.resolution_ns, 41);
    CU_ASSERT_DOUBLE_EQUAL(rig->clock.overhead_ns, 5, 0.1);
    rig_measure(rig, &point, &s);
    rig_close(rig);
    CU_ASSERT(s.ns * s.loads / s.runs >= 4100);
    CU_ASSERT_DOUBLE_EQUAL(s.min_ns, 0.2, 0.002);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 0.2, 0.001);
}

TEST_IF(can_measure(), a_sample_has_four_cycles_of_loads_and_65536_at_least)
{
    struct rig *rig = open_rig(1, 0, NULL);
    struct point point = point_like(LAYOUT_PAGE, &walking, 16384);
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 65536);
    point.pages = 16385;
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 4 * 16385);
    point.layout = &layouts[LAYOUT_LOCAL]; /* where loads get slower with more nodes */
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 65536);
    point.pages = 70000;
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 70000);
    point.pages = 1 << 20;
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 1 << 18);
    point.kernel = &adding;
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 1 << 20);
    rig_close(rig);
    rig = open_rig(1, 77, NULL); /* asked for */
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 77);
    rig_close(rig);
}

TEST_IF(can_measure(), a_long_chain_is_warmed_for_a_million_loads)
{
    struct rig *rig = open_rig(1, 0, NULL);
    struct point point = point_like(LAYOUT_PAGE, &walking, 1000);
    CU_ASSERT_EQUAL(warm_loads(rig, &point), 1000);
    point.pages = 1 << 22;
    CU_ASSERT_EQUAL(warm_loads(rig, &point), 1 << 20);
    point.layout = &layouts[LAYOUT_PAIR]; /* the whole cycle: other lines were loaded last */
    CU_ASSERT_EQUAL(warm_loads(rig, &point), 1 << 22);
    point.kernel = &drawing;
    CU_ASSERT_EQUAL(warm_loads(rig, &point), 2 << 22);
    rig_close(rig);
}

/* The times of linking, warming and the timed loads, in nanoseconds. */
TEST_IF(can_measure(), the_estimate_counts_loads_warm_up_and_links)
{
    struct rig *rig = open_rig(1, 0, NULL);
    struct point point = point_like(LAYOUT_PAGE, &walking, 1000);
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9, 66536 * 8 + 1000 * 10, 1);
    point.layout = &layouts[LAYOUT_PACKED];
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9, 66536 * 3 + 1000 * 10, 1);
    uint64_t pages = (1 << 20) - 1; /* the longest that counts as short */
    point = point_like(LAYOUT_PAGE, &walking, pages);
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9, (5.0 * 8 + 10) * (double)pages, 10);
    point = point_like(LAYOUT_PAGE, &walking, 1 << 22);
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9,
                           17.0 * (1 << 20) * 150 + 80.0 * (1 << 22), 10);
    point.layout = &layouts[LAYOUT_LOCAL];
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9,
                           (150 + 10) * (double)(1 << 22) + 150 * (double)(1 << 18), 10);
    point.kernel = &adding;
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9, 1 << 20, 1);
    rig_close(rig);
}
