/* gpu: measures the memory of a graphics card, or of any OpenCL device.
 *
 * usage: gpu list
 *        gpu chase [OPTION...] [FILE...]
 *        gpu bandwidth [OPTION...]
 * `list` writes what the drivers claim about their devices, `chase` measures points as chase(1)
 * does, `bandwidth` measures how fast the device moves data.
 *
 * example: plan --gpu | gpu chase | detect
 */
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point_options.h"
#include "base/args.h"
#include "base/error.h"
#include "machine/facts.h"
#include "measure/run.h"
#include "memory/card/card.h"
#include "memory/card/card_chase.h"
#include "memory/card/card_rate.h"
#include "table/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_DEFAULT = 5 };

static const char *device_name, *layout_names, *op_names, *resume;
static struct range pages, spacings, chains, sizes, items;
static struct choice kernel = CHOICE_OF(kernels);
static uint64_t samples, loads, seed;
static double claim = NAN, budget = INFINITY;

static const struct flag flags[] = {
    {"device", FLAG_TEXT, &device_name, "NAME", "the device's number or part of its name (0)"},
    {"pages", FLAG_RANGE, &pages, "RANGE", "chase: numbers of nodes, one point each",
     .excludes = "FILE", .min = 1},
    {"layout", FLAG_TEXT, &layout_names, "LIST", "chase: page, packed, line, local, … (page)",
     .needs = "pages"},
    {"spacing", FLAG_RANGE, &spacings, "RANGE", "bytes between nodes, or from read to read",
     .min = 4, .multiple = 4},
    {"kernel", FLAG_WORD, &kernel, "NAME", "chase: read, read_volatile, read_local, … (read)",
     .needs = "pages"},
    {"chains", FLAG_RANGE, &chains, "RANGE", "chase: independent chains at once, 1 to 16 (1)",
     .needs = "pages", .min = 1},
    {"loads", FLAG_COUNT, &loads, "N", "chase: loads per timed kernel (a millisecond of them)",
     .max = CARD_LOADS_MAX},
    {"op", FLAG_TEXT, &op_names, "LIST", "bandwidth: ops to measure (all): --help ops"},
    {"bytes", FLAG_RANGE, &sizes, "RANGE", "bandwidth: working sets, of all arrays", .min = 48,
     .max = 1e18},
    {"items", FLAG_RANGE, &items, "RANGE", "bandwidth: numbers of work items (one per element)",
     .min = 1, .max = UINT32_MAX},
    {"claim", FLAG_NUMBER, &claim, "GB_PER_S", "bandwidth: the maker's claim for the memory",
     .min = 0.001},
    {"samples", FLAG_COUNT, &samples, "N", "samples of each point (5)"},
    {"seed", FLAG_COUNT, &seed, "N", "chase: seed of the chains (the points' or the clock's)"},
    {"resume", FLAG_TEXT, &resume, "FILE", "chase: copy FILE's rows, measure what is missing"},
    {"budget", FLAG_SECONDS, &budget, "SECONDS", "stop after so many seconds"},
    {0},
};

/* ---- list ---- */

struct claim_key {
    const char *key, *unit, *info; /* info: the parameter queried */
    size_t offset;
};

#define CLAIM(key_, unit_, info_, member)                                                          \
    {                                                                                              \
        key_, unit_, info_, offsetof(struct card_claims, member)                                   \
    }

static void put_claim(size_t device, const char *key, const char *value, const char *unit,
                      const char *source)
{
    bool known = *value != '\0';
    fact_put((struct fact_row){device, key, known ? value : "unknown", unit, source, known},
             FACT_DEVICE);
}

static void put_texts(size_t device, const struct card_claims *c)
{
    static const struct claim_key keys[] = {CLAIM("name", "", "CL_DEVICE_NAME", name),
                                            CLAIM("vendor", "", "CL_DEVICE_VENDOR", vendor),
                                            CLAIM("platform", "", "CL_PLATFORM_NAME", platform),
                                            CLAIM("driver", "", "CL_DRIVER_VERSION", driver),
                                            CLAIM("opencl", "", "CL_DEVICE_VERSION", version)};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        put_claim(device, keys[i].key, (const char *)c + keys[i].offset, keys[i].unit,
                  keys[i].info);
    put_claim(device, "type", c->type, "", "CL_DEVICE_TYPE");
    put_claim(device, "unified_memory", c->unified ? "yes" : "no", "",
              "CL_DEVICE_HOST_UNIFIED_MEMORY");
}

static void put_numbers(size_t device, const struct card_claims *c)
{
    static const struct claim_key keys[] = {
        CLAIM("memory_bytes", "bytes", "CL_DEVICE_GLOBAL_MEM_SIZE", memory_bytes),
        CLAIM("allocation_bytes", "bytes", "CL_DEVICE_MAX_MEM_ALLOC_SIZE", allocation_bytes),
        CLAIM("cache_bytes", "bytes", "CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", cache_bytes),
        CLAIM("line_bytes", "bytes", "CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", line_bytes),
        CLAIM("local_bytes", "bytes", "CL_DEVICE_LOCAL_MEM_SIZE", local_bytes),
        CLAIM("constant_bytes", "bytes", "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", constant_bytes),
        CLAIM("compute_units", "", "CL_DEVICE_MAX_COMPUTE_UNITS", compute_units),
        CLAIM("clock_mhz", "MHz", "CL_DEVICE_MAX_CLOCK_FREQUENCY", clock_mhz),
        CLAIM("group_items", "", "CL_DEVICE_MAX_WORK_GROUP_SIZE", group_items),
        CLAIM("timer_ns", "ns", "CL_DEVICE_PROFILING_TIMER_RESOLUTION", timer_ns)};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        uint64_t number;
        char text[24] = "";
        memcpy(&number, (const char *)c + keys[i].offset, sizeof number);
        if (number > 0)
            snprintf(text, sizeof text, "%llu", (unsigned long long)number);
        put_claim(device, keys[i].key, text, keys[i].unit, keys[i].info);
    }
    put_claim(device, "page_bytes", "", "bytes", "OpenCL has no name for it");
    put_claim(device, "memory_gb_per_s", "", "GB/s", "OpenCL has no name for it");
}

