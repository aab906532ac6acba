/* slicemap: finds which slice of the L3 cache holds each line of a buffer.
 *
 * usage: slicemap [OPTION...]
 * Loads and flushes each line many times; the slice whose lookup counter rises by as much owns it.
 * Writes a table or, with --raw, a binary map for each page of 2 MiB; then it can be resumed.
 *
 * example: slicemap --raw maps --max-pages 24 && slicehash solve maps
 */
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/random.h"
#include "machine/recording.h"
#include "slices/counters/line_owner.h"
#include "slices/counters/pmu.h"
#include "slices/counters/uncore.h"
#include "slices/hash/hash_file.h"
#include "slices/maps/map_file.h"
#include "table/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRIDE = 797, /* pages: a prime, so another run starts with other pages of the buffer */
    MOVES_MAX = 3 /* times to remeasure a page that moved */
};

static uint64_t buffer_bytes = (uint64_t)2 << 30, page_bytes = RAW_MAP_BYTES, loads = 1000, seed;
static uint64_t pages_most = UINT64_MAX, core;
static const char *raw_folder, *hash_name, *sysroot;
static bool list_events, core_given;
static struct uncore_disturbance disturbance;
static const char *core_text;

static const struct flag flags[] = {
    {"raw", FLAG_TEXT, &raw_folder, "DIR", "binary maps into DIR; measures what DIR lacks"},
    {"buffer", FLAG_SIZE, &buffer_bytes, "SIZE", "memory to map (default 2G)"},
    {"page-size", FLAG_POWER, &page_bytes, "SIZE", "page size: 2M (default), 1G or 4K",
     .min = 1024},
    {"max-pages", FLAG_COUNT, &pages_most, "N", "stop after N pages"},
    {"loads", FLAG_COUNT, &loads, "N", "loads of a line (default 1000)"},
    {"cpu", FLAG_TEXT, &core_text, "N", "core that loads (default: the counters' own)"},
    {"events", FLAG_YES, &list_events, NULL, "list the counters and events, and measure nothing"},
    {"sysroot", FLAG_TEXT, &sysroot, "FILE", "of a recorded machine", .needs = "events"},
    {"simulate", FLAG_TEXT, &hash_name, "FILE", "a simulated machine with the hash in FILE"},
    {"background", FLAG_NUMBER, &disturbance.background, "X",
     "lookups by others at each slice, per load", .needs = "simulate"},
    {"bursts", FLAG_NUMBER, &disturbance.bursts, "X", "share of tries with a burst of them",
     .needs = "simulate"},
    {"uncounted", FLAG_COUNT, &disturbance.silent, "N", "N slices count nothing",
     .needs = "simulate"},
    {"counters", FLAG_COUNT, &disturbance.counters, "N", "N slices are counted at once",
     .needs = "simulate"},
    {"moves", FLAG_COUNT, &disturbance.moves, "N", "every N-th page moves", .needs = "simulate"},
    {"seed", FLAG_COUNT, &seed, "N", "random seed", .needs = "simulate"},
    {0},
};

static const struct program program = {
    .name = "slicemap",
    .purpose = "measure which L3 slice holds each line",
    .operands = "",
    .example = "slicemap --raw maps --max-pages 24 && slicehash solve maps",
    .flags = flags,
    .writes_table = true,
};

/* ---- the events to count ---- */

static void list_slice(const struct pmu *pmu, unsigned slice, const struct pmu_candidate *c)
{
    char name[PMU_NAME_ROOM], why[PLATFORM_WHY_ROOM];
    struct platform_event event;
    int cpu = core_given ? (int)core : -1;
    bool known = pmu_event(pmu, slice, c->terms, cpu, &event, why);
    pmu_name(pmu, slice, name);
    put_count(slice, '\t');
    put_text(name, '\t');
    put_text(c->terms, '\t');
    if (known) {
        put_count(event.type, '\t');
        put_count((uint64_t)event.cpu, '\t');
        put_formatted("0x%llx\t0x%llx\t", (unsigned long long)event.config,
                      (unsigned long long)event.config1);
    } else
        put_formatted("-\t-\t-\t-\t");
    put_text(known ? c->source : why, '\n');
}

