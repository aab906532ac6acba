/* pingpong: measures how long a cache line takes from each core to every other.
 *
 * usage: pingpong [OPTION...]
 *        pingpong --groups [FILE...]
 * Writes a row for each pair of cores this process may use, with what the machine claims they
 * share; with --groups, reads such tables and groups the cores that are close to each other.
 *
 * example: pingpong | tee pairs.tsv | tlblab plot pairs >pairs.png
 */
#include "base/args.h"
#include "base/error.h"
#include "machine/facts.h"
#include "machine/outcome.h"
#include "machine/recording.h"
#include "machine/topology.h"
#include "memory/cores/handover.h"
#include "memory/cores/pairs.h"
#include "memory/streams/rates.h"
#include "platform.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool wants_groups;
static const char *sysroot;
static uint64_t laps = 300, samples = 5;
static double budget = INFINITY;
static struct choice core_kind = CHOICE_OF(core_kinds);

static const struct flag flags[] = {
    {"samples", FLAG_COUNT, &samples, "N", "passes over all pairs (5)"},
    {"laps", FLAG_COUNT, &laps, "N", "laps per sample and kernel (300)",
     .max = 1000000}, /* a kernel is cut off after a second [bound] */
    {"groups", FLAG_YES, &wants_groups, NULL,
     "group the cores in a table of pairs by how close they are",
     .excludes = "samples laps core-kind budget sysroot"},
    {"core-kind", FLAG_WORD, &core_kind, "NAME", "performance or efficiency cores (any)"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop after so many seconds"},
    {"sysroot", FLAG_TEXT, &sysroot, "FILE", "the pairs of a recorded machine, with no times",
     .excludes = "samples laps core-kind budget"},
    {0},
};

static const struct topic topics[] = {
    {"kernels",
     "Kernels, of which the fastest counts",
     {0},
     handover_print_kernels,
     "ways to hand a line over, of which the fastest counts"},
    {0},
};

static const struct program program = {
    .name = "pingpong",
    .purpose = "measure how long a cache line takes from core to core",
    .operands = "[FILE...]",
    .example = "pingpong | tee pairs.tsv | tlblab plot pairs >pairs.png",
    .flags = flags,
    .writes_table = true,
    .topics = topics,
};

/* ---- what the machine claims ---- */

/* The word in pair_shares for an object that holds both cores; NULL: there is none. */
static const char *shared_word(hwloc_obj_t object)
{
    static const char *const caches[] = {"L1", "L2", "L3", "L4"};
    if (object->type >= HWLOC_OBJ_L1CACHE && object->type <= HWLOC_OBJ_L4CACHE)
        return caches[object->type - HWLOC_OBJ_L1CACHE];
    return object->type == HWLOC_OBJ_CORE      ? "core"
           : object->type == HWLOC_OBJ_PACKAGE ? "package"
           : object->type == HWLOC_OBJ_MACHINE ? "machine"
                                               : NULL;
}

/* "0" if the two numbers are equal, "0,1" if not; NULL if either is unknown (-1). */
static const char *one_or_two(int a, int b)
{
    char text[32];
    if (a < 0 || b < 0)
        return NULL;
    size_t length = (size_t)snprintf(text, sizeof text, a == b ? "%d" : "%d,%d", a < b ? a : b,
                                     a < b ? b : a);
    return field_keep((struct field){text, length});
}

static int package_of(hwloc_topology_t topology, hwloc_obj_t core)
{
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
    return package != NULL ? (int)package->os_index : -1;
}

static void claim_pair(hwloc_topology_t topology, struct pair_row *row)
{
    if (topology == NULL)
        return;
    hwloc_obj_t a = hwloc_get_pu_obj_by_os_index(topology, (unsigned)row->core_a);
    hwloc_obj_t b = hwloc_get_pu_obj_by_os_index(topology, (unsigned)row->core_b);
    if (a == NULL || b == NULL)
        return;
    hwloc_obj_t both = hwloc_get_common_ancestor_obj(topology, a, b);
    for (row->shares = NULL; both != NULL && row->shares == NULL; both = both->parent)
        row->shares = shared_word(both);
    row->package = one_or_two(package_of(topology, a), package_of(topology, b));
    row->node = one_or_two(hwloc_bitmap_first(a->nodeset), hwloc_bitmap_first(b->nodeset));
}

/* ---- pairs ---- */

struct rows {
    struct pair_row *at;
    size_t count;
};

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void add_row(struct rows *rows, const struct pair_row *row)
{
    rows->at = reallocate(rows->at, rows->count + 1, sizeof *rows->at);
    rows->at[rows->count++] = *row;
}

/* All pairs of the cores, in order, without times; `topology` may be NULL. */
static struct rows list_pairs(hwloc_topology_t topology, int *cores, size_t count)
{
    struct rows pairs = {.at = allocate(count * count / 2 + 1, sizeof *pairs.at)};
    qsort(cores, count, sizeof *cores, compare);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            struct pair_row *row = &pairs.at[pairs.count++];
            row_clear(pair_columns, row);
            row->core_a = cores[i];
            row->core_b = cores[k];
            claim_pair(topology, row);
        }
    return pairs;
}

/* ---- measuring ---- */

