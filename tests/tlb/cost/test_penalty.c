/* test_penalty.c: the raw and the controlled cost of a miss on tables made by hand.
 *
 *     bin/.obj/plain/tests/tlb/cost/test_penalty
 */
#include "machine.h"
#include "named.h"
#include "tap.h"
#include "tlb/cost/penalty.h"
#include "tlb/plan/options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void add(struct series *series, struct point point, uint64_t number, double ns)
{
    point.sample = number;
    series_add(series, &(struct sample){.point = point, .ns = ns});
}

/* Five samples 0 … 4 in a window of `box`, in this order of arrival. */
static void add_window(struct series *series, uint64_t bytes, uint64_t stride, enum role role,
                       double buffer_mib, const double ns[5])
{
    struct point point = point_of("box", bytes / stride, stride);
    point.role = role;
    point.buffer = (uint64_t)(buffer_mib * 0x1p20);
    for (uint64_t i = 0; i < 5; i++)
        add(series, point, i, ns[i]);
}

static const double low[5] = {1, 2, 3, 4, 5}, middle[5] = {9, 9, 9, 9, 9},
                    high[5] = {91, 82, 103, 94, 75}; /* P50 91; paired 90 80 100 90 70 */

TEST(P50_at_512_MiB_minus_P50_at_the_first_point)
{
    struct series series;
    series_init(&series);
    add_window(&series, 512 * MIB, 256, ROLE_COMPARISON, 1024, high);
    add_window(&series, MIB, 256, ROLE_SWEEP, 1024, middle);
    add_window(&series, 16 * KIB, 256, ROLE_SWEEP, 1024, low);
    add_window(&series, 256 * MIB, 256, ROLE_SWEEP, 1024, middle);
    add_window(&series, 8 * KIB, 512, ROLE_SWEEP, 1024, middle); /* another curve */
    add(&series, point_of("page", 1, 256), 0, 7);
    struct penalty penalty = penalty_raw(&series);
    CU_ASSERT_STRING_EQUAL(penalty.method, "raw");
    CU_ASSERT_EQUAL(penalty.level, 0);
    CU_ASSERT(near(penalty.ns, 91 - 3));
    CU_ASSERT(near(penalty.low, 80));
    CU_ASSERT(near(penalty.high, 90));
    CU_ASSERT_STRING_EQUAL(NOTE(penalty.note), "16K->512M");
    series_free(&series);
}

/* Samples belong together by their number, in whatever order the rows come. */
TEST(pairs_rows_in_any_order)
{
    struct series series;
    struct point point = point_of("box", 512 * MIB / 256, 256);
    point.role = ROLE_COMPARISON;
    point.buffer = 1024 * MIB;
    series_init(&series);
    add_window(&series, 16 * KIB, 256, ROLE_SWEEP, 1024, low);
    for (uint64_t i = 5; i-- > 0;)
        add(&series, point, i, high[i]);
    struct penalty penalty = penalty_raw(&series);
    CU_ASSERT(near(penalty.low, 80));
    CU_ASSERT(near(penalty.high, 90));
    series_free(&series);
}

TEST(is_negative_where_it_is)
{
    struct series series;
    series_init(&series);
    add_window(&series, 512 * MIB, 256, ROLE_COMPARISON, 1024, low);
    add_window(&series, 16 * KIB, 256, ROLE_SWEEP, 1024, middle);
    struct penalty penalty = penalty_raw(&series);
    CU_ASSERT(near(penalty.ns, -6));
    CU_ASSERT_STRING_EQUAL(NOTE(penalty.note), "16K->512M,negative");
    series_free(&series);
}

/* A stride that does not divide 512 MiB ends short of it by less than itself. */
TEST(with_a_stride_that_does_not_divide_it)
{
    struct series series;
    series_init(&series);
    add_window(&series, 512 * MIB, 24, ROLE_COMPARISON, 1024, high);
    add_window(&series, 16 * KIB, 24, ROLE_SWEEP, 1024, low);
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "16368->536870904");
    series_free(&series);
}

