/* sweep: chooses points, measures them as chase does, and refines around transitions.
 *
 * usage: sweep [OPTION...]
 *        sweep --plan [OPTION...] [SAMPLES...]
 * Without options it measures the points that detect needs for this machine's TLB. It is the loop
 * of `sweep --plan SAMPLES` (the points still worth measuring) and `chase`, in one process.
 *
 * example: sweep | detect --claims
 */
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point_options.h"
#include "base/args.h"
#include "base/error.h"
#include "base/random.h"
#include "machine/facts.h"
#include "measure/this_machine.h"
#include "memory/card/card_chase.h"
#include "platform.h"
#include "tlb/plan/loop.h"
#include "tlb/plan/plan.h"
#include "tlb/plan/presets.h"
#include <math.h>
#include <stdlib.h>

/* The whitepaper's buffers in MiB (§4.1). */
static const uint64_t density_buffers[] = {1024, 512, 256};

static struct range pages;
static struct choice kernel = CHOICE_OF(kernels), backing = CHOICE_OF(backings),
                     preset = CHOICE_OF(presets), density = CHOICE_OF(densities),
                     core_kind = CHOICE_OF(core_kinds);
static const char *layout_names, *chain_name, *resume;
static uint64_t page_size, spacing, samples, loads, seed, buffer;
static double budget = NAN; /* not given */
static bool plan_only, gpu;

