/* test_noise.c: noise in the times of a simulated machine: the list, and what each kind does to the
 * mean and to the fastest lap.
 *
 *     bin/.obj/plain/tests/tlb/simulate/test_noise
 */
#include "machine.h"
#include "small_model.h"
#include "tlb/simulate/noise.h"
#include <stdio.h>

enum { PASSES = 400 };

/* Sample number `pass` of this many pages of layout page: 10 ns a load, 30 with the neighbour. */
static struct sample sample_with(const char *list, uint64_t seed, uint64_t pages, uint64_t pass)
{
    struct noise noise;
    struct sample s = {.point = point_of("page", pages, 4096), .ns = 10, .loads = 200000};
    s.point.sample = pass;
    noise_parse(&noise, list);
    noise_disturb(&noise, seed, 20, &s);
    return s;
}

static struct sample sample_of(const char *list, uint64_t pass)
{
    return sample_with(list, 1, 100, pass);
}

/* ---- the list ---- */

static const char *bad_list;

static void parse_bad(void)
{
    struct noise noise;
    noise_parse(&noise, bad_list);
}

TEST(its_values_are_read)
{
    struct noise noise;
    noise_parse(&noise, "gauss:5,spikes:10,timer:20,neighbour:25:80:2.5");
    CU_ASSERT_EQUAL(noise.part[NOISE_GAUSS], 0.05);
    CU_ASSERT_EQUAL(noise.part[NOISE_SPIKES], 0.1);
    CU_ASSERT_EQUAL(noise.part[NOISE_DRIFT], 0);
    CU_ASSERT_EQUAL(noise.timer_ns, 20);
    CU_ASSERT_EQUAL(noise.part[NOISE_NEIGHBOUR], 0.25);
    CU_ASSERT_EQUAL(noise.duty, 0.8);
    CU_ASSERT_EQUAL(noise.stretch_ns, 2.5e6);
    noise_parse(&noise, "neighbour:25");
    CU_ASSERT_EQUAL(noise.duty, 0.5);
    CU_ASSERT_EQUAL(noise.stretch_ns, 5e6);
    CU_ASSERT_EQUAL(noise.part[NOISE_GAUSS], 0);
}