/* A kernel that takes longer is cut off: its threads are not getting processor time. */
static const double most_s = 1;

/* The pairs to measure, and the rows of those measured so far. */
struct measured {
    const struct rates *rates;
    struct rows pairs, rows;
};

/* Rows are flushed one by one, so an interrupted run keeps them. */
static void measure(void *context, uint64_t sample, size_t pair)
{
    struct measured *m = context;
    struct pair_row row = m->pairs.at[pair];
    uint64_t begin = platform_now_ns();
    int cpus[2] = {(int)row.core_a, (int)row.core_b};
    struct handover handover = handover_measure(cpus, laps, most_s, m->rates->clock);
    row.sample = (double)sample;
    row.kernel = handover.kernel;
    row.pinned = outcome_keep(handover.pinned);
    if (handover.kernel != NULL) {
        row.ns = handover.ns;
        row.min_ns = handover.min_ns;
    }
    row.laps = (double)handover.laps;
    row.note = handover.laps < laps ? "few_laps" : NULL;
    row.t_s = rates_time(m->rates, begin);
    row.run_s = (double)(platform_now_ns() - begin) / 1e9;
    table_put_row(pair_columns, 0, &row);
    flush_output();
    add_row(&m->rows, &row);
}

static void put_header(void)
{
    table_put_meta("round_trips", "%d", HANDOVER_ROUND_TRIPS);
    table_put_columns(pair_columns, 0);
}

static int run(void)
{
    struct rates rates;
    rates_open(&rates, core_kind.chosen, samples, budget);
    if (rates.cores < 2)
        die("a pair takes 2 cores, and this process may use 1 (taskset, a control group?)");
    int *cores = allocate(rates.cores, sizeof *cores);
    memcpy(cores, rates.cpus, rates.cores * sizeof *cores);
    hwloc_topology_t topology = topology_load(NULL);
    struct measured m = {.rates = &rates, .pairs = list_pairs(topology, cores, rates.cores)};
    if (topology != NULL)
        hwloc_topology_destroy(topology);
    table_begin(NULL);
    rates_put_meta(&rates, rates.cores);
    put_header();
    clock_warm_up();
    bool complete = rates_sample(&rates, m.pairs.count, "--samples, --laps", measure, &m);
    if (!complete)
        warn("the budget of %g s ended before all pairs were measured", budget);
    struct core_groups groups = core_groups_find(m.rows.at, m.rows.count);
    if (!args_quiet)
        core_groups_explain(&groups);
    core_groups_free(&groups);
    free(m.rows.at);
    free(m.pairs.at);
    free(cores);
    rates_close(&rates);
    return complete ? STATUS_DONE : STATUS_PARTIAL;
}

/* ---- other modes ---- */

/* The online processors of a recorded machine. */
static int list_recorded(void)
{
    recording_open(sysroot);
    hwloc_topology_t topology = topology_load(sysroot);
    if (topology == NULL)
        die("%s: hwloc cannot read the topology there", sysroot);
    int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    int *cores = allocate((size_t)count + 1, sizeof *cores);
    for (int i = 0; i < count; i++)
        cores[i] = (int)hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, (unsigned)i)->os_index;
    struct rows pairs = list_pairs(topology, cores, (size_t)count);
    hwloc_topology_destroy(topology);
    table_begin(NULL);
    put_header();
    for (size_t i = 0; i < pairs.count; i++)
        table_put_row(pair_columns, 0, &pairs.at[i]);
    free(pairs.at);
    free(cores);
    return STATUS_DONE;
}

static bool is_core(double number)
{
    return number >= 0 && number < 1e6 && number == floor(number);
}

static struct rows read_rows(struct table *table)
{
    struct rows rows = {0};
    struct row_reader reader = row_reader_open(table, pair_columns);
    while (table_next(table)) {
        struct pair_row row;
        row_read(&reader, &row);
        if (!is_core(row.core_a) || !is_core(row.core_b) || row.core_a == row.core_b)
            table_die(table, table_column(table, "core_b"), "a pair is two different cores");
        if (row.min_ns <= 0)
            table_die(table, table_column(table, "min_ns"), "expected more than 0");
        add_row(&rows, &row);
    }
    return rows;
}

static int find_groups(char *const *files, int count)
{
    struct table *table = table_open(files, count);
    struct rows rows = read_rows(table);
    struct core_groups groups = core_groups_find(rows.at, rows.count);
    table_begin(table);
    table_put_columns(core_group_columns, 0);
    for (size_t i = 0; i < groups.count; i++)
        table_put_row(core_group_columns, 0, &groups.at[i]);
    if (groups.pairs == 0)
        warn("no pair has a time: nothing to group");
    else if (!args_quiet)
        core_groups_explain(&groups);
    bool answered = groups.pairs > 0 && groups.cores > 2 && !table_partial(table);
    table_close(table);
    core_groups_free(&groups);
    free(rows.at);
    return answered ? STATUS_DONE : STATUS_PARTIAL;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    if (!wants_groups && first < argc)
        die_usage("unexpected operand '%s': tables go with --groups", argv[first]);
    return finish(wants_groups      ? find_groups(argv + first, argc - first)
                  : sysroot != NULL ? list_recorded()
                                    : run());
}