static const struct flag flags[] = {
    {"pages", FLAG_RANGE, &pages, "RANGE",
     "bounds of the plan (those of the preset); with --layout its sizes"},
    {"preset", FLAG_WORD, &preset, "NAME", "what to measure for: see below (tlb)"},
    {"page-size", FLAG_SIZE, &page_size, "SIZE", "pages to ask for: above the base page huge ones"},
    {"layout", FLAG_TEXT, &layout_names, "LIST", "measure these at every size, without refinement"},
    {"spacing", FLAG_SIZE, &spacing, "SIZE", "bytes between nodes (a page; packed: a line)"},
    {"stride", FLAG_SIZE, &spacing, "SIZE", "the same"},
    {"samples", FLAG_COUNT, &samples, "N", "samples of each point (as many as needed)"},
    {"loads", FLAG_COUNT, &loads, "N", "accesses of each sample (what the clock needs)"},
    {"kernel", FLAG_WORD, &kernel, "NAME", "see below (read)"},
    {"backing", FLAG_WORD, &backing, "NAME", "see below (scattered)"},
    {"density", FLAG_WORD, &density, "NAME", "the whitepaper's schedule: low, medium, high"},
    {"buffer", FLAG_SIZE, &buffer, "SIZE", "its buffer (1G, 512M or 256M, what fits)"},
    {"chain", FLAG_TEXT, &chain_name, "MODE", "its order of the windows (auto: random-box)"},
    {"gpu", FLAG_YES, &gpu, NULL, "--plan: for a graphics card, which gpu chase measures"},
    {"core-kind", FLAG_WORD, &core_kind, "NAME", "performance or efficiency (the idlest core)"},
    {"seed", FLAG_COUNT, &seed, "N", "seed of the chains (from the clock)"},
    {"plan", FLAG_YES, &plan_only, NULL, "print the points still worth measuring, given SAMPLES"},
    {"resume", FLAG_TEXT, &resume, "FILE", "copy FILE's rows, measure what is missing"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop in time"},
    {0},
};

static void print_names(void)
{
    option_print_presets();
    option_print_names();
}

static const struct program program = {
    .name = "sweep",
    .purpose = "measure the points that show the size of a TLB",
    .operands = "[SAMPLES...]",
    .example = "sweep | detect --claims",
    .flags = flags,
    .per_run = "plan resume budget ",
    .writes_table = true,
    .more_help = print_names,
};

/* A size of the machine of the samples, which may be a simulated one; `here` without samples. */
static uint64_t size_of(const struct earlier *earlier, const char *key, uint64_t here)
{
    return earlier->table != NULL ? size_or(table_meta(earlier->table, -1, key), here) : here;
}

/* The buffer of --buffer, or of the earlier run, or the largest of the whitepaper's buffers below
 * half of the memory. */
static uint64_t density_buffer(const struct earlier *earlier)
{
    struct platform_memory memory = platform_memory();
    if (buffer > 0)
        return buffer;
    if (size_of(earlier, "buffer_bytes", 0) > 0)
        return size_of(earlier, "buffer_bytes", 0);
    for (size_t i = 0; i < sizeof density_buffers / sizeof *density_buffers; i++)
        if (density_buffers[i] << 20 <= memory.available / 2)
            return density_buffers[i] << 20;
    die("the schedule needs a buffer of 256 MiB, and half of the %.0f MiB available (%s) is less: "
        "free some memory, or name a smaller buffer with --buffer",
        (double)memory.available / 0x1p20, memory.source);
}

static struct density_options take_density(const struct facts *facts, const struct earlier *earlier)
{
    const char *const *chosen = density.chosen;
    struct density_options d = {
        .density = (enum density)(chosen - densities),
        .stride = spacing > 0 ? spacing : DENSITY_STRIDE,
        .page_bytes = size_of(earlier, "page_bytes", platform_page_bytes()),
        .l1d_bytes = size_of(earlier, "l1d_bytes", facts_number(facts, "l1d_bytes", 0)),
        .samples = samples > 0 ? samples : DENSITY_SAMPLES,
        .chain = option_chain(chain_name)};
    if (layout_names != NULL || pages.count > 0 ||
        (kernel.chosen != NULL && kernel.chosen != &kernels[KERNEL_READ]) ||
        preset.chosen != NULL || page_size > 0 || backing.chosen != NULL)
        die_usage("--density fixes layout, kernel, page, backing and sizes");
    d.buffer_bytes = density_buffer(earlier);
    if (!density_possible(&d))
        die_usage("a stride of %llu bytes leaves fewer than 2 nodes in %llu bytes",
                  (unsigned long long)d.stride, (unsigned long long)d.buffer_bytes);
    if (loads == 0)
        loads = DENSITY_LOADS;
    return d;
}

/* Bounds the default sizes to 0.46 of the memory available (huge pages: 0.23), since page tables
 * and the links of a chain come on top, and the limit is a half. The program's own tables, which
 * grow while it runs, have an eighth of the memory, 16 MiB at most. [prior] */
static void bound_pages(struct range *range, const struct plan_options *plan)
{
    struct platform_memory memory = platform_memory();
    bool huge = plan->page_bytes > plan->base_page_bytes; /* clearing gigabytes takes seconds */
    uint64_t node = plan->kind == PLAN_CACHES ? plan->line_bytes + 4
                    : plan->kind == PLAN_LINE ? PAIR_MOST + 4
                                              : plan->page_bytes;
    double own = fmin(16 << 20, (double)memory.available / 8);
    uint64_t most = (uint64_t)(((double)memory.available - own) * (huge ? 0.23 : 0.46)) / node;
    uint64_t *last = &range->values[range->count - 1];
    if (*last <= most)
        return;
    *last = most > 8 ? most : 8;
    warn("sizes above %.4g MiB are left out: they need more than %s of the memory available "
         "(%.0f MiB, %s); name them with --pages to measure them",
         (double)*last * (double)node / 0x1p20, huge ? "a quarter" : "half",
         (double)memory.available / 0x1p20, memory.source);
}

/* Address space for large spacings: 1 GiB of it, or half if that is less, stays free. */
static uint64_t address_bytes(enum plan_kind kind)
{
    uint64_t space = platform_address_space(), spare = (uint64_t)1 << 30;
    if (space / 64 < spare && (kind == PLAN_WALK || kind == PLAN_GEOMETRY))
        warn("pages far apart are left out: %.0f MiB of address space are available (limits: "
             "ulimit -v, vm.overcommit_memory)",
             (double)space / 0x1p20);
    return space - (space / 2 < spare ? space / 2 : spare);
}

/* Dies for options that contradict the preset. Preset caches has kernels read and write. */
static void check_preset(const struct plan_options *o)
{
    const struct preset *chosen = preset.chosen;
    bool caches = o->kind == PLAN_CACHES;
    bool data = caches && o->kernel->chases && !o->kernel->executes;
    if (chosen != NULL && chosen != &presets[PRESET_TLB] &&
        (layout_names != NULL || spacing > 0 || (kernel.chosen != NULL && !data)))
        die_usage("--preset %s fixes layout, spacing and kernel%s", chosen->name,
                  caches ? " (read or write)" : "");
    if (o->kind == PLAN_COALESCING && (backing.chosen != NULL || page_size > 0))
        die_usage("--preset coalescing fixes the backing");
}

/* Dies when a layout of the grid is impossible; its points differ only in size. */
static void check_grid_point(const struct plan_options *o, const struct layout *layout)
{
    struct point point = {
        .pages = o->pages.values[0],
        .spacing = option_spacing(spacing, layout, o->base_page_bytes, o->line_bytes),
        .page_bytes = o->page_bytes,
        .layout = layout,
        .backing = o->backing,
        .kernel = o->kernel};
    option_check_point(&point);
}

/* The plan of --layout: every layout at every size, at its own spacing. */
static void choose_grid(struct plan_options *o)
{
    o->kind = PLAN_GRID;
    if (pages.count == 0) {
        free(o->pages.values);
        parse_range("4:4k:x2", &o->pages);
    }
    option_layouts(layout_names, o->kernel, o->layouts);
    for (size_t i = 0; o->layouts[i] != NULL; i++) {
        if (o->layouts[i]->whole_buffer)
            die_usage("layout box is measured by --density, or by chase");
        check_grid_point(o, o->layouts[i]);
    }
    o->spacing = spacing;
}

/* The page size of --backing huge without --page-size is the system's. */
static void choose_huge(void)
{
    bool huge = backing.chosen == &backings[BACKING_HUGE];
    if (huge && page_size == 0 && (page_size = platform_huge_bytes()) == 0)
        die("--backing huge: this system has no huge pages (--page-size names those of another)");
}

/* The page and the line of a card are assumptions, the same in every plan of a run. Where a virtual
 * first cache holds the nodes their loads need no translation, so the plan for the TLB bypasses it.
 */
static struct plan_options option_plan_here(const struct facts *facts,
                                            const struct earlier *earlier)
{
    uint64_t line = size_of(earlier, "line_bytes", facts_number(facts, "line_bytes", 64));
    if (!gpu)
        return option_plan(preset.chosen, page_size,
                           size_of(earlier, "page_bytes", platform_page_bytes()), line);
    uint64_t page = page_size > 0 ? page_size : CARD_PAGE_BYTES;
    struct plan_options o = option_plan(preset.chosen, page, page, CARD_LINE_BYTES);
    o.backing = &backings[BACKING_DEVICE];
    if (o.kind == PLAN_TLB && layout_names == NULL)
        o.kernel = &kernels[KERNEL_VOLATILE];
    return o;
}

/* Bounds the sizes to what the samples of a card had room for, and to the reach of its offsets. */
static void bound_card(struct range *range, const struct plan_options *plan,
                       const struct earlier *earlier)
{
    uint64_t room = size_of(earlier, "memory_limit_bytes", CARD_REACH);
    uint64_t node = plan->kind == PLAN_CACHES ? plan->line_bytes : plan->page_bytes;
    uint64_t *last = &range->values[range->count - 1], most = room / node;
    *last = *last < most ? *last : most;
}

/* Dies for what a card cannot measure, and where nothing is planned for one. */
static void check_gpu(const struct plan_options *o)
{
    if (!plan_only)
        die_usage("--gpu plans for a card: sweep --plan --gpu | gpu chase");
    if ((o->kind != PLAN_TLB && o->kind != PLAN_CACHES) ||
        (o->kernel != &kernels[KERNEL_READ] && !o->kernel->card))
        die_usage("--gpu: a card has presets tlb and caches, and kernels read, "
                  "read_volatile, read_local, read_constant and banks");
    if (backing.chosen != NULL || density.chosen != NULL)
        die_usage("--gpu fixes the backing, and has no --density");
}

/* Kernel, backing and samples as the options have them. Dies for those that contradict each other
 * whatever is planned. */
static void take_options(struct plan_options *o)
{
    if (kernel.chosen != NULL)
        o->kernel = kernel.chosen;
    if (backing.chosen != NULL)
        o->backing = backing.chosen;
    o->samples = samples;
    if (gpu)
        check_gpu(o);
    const char *why = gpu ? NULL : backing_refuses(o->backing, o->page_bytes, o->base_page_bytes);
    if (why != NULL)
        die_usage("--%s", why);
    option_check_spacing(spacing);
    for (size_t i = 0; i < pages.count; i++)
        if (pages.values[i] == 0)
            die_usage("--pages: a chain needs at least one page");
    if (density.chosen == NULL && (buffer > 0 || chain_name != NULL))
        die_usage("--buffer and --chain belong to --density (or to chase --layout box)");
}

/* The sizes of --pages, or the default ones as far as there is memory for them. */
static void choose_sizes(struct plan_options *o, const struct earlier *earlier)
{
    if (pages.count > 0) {
        free(o->pages.values);
        o->pages = pages;
    } else if (!plan_only) /* a plan may be for another machine */
        bound_pages(&o->pages, o);
    if (gpu)
        bound_card(&o->pages, o, earlier);
}

static struct plan_options choose_plan(const struct facts *facts, const struct earlier *earlier)
{
    choose_huge();
    struct plan_options o = option_plan_here(facts, earlier);
    if (!plan_only)
        o.address_bytes = address_bytes(o.kind);
    take_options(&o);
    if (density.chosen != NULL) {
        o.kind = PLAN_DENSITY;
        o.density = take_density(facts, earlier);
        return o;
    }
    choose_sizes(&o, earlier);
    check_preset(&o);
    if (layout_names != NULL || !o.kernel->chases)
        choose_grid(&o);
    else if (o.pages.values[0] > o.pages.values[o.pages.count - 1])
        die_usage("--pages: the first value is the lower bound of the plan, the last the upper");
    else
        o.spacing = option_spacing(spacing, &layouts[LAYOUT_PAGE], o.page_bytes, o.line_bytes);
    return o;
}

static void put_points(const struct plan_options *plan, const struct earlier *earlier,
                       const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (point_refuses(&points[i]) != NULL)
            die("%s", point_refuses(&points[i]));
    table_begin(earlier->table);
    earlier_put_options();
    table_put_meta("seed", "%llu", (unsigned long long)seed);
    if (plan->kind == PLAN_DENSITY) {
        table_put_meta("buffer_bytes", "%llu", (unsigned long long)plan->density.buffer_bytes);
        table_put_meta("chain", "%s", chain_mode_name(plan->density.chain));
    }
    points_header(plan_columns(plan));
    for (size_t i = 0; i < count; i++)
        points_write(&points[i], plan_columns(plan));
}

static void warn_of_governor(const struct facts *facts)
{
    const char *governor = facts_slow_governor(facts);
    if (governor != NULL && !args_quiet)
        warn("the governor %s saves power: the clock of a core falls when it has little to do, and "
             "times change while it rises; 'cpupower frequency-set -g performance', as root, keeps "
             "it up",
             governor);
}

static int sweep(const struct plan_options *plan, const struct facts *facts, struct core core,
                 struct earlier *earlier)
{
    warn_of_governor(facts);
    struct this_machine here;
    struct series series;
    struct rig_options rig = {.core = core,
                              .memory = {.seed = seed,
                                         .line_bytes = plan->line_bytes,
                                         .lock = plan->kind == PLAN_DENSITY,
                                         .by_name = pages.count > 0 || buffer > 0},
                              .loads = loads};
    struct machine machine = this_machine_open(&here, &rig, facts);
    struct run_options options = {.machine = &machine, .budget_s = budget, .earlier = earlier};
    series_init(&series);
    int status = plan_run(plan, &options, &series);
    series_free(&series);
    return status;
}

static int print_plan(const struct plan_options *plan, const struct earlier *earlier)
{
    struct series series;
    struct point *points;
    series_init(&series);
    for (size_t i = 0; i < earlier->count; i++)
        series_add(&series, &earlier->rows[i]);
    size_t count = plan_next(plan, &series, &points);
    put_points(plan, earlier, points, count);
    free(points);
    series_free(&series);
    return earlier->table != NULL ? table_partial(earlier->table) : STATUS_DONE;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct earlier earlier = {0};
    if (plan_only && resume != NULL)
        die_usage("--plan reads SAMPLES, --resume goes on measuring: one of them");
    if (first < argc && !plan_only)
        die_usage("'%s': samples are read by --plan, or by --resume", argv[first]);
    if (resume != NULL)
        earlier = earlier_resume(resume, &seed);
    else if (first < argc) {
        earlier = earlier_read(argv + first, argc - first);
        earlier_inherit(&earlier, &seed);
    }
    if (seed == 0)
        seed = random_fresh_seed();
    struct core core = {0};
    if (!plan_only) {
        core_restrict(core_kind.chosen);
        core = core_pin();
    }
    struct facts *facts = facts_gather();
    struct plan_options plan = choose_plan(facts, &earlier);
    if (isnan(budget)) /* preset caches takes long beside other programs */
        budget = plan.kind == PLAN_CACHES && pages.count == 0 ? CACHES_BUDGET_S : INFINITY;
    int status = plan_only ? print_plan(&plan, &earlier) : sweep(&plan, facts, core, &earlier);
    facts_free(facts);
    free(plan.pages.values);
    earlier_free(&earlier);
    return finish(status);
}
