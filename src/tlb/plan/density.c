/* density.c: the whitepaper's measuring schedule. Sections (§) are those of the whitepaper that
 * options.h names. */
#include "access/layout.h"
#include "tlb/detect/segment.h"
#include "tlb/plan/batch.h"

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

const struct density densities[] = {
    {"low", coarse_kib, false}, {"medium", coarse_kib, true}, {"high", fine_kib, true}, {0}};

/* The windows of the first passes in nodes, ascending: from max(16 KiB, 2 × stride) to the buffer's
 * size, in whole strides. */
static size_t grid_of(const struct plan_options *o, uint64_t grid[GRID_MAX])
{
    uint64_t start = start_bytes > 2 * o->spacing ? start_bytes : 2 * o->spacing;
    size_t count = 1;
    if (start > o->buffer_bytes)
        return 0;
    grid[0] = start / o->spacing;
    for (const unsigned *kib = o->density->windows_kib; *kib > 0; kib++)
        if (*kib * KIB > start && *kib * KIB <= o->buffer_bytes &&
            *kib * KIB / o->spacing > grid[count - 1])
            grid[count++] = *kib * KIB / o->spacing;
    return count;
}

/* The knees that the samples of the grid show: those of refined points must not change the
 * refinement. */
static struct boundaries boundaries_of(const struct plan_options *o, const struct series *series)
{
    struct boundaries found = {0};
    struct series grid;
    series_init(&grid);
    for (size_t i = 0; i < series->count; i++) {
        const struct group *group = &series->groups[i];
        for (size_t k = 0; group->point.role == ROLE_SWEEP && k < group->count; k++)
            series_add(&grid, &(struct sample){.point = group->point, .ns = group->ns[k]});
    }
    segment_detect(&grid, &grid.groups->point, o->l1d_bytes, 0, &found);
    series_free(&grid);
    return found;
}

/* Requests the seven windows that divide the interval around each boundary into eighths, from the
 * window before it to the one after it, or to itself if it is the last. */
static void request_refined(struct batch *batch, const uint64_t *grid, size_t count)
{
    uint64_t stride = batch->options->spacing;
    struct boundaries found = boundaries_of(batch->options, batch->series);
    for (size_t b = 0; b < found.count; b++) {
        uint64_t from = (uint64_t)found.at[b].bytes_min, to = (uint64_t)found.at[b].bytes_max;
        size_t after = 0;
        while (after < count && grid[after] * stride <= to)
            after++;
        if (after < count)
            to = grid[after] * stride;
        for (uint64_t k = 1; k < EIGHTHS; k++)
            request(batch, &layouts[LAYOUT_BOX], (from + (to - from) * k / EIGHTHS) / stride, 0);
    }
}

void plan_density(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    uint64_t grid[GRID_MAX];
    size_t count = grid_of(o, grid);
    batch->like.buffer = o->buffer_bytes;
    batch->like.chain = o->chain;
    for (size_t i = 0; i < count; i++)
        request(batch, &layouts[LAYOUT_BOX], grid[i], 0);
    batch->like.role = ROLE_COMPARISON;
    if (count > 0 && o->buffer_bytes >= comparison_bytes && comparison_bytes / o->spacing >= 2)
        request(batch, &layouts[LAYOUT_BOX], comparison_bytes / o->spacing, 0);
    batch->like.role = ROLE_REFINE;
    if (count > 0 && batch->count == 0 && o->density->refines)
        request_refined(batch, grid, count);
}

enum { SAMPLES_GRID = 7 }; /* [tuned: unknown] */

void plan_grid(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    for (size_t i = 0; i < o->sizes.count; i++)
        for (int l = 0; l < OPTION_LAYOUTS && o->layouts[l] != NULL; l++)
            request(batch, o->layouts[l], o->sizes.values[i], SAMPLES_GRID);
}
