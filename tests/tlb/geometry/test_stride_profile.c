/* test_stride_profile.c: what levels hold of pages far apart: the curve's crossing, where a
 * capacity falls, and what is read off made-up machines.
 *
 *     bin/.obj/plain/tests/tlb/geometry/test_stride_profile
 */
#include "geometry.h"
#include "tlb/geometry/targets.h"
#include "tlb/geometry/ways.h"

static struct machine full_then_linear(void)
{
    return machine_of_sets((struct machine_sets){.ways = 72, .sets = 1},
                           (struct machine_sets){.ways = 24, .sets = 128}, INCLUSION_NEITHER);
}

static struct machine both_linear(void)
{
    return machine_of_sets((struct machine_sets){.ways = 4, .sets = 16},
                           (struct machine_sets){.ways = 12, .sets = 128}, INCLUSION_NEITHER);
}

/* What more a load costs that misses no level, the first, both. */
static const double cost_ns[] = {0, 1.8, 8};

/* ---- crossing ---- */

/* The crossing of 0 and 10 on a curve of these times at 10, 20, 30, … pages. */
static double crossing(const double *ns, size_t count)
{
    struct curve_point at[8] = {{0}};
    struct curve curve = {at, count};
    for (size_t i = 0; i < count; i++)
        at[i] = (struct curve_point){.pages = 10 * (double)(i + 1), .ns = ns[i]};
    return stride_profile_crossing(&curve, 0, 10);
}

