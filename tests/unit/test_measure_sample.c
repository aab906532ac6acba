/* test_measure_sample.c: what a sample is made of: how often a loop runs, from where, for how many
 * loads, and what of that is written down. The clock is the test's, and so is the loop. */
#include "simulated_clock.h"

#include "measure/clock.c"
#include "measure/measure.c"
#include "tap.h"
#include <string.h>

enum { PAGES = 100, READING_NS = 20, RUNS_MOST = 32, NODES_SEEN = 32 };

/* What the loop was asked for. */
struct seen {
    uint64_t loads;
    void **start, **end;
    ptrdiff_t nodes[NODES_SEEN]; /* the first that it visited, as bytes from the buffer's begin */
};

static struct {
    double load_ns;
    uint64_t switches[RUNS_MOST]; /* that disturb each run */
    double extra_ns[RUNS_MOST];   /* and make it longer */
    size_t count;
    struct seen at[RUNS_MOST];
} runs;

/* A loop whose time is known. */
static uint64_t walk(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS])
{
    struct seen *seen = &runs.at[runs.count];
    void **node = work->start[0];
    seen->loads = work->loads;
    seen->start = node;
    for (uint64_t i = 0; i < work->loads; i++, node = *node)
        if (i < NODES_SEEN)
            seen->nodes[i] = (char *)node - work->memory;
    seen->end = node;
    end[0] = (uint64_t)(uintptr_t)node;
    simulated.now_ns += (double)work->loads * runs.load_ns + runs.extra_ns[runs.count];
    simulated.process_s += 1;
    simulated.counts.faults += 2;
    simulated.counts.migrations += 1;
    simulated.counts.switches += runs.switches[runs.count];
    runs.count += runs.count + 1 < RUNS_MOST;
    return work->loads;
}

/* The lab's: no chain, and a sum. */
static uint64_t add_up(const struct kernel_work *work, uint64_t end[KERNEL_CHAINS])
{
    runs.at[runs.count].loads = work->loads;
    runs.count += runs.count + 1 < RUNS_MOST;
    end[0] = 4711;
    simulated.now_ns += (double)work->loads;
    simulated.process_s += 0.25;
    return work->loads;
}

static const struct kernel walking = {
    .name = "walking", .chases = true, .node_bytes = 8, .run = walk};
static const struct kernel adding = {.name = "adding", .node_bytes = 8, .run = add_up};
static const struct kernel drawing = {.name = "drawing", .chases = true, .draws = true};

static struct point point_like(int layout, const struct kernel *kernel, uint64_t pages)
{
    uint64_t page = platform_page_bytes();
    return (struct point){.pages = pages,
                          .spacing = layout == LAYOUT_PAGE ? page : 64,
                          .page_bytes = page,
                          .layout = &layouts[layout],
                          .kernel = kernel,
                          .backing = &backings[BACKING_SCATTERED]};
}

static struct rig *open_rig(uint64_t seed, uint64_t loads, const struct mistake *mistake)
{
    struct rig_options options = {
        .mistake = mistake, .seed = seed, .line_bytes = 64, .loads = loads};
    memset(&simulated, 0, sizeof simulated);
    memset(&runs, 0, sizeof runs);
    simulated.reading_ns = READING_NS;
    runs.load_ns = 1;
    return rig_open(&options);
}

/* One sample of 100 nodes, which always lie at the same places, and the runs that it took. */
static struct sample sample_of(uint64_t seed, uint64_t loads, uint64_t number)
{
    struct point point = point_like(LAYOUT_PACKED, &walking, PAGES);
    struct sample sample;
    struct rig *rig = open_rig(seed, loads, NULL);
    point.sample = number;
    rig_measure(rig, &point, &sample);
    rig_close(rig);
    return sample;
}

/* ---- how long ---- */

static void the_chain_is_walked_once_before_it_is_timed(void)
{
    struct sample s = sample_of(1, 100000, 0);
    CU_ASSERT_EQUAL(runs.count, 2);
    CU_ASSERT_EQUAL(runs.at[0].loads, PAGES);
    CU_ASSERT_EQUAL(runs.at[1].loads, 100000);
    CU_ASSERT_EQUAL(s.loads, 100000);
    CU_ASSERT_PTR_EQUAL(runs.at[1].start, runs.at[0].end); /* it goes on where that ended */
}

