/* level_latency.c: the latency of each level of the memory hierarchy. */
#include "tlb/cost/level_latency.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/stats.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Fewer than SIZES_MIN sizes get a note; PER_SIZE quantiles represent each size. [significance]
 */
enum { SIZES_MIN = 3, PER_SIZE = 8 };

/* ---- levels ---- */

static int compare_edges(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;
    return (p->begins > q->begins) - (p->begins < q->begins);
}

void level_latency_sort(struct edge *edges, size_t count)
{
    if (count > 1)
        qsort(edges, count, sizeof *edges, compare_edges);
}

size_t level_latency_edges(const struct boundary *rows, size_t count, struct edge *edges,
                           size_t most)
{
    count = count < most ? count : most;
    for (size_t i = 0; i < count; i++)
        edges[i] = (struct edge){rows[i].level, rows[i].bytes_min, rows[i].bytes_max};
    level_latency_sort(edges, count);
    return count;
}

struct span level_latency_span(const struct edge *edges, size_t count, size_t k)
{
    struct span span = {.structure = "cache", .to = HUGE_VAL};
    if (k > 0)
        span.from = edges[k - 1].ends;
    if (k == count) {
        span.structure = count > 0 ? "memory" : "-";
        return span;
    }
    span.level = edges[k].level;
    span.to = edges[k].begins;
    return span;
}

/* ---- curves ---- */

/* Whether the curve of a is better suited to a latency than that of b. */
static bool is_better(const struct group *a, const struct group *b, uint64_t line_bytes)
{
    const struct point *p = &a->point, *q = &b->point;
    bool whole = p->spacing >= line_bytes, other_whole = q->spacing >= line_bytes;
    if (p->layout->caches_rank != q->layout->caches_rank)
        return p->layout->caches_rank < q->layout->caches_rank;
    if (p->backing != q->backing)
        return p->backing < q->backing;
    if (p->page_bytes != q->page_bytes)
        return p->page_bytes < q->page_bytes;
    if (whole != other_whole)
        return whole;
    return whole ? p->spacing < q->spacing : p->spacing > q->spacing;
}

static uint64_t chains_of(uint64_t chains)
{
    return chains > 1 ? chains : 1;
}

const struct point *level_latency_curve(const struct series *series, const struct kernel *kernel,
                                        uint64_t chains, uint64_t line_bytes)
{
    const struct group *best = NULL;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        if (g->point.kernel != kernel || chains_of(g->point.chains) != chains_of(chains) ||
            group_layout(g)->caches_rank == 0)
            continue;
        if (best == NULL || is_better(g, best, line_bytes))
            best = g;
    }
    return best != NULL ? &best->point : NULL;
}

double level_latency_bytes(const struct point *point, uint64_t line_bytes)
{
    return (double)point->pages * (double)(point->layout->per_page ? line_bytes : point->spacing);
}

/* ---- figures ---- */

/* Represents a size by the same number of values, however many samples it has: quantiles of their
 * fastest runs, as other work on the core only adds time. */
static void add_size(const struct group *group, double *values)
{
    for (int i = 0; i < PER_SIZE; i++)
        values[i] = group_fastest(group, (i + 0.5) / PER_SIZE);
}

/* Layout `local` misses a page only once per lap. In other layouts the first cache spans so few
 * pages that the dTLB holds them, unless each line has its own page. */
static bool may_miss_tlb(const struct point *curve, struct span span)
{
    return curve->layout->per_page || (!curve->layout->page_by_page && span.level != 1);
}

static void note_all(struct level_latency *p, const struct point *curve, struct span span,
                     size_t sizes, uint64_t line_bytes)
{
    if (isnan(span.from))
        note_add(&p->note, NOTE_NOT_REACHED);
    else if (sizes == 0)
        note_add(&p->note, NOTE_NO_PLATEAU);
    else if (sizes < SIZES_MIN)
        note_add(&p->note, NOTE_FEW_SIZES);
    if (sizes > 0 && may_miss_tlb(curve, span))
        note_add(&p->note, NOTE_MAY_MISS_TLB);
    if (curve->spacing < line_bytes)
        note_add(&p->note, NOTE_SHARED_LINES);
}

struct level_latency level_latency_of(const struct series *series, const struct point *curve,
                                      struct span span, uint64_t line_bytes)
{
    struct level_latency p = {.bytes_min = NAN, .bytes_max = NAN};
    double *values = allocate(series->count, PER_SIZE * sizeof *values);
    size_t sizes = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct group *g = &series->groups[i];
        double bytes = level_latency_bytes(&g->point, line_bytes);
        if (!point_same_curve(&g->point, curve) || !(bytes >= span.from && bytes <= span.to))
            continue;
        add_size(g, values + PER_SIZE * sizes++);
        p.bytes_min = fmin(p.bytes_min, bytes);
        p.bytes_max = fmax(p.bytes_max, bytes);
    }
    p.ns = stats_quantile(values, PER_SIZE * sizes, 0.5);
    p.low_ns = stats_quantile(values, PER_SIZE * sizes, 0.25);
    p.high_ns = stats_quantile(values, PER_SIZE * sizes, 0.75);
    free(values);
    note_all(&p, curve, span, sizes, line_bytes);
    return p;
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
