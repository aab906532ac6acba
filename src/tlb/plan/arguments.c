/* arguments.c: the command line of `plan` and `sweep`. */
#include "tlb/plan/arguments.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "measure/binding.h"
#include "memory/card/card_chase.h"
#include "platform.h"
#include <math.h>

struct plan_arguments plan_arguments = {.kernel = CHOICE_OF(kernels),
                                        .backing = CHOICE_OF(backings),
                                        .preset = CHOICE_OF(presets),
                                        .density = CHOICE_OF(densities),
                                        .core_kind = CHOICE_OF(core_kinds)};

#define given (&plan_arguments)

const struct flag plan_flags[] = {
    {"pages", FLAG_RANGE, &given->pages, "RANGE",
     "bounds of the plan (those of the preset); with --layout its sizes", .min = 1},
    {"preset", FLAG_WORD, &given->preset, "NAME", "what to measure for (tlb): --help presets"},
    {"page-size", FLAG_POWER, &given->page_size, "SIZE",
     "size of the pages to request; above the base page: huge"},
    {"layout", FLAG_TEXT, &given->layouts, "LIST",
     "measure these at every size, without refinement"},
    {"spacing", FLAG_SIZE, &given->spacing, "SIZE", "bytes between nodes (a page; packed: a line)"},
    {"samples", FLAG_COUNT, &given->samples, "N", "samples of each point (as many as needed)"},
    {"loads", FLAG_COUNT, &given->loads, "N", "accesses of each sample (what the clock needs)"},
    {"kernel", FLAG_WORD, &given->kernel, "NAME", "how nodes are visited (read): --help kernels"},
    {"backing", FLAG_WORD, &given->backing, "NAME",
     "what backs the pages (scattered): --help backings"},
    {"density", FLAG_WORD, &given->density, "NAME", "the whitepaper's schedule: low, medium, high",
     .excludes = "layout pages kernel preset page-size backing"},
    {"buffer", FLAG_SIZE, &given->buffer, "SIZE", "its buffer (1G, 512M or 256M, what fits)",
     .needs = "density"},
    {"chain", FLAG_TEXT, &given->chain, "MODE", "its order of the windows (auto: random-box)",
     .needs = "density"},
    {"core-kind", FLAG_WORD, &given->core_kind, "NAME",
     "performance or efficiency (the idlest core)"},
    {"seed", FLAG_COUNT, &given->seed, "N", "seed of the chains (from the clock)"},
    {0},
};

const struct topic plan_topics[] = {
    {"presets", "Presets", CHOICE_OF(presets), NULL, "what to measure for"},
    {"layouts", "Layouts", CHOICE_OF(layouts), NULL, "where nodes lie"},
    {"kernels", "Kernels", CHOICE_OF(kernels), NULL, "how nodes are visited"},
    {"backings", "Backings", CHOICE_OF(backings), NULL, "memory of the pages"},
    {0},
};

/* A size of the machine of the samples, which may be a simulated one; `here` without samples. */
static uint64_t size_of(const struct earlier *earlier, const char *key, uint64_t here)
{
    return earlier->table != NULL ? size_or(table_meta(earlier->table, -1, key), here) : here;
}

/* ---- sizes that the memory of this machine allows ---- */

/* The whitepaper's largest and smallest buffer in MiB (§4.1). [tuned: whitepaper] */
enum { BUFFER_MIB = 1024, BUFFER_MIN_MIB = 256 };

/* A share of the memory available: less than a half, since page tables and the links of a chain
 * come on top; half as much on huge pages, whose clearing takes seconds. The program's own tables,
 * which grow while it runs, have an eighth of the memory, OWN_MAX at most. [prior] */
static const double share = 0.46;
enum { OWN_MAX = 16 << 20 };

static uint64_t node_bytes(const struct plan_options *o)
{
    return o->kind == PLAN_CACHES ? o->line_bytes + 4
           : o->kind == PLAN_LINE ? PAIR_MAX + 4
                                  : o->page_bytes;
}

