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

enum { CURVES = 2 * KERNEL_CHAINS }; /* of reads and of writes */

struct metadata {
    double ghz; /* NaN: unknown */
    uint64_t line_bytes;
    double claimed_bytes; /* of the largest cache; 0: unknown */
};

/* ---- input ---- */

static struct metadata metadata_of(const struct table *table)
{
    struct metadata m = {.ghz = NAN};
    const char *ghz = table_meta(table, -1, "ghz_estimated");
    if (ghz != NULL && (!parse_number(ghz, strlen(ghz), &m.ghz) || m.ghz <= 0))
        m.ghz = NAN;
    m.line_bytes = size_or(table_meta(table, -1, claim_line_bytes), 64);
    for (int i = 0; i < CLAIM_CACHES; i++)
        m.claimed_bytes = fmax(m.claimed_bytes,
                               (double)size_or(table_meta(table, -1, claim_cache_bytes[i]), 0));
    return m;
}

/* Samples, and the boundaries of caches that came with them. */
struct input {
    struct table *table;
    struct series series;
    struct boundaries caches;
};

static bool is_cache(const struct boundary *b)
{
    return b->structure == STRUCTURE_CACHE && b->level > 0 && isfinite(b->bytes_min) &&
           boundary_is_plain(b);
}

static void read_input(struct input *in, char *const *files, int count)
{
    *in = (struct input){.table = table_open(files, count)};
    struct row_reader boundaries = row_reader_open(in->table, boundary_columns);
    struct point_reader *points = NULL;
    struct sample sample;
    struct boundary row;
    series_init(&in->series);
    while (table_next(in->table)) {
        if (table_has(in->table, table_column(in->table, "method"))) {
            boundary_read(&boundaries, &row);
            if (is_cache(&row))
                *boundary_add(&in->caches, row.structure, row.level, row.method) = row;
        } else if (point_reader_row(&points, in->table, &sample)) {
            series_add(&in->series, &sample);
        }
    }
    point_reader_close(points);
    impossible_remove(&in->series, in->table);
}

/* The best curve of each kernel and number of chains, reads first. */
static size_t find_curves(const struct series *series, uint64_t line_bytes,
                          const struct point *curves[CURVES])
{
    size_t count = 0;
    for (int i = 0; i < CURVES; i++) {
        const struct kernel *kernel = &kernels[i < KERNEL_CHAINS ? KERNEL_READ : KERNEL_WRITE];
        uint64_t chains = (uint64_t)(i % KERNEL_CHAINS + 1);
        const struct point *curve = level_latency_curve(series, kernel, chains, line_bytes);
        bool whole = curve != NULL && (count == 0 || curve->pages <= curves[0]->pages);
        if (whole) /* not the few sizes that only check a boundary */
            curves[count++] = curve;
    }
    return count;
}

static int compare_sizes(const void *a, const void *b)
{
    const struct boundary *p = a, *q = b;
    return (p->bytes_min > q->bytes_min) - (p->bytes_min < q->bytes_min);
}

/* Keeps the boundaries of one method, `caches`, or else that of the first row, sorted by size. */
static void keep_method(struct boundaries *rows)
{
    const char *method = rows->at[0].method;
    size_t count = rows->count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows->at[i].method, "caches") == 0)
            method = rows->at[i].method;
    rows->count = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows->at[i].method, method) == 0)
            rows->at[rows->count++] = rows->at[i];
    qsort(rows->at, rows->count, sizeof *rows->at, compare_sizes);
}

/* The boundaries of the input, or else those found on the first curve (reads come first). */
static void find_caches(struct input *in, const struct point *curve)
{
    if (in->caches.count > 0) {
        keep_method(&in->caches);
        return;
    }
    if (curve->layout->per_page)
        die("samples of layout page do not show the caches: also measure layout local, line or "
            "packed, or join boundaries (detect)");
    caches_detect(&in->series, curve, &in->caches);
}

/* ---- notes and warnings of a row ---- */

static const char *level_name(const struct latency_row *row, char text[32])
{
    if (row->level > 0)
        snprintf(text, 32, "%s %d", row->structure, row->level);
    else
        snprintf(text, 32, "%s", strcmp(row->structure, "-") == 0 ? "all sizes" : row->structure);
    return text;
}