TEST(says_why_it_is_not_available)
{
    struct series series;
    series_init(&series);
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "no_comparison_point");
    CU_ASSERT(isnan(penalty_raw(&series).ns));
    add_window(&series, 16 * KIB, 256, ROLE_SWEEP, 512, low);
    add_window(&series, 256 * MIB, 256, ROLE_COMPARISON, 512, high); /* not the whitepaper's */
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "no_comparison_point");
    add_window(&series, 1024 * MIB, 256, ROLE_COMPARISON, 512, high);
    add_window(&series, 512 * MIB, 256, ROLE_SWEEP, 512, high);
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "no_comparison_point");
    add_window(&series, 512 * MIB, 512, ROLE_COMPARISON, 512, high);
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "no_first_point");
    add_window(&series, 16 * KIB, 512, ROLE_SWEEP, 1024, low); /* the sweep of another buffer */
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "no_first_point");
    add_window(&series, 16 * KIB, 512, ROLE_SWEEP, 512, low);
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "16K->512M");
    series_free(&series);
    series_init(&series);
    add_window(&series, 16 * KIB, 256, ROLE_SWEEP, 256, low);
    CU_ASSERT_STRING_EQUAL(NOTE(penalty_raw(&series).note), "buffer_below_512M");
    CU_ASSERT(isnan(penalty_raw(&series).low));
    series_free(&series);
}

/* 16 lines per page, so that `packed` misses the first level from 513 nodes on and pays for it. */
static const struct machine machine = {.load_ns = 1, .tlb = {{32, 0, 2, 0}, {448, 0, 10, 0}}};

static const uint64_t sizes[] = {4,   8,   12,  16,   20,   24,   28,   32,   33,   36,
                                 40,  48,  64,  96,   128,  192,  256,  384,  448,  480,
                                 512, 640, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192};
enum { ALL = 8192 }; /* nodes that show a walk */

static void add_machine(struct series *series, bool control, uint64_t most)
{
    struct point page = point_of("page", 0, 4096);
    struct point packed = point_of("packed", 0, 256);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
        for (uint64_t s = 0; s < 7; s++) {
            page.pages = packed.pages = sizes[i];
            add(series, page, s, machine_ns(&machine, &page) + 0.001 * (double)((3 * s + i) % 7));
            if (control)
                add(series, packed, s,
                    machine_ns(&machine, &packed) + 0.001 * (double)((5 * s + i) % 7));
        }
}

/* The rows by control: those of the levels and the walk, or those of walks in depth. */
static size_t rows_of(struct series *series, bool depths, struct penalty *rows)
{
    struct penalty all[PENALTIES_ROOM];
    size_t count = penalties_find(series, false, all), kept = 0;
    for (size_t i = 1; i < count; i++)
        if ((all[i].level < 0) == depths)
            rows[kept++] = all[i];
    return kept;
}

static size_t controlled(struct series *series, struct penalty *rows)
{
    return rows_of(series, false, rows);
}

static size_t walks_of(struct series *series, struct penalty *rows)
{
    return rows_of(series, true, rows);
}

static struct series machine_series(bool control, uint64_t most)
{
    struct series series;
    series_init(&series);
    add_machine(&series, control, most);
    return series;
}

TEST(a_row_for_each_level)
{
    struct penalty penalties[PENALTIES_ROOM];
    struct series series = machine_series(true, ALL);
    CU_ASSERT_EQUAL_FATAL(controlled(&series, penalties), 2);
    CU_ASSERT_STRING_EQUAL(penalties[0].method, "control");
    CU_ASSERT_EQUAL(penalties[0].level, 1);
    CU_ASSERT(fabs(penalties[0].ns - 2) < 0.01);
    CU_ASSERT(penalties[0].low <= penalties[0].ns && penalties[0].high >= penalties[0].ns);
    CU_ASSERT(penalties[0].high - penalties[0].low < 0.02);
    CU_ASSERT_STRING_EQUAL(NOTE(penalties[0].note), "33->128_pages");
    CU_ASSERT_EQUAL(penalties[1].level, 0);
    CU_ASSERT(fabs(penalties[1].ns - 12) < 0.1); /* though packed misses the first level too */
    CU_ASSERT(penalties[1].low <= penalties[1].ns && penalties[1].high >= penalties[1].ns);
    CU_ASSERT_STRING_EQUAL(NOTE(penalties[1].note), "480->1536_pages");
    series_free(&series);
}

