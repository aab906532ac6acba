/* level_latency.c: the latency of each level of the memory hierarchy. */
#include "tlb/cost/level_latency.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Fewer than SIZES_MIN sizes get a note. Each size is represented by PER_SIZE values, however many
 * samples it has: quantiles of their fastest runs, as other work on the core only adds time.
 * [significance] */
enum { SIZES_MIN = 3, PER_SIZE = 8 };

struct span level_latency_span(const struct boundaries *caches, size_t k)
{
    bool last = k == caches->count;
    return (struct span){.structure = !last   ? "cache"
                                      : k > 0 ? "memory"
                                              : "-",
                         .level = last ? 0 : caches->at[k].level,
                         .from = k > 0 ? caches->at[k - 1].bytes_max : 0,
                         .to = last ? HUGE_VAL : caches->at[k].bytes_min};
}

/* ---- curves ---- */

/* Whether the curve of a is better suited to a latency than that of b, which came before it: of
 * one layout, backing and page size, curves come in order of their spacing. */
static bool is_better(const struct point *a, const struct point *b, uint64_t line_bytes)
{
    if (a->layout->caches_rank != b->layout->caches_rank)
        return a->layout->caches_rank < b->layout->caches_rank;
    if (a->backing != b->backing)
        return a->backing < b->backing;
    if (a->page_bytes != b->page_bytes)
        return a->page_bytes < b->page_bytes;
    return b->spacing < line_bytes && a->spacing > b->spacing;
}

static uint64_t chains_of(uint64_t chains)
{
    return chains > 1 ? chains : 1;
}

const struct point *level_latency_curve(const struct series *series, const struct kernel *kernel,
                                        uint64_t chains, uint64_t line_bytes)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (p->kernel == kernel && chains_of(p->chains) == chains_of(chains) &&
            group_layout(&series->groups[i])->caches_rank > 0 &&
            (best == NULL || is_better(p, best, line_bytes)))
            best = p;
    }
    return best;
}

/* ---- figures ---- */

/* Layout `local` misses a page only once per lap. In other layouts the first cache spans so few
 * pages that the dTLB holds them, unless each line has its own page. */
static bool may_miss_tlb(const struct point *curve, struct span span)
{
    return curve->layout->per_page || (!curve->layout->page_by_page && span.level != 1);
}

static void note_all(struct latency_row *row, const struct point *curve, struct span span,
                     size_t sizes, uint64_t line_bytes)
{
    if (isnan(span.from))
        note_add(&row->note, NOTE_NOT_REACHED);
    else if (sizes == 0)
        note_add(&row->note, NOTE_NO_PLATEAU);
    else if (sizes < SIZES_MIN)
        note_add(&row->note, NOTE_FEW_SIZES);
    if (sizes > 0 && may_miss_tlb(curve, span))
        note_add(&row->note, NOTE_MAY_MISS_TLB);
    if (curve->spacing < line_bytes)
        note_add(&row->note, NOTE_SHARED_LINES);
}

struct latency_row level_latency_of(const struct series *series, const struct point *curve,
                                    struct span span, uint64_t line_bytes)
{
    struct latency_row row;
    double *values = allocate(series->count, PER_SIZE * sizeof *values);
    uint64_t node = curve->layout->per_page ? line_bytes : curve->spacing;
    size_t sizes = 0;
    row_clear(latency_columns, &row);
    row.structure = span.structure;
    row.level = span.level;
    row.layout = curve->layout;
    row.kernel = curve->kernel;
    row.chains = chains_of(curve->chains);
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        double bytes = (double)g->point.pages * (double)node;
        if (!point_same_curve(&g->point, curve) || !(bytes >= span.from && bytes <= span.to))
            continue;
        for (int k = 0; k < PER_SIZE; k++)
            values[PER_SIZE * sizes + (size_t)k] = group_fastest(g, (k + 0.5) / PER_SIZE);
        sizes++;
        row.bytes_min = fmin(row.bytes_min, bytes);
        row.bytes_max = fmax(row.bytes_max, bytes);
    }
    row.ns = stats_quantile(values, PER_SIZE * sizes, 0.5);
    row.low_ns = stats_quantile(values, PER_SIZE * sizes, 0.25);
    row.high_ns = stats_quantile(values, PER_SIZE * sizes, 0.75);
    free(values);
    note_all(&row, curve, span, sizes, line_bytes);
    return row;
}

const struct column latency_columns[] = {
    COLUMN(TEXT, "structure", offsetof(struct latency_row, structure)),
    COLUMN(LEVEL, "level", offsetof(struct latency_row, level)),
    COLUMN(NUMBER, "bytes_min", offsetof(struct latency_row, bytes_min)),
    COLUMN(NUMBER, "bytes_max", offsetof(struct latency_row, bytes_max)),
    COLUMN(NAMED, "layout", offsetof(struct latency_row, layout), COLUMN_LIST(layouts),
           .view = COLUMN_IF_ROOM),
    COLUMN(NAMED, "kernel", offsetof(struct latency_row, kernel), COLUMN_LIST(kernels),
           .view = COLUMN_IF_ROOM),
    COLUMN(COUNT, "chains", offsetof(struct latency_row, chains), .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "ns", offsetof(struct latency_row, ns), .per_unit = 1000),
    COLUMN(NUMBER, "low_ns", offsetof(struct latency_row, low_ns), .per_unit = 1000,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "high_ns", offsetof(struct latency_row, high_ns), .per_unit = 1000,
           .view = COLUMN_HIDDEN),
    COLUMN(NUMBER, "cycles", offsetof(struct latency_row, cycles), .per_unit = 10),
    COLUMN(NUMBER, "idle_cycles", offsetof(struct latency_row, idle_cycles), .per_unit = 10,
           .view = COLUMN_IF_ROOM),
    COLUMN(NUMBER, "over_read_ns", offsetof(struct latency_row, over_read_ns), .per_unit = 1000,
           .view = COLUMN_IF_ROOM),
    COLUMN(NOTE, "note", offsetof(struct latency_row, note)),
    {0},
};
