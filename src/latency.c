/* latency: tells how long an access takes in each level of the memory hierarchy, from samples.
 *
 * usage: latency [OPTION...] [FILE...]
 * Reads samples of the kernels read and write, and boundaries of the caches (detect) where there
 * are some; otherwise it finds them itself. The tables come in any order, in several files or
 * joined on stdin. Writes a row for each level, kernel and number of chains.
 *
 * example: sweep --preset caches | latency
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "base/range.h"
#include "cost/level_latency.h"
#include "detect/boundary.h"
#include "detect/caches.h"
#include "machine/claim.h"
#include "report/run_tables.h"
#include "table/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct flag flags[] = {{0}};

static const struct program program = {
    .name = "latency",
    .purpose = "tell how long an access takes in each level of the hierarchy",
    .operands = "[FILE...]",
    .example = "sweep --preset caches | latency",
    .flags = flags,
    .writes_table = true,
};

/* No processor has a shorter cycle; for samples that do not tell the clock. */
static const double shortest_cycle_ns = 0.1;

/* A write that takes less than this group of a read does not wait for its line. */
static const double write_least = 0.7;

enum { EDGES = BOUNDARIES_ROOM, KERNELS = 2, CURVES = KERNELS * KERNEL_CHAINS };

/* What the samples say beside the samples. */
struct machine {
    double ghz; /* NaN: not known */
    uint64_t line_bytes;
    double claimed_bytes; /* of the largest cache; 0: not known */
    const char *mistake;  /* what was broken on purpose, or NULL */
};

/* ---- input ---- */

static struct machine machine_of(const struct table *table)
{
    struct machine m = {.ghz = NAN, .mistake = table_meta(table, -1, "mistake")};
    const char *ghz = table_meta(table, -1, "ghz_estimated");
    if (ghz != NULL && (!parse_number(ghz, strlen(ghz), &m.ghz) || m.ghz <= 0))
        m.ghz = NAN;
    m.line_bytes = size_or(table_meta(table, -1, claim_line_bytes), 64);
    for (int i = 0; i < CLAIM_CACHES; i++)
        m.claimed_bytes = fmax(m.claimed_bytes,
                               (double)size_or(table_meta(table, -1, claim_cache_bytes[i]), 0));
    return m;
}

/* The best curve of each kernel and number of chains, reads first. */
static size_t find_curves(const struct series *series, uint64_t line_bytes,
                          const struct point *curves[CURVES])
{
    static const int told[KERNELS] = {KERNEL_READ, KERNEL_WRITE};
    size_t count = 0;
    for (int k = 0; k < KERNELS; k++)
        for (uint64_t chains = 1; chains <= KERNEL_CHAINS; chains++) {
            const struct kernel *kernel = &kernels[told[k]];
            const struct point *curve = level_latency_curve(series, kernel, chains, line_bytes);
            bool whole = curve != NULL && (count == 0 || curve->pages <= curves[0]->pages);
            if (whole) /* not the few sizes that bear detect out */
                curves[count++] = curve;
        }
    return count;
}

static bool is_cache(const struct boundary *b)
{
    return b->structure == STRUCTURE_CACHE && b->level > 0 && isfinite(b->bytes_min) &&
           boundary_is_plain(b);
}

/* Rows of one method alone: `caches`, which is made for it, or else that of the first row. */
static size_t edges_of_rows(const struct run_boundaries *rows, struct edge edges[EDGES])
{
    const char *method = "";
    struct boundary chosen[EDGES];
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (is_cache(&rows->at[i]) &&
            (*method == '\0' || strcmp(rows->at[i].method, "caches") == 0))
            method = rows->at[i].method;
    for (size_t i = 0; i < rows->count && count < EDGES; i++)
        if (is_cache(&rows->at[i]) && strcmp(rows->at[i].method, method) == 0)
            chosen[count++] = rows->at[i];
    return level_latency_edges(chosen, count, edges, EDGES);
}