/* Reports a dependent load that takes less than a cycle; returns whether this one does. */
static bool note_impossible(struct latency_row *row, double ghz)
{
    char level[32];
    if (!(row->ns * (double)row->chains < (isnan(ghz) ? shortest_cycle_ns : 1 / ghz)))
        return false;
    note_add(&row->note, NOTE_IMPOSSIBLE);
    warn(
        "%s, %s: %.3g ns is impossible, less than a cycle. Likely causes: the compiler removed the "
        "loop because nothing uses its loads; the accesses are independent of one another; each "
        "access was counted several times",
        level_name(row, level), row->kernel->name, row->ns);
    return true;
}

/* A store on which no load depends is complete when the store buffer takes it. */
static void compare_with(const struct latency_row *read, struct latency_row *row)
{
    char level[32];
    row->over_read_ns = row->ns - read->ns;
    if (!(row->ns < write_min * read->ns && row->high_ns < read->low_ns))
        return;
    note_add(&row->note, NOTE_BELOW_READ);
    if (!args_quiet)
        warn("%s: a write takes %.3g ns, less than a read (%.3g ns), although it must load its "
             "line. Likely cause: the stores' addresses do not depend on loads, so the store "
             "buffer takes them",
             level_name(row, level), row->ns, read->ns);
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

/* The row of reads that a row of writes is compared with; NULL: there is none. */
static const struct latency_row *read_of(const struct latency_row *rows,
                                         const struct latency_row *row)
{
    for (; rows < row; rows++)
        if (rows->kernel == &kernels[KERNEL_READ] && rows->chains == row->chains &&
            rows->layout == row->layout)
            return rows;
    return NULL;
}

/* Writes the rows of a level; true if a figure is impossible. */
static bool write_level(const struct series *series, const struct point *const *curves,
                        size_t count, struct span span, const struct metadata *metadata)
{
    struct latency_row rows[CURVES];
    bool impossible = false;
    for (size_t k = 0; k < count; k++) {
        struct latency_row *row = &rows[k];
        *row = level_latency_of(series, curves[k], span, metadata->line_bytes);
        if (strcmp(span.structure, "-") == 0)
            note_add(&row->note, NOTE_NO_BOUNDARY);
        else if (span.level == 0 && row->bytes_max <= metadata->claimed_bytes)
            note_add(&row->note, NOTE_BELOW_CLAIMED_CACHE);
        const struct latency_row *read = read_of(rows, row);
        if (read != NULL)
            compare_with(read, row);
        impossible |= note_impossible(row, metadata->ghz);
        row->cycles = rounded(row->ns * metadata->ghz, 10);
        if (row->chains == 1 && row->cycles >= 1)
            row->idle_cycles = row->cycles - 1;
        table_put_row(latency_columns, 0, row);
    }
    return impossible;
}

static int write_rows(struct input *in, const struct metadata *metadata,
                      const struct point *const *curves, size_t count)
{
    const char *mistake = table_meta(in->table, -1, "mistake"); /* planted */
    bool impossible = false;
    if (mistake != NULL && !args_quiet)
        warn("the samples were broken on purpose (mistake: %s)", mistake);
    for (size_t k = 0; k < count; k++)
        say_shared(curves[k], metadata->line_bytes);
    for (size_t k = 0; k <= in->caches.count; k++)
        impossible |= write_level(&in->series, curves, count, level_latency_span(&in->caches, k),
                                  metadata);
    if (in->caches.count == 0 && !impossible)
        warn("no cache boundary in the samples, so one row for all sizes. Likely causes: the "
             "samples end within the first cache (larger --pages), or there are fewer than four "
             "sizes per octave");
    return in->caches.count == 0 || impossible ? STATUS_PARTIAL : STATUS_DONE;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status = STATUS_PARTIAL;
    const struct point *curves[CURVES];
    struct input in;
    read_input(&in, argv + first, argc - first);
    struct metadata metadata = metadata_of(in.table);
    size_t count = find_curves(&in.series, metadata.line_bytes, curves);
    if (count == 0 && in.series.count > 0)
        die("no samples of kernel read or write in layout local, line, packed or page");
    if (count > 0)
        find_caches(&in, curves[0]);
    table_begin(in.table);
    table_put_columns(latency_columns, 0);
    if (count > 0)
        status = write_rows(&in, &metadata, curves, count);
    else if (!series_warn_of_cut(&in.series, in.table))
        warn("the input has no measured rows");
    if (table_partial(in.table))
        status = STATUS_PARTIAL;
    series_free(&in.series);
    table_close(in.table);
    return finish(status);
}
