/* test_series.c: samples find their group, whatever the order in which they come.
 *
 *     bin/.obj/plain/tests/common/access/test_series
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "access/series.h"
#include "base/random.h"
#include "named.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static struct sample sample_of(const char *layout, uint64_t pages, uint64_t number, double ns)
{
    struct sample sample = {.point = point_of(layout, pages, 4096), .ns = ns};
    sample.point.sample = number;
    return sample;
}

static void add(struct series *series, const char *layout, uint64_t pages, uint64_t number,
                double ns)
{
    struct sample sample = sample_of(layout, pages, number, ns);
    series_add(series, &sample);
}

static struct group *find(const struct series *series, const char *layout, uint64_t pages)
{
    struct sample sample = sample_of(layout, pages, 0, 0);
    return series_find(series, &sample.point);
}

TEST(samples_of_one_point_are_one_group)
{
    struct series series;
    series_init(&series);
    CU_ASSERT_PTR_NULL(find(&series, "page", 4));
    add(&series, "page", 4, 0, 1.5);
    add(&series, "packed", 4, 0, 1);
    add(&series, "page", 4, 1, 0.5);
    CU_ASSERT_EQUAL(series.count, 2);
    struct group *group = find(&series, "page", 4);
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    CU_ASSERT_EQUAL(group->count, 2);
    CU_ASSERT_EQUAL(group->ns[0], 1.5);
    CU_ASSERT_EQUAL(group->ns[1], 0.5);
    CU_ASSERT_EQUAL(group->taken[1].sample, 1);
    CU_ASSERT_EQUAL(find(&series, "packed", 4)->count, 1);
    CU_ASSERT_PTR_NULL(find(&series, "line", 4));
    CU_ASSERT_PTR_NULL(find(&series, "page", 5));
    series_free(&series);
}

TEST(a_removed_sample_takes_its_group_with_it_when_it_is_the_last)
{
    struct series series;
    series_init(&series);
    for (uint64_t number = 0; number < 3; number++)
        for (uint64_t pages = 4; pages <= 16; pages *= 2)
            add(&series, "page", pages, number, (double)(10 * pages + number));
    series_sort(&series);
    series_remove(&series, 1, 1);
    struct group *group = find(&series, "page", 8);
    CU_ASSERT_EQUAL_FATAL(group->count, 2);
    CU_ASSERT_EQUAL(group->ns[1], 82);
    CU_ASSERT_EQUAL(group->fastest[1], 82);
    CU_ASSERT_EQUAL(group->taken[1].sample, 2);
    series_remove(&series, 1, 0);
    series_remove(&series, 1, 0);
    CU_ASSERT_EQUAL_FATAL(series.count, 2);
    CU_ASSERT_PTR_NULL(find(&series, "page", 8));
    CU_ASSERT_EQUAL(find(&series, "page", 16)->ns[2], 162);
    add(&series, "page", 8, 7, 5);
    CU_ASSERT_EQUAL(find(&series, "page", 8)->count, 1);
    series_free(&series);
}

/* Differences that make another point, and differences that do not. */
TEST(what_makes_a_point)
{
    struct series series;
    struct sample base = sample_of("line", 4, 0, 1), other;
    series_init(&series);
    series_add(&series, &base);
    other = base, other.point.role = ROLE_REFINE, other.point.sample = 9;
    series_add(&series, &other);
    CU_ASSERT_EQUAL(series.count, 1);
    other = base, other.point.role = ROLE_COMPARISON, series_add(&series, &other);
    other = base, other.point.spacing = 64, series_add(&series, &other);
    other = base, other.point.page_bytes = 16384, series_add(&series, &other);
    other = base, other.point.kernel = &kernels[1], series_add(&series, &other);
    other = base, other.point.chains = 2, series_add(&series, &other);
    CU_ASSERT_EQUAL(series.count, 6);
    CU_ASSERT_TRUE(point_same_curve(&series.groups[0].point, &series.groups[0].point));
    for (size_t i = 1; i < series.count; i++)
        CU_ASSERT_FALSE(point_same_curve(&series.groups[0].point, &series.groups[i].point));
    series_free(&series);
}

TEST(five_thousand_groups_are_found_again)
{
    struct series series;
    series_init(&series);
    for (uint64_t round = 0; round < 3; round++)
        for (uint64_t i = 0; i < 5000; i++)
            add(&series, i % 2 > 0 ? "page" : "packed", 1 + i * 7919 % 5000, round, (double)i);
    CU_ASSERT_EQUAL(series.count, 5000);
    series_sort(&series);
    bool good = true;
    for (uint64_t i = 0; i < 5000; i++) {
        const struct group *g = find(&series, i % 2 > 0 ? "page" : "packed", 1 + i * 7919 % 5000);
        good = good && g != NULL && g->count == 3 && g->ns[0] == (double)i &&
               g->taken[2].sample == 2;
    }
    CU_ASSERT_TRUE(good);
    for (size_t i = 1; i < series.count; i++) {
        const struct point *p = &series.groups[i - 1].point, *q = &series.groups[i].point;
        int order = strcmp(p->layout->name, q->layout->name);
        good = good && (order < 0 || (order == 0 && p->pages < q->pages));
    }
    CU_ASSERT_TRUE(good);
    add(&series, "page", 100000, 0, 1); /* sorting leaves it usable */
    add(&series, "page", 100000, 1, 1);
    CU_ASSERT_EQUAL(series.count, 5001);
    CU_ASSERT_EQUAL(find(&series, "page", 100000)->count, 2);
    series_free(&series);
}