#define CROSSING(...)                                                                              \
    crossing((const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

static void crossing_lies_between_points(void)
{
    CU_ASSERT_DOUBLE_EQUAL(CROSSING(0, 0, 10, 10), 25, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(CROSSING(0, 4, 9, 10), 22, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(CROSSING(0, 0, 0, 6), 30 + 10 * 5. / 6, 1e-9);
}

static void a_spike_is_no_crossing(void)
{
    CU_ASSERT_DOUBLE_EQUAL(CROSSING(0, 9, 0, 10, 10), 35, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(CROSSING(9, 0, 0, 10, 10), 35, 1e-9);
}

static void a_curve_may_begin_above_or_never_cross(void)
{
    CU_ASSERT_EQUAL(CROSSING(8, 10, 10), 10);
    CU_ASSERT_TRUE(isnan(CROSSING(0, 1, 2, 4.9)));
    CU_ASSERT_TRUE(isnan(stride_profile_crossing(&(struct curve){0}, 0, 10)));
}

/* ---- where a capacity falls ---- */

/* A profile of one level whose reach at stride 0, 1, 2, … is given. */
static struct stride_profile stride_profile_of(const double *reach, int count)
{
    struct stride_profile p = {.levels = 1, .strides = count - 1};
    for (int k = 0; k < count; k++)
        p.reach[0][k] = reach[k];
    return p;
}

#define FALLS(expected_from, expected_to, ...)                                                     \
    do {                                                                                           \
        const double reach_[] = {__VA_ARGS__};                                                     \
        struct stride_profile p_ = stride_profile_of(reach_,                                       \
                                                     (int)(sizeof reach_ / sizeof *reach_));       \
        struct fall fall_ = stride_profile_fall(&p_, 0);                                           \
        CU_ASSERT_EQUAL(fall_.from, expected_from);                                                \
        CU_ASSERT_EQUAL(fall_.to, expected_to);                                                    \
    } while (0)

static void a_linear_index_falls_at_once(void)
{
    FALLS(0, 4, 71, 35.4, 17.7, 8.9, 4.5, 4.5, 4.5);
    FALLS(0, 4, 75, 33, 19, 8.2, 4.9, 4.1, 4.6); /* as if measured */
    FALLS(0, 1, 2, 1, 1, 1);
}

/* As measured on a Zen 3, quiet and beside a neighbour that takes entries, with a gap of one bit,
 * and with a fall that noise moves to the next stride. */
static void an_index_may_leave_out_bits(void)
{
    const double gap[] = {2120, 1010, 530, 259, 129, 66, 34, 17, 17, 17, 8.7, 8.6, 8.7, 8.7},
                 one[] = {140, 70, 34, 18, 17, 8.4, 8.6, 8.5, 8.4},
                 taken[] = {1490, 870, 512, 274, 147, 75, 38, 19, 17, 17, 8.4, 8.7, 8.7, 8.7},
                 blurred[] = {140, 70, 61, 18, 8.4, 4.1, 4, 4.1, 4};
    struct stride_profile p = stride_profile_of(gap, 14);
    CU_ASSERT_EQUAL(stride_profile_fall(&p, 0).to, 10);
    CU_ASSERT_EQUAL(stride_profile_fall(&p, 0).bits, 0x27f);
    CU_ASSERT_EQUAL(stride_profile_unsettled(&p), 0);
    p.strides = 9; /* one more halving may come */
    CU_ASSERT_EQUAL(stride_profile_unsettled(&p), 1);
    p = stride_profile_of(taken, 14);
    CU_ASSERT_EQUAL(stride_profile_fall(&p, 0).bits, 0x27f);
    p = stride_profile_of(one, 9);
    CU_ASSERT_EQUAL(stride_profile_fall(&p, 0).bits, 0x17);
    p = stride_profile_of(blurred, 9);
    CU_ASSERT_EQUAL(stride_profile_fall(&p, 0).bits, 0x1f);
}

static void a_folded_index_falls_later(void)
{
    FALLS(3, 6, 64, 60, 66, 61, 33, 16, 8.5, 8.2, 8.1);
    FALLS(3, 6, 64, 70, 58, 69, 30, 18, 8.5, 8.9, 8);
}

static void what_keeps_its_reach_does_not_fall(void)
{
    FALLS(0, 0, 64, 60, 66, 61, 68, 63, 70, 65);
    FALLS(0, 0, 64);
}

/* Half of what a miss costs elsewhere is what fewer pages cost where walks take longer. */
static void longer_walks_are_no_fall(void)
{
    FALLS(0, 0, 1913, 1737, 1710, 1846, 1670, 1643, 1485, 1330);
    FALLS(0, 0, 1913, 1737, 1710, 1846, 1670, 1643, 1485, 1330, 1250, 1180);
    FALLS(7, 10, 1827, 2020, 1676, 1597, 1484, 1380, 1270, 1200, 804, 495, 256, 256, 256);
    FALLS(7, 11, 1909, 1801, 1819, 1772, 1737, 1553, 1870, 1313, 977, 455, 284, 138, 139, 137);
    FALLS(7, 10, 1786, 1954, 2154, 1784, 1558, 1558, 1445, 1319, 1007, 476, 249, 250, 249);
}

static void settled_is_what_has_stopped_to_fall(void)
{
    const double falls[] = {64, 32, 16, 8, 4, 4, 4, 4}, never[] = {64, 66, 60, 63, 65, 61, 64};
    for (int count = 1; count < 8; count++) {
        struct stride_profile falling = stride_profile_of(falls, count),
                              flat = stride_profile_of(never, count);
        CU_ASSERT_NOT_EQUAL(stride_profile_unsettled(&falling), 0);
        CU_ASSERT_NOT_EQUAL(stride_profile_unsettled(&flat), 0); /* it may yet fall */
    }
    struct stride_profile whole = stride_profile_of(falls, 8);
    CU_ASSERT_EQUAL(stride_profile_unsettled(&whole), 0);
    whole.levels = 2; /* of a second level that falls still */
    for (int k = 0; k < 8; k++)
        whole.reach[1][k] = 1024 >> k;
    CU_ASSERT_NOT_EQUAL(stride_profile_unsettled(&whole), 0);
    const double drifts[] = {1913, 1737, 1710, 1846, 1670, 1643, 1485, 1330};
    for (int k = 0; k < 8; k++)
        whole.reach[1][k] = drifts[k];
    CU_ASSERT_NOT_EQUAL(stride_profile_unsettled(&whole), 0);
}

/* ---- from samples ---- */

/* The profile of a whole machine, whose first level is `full` or linear; measured on first use. */
static struct stride_profile measured(bool full)
{
    static struct series series[2];
    static struct stride_profile known[2];
    if (known[full].levels == 0) {
        struct plan_options options = geometry_plan();
        struct machine m = full ? full_then_linear() : both_linear();
        series_init(&series[full]);
        machine_follow(&m, &options, &series[full]);
        known[full] = geometry_profile(&series[full]);
    }
    return known[full];
}

static void levels_and_their_cost_are_read_off(void)
{
    struct stride_profile p = measured(true);
    CU_ASSERT_EQUAL_FATAL(p.levels, 2);
    CU_ASSERT_EQUAL(p.entries[0], 72);
    CU_ASSERT_TRUE(p.least[1] <= 3072 && 3072 <= p.most[1] + 1);
    CU_ASSERT_DOUBLE_EQUAL(p.ns[0], cost_ns[0], 0.01);
    CU_ASSERT_DOUBLE_EQUAL(p.ns[1], cost_ns[1], 0.05);
    CU_ASSERT_DOUBLE_EQUAL(p.ns[2], cost_ns[2], 0.5);
    CU_ASSERT_EQUAL(targets_others(&p), 90);
}

/* Half miss a little later than the first does: 1 + 1/(2 ways) times the capacity. */
static void reach_halves_until_one_set_is_left(void)
{
    struct stride_profile p = measured(true);
    CU_ASSERT_EQUAL_FATAL(stride_profile_unsettled(&p), 0);
    for (int k = 0; k <= 9; k++) {
        CU_ASSERT_DOUBLE_EQUAL(p.reach[0][k] / 72, 1, 0.15);
        CU_ASSERT_DOUBLE_EQUAL(p.reach[1][k] / (k < 7 ? 3072 >> k : 24), 1, 0.15);
    }
    struct fall first = stride_profile_fall(&p, 0), second = stride_profile_fall(&p, 1);
    CU_ASSERT_TRUE(first.from == 0 && first.to == 0);
    CU_ASSERT_TRUE(second.from == 0 && second.to == 7);
}

/* 64 pages apart the second level holds 48, fewer than the first. */
static void a_small_second_level_is_hidden(void)
{
    struct stride_profile p = measured(true);
    CU_ASSERT_FALSE(stride_profile_hidden(&p, 0));
    CU_ASSERT_FALSE(stride_profile_hidden(&p, 3));
    CU_ASSERT_TRUE(stride_profile_hidden(&p, 6));
    CU_ASSERT_EQUAL(stride_profile_others_at(&p, 3), 0);
    CU_ASSERT_EQUAL(stride_profile_others_at(&p, 7), targets_others(&p));
    p = measured(false);
    CU_ASSERT_FALSE(
        stride_profile_hidden(&p, 7)); /* 4 pages of a set in the first, 12 in the second */
    CU_ASSERT_EQUAL(stride_profile_others_at(&p, 7), 0);
}

static void targets_are_a_curve_by_their_number(void)
{
    struct stride_profile p = measured(false);
    struct curve curve = targets_curve(&p, 128 * MACHINE_PAGE, 0);
    CU_ASSERT_TRUE_FATAL(curve.count >= 13);
    for (size_t i = 0; i < curve.count; i++) {
        double targets = curve.at[i].pages;
        double cost = targets <= 4 ? 0 : cost_ns[targets <= 12 ? 1 : 2];
        CU_ASSERT_DOUBLE_EQUAL(curve.at[i].ns, cost, 1e-9);
    }
    curve_free(&curve);
    curve = targets_curve(&p, 3 * MACHINE_PAGE, 0); /* never measured */
    CU_ASSERT_EQUAL(curve.count, 0);
    curve_free(&curve);
}

/* The curve of targets of a set, from samples that were added in any order. */
static struct curve targets_of(struct series *series, const struct point *set)
{
    struct stride_profile p = {.series = series, .page = *set};
    p.page.layout = &layouts[LAYOUT_PAGE];
    series_sort(series);
    return targets_curve(&p, MACHINE_PAGE, 0);
}

/* A third of a per cent of noise. At three and four targets seven sets of eight are taken, at two
 * all are: that is impossible, as two targets are among three. */
static void the_freest_sets_tell(void)
{
    struct series series;
    struct point set = point_of("set", 1, MACHINE_PAGE),
                 packed = point_of("packed", 1, MACHINE_LINE);
    series_init(&series);
    for (set.pages = 1; set.pages <= 4; set.pages++)
        for (set.sample = 0; set.sample < 96; set.sample++) {
            bool taken = set.pages == 2 || (set.pages > 2 && set.sample % 8 > 0);
            double ns = 6 * (1 + 1e-4 * (double)(set.sample * 5 % 32));
            packed.pages = set.targets = set.pages;
            packed.sample = set.sample;
            series_add(&series, &(struct sample){.point = set, .ns = 9, .min_ns = ns + 2 * taken});
            series_add(&series, &(struct sample){.point = packed, .ns = 1});
        }
    struct curve c = targets_of(&series, &set);
    CU_ASSERT_EQUAL_FATAL(c.count, 4);
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(c.at[i].pages, (double)i + 1);
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].ns, 5, 0.02);
        CU_ASSERT_TRUE(c.at[i].error > 0 && c.at[i].error < 0.01);
    }
    CU_ASSERT_DOUBLE_EQUAL(c.at[0].load_ns, 5, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(c.at[3].load_ns, 7, 0.02);
    curve_free(&c);
    series_free(&series);
}

/* One set in 96 is free, and the others take a part more that differs from size to size, as the
 * usual time of packed does: the shape of the noise is that of noise on both sides. */
static void the_least_counts_where_it_scatters_less(void)
{
    struct series series;
    struct point set = point_of("set", 1, MACHINE_PAGE),
                 packed = point_of("packed", 1, MACHINE_LINE);
    series_init(&series);
    for (set.pages = 1; set.pages <= 8; set.pages++)
        for (set.sample = 0; set.sample < 96; set.sample++) {
            double part = (double)(set.pages * 3 % 5) + 0.1 * (double)(set.sample % 10);
            double more = set.sample == 50 ? 0 : 0.02 + 0.004 * part;
            packed.pages = set.targets = set.pages;
            packed.sample = set.sample;
            series_add(&series, &(struct sample){.point = set, .ns = 9, .min_ns = 6 + 6 * more});
            series_add(&series, &(struct sample){.point = packed, .ns = 2, .min_ns = 1 + more});
        }
    struct curve c = targets_of(&series, &set);
    CU_ASSERT_EQUAL_FATAL(c.count, 8);
    for (size_t i = 0; i < 8; i++)
        CU_ASSERT_DOUBLE_EQUAL(c.at[i].ns, 5, 1e-9);
    curve_free(&c);
    series_free(&series);
}

/* The first level has 8 ways and replaces at random: it serves ever fewer of more targets. What the
 * 17th costs lies below the plateau still, and so does the 18th. */
static void a_set_overflows_below_the_plateau(void)
{
    struct series series;
    struct point set = point_of("set", 1, MACHINE_PAGE << 2),
                 packed = point_of("packed", 1, MACHINE_LINE);
    series_init(&series);
    for (set.pages = 1; set.pages <= 22; set.pages++)
        for (set.sample = 0; set.sample < 64; set.sample++) {
            double n = (double)set.pages, served = n > 8 ? 8 / n : 1;
            double ns = 1 + 3 * (1 - served * served) + (n > 16 ? (n - 16) / 3 : 0);
            ns *= 1 + 1e-4 * (double)(set.sample * 5 % 32);
            packed.pages = set.targets = set.pages;
            packed.sample = set.sample;
            series_add(&series, &(struct sample){.point = set, .ns = 9, .min_ns = ns});
            series_add(&series, &(struct sample){.point = packed, .ns = 2, .min_ns = 1});
        }
    series_sort(&series);
    struct stride_profile p = {.series = &series,
                               .page = set,
                               .levels = 2,
                               .strides = 5,
                               .ns = {0, 3, 6},
                               .reach = {{32, 16, 8, 8, 8, 8}, {64, 32, 16, 16, 16, 16}}};
    p.page.layout = &layouts[LAYOUT_PAGE];
    p.page.spacing = MACHINE_PAGE;
    CU_ASSERT_DOUBLE_EQUAL(ways_of(&p, 1).count, 17, 1);
    series_free(&series);
}

static void all_of_too_many_targets_miss(void)
{
    struct stride_profile p = measured(true);
    uint64_t apart = 128 * MACHINE_PAGE, others = targets_others(&p);
    CU_ASSERT_DOUBLE_EQUAL(targets_missing(&p, apart, others, 24), 0, 0.05);
    CU_ASSERT_DOUBLE_EQUAL(targets_missing(&p, apart, others, 25), 1, 0.1);
    CU_ASSERT_TRUE(isnan(targets_missing(&p, apart, others, 1000)));
    CU_ASSERT_TRUE(isnan(targets_missing(&p, apart, others + 1, 24)));
}

static void nothing_unmeasured_is_reported(void)
{
    struct plan_options options = geometry_plan();
    struct series series;
    options.kind = PLAN_TLB;
    options.pages.values[1] = 4095; /* too few pages for questions: a curve alone */
    series_init(&series);
    struct machine m = both_linear();
    machine_follow(&m, &options, &series);
    struct stride_profile p = geometry_profile(&series);
    CU_ASSERT_EQUAL(p.levels, 2);
    CU_ASSERT_TRUE(p.strides <= 0);
    CU_ASSERT_FALSE(stride_profile_add(&p, 1));
    CU_ASSERT_FALSE(stride_profile_add(&p, STRIDE_PROFILE_STRIDES));
    series_free(&series);
}

/* Which sets a sample of layout `set` looks at: its targets all in one, its others never in that.
 */
static uint64_t check_sets(const struct machine_sets *level, const struct point *point)
{
    uint64_t set = machine_set(level, point->layout->offset(point, MACHINE_LINE, 0) / MACHINE_PAGE);
    for (uint64_t i = 1; i < point->pages; i++) {
        uint64_t page = point->layout->offset(point, MACHINE_LINE, i) / MACHINE_PAGE;
        CU_ASSERT_EQUAL(machine_set(level, page) == set, i < point->targets);
    }
    return set;
}

static void others_keep_out_of_the_targets_set(void)
{
    const struct machine_sets linear = {.ways = 12, .sets = 128}, folded = {.sets = 128, .fold = 7};
    struct plan_options options = geometry_plan();
    struct point point = {.layout = &layouts[LAYOUT_SET],
                          .backing = options.backing,
                          .kernel = options.kernel,
                          .page_bytes = MACHINE_PAGE,
                          .spacing = MACHINE_PAGE << 14,
                          .targets = 24,
                          .others = 120,
                          .pages = 144};
    uint64_t seen = 0;
    for (point.sample = 0; point.sample < 64; point.sample++) {
        check_sets(&linear, &point);
        seen |= (uint64_t)1 << check_sets(&folded, &point);
    }
    CU_ASSERT_EQUAL(seen, UINT64_MAX); /* each sample another one */
}

/* Others of moments, twice as many as ways of a first level with `sets` sets and two more: they are
 * in the targets' set of that level, so they flush it, and in no second level with more sets. */
static void check_moment(uint64_t ways, uint64_t sets)
{
    struct plan_options options = geometry_plan();
    const struct machine_sets first = {.ways = (int)ways, .sets = (int)sets};
    struct point point = {.layout = &layouts[LAYOUT_SET],
                          .backing = options.backing,
                          .kernel = options.kernel,
                          .page_bytes = MACHINE_PAGE,
                          .spacing = (uint64_t)MACHINE_PAGE << 18,
                          .others_spacing = sets * MACHINE_PAGE,
                          .moment = 1,
                          .targets = 24,
                          .others = 2 * ways + 2};
    point.pages = point.targets + point.others;
    for (point.sample = 0; point.sample < 64; point.sample++) {
        uint64_t at = point.layout->offset(&point, MACHINE_LINE, 0) / MACHINE_PAGE;
        for (uint64_t i = point.targets; i < point.pages; i++) {
            uint64_t page = point.layout->offset(&point, MACHINE_LINE, i) / MACHINE_PAGE;
            CU_ASSERT_EQUAL(machine_set(&first, page), machine_set(&first, at));
            CU_ASSERT_TRUE(page <= layout_others_pages(&point));
        }
        for (int bits = 6; bits <= 9; bits++) {
            struct machine_sets linear = {.sets = 1 << bits},
                                folded = {.sets = 1 << bits, .fold = bits};
            check_sets(&linear, &point);
            check_sets(&folded, &point);
        }
    }
}

static void others_of_a_moment_flush_the_first_level_alone(void)
{
    check_moment(96, 1);
    check_moment(12, 8);
    check_moment(4, 16);
    check_moment(4, 32);
}

/* Which sample of a point came first, and so represents it, says nothing about where others are. */
static void others_are_where_they_are_in_sample_0(void)
{
    const struct plan_options options = geometry_plan();
    struct stride_profile p = {.page = {.layout = &layouts[LAYOUT_PAGE],
                                        .backing = options.backing,
                                        .kernel = options.kernel,
                                        .page_bytes = MACHINE_PAGE,
                                        .spacing = MACHINE_PAGE}};
    uint64_t first = targets_other_page(&p, 7, 120, 0), last = targets_other_page(&p, 7, 120, 119);
    CU_ASSERT_EQUAL(first, 1);
    for (p.page.sample = 0; p.page.sample < 8; p.page.sample++) {
        CU_ASSERT_EQUAL(targets_other_page(&p, 7, 120, 0), first);
        CU_ASSERT_EQUAL(targets_other_page(&p, 7, 120, 119), last);
    }
}

int main(void)
{
    TAP_SUITE("profile", {"a crossing is between points", crossing_lies_between_points},
              {"a spike is no crossing", a_spike_is_no_crossing},
              {"a curve may begin above, or never cross", a_curve_may_begin_above_or_never_cross},
              {"a linear index falls at once", a_linear_index_falls_at_once},
              {"an index may leave out bits", an_index_may_leave_out_bits},
              {"a folded index falls later", a_folded_index_falls_later},
              {"what keeps its reach does not fall", what_keeps_its_reach_does_not_fall},
              {"longer walks are no fall", longer_walks_are_no_fall},
              {"settled is what has stopped to fall", settled_is_what_has_stopped_to_fall},
              {"levels and their cost are read off", levels_and_their_cost_are_read_off},
              {"reach halves until one set is left", reach_halves_until_one_set_is_left},
              {"a small second level is hidden", a_small_second_level_is_hidden},
              {"targets are a curve by their number", targets_are_a_curve_by_their_number},
              {"all of too many targets miss", all_of_too_many_targets_miss},
              {"nothing unmeasured is reported", nothing_unmeasured_is_reported},
              {"others keep out of the targets' set", others_keep_out_of_the_targets_set},
              {"others of a moment flush the first level alone",
               others_of_a_moment_flush_the_first_level_alone},
              {"others are where they are in sample 0", others_are_where_they_are_in_sample_0},
              {"targets in sets that are mostly taken cost what they do in the free ones",
               the_freest_sets_tell},
              {"the least counts where it scatters less", the_least_counts_where_it_scatters_less},
              {"a set may overflow below the plateau", a_set_overflows_below_the_plateau});
    return tap_run();
}
