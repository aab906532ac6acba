/* chase: measures points by chasing pointers.
 *
 * usage: chase [OPTION...] [FILE...]
 * Points are the rows of a points table (FILE, or `-` for stdin) or come from the options. Every
 * point becomes a row of the samples table that chase writes.
 *
 * example: chase --pages 60:100:+1 --layout page,packed | detect
 */
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point_options.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "machine/facts.h"
#include "measure/binding.h"
#include "measure/measure.h"
#include "measure/mistake.h"
#include "measure/run.h"
#include "platform.h"
#include <math.h>
#include <stdlib.h>

enum { SAMPLES_DEFAULT = 7 };

static struct range pages, chains, memory_nodes;
static struct choice kernel = CHOICE_OF(kernels), backing = CHOICE_OF(backings),
                     core_kind = CHOICE_OF(core_kinds);
static const char *layout_names, *mistake_name, *resume;
static uint64_t spacing, samples, loads, seed, page_size, swap_bytes;
static double budget = INFINITY;

static const struct flag flags[] = {
    {"pages", FLAG_RANGE, &pages, "RANGE", "numbers of nodes (set: of targets), one point each",
     .excludes = "FILE", .min = 1},
    {"layout", FLAG_TEXT, &layout_names, "LIST", "where nodes lie (page): --help layouts",
     .needs = "pages"},
    {"spacing", FLAG_SIZE, &spacing, "SIZE", "bytes between nodes (a page; packed: a line)",
     .needs = "pages"},
    {"samples", FLAG_COUNT, &samples, "N", "samples of each point (7)", .needs = "pages"},
    {"loads", FLAG_COUNT, &loads, "N", "accesses of each sample (what the clock needs)"},
    {"kernel", FLAG_WORD, &kernel, "NAME", "how nodes are visited (read): --help kernels",
     .needs = "pages"},
    {"backing", FLAG_WORD, &backing, "NAME", "what backs the pages (scattered): --help backings",
     .needs = "pages"},
    {"page-size", FLAG_POWER, &page_size, "SIZE", "page that backs the nodes; above the base: huge",
     .needs = "pages"},
    {"chains", FLAG_RANGE, &chains, "RANGE", "independent chains at once, 1 to 16 (1)",
     .needs = "pages", .min = 1},
    {"mistake", FLAG_TEXT, &mistake_name, "NAME", "measure wrongly on purpose: --help mistakes"},
    {"node", FLAG_RANGE, &memory_nodes, "N", "only memory of this node (NUMA)"},
    {"core-kind", FLAG_WORD, &core_kind, "NAME", "performance or efficiency (the idlest core)"},
    {"seed", FLAG_COUNT, &seed, "N", "seed of the chains (from the clock)"},
    {"resume", FLAG_TEXT, &resume, "FILE", "copy FILE's rows, measure what is missing"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop after so many seconds"},
    {0},
};

static const struct topic topics[] = {
    {"layouts", "Layouts", CHOICE_OF(layouts), NULL, "where nodes lie"},
    {"kernels", "Kernels", CHOICE_OF(kernels), NULL, "how nodes are visited"},
    {"backings", "Backings", CHOICE_OF(backings), NULL, "memory of the pages"},
    {"mistakes", "Mistakes", {0}, mistake_print_all, "textbook mistakes, and how each shows"},
    {0},
};

static const struct program program = {
    .name = "chase",
    .purpose = "measure points by chasing pointers",
    .operands = "[FILE...]",
    .example = "chase --pages 60:100:+1 --layout page,packed | detect",
    .flags = flags,
    .per_run = "resume budget ",
    .writes_table = true,
    .topics = topics,
};

/* The page and the backing of the options; each of them implies the other. */
static void choose_page(struct point *point)
{
    const struct backing *huge = &backings[BACKING_HUGE];
    uint64_t base = platform_page_bytes();
    option_check_page(page_size, base);
    point->backing = backing.chosen     ? backing.chosen
                     : page_size > base ? huge
                                        : &backings[BACKING_SCATTERED];
    point->page_bytes = page_size > 0 ? page_size : base;
    if (point->backing == huge && page_size == 0 &&
        (point->page_bytes = platform_huge_bytes()) == 0)
        die("--backing huge: this system has no huge pages");
    const char *why = backing_refuses(point->backing, point->page_bytes, base);
    if (why != NULL)
        die_usage("--%s", why);
}

/* Sets the members that depend on the layout. */
static void set_layout(struct point *point, const struct layout *layout, uint64_t nodes,
                       uint64_t line_bytes)
{
    bool set = layout->targets;
    /* With --spacing several nodes of layout page may be on a huge page. */
    uint64_t step = spacing > 0 ? platform_page_bytes() : point->page_bytes;
    point->layout = layout;
    point->pages = nodes;
    point->targets = set ? nodes : 0;
    point->spacing = option_spacing(spacing, layout, step, line_bytes);
    point->buffer = option_buffer(layout);
}

/* The points of the options, and as many passes over them as each has samples. */
static void points_from_options(struct point_list *list, uint64_t line_bytes)
{
    struct point point = {.kernel = kernel.chosen ? kernel.chosen : &kernels[KERNEL_READ],
                          .chain = CHAIN_RANDOM_BOX};
    const struct layout *chosen[OPTION_LAYOUTS];
    size_t count = option_layouts(layout_names, point.kernel, chosen);
    choose_page(&point);
    list->passes = samples > 0 ? samples : SAMPLES_DEFAULT;
    for (size_t i = 0; i < pages.count; i++)
        for (size_t l = 0; l < count; l++) {
            set_layout(&point, chosen[l], pages.values[i], line_bytes);
            option_append(&list->points, point, &chains);
        }
}

/* For point_list_read(). Sets the point's page size to this machine's, unless it is a huge one. All
 * points share one buffer. */
static const char *adapt(struct point *p)
{
    static uint64_t buffer;
    static char two_buffers[96];
    uint64_t base = platform_page_bytes();
    if (!p->backing->huge)
        p->page_bytes = base;
    const char *why = backing_refuses(p->backing, p->page_bytes, base);
    if (why == NULL)
        why = point_refuses(p);
    if (why == NULL && p->buffer > 0 && buffer > 0 && p->buffer != buffer) {
        snprintf(two_buffers, sizeof two_buffers,
                 "points of two buffers (%llu and %llu bytes) need two tables",
                 (unsigned long long)buffer, (unsigned long long)p->buffer);
        return two_buffers;
    }
    buffer = p->buffer > 0 ? p->buffer : buffer;
    return why;
}

static int measure(struct point_list *list, const struct facts *facts, struct core core)
{
    struct this_machine here;
    struct rig_options rig = {.core = core,
                              .mistake = mistake_find(mistake_name, false),
                              .memory = {.seed = seed,
                                         .swap_bytes = swap_bytes,
                                         .node = node_option(&memory_nodes),
                                         .line_bytes = facts_number(facts, "line_bytes", 64),
                                         .sizes_given = true},
                              .loads = loads};
    for (size_t i = 0; rig.mistake != NULL && i < list->points.count; i++)
        mistake_check(rig.mistake, &list->points.at[i], rig.memory.line_bytes);
    struct machine machine = this_machine_open(&here, &rig, facts);
    return point_list_measure(list, &machine, budget);
}

/* Chooses the core of this run, first of all (binding.h). */
static struct core choose_core(void)
{
    const struct mistake *mistake = mistake_find(mistake_name, false);
    core_restrict(core_kind.chosen);
    return mistake != NULL && mistake->wanders ? core_wander() : core_pin();
}

/* The machine's claims, which mistake `claims` falsifies. Mistake `swap` dies on a system without
 * swap. */
static struct facts *gather_facts(void)
{
    const struct mistake *mistake = mistake_find(mistake_name, false);
    struct facts *facts = facts_gather();
    struct platform_outcome swap = {.verdict = PLATFORM_YES};
    if (mistake != NULL && mistake->swaps)
        swap = platform_swap(&swap_bytes);
    if (swap.verdict != PLATFORM_YES)
        die("--mistake %s: it needs swap for this process alone: %s", mistake_name, swap.why);
    mistake_claim_facts(mistake, facts);
    return facts;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct point_list list = {0};
    if (resume != NULL)
        list.earlier = earlier_resume(resume, &seed);
    args_check();
    struct core core = choose_core();
    struct facts *facts = gather_facts();
    if (pages.count > 0)
        points_from_options(&list, facts_number(facts, "line_bytes", 64));
    else
        point_list_read(&list, argv + first, argc - first, adapt);
    if (seed == 0)
        seed = earlier_seed(list.source);
    int status = measure(&list, facts, core);
    facts_free(facts);
    free(pages.values);
    free(chains.values);
    free(memory_nodes.values);
    return finish(status);
}