static void the_mistake_cold_leaves_the_warm_up_out(void)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct mistake cold = {.name = "cold", .cold = true};
    struct sample sample;
    struct rig *rig = open_rig(1, 100000, &cold);
    rig_measure(rig, &point, &sample);
    rig_close(rig);
    CU_ASSERT_EQUAL(runs.count, 1);
    CU_ASSERT_EQUAL(runs.at[0].loads, 100000);
}

/* A reading takes 20 ns, so that 20 us are enough; loads of 1 ns are doubled from 1000 to 32000.
 * The time from reading to reading has one reading in it. */
static void the_timer_takes_a_thousandth_of_a_sample_at_the_most(void)
{
    struct sample s = sample_of(1, 1000, 0);
    CU_ASSERT_EQUAL(runs.count, 1 + 6);
    CU_ASSERT_EQUAL(s.loads, 32000);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 1 + 20.0 / 32000, 1e-9);
    s = sample_of(1, 19980, 0); /* just long enough */
    CU_ASSERT_EQUAL(s.loads, 19980);
    s = sample_of(1, 19979, 0);
    CU_ASSERT_EQUAL(s.loads, 2 * 19979);
}

static void a_sample_has_four_cycles_of_loads_and_65536_at_least(void)
{
    struct rig *rig = open_rig(1, 0, NULL);
    struct point point = point_like(LAYOUT_PAGE, &walking, 16384);
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 65536);
    point.pages = 16385;
    CU_ASSERT_EQUAL(wanted_loads(rig, &point), 4 * 16385);
    point.layout = &layouts[LAYOUT_LOCAL]; /* where loads take the longer, the more nodes */
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

static void a_long_chain_is_warmed_for_a_million_loads(void)
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

/* What linking, warming and the timed loads take, in nanoseconds. */
static void the_estimate_counts_loads_warm_up_and_links(void)
{
    struct rig *rig = open_rig(1, 0, NULL);
    struct point point = point_like(LAYOUT_PAGE, &walking, 1000);
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9, 66536 * 8 + 1000 * 10, 1);
    point.layout = &layouts[LAYOUT_PACKED];
    CU_ASSERT_DOUBLE_EQUAL(rig_estimate_s(rig, &point) * 1e9, 66536 * 3 + 1000 * 10, 1);
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

/* ---- what chain ---- */

static bool same_nodes(const struct seen *a, const struct seen *b)
{
    return memcmp(a->nodes, b->nodes, sizeof a->nodes) == 0;
}

static void each_sample_has_a_chain_of_its_own(void)
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

static void each_point_has_random_numbers_of_its_own(void)
{
    struct rig *rig = open_rig(1, 0, NULL);
    struct point points[] = {
        point_like(LAYOUT_PAGE, &walking, 1000), point_like(LAYOUT_PAGE, &walking, 1001),
        point_like(LAYOUT_PACKED, &walking, 1000), point_like(LAYOUT_LINE, &walking, 1000)};
    for (size_t i = 1; i < sizeof points / sizeof *points; i++)
        for (size_t k = 0; k < i; k++) {
            struct random a = random_of(rig, &points[i]), b = random_of(rig, &points[k]);
            CU_ASSERT_NOT_EQUAL(random_next(&a), random_next(&b));
        }
    rig_close(rig);
}

/* What follows from a start until it comes round. */
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

static void several_chains_share_the_nodes_evenly(void)
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

/* ---- which take ---- */

static void a_disturbed_sample_is_taken_again(void)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    memcpy(runs.switches, (uint64_t[]){0, 4, 2, 0, 1}, 5 * sizeof *runs.switches);
    runs.extra_ns[3] = 65536; /* the calm one is not the quickest */
    rig_measure(rig, &point, &s);
    rig_close(rig);
    CU_ASSERT_EQUAL(runs.count, 4); /* the warm-up, and three takes: the last was calm */
    CU_ASSERT_EQUAL(s.switches, 0);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 2, 0.01);
}

