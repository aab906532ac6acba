/* density.c: the whitepaper's measuring schedule. Sections (§) are those of the whitepaper that
 * options.h names. */
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/detect/segment.h"
#include "tlb/plan/presets.h"

#define KIB UINT64_C(1024)

/* §4.3. [tuned: whitepaper] */
static const uint64_t comparison_bytes = 512 * 1024 * KIB, start_bytes = 16 * KIB;
static const unsigned coarse_kib[] = {16,   64,    128,   256,   512,   1024,   2048,   4096,
                                      8192, 12288, 16384, 32768, 65536, 131072, 262144, 0};
static const unsigned fine_kib[] = {16,    32,    64,     96,     128,    192,   256,   384,
                                    512,   768,   1024,   1536,   2048,   3072,  4096,  6144,
                                    8192,  10240, 12288,  14336,  16384,  24576, 32768, 49152,
                                    65536, 98304, 131072, 196608, 262144, 0};

/* The refinement of §3.3, as the authors' program divides. [tuned: whitepaper] */
enum { EIGHTHS = 8 };

/* The windows of the first passes, with the start if it is none of them. [bound] */
enum { GRID_MAX = sizeof fine_kib / sizeof *fine_kib };

/* ---- windows ---- */

static struct point point_of(const struct density_options *o, uint64_t window, enum role role)
{
    return (struct point){.pages = window / o->stride,
                          .spacing = o->stride,
                          .page_bytes = o->page_bytes,
                          .buffer = o->buffer_bytes,
                          .layout = &layouts[LAYOUT_BOX],
                          .backing = &backings[BACKING_SCATTERED],
                          .kernel = &kernels[KERNEL_READ],
                          .role = role,
                          .chain = o->chain};
}

/* Adds a window that is not the last one already, in whole strides; returns the new count. */
static size_t add(const struct density_options *o, uint64_t window, struct point *grid,
                  size_t count)
{
    if (window > o->buffer_bytes || (count > 0 && grid[count - 1].pages == window / o->stride))
        return count;
    grid[count] = point_of(o, window, ROLE_SWEEP);
    return count + 1;
}

/* The windows of the first passes, ascending: from max(16 KiB, 2 × stride) to the buffer's size. */
static size_t grid_of(const struct density_options *o, struct point grid[GRID_MAX])
{
    uint64_t start = start_bytes > 2 * o->stride ? start_bytes : 2 * o->stride;
    size_t count = add(o, start, grid, 0);
    for (const unsigned *kib = o->density == DENSITY_HIGH ? fine_kib : coarse_kib; *kib > 0; kib++)
        if (*kib * KIB >= start)
            count = add(o, *kib * KIB, grid, count);
    return count;
}

/* ---- refinement ---- */

/* The knees that the samples of the grid show: those of refined points must not change the
 * refinement. */
static struct boundaries boundaries_of(const struct density_options *o, const struct series *series,
                                       const struct point *points, size_t count)
{
    struct boundaries found = {0};
    struct series grid;
    series_init(&grid);
    for (size_t i = 0; i < count; i++) {
        const struct group *group = series_find(series, &points[i]);
        for (size_t k = 0; group != NULL && k < group->count; k++)
            series_add(&grid, &(struct sample){.point = points[i], .ns = group->ns[k]});
    }
    segment_detect(&grid, &points[0], o->l1d_bytes, 0, &found);
    series_free(&grid);
    return found;
}

/* Requests the seven windows that divide the interval around each boundary into eighths, from the
 * window before it to the one after it, or to itself if it is the last. */
static void request_refined(struct batch *batch, const struct point *grid, size_t count)
{
    const struct density_options *o = &batch->options->density;
    struct boundaries found = boundaries_of(o, batch->series, grid, count);
    for (size_t b = 0; b < found.count; b++) {
        uint64_t from = (uint64_t)found.at[b].bytes_min, to = (uint64_t)found.at[b].bytes_max;
        size_t after = 0;
        while (after < count && point_span(&grid[after]) <= found.at[b].bytes_max)
            after++;
        if (after < count)
            to = (uint64_t)point_span(&grid[after]);
        for (uint64_t k = 1; k < EIGHTHS; k++) {
            struct point point = point_of(o, from + (to - from) * k / EIGHTHS, ROLE_REFINE);
            request_point(batch, &point, o->samples);
        }
    }
}

void plan_density(struct batch *batch)
{
    const struct density_options *o = &batch->options->density;
    struct point grid[GRID_MAX];
    size_t count = grid_of(o, grid);
    for (size_t i = 0; i < count; i++)
        request_point(batch, &grid[i], o->samples);
    if (count > 0 && o->buffer_bytes >= comparison_bytes && comparison_bytes / o->stride >= 2) {
        struct point comparison = point_of(o, comparison_bytes, ROLE_COMPARISON);
        request_point(batch, &comparison, o->samples);
    }
    if (count > 0 && batch->count == 0 && o->density != DENSITY_LOW)
        request_refined(batch, grid, count);
}

enum { SAMPLES_GRID = 7 }; /* [tuned: unknown] */

void plan_grid(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    for (size_t i = 0; i < o->pages.count; i++)
        for (int l = 0; l < OPTION_LAYOUTS && o->layouts[l] != NULL; l++)
            request(batch, o->layouts[l], o->pages.values[i], SAMPLES_GRID);
}