/* Bounds the default sizes to what half of the memory available holds (huge pages: a quarter). */
static void bounds_pages(struct plan_options *o)
{
    struct platform_memory memory = platform_memory();
    bool huge = o->page_bytes > o->base_page_bytes;
    double available = (double)memory.available, own = fmin(OWN_MAX, available / 8);
    uint64_t node = node_bytes(o);
    uint64_t most = (uint64_t)((available - own) * share / (huge ? 2 : 1)) / node;
    if (o->most <= most)
        return;
    o->most = most > 8 ? most : 8;
    warn("sizes above %.4g MiB are left out: they need more than %s of the memory available "
         "(%.0f MiB, %s); set --pages to measure them anyway",
         (double)o->most * (double)node / 0x1p20, huge ? "a quarter" : "half", available / 0x1p20,
         memory.source);
}

/* Address space for large spacings: 1 GiB of it, or half if that is less, stays free. */
static uint64_t bounds_address(enum plan_kind kind)
{
    uint64_t space = platform_address_space(), spare = (uint64_t)1 << 30;
    if (space / 64 < spare && (kind == PLAN_WALK || kind == PLAN_GEOMETRY))
        warn("pages far apart are left out: %.0f MiB of address space are available (limits: "
             "ulimit -v, vm.overcommit_memory)",
             (double)space / 0x1p20);
    return space - (space / 2 < spare ? space / 2 : spare);
}

/* The largest of the whitepaper's buffers below half of the memory available. */
static uint64_t bounds_buffer(void)
{
    struct platform_memory memory = platform_memory();
    for (uint64_t mib = BUFFER_MIB; mib >= BUFFER_MIN_MIB; mib /= 2)
        if (mib << 20 <= memory.available / 2)
            return mib << 20;
    die("the schedule needs a buffer of 256 MiB, and half of the %.0f MiB available (%s) is less: "
        "free some memory, or choose a smaller buffer with --buffer",
        (double)memory.available / 0x1p20, memory.source);
}

/* ---- a card ---- */

/* The last TLB level of a card may reach 64 GiB, with pages of 2 MiB. [prior] */
enum { CARD_TLB_MAX = 1 << 16 };

/* The page and the line of a card are assumptions, the same in every plan of a run. Where a virtual
 * first cache holds the nodes their loads need no translation, so the plan for the TLB bypasses it.
 */
static struct plan_options plan_of_card(const struct preset *preset)
{
    uint64_t page = given->page_size > 0 ? given->page_size : CARD_PAGE_BYTES;
    struct plan_options o = option_plan(preset, page, page, CARD_LINE_BYTES);
    o.backing = &backings[BACKING_DEVICE];
    if (o.kind == PLAN_TLB)
        o.most = CARD_TLB_MAX;
    if (o.kind == PLAN_TLB && given->layouts == NULL)
        o.kernel = &kernels[KERNEL_VOLATILE];
    return o;
}

/* ---- the whitepaper's schedule ---- */

static void choose_density(struct plan_options *o, const struct facts *facts,
                           const struct earlier *earlier)
{
    uint64_t buffer = given->buffer > 0 ? given->buffer : size_of(earlier, "buffer_bytes", 0);
    o->kind = PLAN_DENSITY;
    o->density = given->density.chosen;
    o->chain = option_chain(given->chain);
    o->spacing = given->spacing > 0 ? given->spacing : DENSITY_STRIDE;
    o->samples = given->samples > 0 ? given->samples : DENSITY_SAMPLES;
    o->buffer_bytes = buffer > 0 ? buffer : bounds_buffer();
    o->l1d_bytes = size_of(earlier, "l1d_bytes", facts_number(facts, "l1d_bytes", 0));
    if (o->buffer_bytes / o->spacing < 2)
        die_usage("a stride of %llu bytes leaves fewer than 2 nodes in %llu bytes",
                  (unsigned long long)o->spacing, (unsigned long long)o->buffer_bytes);
}

