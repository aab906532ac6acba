/* test_saving.c: what huge pages save, from pairs of times.
 *
 *     bin/.obj/plain/tests/trace/test_saving
 */
#include "base/error.h"
#include "base/random.h"
#include "tap.h"
#include "trace/saving/counters.h"
#include "trace/saving/saving.h"
#include "trace/saving/watch.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 12 };

TEST(a_saving_is_in_per_cent_of_the_time_on_base_pages)
{
    double base[PAIRS], huge[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        base[i] = 1 + i;
        huge[i] = 0.75 * base[i];
    }
    base[3] = 0; /* no time: the pair is left out */
    struct saving s = saving_of_pairs(base, huge, PAIRS, 0.99);
    CU_ASSERT_DOUBLE_EQUAL(s.percent, 25, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.low, 25, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(s.high, 25, 1e-9);
    s = saving_of_pairs(huge, base, PAIRS, 0.99);
    CU_ASSERT_DOUBLE_EQUAL(s.percent, -100.0 / 3, 1e-9);
    CU_ASSERT(isinf(saving_of_pairs(base, huge, 4, 0.99).low));
}

TEST(pairs_decide_where_a_difference_is_shown_or_none_can_matter)
{
    static const struct {
        struct saving saving;
        bool shown, decided;
    } of[] = {{{5, 0.1, 9}, true, true},        {{-5, -9, -0.1}, true, true},
              {{5, -0.1, 9}, false, false},     {{0.2, -0.9, 0.9}, false, true},
              {{0.2, -0.9, 1.1}, false, false}, {{0.9, 0.5, 1.3}, false, false},
              {{0.5, 0.2, 0.9}, false, true},   {{0, -INFINITY, INFINITY}, false, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        CU_ASSERT_EQUAL(saving_is_shown(&of[i].saving, 1), of[i].shown);
        CU_ASSERT_EQUAL(saving_is_decided(&of[i].saving, 1), of[i].decided);
    }
}

/* Pairs of which nothing is different: a difference is shown in any of three comparisons at most
 * as often as the confidence leaves. */
TEST(three_looks_err_no_more_often_than_one_may)
{
    enum { TRIALS = 1500, MOST = 48 };
    double base[MOST], huge[MOST], each = saving_confidence_each(0.9, PAIRS, MOST);
    struct random random;
    int shown = 0;
    CU_ASSERT_DOUBLE_EQUAL(saving_confidence_each(0.99, 12, 12), 0.99, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(each, 1 - 0.1 / 3, 1e-12);
    CU_ASSERT_EQUAL(saving_pairs_next(12, 48), 24);
    CU_ASSERT_EQUAL(saving_pairs_next(24, 40), 40);
    random_seed(&random, 7, 0);
    for (int trial = 0; trial < TRIALS; trial++) {
        bool once = false;
        for (int i = 0; i < MOST; i++) {
            base[i] = 1 + (double)random_below(&random, 1 << 20) / (1 << 20);
            huge[i] = 1 + (double)random_below(&random, 1 << 20) / (1 << 20);
        }
        for (size_t n = PAIRS; n <= MOST; n *= 2) {
            struct saving s = saving_of_pairs(base, huge, n, each);
            once |= saving_is_shown(&s, 0);
        }
        shown += once;
    }
    CU_ASSERT(shown < TRIALS / 10);
    CU_ASSERT(shown > TRIALS / 50);
}

/* ---- which events of a processor are counted ---- */

/* Events by name, with their numbers. */
static const char *const *processor;

static bool named(const char *name, struct platform_event *event)
{
    for (uint64_t i = 0; processor[i] != NULL; i++)
        if (strcmp(processor[i], name) == 0) {
            *event = (struct platform_event){.config = i};
            return true;
        }
    return false;
}

static const char *const nothing[COUNTERS] = {NULL, NULL};
static const char *const new_intel[] = {
    "DTLB_LOAD_MISSES:WALK_ACTIVE",     "DTLB_STORE_MISSES:WALK_ACTIVE",   "perf::DTLB-LOAD-MISSES",
    "DTLB_STORE_MISSES:WALK_COMPLETED", "DTLB_LOAD_MISSES:WALK_COMPLETED", NULL};
static const char *const old_intel[] = {
    "DTLB_LOAD_MISSES:WALK_COMPLETED", "DTLB_STORE_MISSES:WALK_COMPLETED",
    "DTLB_LOAD_MISSES:WALK_DURATION", "DTLB_STORE_MISSES:WALK_DURATION", NULL};
static const char *const zen[] = {"perf::DTLB-LOAD-MISSES",
                                  "L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS:TLB_RELOAD_2M_L2_MISS:"
                                  "TLB_RELOAD_1G_L2_MISS:TLB_RELOAD_COALESCED_PAGE_MISS",
                                  NULL};
static const char *const unknown[] = {"perf::DTLB-LOAD-MISSES", NULL};
static const char *const none[] = {NULL};

TEST(the_events_of_a_processor_are_found_the_most_exact_first)
{
    struct counters c;
    processor = new_intel;
    CU_ASSERT_PTR_NULL(counters_find(&c, nothing, named));
    CU_ASSERT_EQUAL(c.watch.count, 4);
    CU_ASSERT_EQUAL(c.watch.event[0].config, 4);
    CU_ASSERT_EQUAL(c.watch.event[1].config, 3);
    CU_ASSERT_EQUAL(c.watch.event[2].config, 0);
    CU_ASSERT_EQUAL(c.watch.event[3].config, 1);
    processor = old_intel;
    CU_ASSERT_PTR_NULL(counters_find(&c, nothing, named));
    CU_ASSERT_STRING_EQUAL(c.events[COUNTER_WALK_CYCLES],
                           "DTLB_LOAD_MISSES:WALK_DURATION+DTLB_STORE_MISSES:WALK_DURATION");
    processor = zen;
    CU_ASSERT_PTR_NULL(counters_find(&c, nothing, named));
    CU_ASSERT_EQUAL(c.watch.event[0].config, 1);
    CU_ASSERT_PTR_NULL(c.events[COUNTER_WALK_CYCLES]);
    processor = unknown;
    CU_ASSERT_PTR_NULL(counters_find(&c, nothing, named));
    CU_ASSERT_STRING_EQUAL(c.events[COUNTER_MISSES], "perf::DTLB-LOAD-MISSES");
    processor = none;
    CU_ASSERT_PTR_NULL(counters_find(&c, nothing, named));
    CU_ASSERT_EQUAL(c.watch.count, 0);
}

TEST(requested_events_are_counted_or_reported_missing)
{
    struct counters c;
    const char *const mine[COUNTERS] = {"perf::DTLB-LOAD-MISSES", NULL};
    const char *const missing[COUNTERS] = {NULL, "DTLB_LOAD_MISSES:WALK_ACTIVE+NO_SUCH"};
    const char *const five[COUNTERS] = {
        NULL, "DTLB_LOAD_MISSES:WALK_ACTIVE+DTLB_STORE_MISSES:WALK_ACTIVE+perf::DTLB-LOAD-MISSES"};
    processor = new_intel;
    CU_ASSERT_PTR_NULL(counters_find(&c, mine, named));
    CU_ASSERT_STRING_EQUAL(c.events[COUNTER_MISSES], "perf::DTLB-LOAD-MISSES");
    CU_ASSERT_EQUAL(c.watch.count, 3);
    CU_ASSERT_PTR_EQUAL(counters_find(&c, missing, named), missing[1]);
    CU_ASSERT_PTR_EQUAL(counters_find(&c, five, named), five[1]);
}

TEST(counts_of_joined_events_are_added_and_unknown_where_one_is)
{
    struct counters c;
    struct platform_usage usage = {.counted = {1000, 20, 300, 4}};
    processor = new_intel;
    counters_find(&c, nothing, named);
    CU_ASSERT_EQUAL(counters_count(&c, COUNTER_MISSES, &usage), 1020);
    CU_ASSERT_EQUAL(counters_count(&c, COUNTER_WALK_CYCLES, &usage), 304);
    usage.counted[3] = NAN;
    CU_ASSERT(isnan(counters_count(&c, COUNTER_WALK_CYCLES, &usage)));
    processor = zen;
    counters_find(&c, nothing, named);
    CU_ASSERT_EQUAL(counters_count(&c, COUNTER_MISSES, &usage), 1000);
    CU_ASSERT(isnan(counters_count(&c, COUNTER_WALK_CYCLES, &usage)));
}

/* ---- the budget of a watch ---- */

/* A chase takes 5 ms of processor time; the clock goes on only while it waits, and once by a day.
 */
static struct {
    double now, cpu, sleeps_at;
    int chases;
} host;

static double now_s(void *self)
{
    (void)self;
    return host.now;
}

static double cpu_s(void *self)
{
    (void)self;
    return host.cpu;
}

static void wait_s(void *self, double seconds)
{
    (void)self;
    host.now += seconds;
    if (host.sleeps_at > 0 && host.now > host.sleeps_at) {
        host.now += 86400;
        host.sleeps_at = 0;
    }
}

static double chase_ns(void *self, int size, bool packed)
{
    (void)self;
    host.cpu += 0.005;
    host.chases++;
    return packed ? 4 : 10 + 20 * size;
}

static void watch_for(uint64_t periods)
{
    const struct watch_parts parts = {NULL, now_s, cpu_s, wait_s, chase_ns};
    const struct watch_options options = {60, 1.0 / 3600, periods};
    watch_run(&parts, &options);
}

static void a_day(void)
{
    host.cpu = 0.03; /* the program's start */
    watch_for(24 * 60);
    fflush(stdout);
    fprintf(stderr, "cpu %.6f of %.6f\n", host.cpu, host.now / 3600);
}

/* Two sizes of two chases each are 20 ms a minute, and 16.7 ms are allowed. */
TEST(uses_the_budget_and_no_more)
{
    static char output[1 << 20];
    double used = 0, allowed = 0;
    CU_ASSERT_EQUAL(tap_fork(a_day, "", output, sizeof output), 0);
    const char *last = strstr(output, "cpu ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT_EQUAL(sscanf(last, "cpu %lf of %lf", &used, &allowed), 2);
    CU_ASSERT(used <= allowed + 1.0 / 60 + 1e-6);
    CU_ASSERT(used > 0.98 * allowed);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n60\t1024\t10\t4\t6\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\t8192\t30\t4\t26\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\t8192\t-\t-\t-\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n86340\t8192\t"));
}

static void a_night(void)
{
    host.sleeps_at = 130;
    watch_for(1444);
}

/* The periods in which the host slept have no rows. */
TEST(goes_on_after_a_sleep_of_the_host)
{
    char output[4096];
    CU_ASSERT_EQUAL(tap_fork(a_night, "", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n120\t8192\t"));
    CU_ASSERT_PTR_NULL(strstr(output, "\n180\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n86580\t1024\t10\t4\t6\t"));
}