TEST(a_bad_one_is_answered_with_what_is_expected)
{
    static const struct {
        const char *list, *expected;
    } cases[] = {
        {"hiss:3", "'hiss:3': expected gauss, spikes,"},
        {"gauss:1,:3", "':3': expected gauss, spikes,"},
        {"gaus:3", "'gaus:3': expected gauss, spikes,"},
        {"gauss:1:2", "'gauss:1:2': expected gauss:PERCENT"},
        {"drift:101", "'drift:101': expected drift:PERCENT"},
        {"timer:-1", "'timer:-1': expected timer:NS"},
        {"timer:1e7", "'timer:1e7': expected timer:NS"},
        {"neighbour", "'neighbour': expected neighbour:SHARE[:DUTY[:STRETCH_MS]]"},
        {"neighbour:50:", "'neighbour:50:': expected neighbour:SHARE"},
        {"neighbour:50:101", "'neighbour:50:101': expected neighbour:SHARE"},
        {"neighbour:101", "'neighbour:101': expected neighbour:SHARE"},
        {"neighbour:50:50:0", "'neighbour:50:50:0': expected neighbour:SHARE"},
        {"neighbour:50:50:5:5", "'neighbour:50:50:5:5': expected neighbour:SHARE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bad_list = cases[i].list;
        CU_ASSERT_TRUE(tap_refuses(parse_bad, "", cases[i].expected));
    }
}

/* ---- samples ---- */

TEST(depends_on_seed_point_and_sample)
{
    const char *list = "gauss:5,spikes:10,lognormal:2,neighbour:50";
    struct sample a = sample_of(list, 0), b = sample_of(list, 0);
    CU_ASSERT_EQUAL(a.ns, b.ns);
    CU_ASSERT_EQUAL(a.min_ns, b.min_ns);
    CU_ASSERT_NOT_EQUAL(a.ns, sample_of(list, 1).ns);
    CU_ASSERT_NOT_EQUAL(a.ns, sample_with(list, 2, 100, 0).ns);
    CU_ASSERT_NOT_EQUAL(a.ns, sample_with(list, 1, 101, 0).ns);
    CU_ASSERT_DOUBLE_EQUAL(a.run_s, a.loads * a.ns / 1e9, 1e-12);
}

/* Eight laps of 25 000 loads or more, in whole rounds; a chain longer than that has fewer. */
TEST(a_sample_is_timed_lap_by_lap)
{
    struct sample quiet = sample_of("", 0);
    CU_ASSERT_EQUAL(quiet.ns, 10);
    CU_ASSERT_EQUAL(quiet.min_ns, 10);
    CU_ASSERT_EQUAL(quiet.runs, 8);
    CU_ASSERT_EQUAL(sample_with("", 1, 4096, 0).runs, 6); /* of 7 × 4096 */
    CU_ASSERT_EQUAL(sample_with("", 1, 60000, 0).runs, 3);
    CU_ASSERT_EQUAL(sample_with("", 1, 300000, 0).runs, 1);
}

TEST(a_factor_of_the_whole_sample_moves_its_fastest_lap_too)
{
    static const char *const lists[] = {"gauss:5", "drift:5", "ramp:5", "clock:5", "frames:5"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct sample s = sample_of(lists[i], 3);
        CU_ASSERT_NOT_EQUAL(s.ns, 10);
        CU_ASSERT_EQUAL(s.min_ns, s.ns);
    }
}

TEST(spikes_hit_one_lap)
{
    struct sample s = sample_of("spikes:100", 0);
    CU_ASSERT(s.ns > 10.1);
    CU_ASSERT_EQUAL(s.min_ns, 10);
}

TEST(lognormal_noise_only_adds)
{
    double sum = 0;
    for (uint64_t pass = 0; pass < PASSES; pass++) {
        struct sample s = sample_of("lognormal:2", pass);
        CU_ASSERT(s.min_ns > 10);
        CU_ASSERT(s.ns > s.min_ns);
        sum += s.ns;
    }
    CU_ASSERT_DOUBLE_EQUAL(sum / PASSES, 10 + 0.2 * exp(0.5), 0.05);
}

/* Laps take 250 us. */
TEST(the_timer_shows_whole_ticks)
{
    struct sample s = sample_of("timer:1000000", 0);
    double ticks = s.ns * s.loads / 1e6, sum = 0;
    CU_ASSERT_DOUBLE_EQUAL(ticks, round(ticks), 0.001);
    CU_ASSERT(s.min_ns < 1); /* a lap in which the timer did not change */
    for (uint64_t pass = 0; pass < PASSES; pass++)
        sum += sample_of("timer:1000000", pass).ns;
    CU_ASSERT_DOUBLE_EQUAL(sum / PASSES, 10, 1.2); /* 4 standard deviations */
}

/* The clock changes every 2.5 passes, in the middle of a pass for some sizes and not for others. */
TEST(the_clock_keeps_a_frequency_for_some_passes)
{
    double least = INFINITY, most = 0;
    int changes = 0;
    for (uint64_t pass = 0; pass < PASSES; pass++) {
        double ns = sample_of("clock:10", pass).ns;
        least = fmin(least, ns);
        most = fmax(most, ns);
        changes += pass > 0 && ns != sample_of("clock:10", pass - 1).ns;
    }
    CU_ASSERT_DOUBLE_EQUAL(changes, PASSES / 2.5, 1);
    CU_ASSERT(least >= 10 && least < 10.1);
    CU_ASSERT(most > 10.9 && most <= 11);
}

/* Samples of one window of the buffer have the same offset, of others another one. */
TEST(page_frames_differ_from_window_to_window)
{
    struct point p = point_of("page", 100, 4096), q = p;
    int alike = 0, other = 0;
    for (uint64_t pass = 1; pass < 100; pass++) {
        q.sample = pass;
        bool same_window = p.layout->offset(&p, 64, 0) == q.layout->offset(&q, 64, 0);
        bool same_ns = sample_of("frames:10", pass).ns == sample_of("frames:10", 0).ns;
        CU_ASSERT_EQUAL(same_window, same_ns);
        alike += same_ns;
        other += !same_ns;
    }
    CU_ASSERT(alike > 0 && other > 0);
}

/* ---- the neighbour ---- */

/* It is there for a share of the time, which is a share of the samples where stretches are long: a
 * sample takes 2 to 6 ms, a lap an eighth. */
static void check_duty(const char *list, double duty)
{
    double with = 0;
    int clean = 0;
    for (uint64_t pass = 0; pass < PASSES; pass++) {
        struct sample s = sample_of(list, pass);
        CU_ASSERT(s.min_ns >= 10 && s.ns >= s.min_ns && s.ns <= 30);
        with += (s.ns - 10) / 20;
        clean += s.min_ns == 10;
    }
    CU_ASSERT_DOUBLE_EQUAL(with / PASSES, duty, 0.08);
    CU_ASSERT(duty == 1 ? clean == 0 : clean > PASSES * (1 - duty) * 0.9);
}

TEST(is_there_for_its_share_of_the_time)
{
    check_duty("neighbour:50:0:500", 0);
    check_duty("neighbour:50:20:500", 0.2);
    check_duty("neighbour:50:50:500", 0.5);
    check_duty("neighbour:50:80:500", 0.8);
    check_duty("neighbour:50:100:0.5", 1);
}

/* Stretches shorter than a lap reach every lap; long ones leave whole samples alone. */
TEST(leaves_laps_between_its_stretches_alone)
{
    int clean = 0, whole = 0, mixed = 0;
    for (uint64_t pass = 0; pass < PASSES; pass++) {
        CU_ASSERT(sample_of("neighbour:50:50:0.01", pass).min_ns > 12);
        struct sample s = sample_of("neighbour:50:50:100", pass);
        clean += s.ns == 10;
        whole += s.min_ns == 30;
        mixed += s.min_ns < s.ns;
    }
    CU_ASSERT(clean > 150 && clean < 250);
    CU_ASSERT(whole > 130 && whole < 240);
    CU_ASSERT(mixed > 0 && mixed < 40);
}

/* page and packed of one size and pass are adjacent. */
TEST(meets_page_and_packed_of_one_size_alike)
{
    struct noise noise;
    noise_parse(&noise, "neighbour:50:50:100");
    for (uint64_t pass = 0; pass < 20; pass++) {
        struct sample page = sample_of("neighbour:50:50:100", pass), packed = page;
        packed.point.layout = point_of("packed", 100, 64).layout;
        packed.point.spacing = 64;
        packed.ns = 10;
        noise_disturb(&noise, 1, 20, &packed);
        CU_ASSERT_EQUAL(packed.ns, page.ns);
    }
}

TEST(takes_ways_of_each_set)
{
    struct model m = small_model(), left;
    add_tlb(&m, 96, 96, 0);
    add_tlb(&m, 4096, 16, 1e9);
    left = model_beside_neighbour(&m, 0.5);
    CYCLE(&left, 48 * 1e6, "page", 48, 4096);
    CYCLE(&left, 49 * (1e6 + 1e9), "page", 49, 4096);
    CU_ASSERT_EQUAL(left.dtlb.at[1].shape.entries, 2048);
    CU_ASSERT_EQUAL(left.dtlb.at[1].shape.ways, 8);
    left = model_beside_neighbour(&m, 1);
    CU_ASSERT_EQUAL(left.dtlb.at[0].shape.entries, 1);
    CU_ASSERT_EQUAL(left.dtlb.at[1].shape.entries, 256);
    left = model_beside_neighbour(&m, 0);
    CU_ASSERT_EQUAL(left.dtlb.at[1].shape.ways, 16);
}
