/* latency: finds the latency of each level of the memory hierarchy from samples.
 *
 * usage: latency [OPTION...] [FILE...]
 * Reads samples of the kernels read and write, and boundaries of the caches (detect) if there are
 * any; otherwise it finds them itself. The tables come in any order, in several files or joined on
 * stdin. Writes a row for each level, kernel and number of chains.
 *
 * example: sweep --preset caches | latency
 */
#include "access/impossible.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "machine/claim.h"
#include "table/table.h"
#include "tlb/cost/level_latency.h"
#include "tlb/detect/boundary.h"
#include "tlb/detect/caches.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct flag flags[] = {{0}};

static const struct program program = {
    .name = "latency",
    .purpose = "find how long an access takes in each cache and in memory",
    .operands = "[FILE...]",
    .example = "sweep --preset caches | latency",
    .flags = flags,
    .writes_table = true,
};

/* Shorter than any processor's cycle; for samples without a clock frequency. */
static const double shortest_cycle_ns = 0.1;

/* A write that takes less than this fraction of a read does not wait for its line. */
static const double write_min = 0.7;

enum { EDGES = BOUNDARIES_ROOM, KERNELS = 2, CURVES = KERNELS * KERNEL_CHAINS };

struct metadata {
    double ghz; /* NaN: unknown */
    uint64_t line_bytes;
    double claimed_bytes; /* of the largest cache; 0: unknown */
    const char *mistake;  /* planted on purpose; or NULL */
};

/* ---- input ---- */

static struct metadata metadata_of(const struct table *table)
{
    struct metadata m = {.ghz = NAN, .mistake = table_meta(table, -1, "mistake")};
    const char *ghz = table_meta(table, -1, "ghz_estimated");
    if (ghz != NULL && (!parse_number(ghz, strlen(ghz), &m.ghz) || m.ghz <= 0))
        m.ghz = NAN;
    m.line_bytes = size_or(table_meta(table, -1, claim_line_bytes), 64);
    for (int i = 0; i < CLAIM_CACHES; i++)
        m.claimed_bytes = fmax(m.claimed_bytes,
                               (double)size_or(table_meta(table, -1, claim_cache_bytes[i]), 0));
    return m;
}

/* Samples, and the boundaries that came with them. */
struct input {
    struct table *table;
    struct series series;
    struct boundary *rows;
    size_t count;
};

static struct input read_input(char *const *files, int count)
{
    struct input in = {.table = table_open(files, count)};
    struct row_reader boundaries = row_reader_open(in.table, boundary_columns);
    struct point_reader *points = NULL;
    struct sample sample;
    series_init(&in.series);
    while (table_next(in.table)) {
        if (table_has(in.table, table_column(in.table, "method"))) {
            in.rows = reallocate(in.rows, in.count + 1, sizeof *in.rows);
            boundary_read(&boundaries, &in.rows[in.count++]);
        } else if (point_reader_row(&points, in.table, &sample)) {
            series_add(&in.series, &sample);
        }
    }
    point_reader_close(points);
    impossible_remove(&in.series, in.table);
    return in;
}

/* The best curve of each kernel and number of chains, reads first. */
static size_t find_curves(const struct series *series, uint64_t line_bytes,
                          const struct point *curves[CURVES])
{
    static const int wanted[KERNELS] = {KERNEL_READ, KERNEL_WRITE};
    size_t count = 0;
    for (int k = 0; k < KERNELS; k++)
        for (uint64_t chains = 1; chains <= KERNEL_CHAINS; chains++) {
            const struct kernel *kernel = &kernels[wanted[k]];
            const struct point *curve = level_latency_curve(series, kernel, chains, line_bytes);
            bool whole = curve != NULL && (count == 0 || curve->pages <= curves[0]->pages);
            if (whole) /* not the few sizes that only check a boundary */
                curves[count++] = curve;
        }
    return count;
}

static bool is_cache(const struct boundary *b)
{
    return b->structure == STRUCTURE_CACHE && b->level > 0 && isfinite(b->bytes_min) &&
           boundary_is_plain(b);
}

/* The edges found by one method: `caches`, or else that of the first row. */
static size_t edges_of_rows(const struct boundary *rows, size_t rows_count,
                            struct edge edges[EDGES])
{
    const char *method = "";
    struct boundary chosen[EDGES];
    size_t count = 0;
    for (size_t i = 0; i < rows_count; i++)
        if (is_cache(&rows[i]) && (*method == '\0' || strcmp(rows[i].method, "caches") == 0))
            method = rows[i].method;
    for (size_t i = 0; i < rows_count && count < EDGES; i++)
        if (is_cache(&rows[i]) && strcmp(rows[i].method, method) == 0)
            chosen[count++] = rows[i];
    return level_latency_edges(chosen, count, edges, EDGES);
}

/* The edges of the boundaries in the input, or else those found on the first curve (reads come
 * first). */
static size_t find_edges(const struct input *in, const struct point *curve,
                         struct edge edges[EDGES])
{
    struct boundaries found = {0};
    size_t count = edges_of_rows(in->rows, in->count, edges);
    if (count > 0)
        return count;
    if (curve->layout->per_page)
        die("samples of layout page do not show the caches: also measure layout local, line or "
            "packed, or join boundaries (detect)");
    caches_detect(&in->series, curve, &found);
    return level_latency_edges(found.at, found.count, edges, EDGES);
}

/* ---- notes and warnings of a row ---- */

