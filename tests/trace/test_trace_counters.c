/* test_trace_counters.c: which events of a processor are counted, with simulated processors.
 *
 *     bin/.obj/plain/tests/trace/test_trace_counters
 */
#include "tap.h"
#include "trace/saving/counters.h"
#include <math.h>
#include <string.h>

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