static int list_all(void)
{
    struct pmu pmu;
    char why[PLATFORM_WHY_ROOM];
    const struct pmu_candidate *c;
    if (sysroot != NULL)
        recording_use(sysroot);
    if (!pmu_find(&pmu, why))
        die("%s", why);
    table_begin(NULL);
    table_put_meta("slices", "%u", pmu.slices);
    table_put_header("slice\tpmu\tevent\ttype\tcpu\tconfig\tconfig1\tsource");
    for (unsigned k = 0; (c = pmu_candidate(&pmu, k)) != NULL; k++)
        for (unsigned i = 0; i < pmu.slices; i++)
            list_slice(&pmu, i, c);
    return STATUS_DONE;
}

/* ---- a page ---- */

/* The part of the buffer measured at once: a page, or 2 MiB of a larger one. */
struct part {
    size_t offset, lines;
    uint64_t paddr;
    bool seen; /* paddr is physical; otherwise only its low bits are */
};

static bool find_part(const struct uncore *u, struct part *part, char why[PLATFORM_WHY_ROOM])
{
    part->paddr = part->offset;
    part->seen = u->physical(u->context, part->offset, &part->paddr, why);
    return part->seen;
}

/* Measures all lines. False if the page moved in the meantime. */
static bool measure_part(const struct uncore *u, const struct part *part, struct owner *owners)
{
    char why[PLATFORM_WHY_ROOM];
    struct part after = *part;
    for (size_t i = 0; i < part->lines; i++)
        owners[i] = line_owner(u, part->offset + (i << LINE_BITS), loads);
    return !part->seen || (find_part(u, &after, why) && after.paddr == part->paddr);
}

static void put_line(uint64_t paddr, const struct owner *owner)
{
    paddr_put(paddr, '\t');
    if (owner->slice < 0) {
        put_formatted("-\t-\t-\n");
        return;
    }
    put_count((uint64_t)owner->slice, '\t');
    put_count(owner->count, '\t');
    put_number(rounded(owner->share, 1000), '\n');
}

static void put_part(const struct part *part, const struct owner *owners, size_t missing)
{
    signed char slices[RAW_MAP_LINES];
    for (size_t i = 0; i < part->lines; i++)
        if (raw_folder == NULL)
            put_line(part->paddr + (i << LINE_BITS), &owners[i]);
        else
            slices[i] = (signed char)owners[i].slice;
    if (raw_folder != NULL) {
        raw_map_write(raw_folder, part->paddr, slices);
        paddr_put(part->paddr, '\t');
        put_count(part->lines, '\t');
        put_count(missing, '\n');
    }
    flush_output();
}

static bool is_mapped(const struct part *part)
{
    signed char slices[RAW_MAP_LINES];
    return raw_folder != NULL && raw_map_read(raw_folder, part->paddr, slices);
}

/* ---- the buffer ---- */

/* Measures a part that has no map yet; a page that moves is remeasured under its new address.
 * Returns the number of lines without an owner; *measured counts parts. */
static size_t map_part(const struct uncore *u, struct part *part, struct owner *owners,
                       uint64_t *measured)
{
    char why[PLATFORM_WHY_ROOM];
    size_t missing = 0;
    bool whole = false;
    for (int k = 0; k < MOVES_MAX && !whole; k++) {
        find_part(u, part, why);
        if (is_mapped(part))
            return 0;
        whole = measure_part(u, part, owners);
    }
    if (!whole) {
        warn("0x%012llx: the page moved while it was measured, %d times",
             (unsigned long long)part->paddr, MOVES_MAX);
        return part->lines;
    }
    for (size_t i = 0; i < part->lines; i++)
        missing += owners[i].slice < 0;
    put_part(part, owners, missing);
    (*measured)++;
    return missing;
}