static int list(char **files, int count)
{
    size_t devices;
    struct card_claims *cards = cards_list(&devices);
    (void)files, (void)count;
    size_t first = cards_find(cards, devices, device_name);
    size_t end = device_name != NULL ? first + 1 : devices;
    table_begin(NULL);
    facts_put_header(FACT_DEVICE);
    for (size_t i = first; i < end; i++) {
        put_texts(i, &cards[i]);
        put_numbers(i, &cards[i]);
    }
    free(cards);
    return STATUS_DONE;
}

/* The claims of the --device, and its number in *index. */
static struct card_claims chosen_card(size_t *index)
{
    size_t count;
    unsigned major, minor;
    struct card_claims *cards = cards_list(&count), chosen;
    *index = cards_find(cards, count, device_name);
    chosen = cards[*index];
    free(cards);
    if (sscanf(chosen.version, "OpenCL %u.%u", &major, &minor) == 2 && major < 2 &&
        (major < 1 || minor < 2))
        die("the driver of %s has %s; this needs 1.2: a newer driver may have it", chosen.name,
            chosen.version);
    return chosen;
}

/* ---- chase ---- */

/* The spacing from --spacing, or the layout's own; in a small memory, a word. */
static uint64_t spacing_of(const struct point *point, size_t i)
{
    if (spacings.count == 0 && point->kernel->small)
        return point->kernel->node_bytes;
    return option_spacing(spacings.count > 0 ? spacings.values[i] : 0, point->layout,
                          point->page_bytes, CARD_LINE_BYTES);
}

/* The points of the options, and as many passes over them as each has samples. */
static void points_from_options(struct point_list *list)
{
    struct point point = {.kernel = kernel.chosen != NULL ? kernel.chosen : &kernels[KERNEL_READ],
                          .backing = &backings[BACKING_DEVICE],
                          .page_bytes = CARD_PAGE_BYTES};
    const struct layout *chosen[OPTION_LAYOUTS];
    size_t count = option_layouts(layout_names, point.kernel, chosen);
    list->passes = samples > 0 ? samples : SAMPLES_DEFAULT;
    for (size_t l = 0; l < count; l++)
        for (size_t i = 0; i < (spacings.count > 0 ? spacings.count : 1); i++)
            for (size_t n = 0; n < pages.count; n++) {
                if (chosen[l]->whole_buffer || chosen[l]->targets)
                    die_usage("--layout %s: its points must come from a FILE", chosen[l]->name);
                point.layout = chosen[l];
                point.pages = pages.values[n];
                point.spacing = spacing_of(&point, i);
                option_append(&list->points, point, &chains);
            }
}

/* For point_list_read(). Every point is in the card's memory. */
static const char *adapt(struct point *point)
{
    point->backing = &backings[BACKING_DEVICE];
    return point_refuses(point);
}

static int chase(char **files, int count)
{
    struct point_list list = {0};
    if (resume != NULL)
        list.earlier = earlier_resume(resume, &seed);
    args_check();
    if (pages.count > 0)
        points_from_options(&list);
    else {
        args_refuse("spacing samples ", "the points of a table");
        point_list_read(&list, files, count, adapt);
    }
    if (seed == 0)
        seed = earlier_seed(list.source);
    struct card_options card = {.seed = seed, .loads = loads};
    card.claims = chosen_card(&card.index);
    struct machine machine = card_machine(&card);
    return point_list_measure(&list, &machine, budget);
}

/* ---- bandwidth ---- */

static int bandwidth(char **files, int count)
{
    struct card_rates_options options = {.ops = op_names,
                                         .sizes = sizes,
                                         .items = items,
                                         .spacings = spacings,
                                         .samples = samples > 0 ? samples : SAMPLES_DEFAULT,
                                         .claim_gb_per_s = claim,
                                         .budget_s = budget};
    (void)files, (void)count;
    options.claims = chosen_card(&options.index);
    return card_rates(&options);
}

/* ---- commands ---- */

static const struct command commands[] = {
    {"list", "what the drivers claim about their devices", "device ", false, list},
    {"chase", "points in, samples out",
     "device pages layout spacing kernel chains loads samples seed resume budget ", true, chase},
    {"bandwidth", "rates of reads, writes, copies and transfers",
     "device op bytes items spacing claim samples budget ", false, bandwidth},
    {0},
};

static const struct topic topics[] = {
    {"ops",
     "Ops",
     {0},
     card_rates_print_ops,
     "reads, writes, copies and transfers, and their bytes"},
    {"kernels", "Kernels", CHOICE_OF(kernels), NULL, "how nodes are visited"},
    {"layouts", "Layouts", CHOICE_OF(layouts), NULL, "where nodes lie"},
    {0},
};

static const struct program program = {
    .name = "gpu",
    .purpose = "measure the memory of a graphics card",
    .operands = "COMMAND [FILE...]",
    .example = "plan --gpu | gpu chase | detect",
    .flags = flags,
    .per_run = "resume budget ",
    .writes_table = true,
    .commands = commands,
    .topics = topics,
};

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    int status = command_run(commands, argc, argv, first);
    free(pages.values);
    free(spacings.values);
    free(chains.values);
    free(sizes.values);
    free(items.values);
    return finish(status);
}