/* From the boundaries that were given, or found on the curve: the first, which is that of reads
 * where there are some. */
static size_t find_edges(const struct run_tables *run, const struct point *curve,
                         struct edge edges[EDGES])
{
    struct boundaries found = {0};
    size_t count = edges_of_rows(&run->boundaries, edges);
    if (count > 0)
        return count;
    if (curve->layout->per_page)
        die("samples of layout page do not tell the caches: measure layout local, line or packed "
            "too, or join boundaries (detect)");
    caches_detect(&run->series, curve, &found);
    return level_latency_edges(found.at, found.count, edges, EDGES);
}

/* ---- what is said of a row ---- */

static const char *level_name(const struct span *span, char text[32])
{
    if (span->level > 0)
        snprintf(text, 32, "%s %d", span->structure, span->level);
    else
        snprintf(text, 32, "%s", strcmp(span->structure, "-") == 0 ? "all sizes" : span->structure);
    return text;
}

/* An access whose address is the value of the one before takes a cycle at least. */
static bool is_impossible(const struct level_latency *p, const struct point *curve,
                          const struct machine *machine)
{
    double cycle_ns = isnan(machine->ghz) ? shortest_cycle_ns : 1 / machine->ghz;
    return p->ns * (curve->chains > 1 ? (double)curve->chains : 1) < cycle_ns;
}

static void say_impossible(const struct level_latency *p, const struct point *curve,
                           const struct span *span)
{
    char level[32];
    warn("%s, %s: %.3g ns are impossible, less than a cycle. Likely causes: the compiler left the "
         "loop out, because nobody uses what it loads; accesses that do not wait for one another; "
         "several accesses counted where one was made",
         level_name(span, level), curve->kernel->name, p->ns);
}

/* A store that no load waits for is done when the store buffer has it. */
static void judge_write(struct level_latency *p, const struct level_latency *read,
                        const struct span *span)
{
    char level[32];
    if (!(p->ns < write_least * read->ns && p->high_ns < read->low_ns))
        return;
    note_add(&p->note, NOTE_BELOW_READ);
    if (!args_quiet)
        warn("%s: a write of %.3g ns waits less than a read (%.3g ns), though it has to load its "
             "line. Likely stores to addresses that no load brought: the store buffer takes them",
             level_name(span, level), p->ns, read->ns);
}

static void say_shared(const struct point *curve, uint64_t line_bytes)
{
    if (curve->spacing < line_bytes && !args_quiet)
        warn("%s: nodes %llu bytes apart share lines of %llu: most accesses find a line that "
             "another one has loaded, and the figures are up to %llu times too small",
             curve->kernel->name, (unsigned long long)curve->spacing,
             (unsigned long long)line_bytes, (unsigned long long)(line_bytes / curve->spacing));
}

/* ---- rows ---- */

/* All of a level: a plateau for each curve. */
struct level {
    struct span span;
    struct level_latency plateaus[CURVES];
};

/* The number of the reads that a curve of writes is compared with, or its own where there are
 * none. */
static size_t reads_of(const struct point *const *curves, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++)
        if (curves[i]->kernel == &kernels[KERNEL_READ] && curves[i]->chains == curves[k]->chains &&
            curves[i]->layout == curves[k]->layout)
            return i;
    return k;
}

/* Adds what one row alone does not tell; true where a figure is impossible. */
static bool judge(struct level *level, const struct point *const *curves, size_t count, size_t k,
                  const struct machine *machine)
{
    struct level_latency *p = &level->plateaus[k];
    bool last = level->span.level == 0, impossible = is_impossible(p, curves[k], machine);
    if (strcmp(level->span.structure, "-") == 0)
        note_add(&p->note, NOTE_NO_BOUNDARY);
    else if (last && p->bytes_max <= machine->claimed_bytes)
        note_add(&p->note, NOTE_BELOW_CLAIMED_CACHE);
    if (curves[k]->kernel != &kernels[KERNEL_READ])
        judge_write(p, &level->plateaus[reads_of(curves, count, k)], &level->span);
    if (!impossible)
        return false;
    note_add(&p->note, NOTE_IMPOSSIBLE);
    say_impossible(p, curves[k], &level->span);
    return true;
}