/* Faults, switches and migrations disturb, what was not counted does not; sorting keeps them with
 * their samples. */
TEST(disturbed_samples_are_counted)
{
    struct series series;
    size_t disturbed;
    series_init(&series);
    for (uint64_t number = 8; number-- > 0;) {
        struct sample sample = sample_of("page", 4, number, (double)number);
        sample.faults = number == 1 ? 1 : NAN;
        sample.switches = number == 2 ? 3 : 0;
        sample.migrations = number == 3 ? 1 : 0;
        series_add(&series, &sample);
    }
    series_sort(&series);
    CU_ASSERT_EQUAL(series_samples(&series, &disturbed), 8);
    CU_ASSERT_EQUAL(disturbed, 3);
    for (int i = 0; i < 3; i++) { /* those of moments are kept one by one, and counted too */
        struct sample sample = sample_of("page", 4, 0, 1);
        sample.point.moment = 1;
        sample.switches = i == 1 ? 1 : 0;
        series_add(&series, &sample);
    }
    CU_ASSERT_EQUAL(series_samples(&series, &disturbed), 11);
    CU_ASSERT_EQUAL(disturbed, 4);
    struct series others = series_undisturbed(&series);
    CU_ASSERT_EQUAL(series_samples(&others, &disturbed), 8);
    CU_ASSERT_EQUAL(others.moment_count, 3); /* a moment is that of its fastest runs */
    CU_ASSERT_EQUAL(disturbed, 1);
    const struct group *group = find(&others, "page", 4);
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    static const uint32_t left[] = {0, 4, 5, 6, 7};
    for (size_t i = 0; i < group->count; i++)
        CU_ASSERT(group->taken[i].sample == left[i] && group->ns[i] == (double)left[i]);
    series_free(&others);
    series_free(&series);
}

/* Sorted groups have one order, whatever the order of arrival. */
TEST(the_order_of_arrival_changes_no_sorted_series)
{
    struct sample samples[96];
    struct series one, two;
    struct random random;
    size_t count = 0;
    for (int i = 0; i < 96; i++) {
        struct sample s = sample_of(i % 2 > 0 ? "line" : "box", 4 + (uint64_t)i / 32, 0, i);
        s.point.spacing = i / 2 % 2 > 0 ? 64 : 128;
        s.point.page_bytes = i / 4 % 2 > 0 ? 4096 : 16384;
        s.point.kernel = &kernels[i / 8 % 2];
        s.point.role = i / 16 % 2 > 0 ? ROLE_COMPARISON : ROLE_SWEEP;
        samples[count++] = s;
    }
    random_seed(&random, 3, 0);
    series_init(&one);
    for (size_t i = 0; i < count; i++)
        series_add(&one, &samples[i]);
    series_sort(&one);
    CU_ASSERT_EQUAL(one.count, 96);
    for (int round = 0; round < 20; round++) {
        bool same = true;
        series_init(&two);
        for (size_t i = count; i > 0; i--) {
            size_t j = random_below(&random, i);
            struct sample swapped = samples[j];
            samples[j] = samples[i - 1];
            samples[i - 1] = swapped;
            series_add(&two, &swapped);
        }
        series_sort(&two);
        for (size_t i = 0; i < count; i++)
            same = same && two.count == 96 && one.groups[i].ns[0] == two.groups[i].ns[0];
        CU_ASSERT_TRUE(same);
        series_free(&two);
    }
    series_free(&one);
}

TEST(quantiles_leave_the_samples_in_their_order)
{
    struct series series;
    series_init(&series);
    add(&series, "page", 4, 0, 3);
    add(&series, "page", 4, 1, 1);
    add(&series, "page", 4, 2, 2);
    CU_ASSERT_EQUAL(group_quantile(&series.groups[0], 0.5), 2);
    CU_ASSERT_EQUAL(group_quantile(&series.groups[0], 0), 1);
    CU_ASSERT_EQUAL(series.groups[0].ns[0], 3);
    CU_ASSERT_EQUAL(series.groups[0].ns[1], 1);
    CU_ASSERT_TRUE(isnan(group_quantile(&(struct group){.count = 0}, 0.5)));
    series_free(&series);
}
