/* density.c: the whitepaper's measuring schedule. Sections (§) are those of the whitepaper that
 * density.h names. */
#include "tlb/plan/density.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "tlb/detect/segment.h"
#include "tlb/plan/batch.h"
#include <string.h>

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
enum { EIGHTHS = 8, REFINED_MAX = 3 * (EIGHTHS - 1), POINTS_MAX = DENSITY_GRID_MAX + 1 };

/* ---- options ---- */

const char *const densities[] = {
    [DENSITY_LOW] = "low", [DENSITY_MEDIUM] = "medium", [DENSITY_HIGH] = "high", NULL};

bool density_possible(const struct density_options *options)
{
    return options->stride > 0 && options->buffer_bytes / options->stride >= 2;
}

/* ---- windows ---- */

/* Inserts a window; keeps `windows` ascending and without duplicates. Returns the new count. */
static size_t insert(uint64_t *windows, size_t count, uint64_t window)
{
    size_t at = count;
    while (at > 0 && windows[at - 1] > window)
        at--;
    if (at > 0 && windows[at - 1] == window)
        return count;
    memmove(windows + at + 1, windows + at, (count - at) * sizeof *windows);
    windows[at] = window;
    return count + 1;
}

size_t density_grid(const struct density_options *options, uint64_t windows[DENSITY_GRID_MAX])
{
    if (!density_possible(options))
        return 0;
    uint64_t stride = options->stride, start = start_bytes;
    if (start < 2 * stride)
        start = 2 * stride;
    const unsigned *kib = options->density == DENSITY_HIGH ? fine_kib : coarse_kib;
    size_t count = 0;
    if (start <= options->buffer_bytes)
        count = insert(windows, count, start - start % stride);
    for (; *kib > 0; kib++) {
        uint64_t window = *kib * KIB;
        if (window >= start && window <= options->buffer_bytes)
            count = insert(windows, count, window - window % stride);
    }
    return count;
}

static struct point point_of(const struct density_options *options, uint64_t window, enum role role)
{
    return (struct point){.pages = window / options->stride,
                          .spacing = options->stride,
                          .page_bytes = options->page_bytes,
                          .buffer = options->buffer_bytes,
                          .layout = &layouts[LAYOUT_BOX],
                          .backing = &backings[BACKING_SCATTERED],
                          .kernel = &kernels[KERNEL_READ],
                          .role = role,
                          .chain = options->chain};
}

/* The points of the first passes: the grid, and the comparison point. */
static size_t first_points(const struct density_options *options, struct point *points)
{
    uint64_t windows[DENSITY_GRID_MAX];
    size_t count = density_grid(options, windows);
    for (size_t i = 0; i < count; i++)
        points[i] = point_of(options, windows[i], ROLE_SWEEP);
    if (count > 0 && options->buffer_bytes >= comparison_bytes &&
        comparison_bytes / options->stride >= 2)
        points[count++] = point_of(options, comparison_bytes, ROLE_COMPARISON);
    return count;
}

/* ---- refinement ---- */

/* Copies only the samples of the grid's points: samples of refined points must not change the
 * refinement. */
static void copy_grid(const struct series *series, const struct point *points, size_t count,
                      struct series *grid)
{
    for (size_t i = 0; i < count; i++) {
        const struct group *group = series_find(series, &points[i]);
        struct sample sample = {.point = points[i]};
        for (size_t k = 0; group != NULL && k < group->count; k++) {
            sample.ns = group->ns[k];
            series_add(grid, &sample);
        }
    }
}

/* The next window of the grid; for the last one, itself. */
static double window_after(double bytes, const struct point *grid, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (grid[i].role == ROLE_SWEEP && point_span(&grid[i]) > bytes)
            return point_span(&grid[i]);
    return bytes;
}

/* The seven points that divide the interval around each boundary into eighths, from the window
 * before it to the one after it. */
static size_t refined_points(const struct density_options *options, const struct series *series,
                             const struct point *first, size_t first_count, struct point *points)
{
    struct boundaries found = {0};
    struct segment_options segment = {.l1d_bytes = options->l1d_bytes};
    struct series grid;
    series_init(&grid);
    copy_grid(series, first, first_count, &grid);
    segment_detect(&grid, &first[0], &segment, &found);
    series_free(&grid);
    uint64_t windows[REFINED_MAX + 1];
    size_t count = 0;
    for (size_t b = 0; b < found.count; b++) {
        uint64_t from = (uint64_t)found.at[b].bytes_min;
        uint64_t to = (uint64_t)window_after(found.at[b].bytes_max, first, first_count);
        for (uint64_t k = 1; k < EIGHTHS; k++) {
            uint64_t window = from + (to - from) * k / EIGHTHS;
            count = insert(windows, count, window - window % options->stride);
        }
    }
    for (size_t i = 0; i < count; i++)
        points[i] = point_of(options, windows[i], ROLE_REFINE);
    return count;
}

/* ---- missing samples ---- */

/* Writes the number of samples at each point to have[]; returns whether any are missing. */
static bool find_missing(const struct density_options *options, const struct series *series,
                         const struct point *points, size_t count, size_t *have)
{
    bool missing = false;
    for (size_t i = 0; i < count; i++) {
        const struct group *group = series_find(series, &points[i]);
        have[i] = group != NULL ? group->count : 0;
        missing = missing || have[i] < options->samples;
    }
    return missing;
}

size_t density_next(const struct density_options *options, const struct series *series,
                    struct point **points)
{
    struct point first[POINTS_MAX], refined[POINTS_MAX];
    const struct point *now = first;
    struct points list = {0};
    size_t have[POINTS_MAX];
    size_t first_count = first_points(options, first), count = first_count;
    bool missing = find_missing(options, series, first, count, have);
    if (!missing && count > 0 && options->density != DENSITY_LOW) {
        count = refined_points(options, series, first, first_count, refined);
        missing = find_missing(options, series, refined, count, have);
        now = refined;
    }
    for (uint64_t sample = 0; missing && sample < options->samples && list.count < BATCH_POINTS_MAX;
         sample++)
        for (size_t i = 0; i < count; i++)
            if (have[i] <= sample) {
                struct point point = now[i];
                point.sample = sample;
                points_append(&list, &point);
            }
    *points = list.at;
    return list.count;
}
