/* test_plan.c: what is planned, given what was measured. */
#include "machine.h"
#include "tap.h"

/* Two fully associative levels and no noise. */
static struct machine levels(double first, double second)
{
    return (struct machine){.load_ns = 1, .tlb = {{first, 0, 2, 0}, {second, 0, 8, 0}}};
}

static void take(struct series *series, const struct point *points, size_t count)
{
    struct machine m = levels(64, 1536);
    struct random random = {0};
    machine_take(&m, series, points, count, &random);
}

/* Of a kernel that has no questions. */
static struct plan_options defaults(void)
{
    struct plan_options options = option_plan(NULL, 0, 4096, 64);
    options.kernel = &kernels[KERNEL_WRITE];
    return options;
}

static bool measured(const struct series *series, uint64_t pages)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->groups[i].point.pages == pages &&
            series->groups[i].point.layout == &layouts[LAYOUT_PAGE])
            return true;
    return false;
}

TEST(page_and_packed_alternate_pass_after_pass)
{
    struct plan_options options = defaults();
    struct series series;
    struct point *points;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    CU_ASSERT_FATAL(count > 100);
    CU_ASSERT_STRING_EQUAL(points[0].layout->name, "page");
    CU_ASSERT_STRING_EQUAL(points[1].layout->name, "packed");
    CU_ASSERT_EQUAL(points[0].pages, points[1].pages);
    CU_ASSERT_EQUAL(points[0].spacing, 4096);
    CU_ASSERT_EQUAL(points[1].spacing, 64);
    for (size_t i = 1; i < count; i++) /* a pass is over before the next begins */
        CU_ASSERT_TRUE(points[i].sample >= points[i - 1].sample);
    free(points);
    series_free(&series);
}

TEST(the_same_samples_give_the_same_points)
{
    struct plan_options options = defaults();
    struct machine m = levels(64, 1536);
    struct series a, b;
    struct point *p, *q;
    series_init(&a);
    series_init(&b);
    size_t n = plan_next(&options, &a, &p);
    take(&a, p, n);
    for (size_t i = n; i > 0; i--) /* in another order */
        series_add(&b, &(struct sample){.point = p[i - 1], .ns = machine_ns(&m, &p[i - 1])});
    free(p);
    n = plan_next(&options, &a, &p);
    size_t again = plan_next(&options, &b, &q);
    CU_ASSERT_EQUAL_FATAL(n, again);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT_TRUE(p[i].pages == q[i].pages && p[i].layout == q[i].layout &&
                       p[i].sample == q[i].sample);
    free(p);
    free(q);
    series_free(&a);
    series_free(&b);
}

TEST(a_fixed_number_of_samples_is_kept)
{
    struct plan_options options = defaults();
    struct series series;
    options.samples = 3;
    series_init(&series);
    struct machine m = levels(64, 1536);
    machine_follow(&m, &options, &series);
    for (size_t i = 0; i < series.count; i++)
        CU_ASSERT_EQUAL(series.groups[i].count, 3);
    CU_ASSERT_TRUE(measured(&series, 64) && measured(&series, 76));
    series_free(&series);
}

TEST(a_plan_keeps_the_bounds_that_were_asked_for)
{
    struct plan_options options = defaults();
    struct series series;
    series_init(&series);
    options.least = 30;
    options.most = 200;
    struct machine m = levels(64, 1536);
    machine_follow(&m, &options, &series);
    for (size_t i = 0; i < series.count; i++) {
        const struct point *p = &series.groups[i].point;
        CU_ASSERT_TRUE(p->pages >= 30);
        CU_ASSERT_TRUE(p->pages <= (p->layout == &layouts[LAYOUT_PAGE] ? 200 : 800));
    }
    series_free(&series);
}

TEST(a_machine_without_knees_ends_soon)
{
    struct plan_options options = defaults();
    struct series series;
    series_init(&series);
    struct machine m = levels(0, 0);
    CU_ASSERT_EQUAL(machine_follow(&m, &options, &series), 1);
    series_free(&series);
}

TEST(a_grid_is_every_layout_at_every_size)
{
    struct plan_options options = defaults();
    struct series series;
    struct point *points;
    uint64_t sizes[] = {8, 16, 32};
    options.kind = PLAN_GRID;
    options.sizes = (struct range){sizes, 3};
    options.layouts[0] = &layouts[LAYOUT_LINE];
    options.layouts[1] = &layouts[LAYOUT_PAGE];
    options.samples = 2;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    CU_ASSERT_EQUAL(count, 12);
    take(&series, points, count);
    free(points);
    CU_ASSERT_EQUAL(plan_next(&options, &series, &points), 0);
    free(points);
    series_free(&series);
}
