/* test_measure_clock.c: what is learnt from a clock, on one that the test sets. */
#include "simulated_clock.h"

#include "ticks.h"
static uint64_t simulated_ticks(void);
#define ticks_now simulated_ticks
#include "measure/clock.c"
#include "tap.h"
#include <string.h>

static void set_clock(double reading_ns)
{
    memset(&simulated, 0, sizeof simulated);
    simulated.reading_ns = reading_ns;
}

/* The time stamp counter: two ticks a nanosecond. A reading takes 10 ns or 12 ns in turn, but every
 * second one of the first ten a millisecond, in place of the loop between two of them. */
static struct {
    int readings;
    int set_back; /* before so many readings the system's clock is set back by an hour */
    double ns;    /* since the start, however the clock is set */
} counter;

static uint64_t simulated_ticks(void)
{
    double takes = counter.readings < 10 && counter.readings % 2 == 1 ? 1e6
                   : counter.readings % 3 == 2                        ? 12
                                                                      : 10;
    counter.readings++;
    counter.ns += takes;
    simulated.now_ns += takes - (counter.readings == counter.set_back ? 3.6e12 : 0);
    return (uint64_t)(2 * counter.ns);
}

/* Every reading takes less than the last, for this many readings. */
static void set_clock_of_faster(double reading_ns, double faster, int readings)
{
    set_clock(reading_ns);
    simulated.faster = faster;
    simulated.readings = readings;
}

TEST(a_fine_clock_shows_its_own_cost)
{
    set_clock(25);
    struct clock_quality q = clock_quality();
    CU_ASSERT_EQUAL(q.resolution_ns, 25);
    CU_ASSERT_DOUBLE_EQUAL(q.overhead_ns, 25, 1e-9);
    CU_ASSERT_TRUE(simulated.now_ns >= 1000 * 25); /* one reading alone says little */
}

TEST(a_coarse_clock_shows_its_step_and_what_a_reading_costs)
{
    set_clock(7);
    simulated.shown_ns = 1000;
    struct clock_quality q = clock_quality();
    CU_ASSERT_EQUAL(q.resolution_ns, 1000);
    CU_ASSERT_DOUBLE_EQUAL(q.overhead_ns, 7, 0.5);
}

TEST(a_stopped_clock_has_no_step)
{
    set_clock(0);
    struct clock_quality q = clock_quality();
    CU_ASSERT_EQUAL(q.resolution_ns, 0);
    CU_ASSERT_EQUAL(q.overhead_ns, 0);
}

/* The first reading takes 10 ms, all others 25 ns. */
TEST(a_pause_between_readings_is_not_the_cost_of_one)
{
    set_clock_of_faster(1e7, 25 / 1e7, 1);
    CU_ASSERT_DOUBLE_EQUAL(clock_quality().overhead_ns, 25, 1e-9);
}

/* 2^18 additions between two readings. */
TEST(the_frequency_is_additions_per_nanosecond)
{
    set_clock(1 << 17);
    CU_ASSERT_DOUBLE_EQUAL(clock_ghz(), 2, 1e-6);
    set_clock(0);
    CU_ASSERT_EQUAL(clock_ghz(), 0);
}

/* From 1 GHz to 2. */
TEST(the_frequency_is_that_of_a_processor_that_has_come_up_to_speed)
{
    set_clock_of_faster(1 << 18, pow(0.5, 1.0 / 300), 300);
    CU_ASSERT_DOUBLE_EQUAL(clock_ghz(), 2, 0.01);
}

/* Sixty estimates that are no better, each of three readings; the first waits for nothing. */
TEST(a_steady_processor_is_asked_sixty_times_more)
{
    set_clock(1 << 17);
    clock_ghz();
    CU_ASSERT_EQUAL(simulated.now_ns / (1 << 17), 3 + 3 * 60);
}

TEST(the_frequency_is_not_waited_for_longer_than_a_fifth_of_a_second)
{
    set_clock_of_faster(1e6, 0.997, 100000);
    clock_ghz();
    CU_ASSERT_DOUBLE_EQUAL(simulated.now_ns, 0.2e9, 0.01e9);
}

/* A round is two readings for each of a hundred runs, and one for the time that is over. */
TEST(the_warm_up_of_a_steady_processor_is_twenty_rounds)
{
    set_clock(10);
    double s = clock_warm_up();
    CU_ASSERT_DOUBLE_EQUAL(s, (200 + 20 * 201 + 1) * 10e-9, 1e-12);
}

TEST(the_warm_up_goes_on_while_the_processor_gets_faster)
{
    set_clock_of_faster(10000, 0.9999, 20 * 201); /* two per cent a round */
    double s = clock_warm_up();
    CU_ASSERT_TRUE(s > 1.5 * (20 * 201 + 200) * 10000e-9 * pow(0.9999, 20 * 201));
    CU_ASSERT_EQUAL(simulated.readings, 0);
    set_clock_of_faster(1e6, 0.9999, 1000000);
    CU_ASSERT_DOUBLE_EQUAL(clock_warm_up(), 1, 0.25);
}

static struct clock_ticks ticks_of(int set_back)
{
    set_clock(25);
    simulated.now_ns = 1e13;
    memset(&counter, 0, sizeof counter);
    counter.set_back = set_back;
    return clock_ticks();
}

TEST(a_counter_is_compared_with_the_clock)
{
    struct clock_ticks ticks = ticks_of(0);
    CU_ASSERT_DOUBLE_EQUAL(ticks.ns, 0.5, 1e-4);
    CU_ASSERT_EQUAL(ticks.overhead, 20);
    CU_ASSERT_EQUAL(ticks.step, 4);
}

/* In any of the stretches, before or after its loop. */
TEST(a_clock_that_is_set_back_leaves_the_counter_as_it_is)
{
    for (int reading = 1; reading <= 10; reading++)
        CU_ASSERT_DOUBLE_EQUAL(ticks_of(reading).ns, 0.5, 1e-4);
}