static const char *level_name(const struct span *span, char text[32])
{
    if (span->level > 0)
        snprintf(text, 32, "%s %d", span->structure, span->level);
    else
        snprintf(text, 32, "%s", strcmp(span->structure, "-") == 0 ? "all sizes" : span->structure);
    return text;
}

/* A dependent load takes at least a cycle. */
static bool is_impossible(const struct level_latency *p, const struct point *curve,
                          const struct metadata *metadata)
{
    double cycle_ns = isnan(metadata->ghz) ? shortest_cycle_ns : 1 / metadata->ghz;
    return p->ns * (curve->chains > 1 ? (double)curve->chains : 1) < cycle_ns;
}

static void say_impossible(const struct level_latency *p, const struct point *curve,
                           const struct span *span)
{
    char level[32];
    warn(
        "%s, %s: %.3g ns is impossible, less than a cycle. Likely causes: the compiler removed the "
        "loop because nothing uses its loads; the accesses are independent of one another; each "
        "access was counted several times",
        level_name(span, level), curve->kernel->name, p->ns);
}

/* A store on which no load depends is complete when the store buffer takes it. */
static void judge_write(struct level_latency *p, const struct level_latency *read,
                        const struct span *span)
{
    char level[32];
    if (!(p->ns < write_min * read->ns && p->high_ns < read->low_ns))
        return;
    note_add(&p->note, NOTE_BELOW_READ);
    if (!args_quiet)
        warn("%s: a write takes %.3g ns, less than a read (%.3g ns), although it must load its "
             "line. Likely cause: the stores' addresses do not depend on loads, so the store "
             "buffer takes them",
             level_name(span, level), p->ns, read->ns);
}

static void say_shared(const struct point *curve, uint64_t line_bytes)
{
    if (curve->spacing < line_bytes && !args_quiet)
        warn("%s: nodes %llu bytes apart share lines of %llu: most accesses find a line already "
             "loaded, and the figures are up to %llu times too small",
             curve->kernel->name, (unsigned long long)curve->spacing,
             (unsigned long long)line_bytes, (unsigned long long)(line_bytes / curve->spacing));
}

/* ---- rows ---- */

/* A level, with its latency on each curve. */
struct level {
    struct span span;
    struct level_latency plateaus[CURVES];
};

/* Index of the curve of reads that curve k is compared with; k if there is none. */
static size_t reads_of(const struct point *const *curves, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++)
        if (curves[i]->kernel == &kernels[KERNEL_READ] && curves[i]->chains == curves[k]->chains &&
            curves[i]->layout == curves[k]->layout)
            return i;
    return k;
}

/* Adds the notes that need other rows or metadata; true if a figure is impossible. */
static bool judge(struct level *level, const struct point *const *curves, size_t count, size_t k,
                  const struct metadata *metadata)
{
    struct level_latency *p = &level->plateaus[k];
    bool last = level->span.level == 0, impossible = is_impossible(p, curves[k], metadata);
    if (strcmp(level->span.structure, "-") == 0)
        note_add(&p->note, NOTE_NO_BOUNDARY);
    else if (last && p->bytes_max <= metadata->claimed_bytes)
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

/* Writes the rows of a level; true if a figure is impossible. */
static bool write_level(const struct series *series, struct level *level,
                        const struct point *const *curves, size_t count,
                        const struct metadata *metadata)
{
    bool impossible = false;
    for (size_t k = 0; k < count; k++)
        level->plateaus[k] = level_latency_of(series, curves[k], level->span, metadata->line_bytes);
    for (size_t k = 0; k < count; k++)
        impossible = judge(level, curves, count, k, metadata) || impossible;
    for (size_t k = 0; k < count; k++)
        write_row(level, curves, count, k, metadata->ghz);
    return impossible;
}

static int write_rows(const struct input *in, const struct point *const *curves, size_t count,
                      const struct edge *edges, size_t levels)
{
    struct metadata metadata = metadata_of(in->table);
    struct level *level = allocate(1, sizeof *level);
    bool impossible = false;
    if (metadata.mistake != NULL && !args_quiet)
        warn("the samples were broken on purpose (mistake: %s)", metadata.mistake);
    for (size_t k = 0; k < count; k++)
        say_shared(curves[k], metadata.line_bytes);
    for (size_t k = 0; k <= levels; k++) {
        level->span = level_latency_span(edges, levels, k);
        impossible = write_level(&in->series, level, curves, count, &metadata) || impossible;
    }
    free(level);
    if (levels == 0 && !impossible)
        warn("no cache boundary in the samples, so one row for all sizes. Likely causes: the "
             "samples end within the first cache (larger --pages), or there are fewer than four "
             "sizes per octave");
    return levels == 0 || impossible ? STATUS_PARTIAL : STATUS_DONE;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status = STATUS_PARTIAL;
    const struct point *curves[CURVES];
    struct edge edges[EDGES];
    struct input in = read_input(argv + first, argc - first);
    size_t levels = 0, count = find_curves(&in.series, metadata_of(in.table).line_bytes, curves);
    if (count == 0 && in.series.count > 0)
        die("no samples of kernel read or write in layout local, line, packed or page");
    if (count > 0)
        levels = find_edges(&in, curves[0], edges);
    table_begin(in.table);
    table_put_columns(latency_columns, 0);
    if (count > 0)
        status = write_rows(&in, curves, count, edges, levels);
    else if (!series_warn_of_cut(&in.series, in.table))
        warn("the input has no measured rows");
    if (table_partial(in.table))
        status = STATUS_PARTIAL;
    series_free(&in.series);
    free(in.rows);
    table_close(in.table);
    return finish(status);
}
