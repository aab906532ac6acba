/* test_cache_models.c: `sweep --preset caches` and `detect --method caches` on every machine of
 * src/tlb/models, against the truth given there: the ranges hold it, at 3 per cent of noise.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_cache_models      (from the top of the repository)
 *
 * The model computes a point's latency several times, on new page frames each time; all samples of
 * the point are these with noise of their own, because the model takes its time.
 */
#include "base/error.h"
#include "tap.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/caches.h"
#include "tlb/plan/plan.h"
#include "tlb/simulate/model.h"
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 1 << 17, KNOWN_MAX = 4096 };
enum { DRAWS_MAX = 16, DRAWN_NODES = 1 << 16 };

static const double noise = 0.03;

/* The model's answers to the points asked so far. */
struct known {
    struct point point[KNOWN_MAX];
    double ns[KNOWN_MAX];
    size_t count;
};

static double latency(struct known *known, const struct model *model, struct point point)
{
    struct sample s;
    uint64_t draws = DRAWN_NODES / point.pages;
    draws = draws < 2 ? 2 : draws > DRAWS_MAX ? DRAWS_MAX : draws;
    point.sample %= draws;
    for (size_t i = 0; i < known->count; i++)
        if (known->point[i].pages == point.pages && known->point[i].sample == point.sample &&
            point_same_curve(&known->point[i], &point))
            return known->ns[i];
    model_measure(model, &point, 1, &s);
    if (known->count < KNOWN_MAX) {
        known->point[known->count] = point;
        known->ns[known->count++] = s.ns;
    }
    return s.ns;
}

/* The sweep, up to this many lines. */
static void sweep(const struct model *model, uint64_t most, struct series *series)
{
    struct plan_options options = option_plan(&presets[PLAN_CACHES], 0, model->page_bytes,
                                              model->line_bytes);
    struct known *known = allocate(1, sizeof *known);
    struct random random;
    struct point *points;
    size_t count;
    random_seed(&random, 1, 0);
    series_init(series);
    options.most = most;
    while ((count = plan_next(&options, series, &points)) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct sample s = {.point = points[i]};
            s.ns = latency(known, model, points[i]) * (1 + noise * random_normal(&random));
            series_add(series, &s);
        }
        free(points);
    }
    free(points);
    free(known);
    series_sort(series);
}

/* Caches less than a factor of three apart are one rise. An exclusive level holds its lines beside
 * those of the one before. */
static void judge(const struct model *model, uint64_t most, const struct boundaries *found)
{
    double lines = 0;
    for (int i = 0; i < model->cache.count; i++) {
        const struct model_level *level = &model->cache.at[i];
        lines = (double)level->shape.entries + (level->relation == INCLUSION_EXCLUSIVE ? lines : 0);
        if (3 * lines > (double)most)
            break;
        CU_ASSERT_FATAL((size_t)i < found->count);
        const struct boundary *b = &found->at[i];
        bool held = b->entries_min <= lines && lines <= b->entries_max;
        if (!held)
            printf("# %s, cache %d: %.0f lines, not %.0f to %.0f\n", model->name, i + 1, lines,
                   b->entries_min, b->entries_max);
        CU_ASSERT(held);
    }
}

/* Well beyond the second cache, or as far as there is time for. */
static uint64_t lines_most(const struct model *model)
{
    uint64_t second = 6 * model->cache.at[1].shape.entries;
    return second < LINES_MAX ? second : LINES_MAX;
}

TEST(the_ranges_of_caches_hold_those_of_known_machines)
{
    glob_t files;
    CU_ASSERT_EQUAL_FATAL(glob("src/tlb/models/*.tsv", 0, NULL, &files), 0);
    CU_ASSERT(files.gl_pathc >= 16);
    size_t each = getenv("LONG") != NULL ? 1 : tap_brief() ? 32 : 16; /* one model in this many */
    for (size_t i = 0, timed = 0; i < files.gl_pathc; i++) {
        struct model model;
        struct series series;
        struct boundaries found = {0};
        model_read(&model, files.gl_pathv[i]);
        if (model.untimed || timed++ % each != 0)
            continue;
        uint64_t most = lines_most(&model);
        sweep(&model, most, &series);
        caches_detect(&series, curve_line(&series), &found);
        boundaries_judge(&found, NULL);
        judge(&model, most, &found);
        series_free(&series);
    }
    globfree(&files);
}