/* If noise only adds, `packed` of a larger size substitutes for a size that the budget left
 * out. */
TEST(a_size_of_which_only_one_half_was_measured_counts)
{
    struct penalty penalties[PENALTIES_ROOM];
    struct series series = machine_series(true, ALL);
    for (size_t g = 0; g < series.count; g++) {
        struct point *p = &series.groups[g].point;
        p->pages += p->layout == &layouts[LAYOUT_PACKED] && p->pages > 32 && p->pages < 192;
        for (size_t k = 0; k < series.groups[g].count; k++)
            series.groups[g].ns[k] *= 1.1; /* above the fastest lap */
    }
    CU_ASSERT_EQUAL_FATAL(controlled(&series, penalties), 2);
    CU_ASSERT(fabs(penalties[0].ns - 2) < 0.01);
    CU_ASSERT(penalties[0].low <= penalties[0].ns && penalties[0].ns <= penalties[0].high);
    series_free(&series);
}

TEST(test_control_unavailable)
{
    struct penalty penalties[PENALTIES_ROOM];
    struct series series;
    series_init(&series);
    CU_ASSERT_EQUAL(controlled(&series, penalties), 1);
    CU_ASSERT_STRING_EQUAL(NOTE(penalties[0].note), "no_control");
    add_machine(&series, false, ALL);
    CU_ASSERT_EQUAL(controlled(&series, penalties), 1);
    CU_ASSERT_STRING_EQUAL(NOTE(penalties[0].note), "no_control");
    CU_ASSERT(isnan(penalties[0].ns));
    series_free(&series);
    series_init(&series);
    add_machine(&series, true, 28);
    CU_ASSERT_EQUAL(controlled(&series, penalties), 1);
    CU_ASSERT_STRING_EQUAL(NOTE(penalties[0].note), "no_tlb_level");
    series_free(&series);
}

/* Tables that end earlier and earlier: a figure stays the same or disappears. */
TEST(a_shorter_table_has_no_other_figure)
{
    struct penalty rows[PENALTIES_ROOM];
    for (size_t i = sizeof sizes / sizeof *sizes; i-- > 0 && sizes[i] > 28;) {
        struct series series = machine_series(true, sizes[i]);
        size_t count = controlled(&series, rows);
        CU_ASSERT_FATAL(count > 0);
        CU_ASSERT_EQUAL(rows[count - 1].level, 0);
        if (sizes[i] < ALL)
            CU_ASSERT(isnan(rows[count - 1].ns));
        for (size_t k = 0; k < count; k++)
            CU_ASSERT(isnan(rows[k].ns) || fabs(rows[k].ns - (rows[k].level == 1 ? 2 : 12)) < 0.1);
        series_free(&series);
    }
}

/* A miss of the last level of a short table need not be a walk; a rise to its end is no plateau. */
TEST(a_walk_is_not_seen_before_the_table_shows_it)
{
    struct penalty rows[PENALTIES_ROOM];
    struct series series = machine_series(true, 256);
    CU_ASSERT_EQUAL_FATAL(controlled(&series, rows), 2);
    CU_ASSERT_EQUAL(rows[0].level, 1);
    CU_ASSERT(fabs(rows[0].ns - 2) < 0.01);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[0].note), "33->128_pages,hit_in_level=2");
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "not_reached");
    series_free(&series);
    series_init(&series);
    add_machine(&series, true, 40);
    CU_ASSERT_EQUAL_FATAL(controlled(&series, rows), 1);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[0].note), "not_reached");
    series_free(&series);
}

/* A table that begins beyond the first level does not give the next one its number. */
TEST(a_table_that_begins_late_has_no_numbered_level)
{
    struct penalty rows[PENALTIES_ROOM];
    struct series series, late;
    series_init(&series);
    series_init(&late);
    add_machine(&series, true, ALL);
    for (size_t g = 0; g < series.count; g++)
        for (size_t k = 0; k < series.groups[g].count && series.groups[g].point.pages > 100; k++)
            add(&late, series.groups[g].point, k, series.groups[g].ns[k]);
    CU_ASSERT_EQUAL_FATAL(controlled(&late, rows), 1);
    CU_ASSERT_EQUAL(rows[0].level, 0);
    CU_ASSERT(rows[0].ns > 12 - 2 && rows[0].ns < 12.1); /* packed misses an unknown level */
    series_free(&series);
    series_free(&late);
}