static void write_row(const struct level *level, const struct point *const *curves, size_t count,
                      size_t k, double ghz)
{
    const struct level_latency *p = &level->plateaus[k];
    const struct point *curve = curves[k];
    size_t reads = reads_of(curves, count, k);
    double cycles = rounded(p->ns * ghz, 10);
    bool alone = curve->chains <= 1 && cycles >= 1;
    table_put_row(latency_columns, 0,
                  &(struct latency_row){
                      .structure = level->span.structure,
                      .level = level->span.level,
                      .bytes_min = p->bytes_min,
                      .bytes_max = p->bytes_max,
                      .layout = curve->layout,
                      .kernel = curve->kernel,
                      .chains = curve->chains > 1 ? curve->chains : 1,
                      .ns = p->ns,
                      .low_ns = p->low_ns,
                      .high_ns = p->high_ns,
                      .cycles = cycles,
                      .idle_cycles = alone ? cycles - 1 : (double)NAN,
                      .over_read_ns = reads == k ? (double)NAN : p->ns - level->plateaus[reads].ns,
                      .note = p->note,
                  });
}

/* Writes the rows of a level; true where a figure is impossible. */
static bool write_level(const struct series *series, struct level *level,
                        const struct point *const *curves, size_t count,
                        const struct machine *machine)
{
    bool impossible = false;
    for (size_t k = 0; k < count; k++)
        level->plateaus[k] = level_latency_of(series, curves[k], level->span, machine->line_bytes);
    for (size_t k = 0; k < count; k++)
        impossible = judge(level, curves, count, k, machine) || impossible;
    for (size_t k = 0; k < count; k++)
        write_row(level, curves, count, k, machine->ghz);
    return impossible;
}

static int write_rows(const struct run_tables *run, const struct point *const *curves, size_t count,
                      const struct edge *edges, size_t levels)
{
    struct machine machine = machine_of(run->table);
    struct level *level = allocate(1, sizeof *level);
    bool impossible = false;
    if (machine.mistake != NULL && !args_quiet)
        warn("the samples were broken on purpose (mistake: %s)", machine.mistake);
    for (size_t k = 0; k < count; k++)
        say_shared(curves[k], machine.line_bytes);
    for (size_t k = 0; k <= levels; k++) {
        level->span = level_latency_span(edges, levels, k);
        impossible = write_level(&run->series, level, curves, count, &machine) || impossible;
    }
    free(level);
    if (levels == 0 && !impossible)
        warn("no boundary of a cache in the samples, so one row for all sizes. Likely they end "
             "before the first cache does (larger --pages), or are too few (four an octave)");
    return levels == 0 || impossible ? STATUS_PARTIAL : STATUS_DONE;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status = STATUS_PARTIAL;
    const struct point *curves[CURVES];
    struct edge edges[EDGES];
    struct run_tables run = run_tables_read(argv + first, argc - first);
    size_t levels = 0, count = find_curves(&run.series, machine_of(run.table).line_bytes, curves);
    if (count == 0 && run.series.count > 0)
        die("there are no samples of kernel read or write in layout local, line, packed or page");
    if (count > 0)
        levels = find_edges(&run, curves[0], edges);
    table_begin(run.table);
    table_put_columns(latency_columns, 0);
    if (count > 0)
        status = write_rows(&run, curves, count, edges, levels);
    else
        warn("the input has no measured rows");
    if (table_partial(run.table))
        status = STATUS_PARTIAL;
    run_tables_free(&run);
    return finish(status);
}