static int map_buffer(const struct uncore *u)
{
    uint64_t bytes = page_bytes < RAW_MAP_BYTES ? page_bytes : RAW_MAP_BYTES;
    size_t parts = buffer_bytes / bytes, missing = 0, lines = bytes >> LINE_BITS;
    size_t stride = parts % STRIDE == 0 ? 1 : STRIDE;
    struct owner *owners = allocate(lines, sizeof *owners);
    uint64_t measured = 0, start = platform_now_ns();
    for (size_t k = 0; k < parts && measured < pages_most; k++) {
        struct part part = {.offset = k * stride % parts * bytes, .lines = lines};
        missing += map_part(u, &part, owners, &measured);
        double spent_s = (double)(platform_now_ns() - start) / 1e9;
        progress_draw(k + 1, parts, spent_s / (double)(k + 1) * (double)(parts - k - 1));
    }
    free(owners);
    if (missing > 0)
        warn("%zu lines have no owner: no counts were accepted", missing);
    return missing > 0 ? STATUS_PARTIAL : STATUS_DONE;
}

/* ---- the machine to measure ---- */

static void check_values(void)
{
    if (buffer_bytes % page_bytes != 0)
        die_usage("--buffer %llu: expected whole pages", (unsigned long long)buffer_bytes);
    if (raw_folder != NULL && page_bytes < RAW_MAP_BYTES)
        die_usage("--raw: binary maps need pages of 2 MiB");
    core_given = core_text != NULL;
    if (core_given && (core_text[strspn(core_text, "0123456789")] != '\0' ||
                       !parse_size(core_text, &core) || core > 1 << 20))
        die_usage("--cpu '%s': expected a core number", core_text);
}

/* Opens the machine and chooses its event; dies, naming what is missing. */
static struct uncore open_uncore(struct slice_hash *hash)
{
    struct uncore u;
    char why[PLATFORM_WHY_ROOM];
    if (hash_name != NULL) {
        *hash = hash_read(hash_name);
        disturbance.seed = seed > 0 ? seed : random_fresh_seed();
        uncore_simulated(&u, hash, buffer_bytes, page_bytes, &disturbance);
    } else if (!uncore_system(&u, buffer_bytes, page_bytes, core_given ? (int)core : -1, why))
        die("%s", why);
    return u;
}

/* The visible address bits: without pagemap, those within a page. */
static unsigned visible_bits(const struct uncore *u)
{
    char why[PLATFORM_WHY_ROOM];
    struct part part = {0};
    if (find_part(u, &part, why))
        return ADDRESS_BITS_MAX;
    if (raw_folder != NULL)
        die("binary maps are named by physical addresses: %s", why);
    warn("address bits from %u up cannot be seen: %s", highest_bit(page_bytes), why);
    return highest_bit(page_bytes);
}

static void put_head(const struct uncore *u, const char *why, unsigned bits)
{
    const char *source, *event = u->event(u->context, u->candidate, &source);
    table_begin(NULL);
    table_put_meta("slices", "%u", u->slices);
    table_put_meta("slices_at_once", "%u", u->at_once);
    table_put_meta("event", "%s", event);
    table_put_meta("event_source", "%s", source);
    table_put_meta("event_why", "%s", why);
    table_put_meta("loads", "%llu", (unsigned long long)loads);
    table_put_meta("page_bytes", "%llu", (unsigned long long)page_bytes);
    if (bits < ADDRESS_BITS_MAX)
        table_put_meta("paddr_bits", "%u", bits);
    if (hash_name != NULL)
        table_put_meta("seed", "%llu", (unsigned long long)disturbance.seed);
    table_put_header(raw_folder != NULL ? "paddr\tlines\tmissing" : "paddr\tslice\tcount\tshare");
}

int main(int argc, char **argv)
{
    char why[PLATFORM_WHY_ROOM];
    struct slice_hash hash = {0};
    args_parse(&program, argc, argv);
    check_values();
    if (list_events)
        return finish(list_all());
    struct uncore u = open_uncore(&hash);
    if (!choose_event(&u, loads, why))
        die("%s", why);
    unsigned bits = visible_bits(&u);
    if (raw_folder != NULL)
        raw_map_make_folder(raw_folder);
    put_head(&u, why, bits);
    int status = map_buffer(&u);
    if (hash_name != NULL && !args_quiet && uncore_simulated_slept(&u) > 0)
        warn("the simulated machine slept %.0f s", uncore_simulated_slept(&u));
    u.close(u.context);
    slice_hash_free(&hash);
    return finish(status);
}
