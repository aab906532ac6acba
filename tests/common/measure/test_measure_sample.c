/* test_measure_sample.c: what a sample is made of: which chain, and what is written down of it. */
#include "simulated_rig.h"

#include "tap.h"

/* ---- what chain ---- */

static bool same_nodes(const struct seen *a, const struct seen *b)
{
    return memcmp(a->nodes, b->nodes, sizeof a->nodes) == 0;
}

TEST_IF(can_measure(), each_sample_has_a_chain_of_its_own)
{
    sample_of(1, 65536, 0);
    struct seen first = runs.at[0];
    sample_of(1, 65536, 0);
    CU_ASSERT_TRUE(same_nodes(&first, &runs.at[0])); /* that of its seed and number, always */
    sample_of(1, 65536, 1);
    CU_ASSERT_FALSE(same_nodes(&first, &runs.at[0]));
    sample_of(2, 65536, 0);
    CU_ASSERT_FALSE(same_nodes(&first, &runs.at[0]));
}

TEST_IF(can_measure(), each_point_has_random_numbers_of_its_own)
{
    struct point points[] = {
        point_like(LAYOUT_PAGE, &walking, 1000), point_like(LAYOUT_PAGE, &walking, 1001),
        point_like(LAYOUT_PACKED, &walking, 1000), point_like(LAYOUT_LINE, &walking, 1000)};
    for (size_t i = 1; i < sizeof points / sizeof *points; i++)
        for (size_t k = 0; k < i; k++) {
            struct random a = chain_random(&points[i], 1), b = chain_random(&points[k], 1);
            CU_ASSERT_NOT_EQUAL(random_next(&a), random_next(&b));
        }
}

/* The nodes from a start until the chain comes round. */
static size_t length_of(void **start)
{
    size_t length = 1;
    for (void **node = *start; node != start && length <= PAGES; node = *node)
        length++;
    return length;
}

/* Four chains: the loop is another one, and each has a fourth of the nodes. */
static size_t lengths[4];

static uint64_t walk_four(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS])
{
    for (int i = 0; i < 4; i++) {
        lengths[i] = length_of(work->start[i]);
        end[i] = (uint64_t)(uintptr_t)work->start[i];
    }
    simulated.now_ns += 1e6;
    return work->loads;
}

TEST_IF(can_measure(), several_chains_share_the_nodes_evenly)
{
    kernel_loop *const several[] = {NULL, NULL, walk_four};
    const struct kernel kernel = {.chases = true, .node_bytes = 8, .run = walk, .several = several};
    struct point point = point_like(LAYOUT_PACKED, &kernel, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    point.chains = 4;
    rig_measure(rig, &point, &s);
    rig_close(rig);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(lengths[i], PAGES / 4);
}

/* ---- what is written down ---- */

/* The rig was opened five seconds before; the sample takes a second for every ten thousand loads.
 */
TEST_IF(can_measure(), t_s_is_when_it_began_run_s_how_long_it_took)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 20000, NULL);
    simulated.now_ns += 5e9;
    runs.load_ns = 1e5;
    rig_measure(rig, &point, &s);
    CU_ASSERT_DOUBLE_EQUAL(s.t_s, 5, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(s.run_s, (20000 + PAGES) * 1e-4, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 1e5, 0.1);
    CU_ASSERT_EQUAL(s.runs, 2);
    rig_measure(rig, &point, &s);
    CU_ASSERT_DOUBLE_EQUAL(s.t_s, 5 + (20000 + PAGES) * 1e-4, 1e-5);
    rig_close(rig);
}

TEST_IF(can_measure(), disturbances_are_those_of_the_timed_run)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    simulated.counts = (struct platform_counts){1000, 2000, 3000, 0};
    runs.switches[1] = 5;
    rig_measure(rig, &point, &s);
    CU_ASSERT_EQUAL(s.faults, 2 * LAPS);
    CU_ASSERT_EQUAL(s.switches, 5);
    CU_ASSERT_EQUAL(s.migrations, LAPS);
    CU_ASSERT_TRUE(isnan(s.refs) && isnan(s.proc_s) && isnan(s.sum));
    rig_close(rig);
}

TEST_IF(can_measure(), what_is_not_counted_is_missing)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    simulated.uncounted = true;
    rig_measure(rig, &point, &s);
    CU_ASSERT_TRUE(isnan(s.faults) && isnan(s.switches) && isnan(s.migrations));
    rig_close(rig);
}

TEST_IF(can_measure(), the_lab_has_its_references_its_time_and_its_sum)
{
    struct point point = point_like(LAYOUT_LINE, &adding, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 0, NULL);
    rig_measure(rig, &point, &s);
    rig_close(rig);
    CU_ASSERT_EQUAL(runs.at[0].loads, 1);
    CU_ASSERT_EQUAL(s.refs, 1 << 20);
    CU_ASSERT_EQUAL(s.proc_s, 0.25);
    CU_ASSERT_EQUAL(s.sum, 4711);
}

static void print_metadata(void)
{
    struct rig *rig = open_rig(42, 0, &mistakes[0]);
    rig->options.core = (struct core){3, {PLATFORM_YES, ""}};
    rig->ghz = 3.25;
    rig_put_meta(rig);
    rig->options.core.pinned = (struct platform_outcome){PLATFORM_NO, "the system refuses"};
    rig_put_meta(rig);
    rig_close(rig);
    rig = open_rig(43, 0, &(struct mistake){.name = "cold", .cold = true});
    rig_put_meta(rig);
    rig_close(rig);
}

TEST_IF(can_measure(), the_metadata_have_seed_core_and_clock)
{
    char output[2048];
    CU_ASSERT_EQUAL(tap_fork(print_metadata, "", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# seed: 42\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# pinned_cpu: 3\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "the system refuses"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# core_kind: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# sibling_busy: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# timer_ns: 20.0\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# timer_overhead_ns: 20.0\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# ghz_estimated: 3.25\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "# mistake: vanished\n"));
    const char *cold = strstr(output, "# seed: 43");
    CU_ASSERT_PTR_NOT_NULL_FATAL(cold);
    CU_ASSERT_PTR_NULL(strstr(cold, "ghz_estimated")); /* looking for it would be a warm-up */
}
