/* test_plan_geometry.c: which strides are asked about, on machines whose TLBs are known. */
#include "machine.h"
#include "tap.h"
#include "tlb/geometry/answers.h"
#include "tlb/geometry/organisation.h"

static struct plan_options geometry_plan(void)
{
    struct plan_options options = option_plan(&presets[PLAN_GEOMETRY], 0, MACHINE_PAGE,
                                              MACHINE_LINE);
    return options;
}

/* Everything that the plan measures of a machine; the distances asked about, in pages, as text. */
static void follow(struct machine machine, struct series *series, char *distances)
{
    struct plan_options options = geometry_plan();
    series_init(series);
    machine_follow(&machine, &options, series);
    struct families families = families_of(series);
    *distances = '\0';
    for (size_t i = 0; i < families.count; i++)
        sprintf(distances + strlen(distances), "%s%llu%s", i > 0 ? " " : "",
                (unsigned long long)(families.at[i].like.spacing / MACHINE_PAGE),
                families.at[i].like.others > 0 ? "+" : "");
    families_free(&families);
}

/* + stands for others. The second level has 256 sets: so many pages apart, and half. */
TEST(two_strides_show_a_linear_index)
{
    struct series series;
    char distances[256];
    follow(machine_of_sets((struct machine_sets){.ways = 72, .sets = 1},
                           (struct machine_sets){.ways = 12, .sets = 256}, INCLUSION_NEITHER),
           &series, distances);
    CU_ASSERT_STRING_EQUAL(distances, "1 262144 262144+ 256+ 128+");
    series_free(&series);
}

TEST(each_level_with_sets_has_its_strides)
{
    struct series series;
    char distances[256];
    follow(machine_of_sets((struct machine_sets){.ways = 4, .sets = 16},
                           (struct machine_sets){.ways = 8, .sets = 128}, INCLUSION_NEITHER),
           &series, distances);
    CU_ASSERT_STRING_EQUAL(distances, "1 262144 262144+ 16 128+ 8 64+");
    series_free(&series);
}

TEST(the_replacement_is_asked_last)
{
    struct series series;
    char distances[256];
    uint64_t points = 0;
    follow(machine_of_sets((struct machine_sets){.ways = 72, .sets = 1},
                           (struct machine_sets){.ways = 12, .sets = 256}, INCLUSION_NEITHER),
           &series, distances);
    for (size_t i = 0; i < series.count; i++)
        if (series.groups[i].point.layout == &layouts[LAYOUT_SET]) {
            CU_ASSERT_EQUAL(series.groups[i].count, 64);
            points++;
        }
    CU_ASSERT_EQUAL(points, 2 * REPLACEMENT_POINTS);
    series_free(&series);
}