/* In long chains a cache makes walks more expensive: the penalty is the cost before that. */
TEST(a_cache_that_long_chains_leave_does_not_make_the_walk)
{
    struct penalty rows[PENALTIES_ROOM];
    struct series series;
    struct point page = point_of("page", 0, 4096), packed = point_of("packed", 0, 256);
    series_init(&series);
    add_machine(&series, true, ALL);
    for (uint64_t nodes = 10240; nodes <= 65536; nodes += nodes / 4)
        for (uint64_t s = 0; s < 7; s++) {
            page.pages = packed.pages = nodes;
            add(&series, page, s, machine_ns(&machine, &page) + (nodes > 25000 ? 200 : 0));
            add(&series, packed, s, machine_ns(&machine, &packed));
        }
    CU_ASSERT_EQUAL_FATAL(controlled(&series, rows), 2);
    CU_ASSERT(fabs(rows[0].ns - 2) < 0.01);
    CU_ASSERT(fabs(rows[1].ns - 12) < 0.1);
    series_free(&series);
}

/* If a neighbour lets most samples take far longer, the figure is that of the fastest laps, and
 * its quartiles are of the same curve. */
TEST(where_a_neighbour_disturbs_the_quartiles_hold_the_figure)
{
    struct penalty penalties[PENALTIES_ROOM];
    struct series series = machine_series(true, ALL);
    for (size_t g = 0; g < series.count; g++)
        for (size_t k = 0; k < series.groups[g].count; k++)
            if (series.groups[g].point.layout == &layouts[LAYOUT_PAGE] &&
                series.groups[g].point.pages > 300)
                series.groups[g].ns[k] *= 3;
    CU_ASSERT_EQUAL_FATAL(controlled(&series, penalties), 2);
    CU_ASSERT(penalties[1].low <= penalties[1].ns && penalties[1].ns <= penalties[1].high);
    CU_ASSERT(penalties[1].high < 1.1 * penalties[1].ns);
    CU_ASSERT(fabs(penalties[1].ns - 12) < 0.1);
    series_free(&series);
}

/* A default sweep: what a miss of the first level takes is what moments show in which all miss. */
TEST(a_miss_of_the_first_level_is_that_of_moments_in_which_all_miss)
{
    struct penalty rows[PENALTIES_ROOM];
    struct machine counted = machine_of_sets((struct machine_sets){.ways = 72, .sets = 1},
                                             (struct machine_sets){.ways = 12, .sets = 256},
                                             INCLUSION_NEITHER);
    struct plan_options options = option_plan(NULL, 0, MACHINE_PAGE, MACHINE_LINE);
    struct series series;
    series_init(&series);
    machine_follow(&counted, &options, &series);
    CU_ASSERT_EQUAL_FATAL(controlled(&series, rows), 2);
    CU_ASSERT_EQUAL(rows[0].level, 1);
    CU_ASSERT(fabs(rows[0].ns - counted.tlb[0].miss_ns) < 0.05 * counted.tlb[0].miss_ns);
    CU_ASSERT(rows[0].low <= rows[0].ns && rows[0].ns <= rows[0].high);
    CU_ASSERT(atof(NOTE(rows[0].note)) >= 3 * 72); /* "288_pages" */
    series_free(&series);
}