static void of_four_disturbed_takes_the_calmest_and_quickest_counts(void)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    memcpy(runs.switches, (uint64_t[]){0, 3, 2, 2, 3, 0}, 6 * sizeof *runs.switches);
    memcpy(runs.extra_ns, (double[]){0, 0, 2 * 65536, 65536, 0}, 5 * sizeof *runs.extra_ns);
    rig_measure(rig, &point, &s);
    rig_close(rig);
    CU_ASSERT_EQUAL(runs.count, 1 + 4); /* and no fifth */
    CU_ASSERT_EQUAL(s.switches, 2);
    CU_ASSERT_DOUBLE_EQUAL(s.ns, 2, 0.01);
}

/* ---- what is written down ---- */

/* The rig was opened five seconds before; the sample takes a second for every ten thousand loads.
 */
static void t_s_is_when_a_sample_began_and_run_s_how_long_it_took(void)
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
    rig_measure(rig, &point, &s);
    CU_ASSERT_DOUBLE_EQUAL(s.t_s, 5 + (20000 + PAGES) * 1e-4, 1e-5);
    rig_close(rig);
}

static void disturbances_are_those_of_the_timed_run(void)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    simulated.counts = (struct platform_counts){1000, 2000, 3000};
    for (int i = 1; i <= 4; i++)
        runs.switches[i] = 5;
    rig_measure(rig, &point, &s);
    CU_ASSERT_EQUAL(s.faults, 2);
    CU_ASSERT_EQUAL(s.switches, 5);
    CU_ASSERT_EQUAL(s.migrations, 1);
    CU_ASSERT_TRUE(isnan(s.refs) && isnan(s.proc_s) && isnan(s.sum));
    rig_close(rig);
}

static void what_is_not_counted_is_missing(void)
{
    struct point point = point_like(LAYOUT_PAGE, &walking, PAGES);
    struct sample s;
    struct rig *rig = open_rig(1, 65536, NULL);
    simulated.uncounted = true;
    rig_measure(rig, &point, &s);
    CU_ASSERT_TRUE(isnan(s.faults) && isnan(s.switches) && isnan(s.migrations));
    rig_close(rig);
}

static void the_lab_has_its_references_its_time_and_its_sum(void)
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

static void the_metadata_tell_seed_core_and_clock(void)
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

int main(void)
{
    char why[PLATFORM_WHY_ROOM];
    if (!platform_can_measure(why)) {
        printf("ok 1 - samples # SKIP %s\n1..1\n", why);
        return EXIT_SUCCESS;
    }
    TAP_SUITE(
        "how long a sample is",
        {"the chain is walked once before it is timed",
         the_chain_is_walked_once_before_it_is_timed},
        {"the mistake cold leaves the warm-up out", the_mistake_cold_leaves_the_warm_up_out},
        {"the timer takes a thousandth of a sample at the most",
         the_timer_takes_a_thousandth_of_a_sample_at_the_most},
        {"a sample has four cycles of loads, and 65536 at least",
         a_sample_has_four_cycles_of_loads_and_65536_at_least},
        {"a long chain is warmed for a million loads", a_long_chain_is_warmed_for_a_million_loads},
        {"the estimate counts loads, warm-up and links",
         the_estimate_counts_loads_warm_up_and_links});
    TAP_SUITE(
        "which chain and which take",
        {"each sample has a chain of its own", each_sample_has_a_chain_of_its_own},
        {"each point has random numbers of its own", each_point_has_random_numbers_of_its_own},
        {"several chains share the nodes evenly", several_chains_share_the_nodes_evenly},
        {"a disturbed sample is taken again", a_disturbed_sample_is_taken_again},
        {"of four disturbed takes the calmest, then the quickest, counts",
         of_four_disturbed_takes_the_calmest_and_quickest_counts});
    TAP_SUITE("what a sample says",
              {"t_s is when it began, run_s how long it took",
               t_s_is_when_a_sample_began_and_run_s_how_long_it_took},
              {"disturbances are those of the timed run", disturbances_are_those_of_the_timed_run},
              {"what is not counted is missing", what_is_not_counted_is_missing},
              {"the lab has its references, its time and its sum",
               the_lab_has_its_references_its_time_and_its_sum},
              {"the metadata tell seed, core and clock", the_metadata_tell_seed_core_and_clock});
    return tap_run();
}