/* ---- a grid ---- */

/* The plan of --layout: every layout at every size, at its own spacing. */
static void choose_grid(struct plan_options *o)
{
    static struct range sizes;
    o->kind = PLAN_GRID;
    if (given->pages.count == 0)
        parse_range("4:4k:x2", &sizes);
    o->sizes = given->pages.count > 0 ? given->pages : sizes;
    option_layouts(given->layouts, o->kernel, o->layouts);
    o->spacing = given->spacing;
    struct point point = {.pages = o->sizes.values[0], /* points differ only in size */
                          .page_bytes = o->page_bytes,
                          .backing = o->backing,
                          .kernel = o->kernel};
    for (size_t i = 0; (point.layout = o->layouts[i]) != NULL; i++) {
        if (point.layout->whole_buffer)
            die_usage("layout box is measured by --density, or by chase");
        point.spacing = option_spacing(o->spacing, point.layout, o->base_page_bytes, o->line_bytes);
        option_check_point(&point);
    }
}

/* ---- the plan ---- */

/* The page size of --backing huge without --page-size is the system's. */
static struct plan_options plan_of_machine(const struct preset *preset, const struct facts *facts,
                                           const struct earlier *earlier)
{
    const struct backing *backing = given->backing.chosen;
    uint64_t line = size_of(earlier, "line_bytes", facts_number(facts, "line_bytes", 64));
    uint64_t page = size_of(earlier, "page_bytes", platform_page_bytes()), size = given->page_size;
    if (backing == &backings[BACKING_HUGE] && size == 0 && (size = platform_huge_bytes()) == 0)
        die("--backing huge: this system has no huge pages (--page-size names those of another)");
    struct plan_options o = option_plan(preset, size, page, line);
    o.backing = backing != NULL ? backing : o.backing;
    const char *why = backing_refuses(o.backing, o.page_bytes, o.base_page_bytes);
    if (why != NULL)
        die_usage("--%s", why);
    return o;
}

/* The sizes of --pages, or the default ones as far as there is memory for them: a card's is that of
 * the samples, within the reach of its positions. */
static void choose_sizes(struct plan_options *o, const struct earlier *earlier, bool measured)
{
    uint64_t most = size_of(earlier, "memory_limit_bytes", CARD_REACH) / node_bytes(o);
    if (given->pages.count > 0) {
        o->least = given->pages.values[0];
        o->most = given->pages.values[given->pages.count - 1];
    } else if (measured) /* a plan may be for another machine */
        bounds_pages(o);
    if (given->gpu && o->most > most)
        o->most = most;
}

struct plan_options plan_choose(const struct facts *facts, const struct earlier *earlier,
                                bool measured)
{
    const struct preset *preset = given->preset.chosen != NULL ? given->preset.chosen : presets;
    const struct kernel *kernel = given->kernel.chosen;
    args_check();
    args_refuse(preset->fixes, "--preset %s", preset->name);
    if (preset->data_kernels && kernel != NULL && (!kernel->chases || kernel->executes))
        die_usage("--kernel %s does not go with --preset %s, which chases data", kernel->name,
                  preset->name);
    struct plan_options o = given->gpu ? plan_of_card(preset)
                                       : plan_of_machine(preset, facts, earlier);
    o.kernel = kernel != NULL ? kernel : o.kernel;
    o.samples = given->samples;
    if (measured)
        o.address_bytes = bounds_address(o.kind);
    if (given->density.chosen != NULL) {
        choose_density(&o, facts, earlier);
        return o;
    }
    choose_sizes(&o, earlier, measured);
    if (given->layouts != NULL || !o.kernel->chases)
        choose_grid(&o);
    else if (o.least > o.most)
        die_usage("--pages: the first value is the lower bound of the plan, the last the upper");
    else
        o.spacing = option_spacing(given->spacing, &layouts[LAYOUT_PAGE], o.page_bytes,
                                   o.line_bytes);
    return o;
}