/* Pages far apart: a TLB that holds `held` of them, a walk of 12 ns, 5 more beyond `reach`. */
static void add_far(struct series *series, uint64_t spacing, uint64_t held, uint64_t reach,
                    uint64_t most)
{
    struct point page = point_of("page", 0, spacing);
    struct machine far = {.load_ns = 1,
                          .tlb = {{(double)held, 0, 12, 0}, {(double)reach, 0, 5, 0}}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
        for (uint64_t s = 0; s < 7; s++) {
            page.pages = sizes[i];
            add(series, page, s, machine_ns(&far, &page) + 0.001 * (double)((3 * s + i) % 7));
        }
}

TEST(a_row_for_each_distance_of_pages)
{
    struct penalty rows[PENALTIES_ROOM], before[PENALTIES_ROOM];
    struct series series = machine_series(true, ALL);
    CU_ASSERT_EQUAL(walks_of(&series, rows), 0); /* an ordinary sweep */
    size_t count = controlled(&series, before);
    add_far(&series, 2 * MIB, 16, 36, 512);
    add_far(&series, 1024 * MIB, 12, 1000, 128);
    CU_ASSERT_EQUAL_FATAL(walks_of(&series, rows), WALKS_MAX);
    CU_ASSERT_EQUAL(rows[0].ns, before[count - 1].ns);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[0].note), NOTE(before[count - 1].note));
    CU_ASSERT(fabs(rows[1].ns - 17) < 0.01);
    CU_ASSERT(rows[1].low <= rows[1].ns && rows[1].ns <= rows[1].high);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "256->512_pages,reach=36");
    CU_ASSERT(fabs(rows[2].ns - 12) < 0.01);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[2].note), "64->128_pages");
    CU_ASSERT(isnan(rows[3].ns));
    CU_ASSERT_STRING_EQUAL(NOTE(rows[3].note), "address_space");
    for (int k = 0; k < WALKS_MAX; k++)
        CU_ASSERT(rows[k].level == -(k + 1));
    CU_ASSERT_EQUAL_FATAL(controlled(&series, rows), count); /* as before */
    CU_ASSERT_EQUAL(rows[0].ns, before[0].ns);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[count - 1].note), NOTE(before[count - 1].note));
    series_free(&series);
}

/* A walk through more tables never takes less: such pages are still in a TLB or a nearer cache. Nor
 * is it known where the ordinary walk is not. */
TEST(a_deeper_walk_that_costs_less_than_the_ordinary_one_is_none)
{
    struct penalty rows[PENALTIES_ROOM];
    struct series series = machine_series(true, ALL);
    add_far(&series, 2 * MIB, 16, 1000, 128);
    for (size_t g = 0; g < series.count; g++)
        for (size_t k = 0; k < series.groups[g].count; k++)
            if (series.groups[g].point.spacing == 2 * MIB && series.groups[g].ns[k] > 6)
                series.groups[g].fastest[k] = series.groups[g].ns[k] -= 6;
    CU_ASSERT_EQUAL_FATAL(walks_of(&series, rows), WALKS_MAX);
    CU_ASSERT(isnan(rows[1].ns));
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "not_reached");
    series_free(&series);
    series = machine_series(true, 1000); /* too short for the ordinary walk */
    add_far(&series, 2 * MIB, 16, 36, 512);
    CU_ASSERT_EQUAL_FATAL(walks_of(&series, rows), WALKS_MAX);
    CU_ASSERT(isnan(rows[0].ns) && isnan(rows[1].ns));
    series_free(&series);
}

/* Levels that are not there, and loads that never walk. */
TEST(test_walks_unavailable)
{
    struct penalty rows[PENALTIES_ROOM];
    struct series series;
    series_init(&series);
    CU_ASSERT_EQUAL(walks_of(&series, rows), 0);
    add_machine(&series, true, ALL);
    add_far(&series, 1024 * MIB, 100, 1000, 96);
    CU_ASSERT_EQUAL_FATAL(walks_of(&series, rows), WALKS_MAX);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "not_measured");
    CU_ASSERT_STRING_EQUAL(NOTE(rows[2].note), "not_reached");
    CU_ASSERT(isnan(rows[2].ns) && isnan(rows[2].low));
    series_free(&series);
    series_init(&series);
    add_machine(&series, false, ALL);
    add_far(&series, 2 * MIB, 16, 36, 512);
    CU_ASSERT_EQUAL_FATAL(walks_of(&series, rows), WALKS_MAX);
    CU_ASSERT_STRING_EQUAL(NOTE(rows[0].note), "no_control");
    CU_ASSERT_STRING_EQUAL(NOTE(rows[1].note), "no_control");
    series_free(&series);
}
