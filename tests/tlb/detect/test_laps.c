/* test_laps.c: moments whose truth is known, how many targets fit by them, and the levels that
 * these numbers and a curve show. */
#include "access/kernel.h"
#include "access/layout.h"
#include "tap.h"
#include "tlb/laps/levels.h"
#include <math.h>
#include <string.h>

enum { PAGE = 4096, FEW = 8 };
enum { HIT_NS = 2, MISS_HITS = 3 }; /* a miss adds as much as three hits */

/* ---- moments ---- */

/* The machine and its interference. */
struct truth {
    uint64_t capacity;
    bool random; /* replacement: two misses for each target too many; else all miss */
    bool fights; /* targets beyond the capacity, up to `most`, cost a lap one miss */
    uint64_t most;
    double slower; /* all laps take so many times as long; 0: once */
};

static double misses_of(const struct truth *truth, uint64_t targets)
{
    if (targets <= truth->capacity)
        return 0;
    if (truth->fights && targets <= truth->most)
        return 1;
    return truth->random ? fmin(2 * (double)(targets - truth->capacity), (double)targets)
                         : (double)targets;
}

static void add_sample(struct series *series, uint64_t moment, enum role role, uint64_t targets,
                       double lap_ns)
{
    struct sample s = {.point = {.pages = targets,
                                 .targets = targets,
                                 .moment = moment,
                                 .spacing = PAGE,
                                 .page_bytes = PAGE,
                                 .layout = &layouts[LAYOUT_SET],
                                 .backing = &backings[BACKING_SCATTERED],
                                 .kernel = &kernels[KERNEL_READ],
                                 .role = role},
                       .ns = 2 * lap_ns / (double)targets,
                       .min_ns = lap_ns / (double)targets,
                       .t_s = (double)moment / 100};
    series_add(series, &s);
}

static void add_lap(struct series *series, uint64_t moment, enum role role, uint64_t targets,
                    const struct truth *truth)
{
    double hits = (double)targets + MISS_HITS * misses_of(truth, targets);
    if (targets > 0)
        add_sample(series, moment, role, targets,
                   hits * HIT_NS * (truth->slower > 0 ? truth->slower : 1));
}

static void add_moment(struct series *series, uint64_t moment, uint64_t control, uint64_t asked,
                       uint64_t all, const struct truth *truth)
{
    add_lap(series, moment, ROLE_FEW, FEW, truth);
    add_lap(series, moment, ROLE_CONTROL, control, truth);
    add_lap(series, moment, ROLE_ASKED, asked, truth);
    add_lap(series, moment, ROLE_ALL, all, truth);
}

/* Moments like those of a plan for a capacity: numbers below it, then in turn the number itself
 * beside one less, and up to three beyond it. */
static void add_moments(struct series *series, uint64_t from, uint64_t to, uint64_t capacity,
                        const struct truth *truth)
{
    for (uint64_t m = from; m < to; m++) {
        uint64_t turn = m % 8, all = m % 4 == 0 ? 4 * capacity : 0;
        if (turn == 0)
            add_moment(series, m, capacity / 2, capacity * 3 / 4, all, truth);
        else if (turn % 2 == 1)
            add_moment(series, m, capacity - 1, capacity, all, truth);
        else
            add_moment(series, m, capacity, capacity + (turn < 6 ? 1 : 1 + m % 3), all, truth);
    }
}

static struct fits fits_and_free(struct series *series)
{
    struct families families = families_of(series);
    CU_ASSERT_EQUAL_FATAL(families.count, 1);
    struct fits fits = fits_of(&families.at[0], NAN, excess_alone);
    families_free(&families);
    series_free(series);
    return fits;
}

TEST(rows_become_moments)
{
    struct series series;
    struct truth truth = {.capacity = 100};
    series_init(&series);
    add_moment(&series, 2, 20, 30, 400, &truth);
    add_sample(&series, 1, ROLE_ASKED, 40, 80);
    add_sample(&series, 1, ROLE_FEW, FEW, 16);
    add_sample(&series, 1, ROLE_SWEEP, 40, 1); /* of no use */
    struct families families = families_of(&series);
    CU_ASSERT_EQUAL_FATAL(families.count, 1);
    CU_ASSERT_EQUAL(families.last, 2);
    const struct family *family = &families.at[0];
    CU_ASSERT_EQUAL_FATAL(family->count, 2);
    CU_ASSERT_EQUAL(family->at[0].t_s, 0.01);
    CU_ASSERT_EQUAL(family->at[0].asked.targets, 40);
    CU_ASSERT_DOUBLE_EQUAL(family->at[0].asked.ns, 80, 1e-9);
    CU_ASSERT_EQUAL(family->at[0].control.targets, FEW);
    CU_ASSERT_EQUAL(family->at[0].all.targets, 0);
    CU_ASSERT_EQUAL(family->at[1].control.targets, 20);
    CU_ASSERT_EQUAL(family->at[1].asked.targets, 30);
    CU_ASSERT_DOUBLE_EQUAL(family->at[1].all.ns, 400 * HIT_NS * (1 + MISS_HITS), 1e-9);
    families_free(&families);
    series_free(&series);
}

static void add_family(struct series *series, uint64_t moment, uint64_t apart, uint64_t others)
{
    struct sample s = {.point = {.pages = 2 + others,
                                 .targets = 2,
                                 .others = others,
                                 .moment = moment,
                                 .spacing = apart * PAGE,
                                 .page_bytes = PAGE,
                                 .layout = &layouts[LAYOUT_SET],
                                 .kernel = &kernels[KERNEL_READ],
                                 .role = ROLE_FEW},
                       .ns = HIT_NS};
    series_add(series, &s);
}

TEST(families_differ_by_all_but_their_targets)
{
    struct series series;
    series_init(&series);
    add_family(&series, 1, 1, 0);
    add_family(&series, 2, 1024, 0);
    add_family(&series, 3, 1024, 10);
    add_family(&series, 4, 1024, 26);
    add_family(&series, 5, 1024, 10);
    struct families families = families_of(&series);
    CU_ASSERT_EQUAL(families.count, 4);
    CU_ASSERT_EQUAL(families.last, 5);
    CU_ASSERT_PTR_EQUAL(family_find(&families, NULL, 1, 1, false), &families.at[0]);
    CU_ASSERT_PTR_EQUAL(family_find(&families, NULL, 2, UINT64_MAX, false), &families.at[1]);
    CU_ASSERT_PTR_EQUAL(family_find(&families, NULL, 2, UINT64_MAX, true),
                        &families.at[3]); /* the latest */
    CU_ASSERT_EQUAL(families.at[2].count, 2);
    CU_ASSERT_PTR_NULL(family_find(&families, NULL, 1, 1, true));
    families_free(&families);
    add_family(&series, 6, 4096, 2);
    families = families_of(&series);
    CU_ASSERT_EQUAL(families.count, 5);
    CU_ASSERT_PTR_EQUAL(family_find(&families, NULL, 2, UINT64_MAX, true),
                        &families.at[4]); /* the farthest */
    CU_ASSERT_PTR_EQUAL(family_like(&families, &families.at[2].like), &families.at[2]);
    CU_ASSERT_PTR_NULL(family_find(&families, NULL, 2, 32, true));
    CU_ASSERT_PTR_EQUAL(family_find(&families, NULL, 512, 2048, true), &families.at[3]);
    families_free(&families);
    series_free(&series);
}

/* ---- how many fit ---- */

TEST(clean_moments_show_exactly_how_many_fit)
{
    struct series series;
    struct truth truths[] = {{.capacity = 64}, {.capacity = 64, .random = true}};
    for (int i = 0; i < 2; i++) {
        series_init(&series);
        add_moments(&series, 1, 121, 64, &truths[i]);
        struct fits fits = fits_and_free(&series);
        CU_ASSERT_EQUAL(fits.fits, 64);
        CU_ASSERT_EQUAL(fits.most, 64);
        CU_ASSERT_TRUE(fits.chance < 1e-6);
        CU_ASSERT_EQUAL(fits.quiet, 1);
        CU_ASSERT_DOUBLE_EQUAL(fits.hit_ns, HIT_NS, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(fits.all_hits, MISS_HITS, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(fits.misses[65], i == 0 ? 65 : 2, 1e-9);
        CU_ASSERT_EQUAL(fits_thrashes(&fits), i == 0 ? 65 : INFINITY);
        CU_ASSERT_EQUAL(fits_criteria(&fits), 2);
    }
}

/* In every other moment the clock runs at half its speed. */
TEST(a_clock_that_changes_moves_nothing)
{
    struct series series;
    struct truth truth = {.capacity = 64}, slow = {.capacity = 64, .slower = 2};
    series_init(&series);
    for (uint64_t m = 1; m <= 120; m += 8) {
        add_moments(&series, m, m + 4, 64, &truth);
        add_moments(&series, m + 4, m + 8, 64, &slow);
    }
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_EQUAL(fits.fits, 64);
    CU_ASSERT_EQUAL(fits_criteria(&fits), 2);
}

/* A neighbour holds 20 of 64 entries in the first 80 of 200 moments. */
TEST(a_neighbour_that_pauses_hides_nothing)
{
    struct series series;
    struct truth alone = {.capacity = 64}, beside = {.capacity = 44};
    series_init(&series);
    add_moments(&series, 1, 81, 64, &beside);
    add_moments(&series, 81, 201, 64, &alone);
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_EQUAL(fits.fits, 64);
    CU_ASSERT_EQUAL(fits.most, 64);
    CU_ASSERT_TRUE(fits.chance < 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(fits.quiet, 0.6, 0.05);
    CU_ASSERT_EQUAL(fits.at[65].clean, 0);
    CU_ASSERT_TRUE(fits_criteria(&fits) < 2); /* the moments that count are few */
}

/* Moments whose control misses do not count, however many there are. */
TEST(a_moment_counts_if_its_control_is_clean)
{
    struct series series;
    struct truth alone = {.capacity = 64}, beside = {.capacity = 10};
    series_init(&series);
    add_moments(&series, 1, 9, 64, &alone);
    add_moments(&series, 9, 201, 64, &beside);
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_EQUAL(fits.fits, 64);
    CU_ASSERT_EQUAL(fits.above[64].all, 4);
    CU_ASSERT_EQUAL(fits.above[64].clean, 4);
    CU_ASSERT_EQUAL(fits.above[65].all, 3);
}

/* It always holds four entries, and more targets fight for them: a miss in each lap. */
TEST(a_neighbour_that_never_pauses_leaves_a_range)
{
    struct series series;
    struct truth beside = {.capacity = 60, .fights = true, .most = 64};
    series_init(&series);
    add_moments(&series, 1, 121, 60, &beside);
    for (uint64_t m = 121; m < 181; m++)
        add_moment(&series, m, 60, 61 + m % 6, 0, &beside);
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_EQUAL(fits.fits, 60);
    CU_ASSERT_EQUAL(fits.most, 64);
    CU_ASSERT_EQUAL(fits_criteria(&fits), 0);
}

/* Three clean laps are no mistake of the timer, two may be one. */
TEST(a_number_fits_that_was_clean_three_times)
{
    for (uint64_t times = 2; times <= 3; times++) {
        struct series series;
        struct truth truth = {.capacity = 64}, mistaken = {.capacity = 70};
        series_init(&series);
        add_moments(&series, 1, 41, 64, &truth);
        for (uint64_t i = 0; i < times; i++)
            add_moment(&series, 41 + i, 64, 68, 0, &mistaken);
        CU_ASSERT_EQUAL(fits_and_free(&series).fits, times == 2 ? 64 : 68);
    }
}

/* The chance that 65 fit after all: 64 were clean in 9 of 12 moments beside 63, so in 0.46215 of
 * them at least, two standard errors low; 65 in none of 5. */
TEST(the_chance_of_a_mistake_is_that_of_no_clean_lap_in_all_moments)
{
    struct series series;
    struct truth alone = {.capacity = 64}, beside = {.capacity = 63};
    series_init(&series);
    add_moments(&series, 1, 2, 20, &alone);
    for (uint64_t m = 2; m < 14; m++)
        add_moment(&series, m, 63, 64, 256, m % 4 == 0 ? &beside : &alone);
    for (uint64_t m = 14; m < 19; m++)
        add_moment(&series, m, 64, 65, 0, &alone);
    add_moment(&series, 19, 64, 65, 0, &beside); /* does not count */
    add_moment(&series, 20, 60, 65, 0, &alone);  /* 61 to 64 would have to fit too */
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_EQUAL(fits.fits, 64);
    CU_ASSERT_DOUBLE_EQUAL(fits.chance, pow(1 - 0.46215, 5), 1e-4);
}

/* Of 34 moments beside 64 a neighbour disturbs the last twelve, which are two of eight rows. */
TEST(a_level_is_quiet_if_its_control_is_clean_in_one_of_four_moments)
{
    struct series series;
    struct truth alone = {.capacity = 64}, beside = {.capacity = 63};
    series_init(&series);
    add_moments(&series, 1, 41, 64, &alone);
    for (uint64_t m = 41; m < 60; m++)
        add_moment(&series, m, 64, 65, 0, m < 48 ? &alone : &beside);
    CU_ASSERT_DOUBLE_EQUAL(fits_and_free(&series).quiet, 0.75, 1e-9);
}

/* 400 pages miss the second level too; 256 miss the first alone. */
TEST(a_miss_is_measured_where_all_miss_the_first_level_alone)
{
    struct series series;
    struct truth truth = {.capacity = 64};
    series_init(&series);
    add_moments(&series, 1, 41, 64, &truth);
    for (uint64_t m = 41; m < 81; m++) {
        add_moment(&series, m, 0, 40, 0, &truth);
        add_sample(&series, m, ROLE_ALL, 400, 400 * HIT_NS * (1 + 4 * MISS_HITS));
    }
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_DOUBLE_EQUAL(fits.all_hits, MISS_HITS, 1e-9);
    CU_ASSERT_EQUAL(fits.fits, 64);
}

/* Beside a neighbour 20 seemed to fit, and four times as many to miss. They fit. */
TEST(a_number_thought_to_miss_may_fit)
{
    struct series series;
    struct truth truth = {.capacity = 96};
    series_init(&series);
    for (uint64_t m = 1; m < 11; m++)
        add_moment(&series, m, 20, 21, 80, &truth);
    add_moments(&series, 11, 91, 96, &truth);
    struct fits fits = fits_and_free(&series);
    CU_ASSERT_EQUAL(fits.fits, 96);
    CU_ASSERT_DOUBLE_EQUAL(fits.all_hits, MISS_HITS, 1e-9);
}

/* Pages of one set never all miss; the cost is known from consecutive pages. */
TEST(a_miss_may_be_known_from_another_family)
{
    struct series series;
    struct truth truth = {.capacity = 64};
    series_init(&series);
    for (uint64_t m = 1; m < 41; m++)
        add_moment(&series, m, 63 + m % 2, 64 + m % 2, 0, &truth);
    struct families families = families_of(&series);
    struct fits alone = fits_of(&families.at[0], NAN, excess_alone),
                other = fits_of(&families.at[0], MISS_HITS, excess_alone);
    CU_ASSERT_TRUE(isnan(alone.all_hits));
    CU_ASSERT_EQUAL(alone.fits, FEW);
    CU_ASSERT_EQUAL(other.fits, 64);
    CU_ASSERT_EQUAL(other.miss_hits, MISS_HITS);
    CU_ASSERT_DOUBLE_EQUAL(fits_misses(&families.at[0], &families.at[0].at[0],
                                       &(struct lap){10, HIT_NS * (10 + 5 * MISS_HITS)}, MISS_HITS),
                           5, 1e-9);
    families_free(&families);
    series_free(&series);
}

TEST(without_moments_nothing_is_known)
{
    struct fits fits = fits_of(NULL, NAN, excess_alone);
    CU_ASSERT_EQUAL(fits.fits, 0);
    CU_ASSERT_EQUAL(fits.most, 0);
    CU_ASSERT_EQUAL(fits.chance, 1);
    CU_ASSERT_FALSE(fits_bounded(&fits));
    CU_ASSERT_EQUAL(fits_criteria(&fits), 0);
}

/* Exactly `fits`, beyond doubt. */
static struct fits sure(uint64_t fits, double miss_hits)
{
    struct fits sure = {.fits = fits,
                        .most = fits,
                        .chance = 1e-9,
                        .quiet = 1,
                        .span_s = 1,
                        .hit_ns = HIT_NS,
                        .miss_hits = miss_hits,
                        .all_hits = miss_hits};
    for (uint64_t n = 0; n <= FITS_MAX; n++)
        sure.misses[n] = NAN;
    return sure;
}

TEST(an_answer_is_as_sure_as_its_weakest_sign)
{
    struct fits fits = sure(64, MISS_HITS);
    CU_ASSERT_EQUAL(fits_criteria(&fits), 2);
    fits.chance = 2e-6;
    CU_ASSERT_EQUAL(fits_criteria(&fits), 1);
    fits.chance = 0.1;
    CU_ASSERT_EQUAL(fits_criteria(&fits), 0);
    fits = sure(64, MISS_HITS);
    fits.quiet = 0.93;
    CU_ASSERT_EQUAL(fits_criteria(&fits), 1);
    fits.quiet = 0.4;
    CU_ASSERT_EQUAL(fits_criteria(&fits), 0);
    fits = sure(64, MISS_HITS);
    fits.span_s = 0.1;
    CU_ASSERT_EQUAL(fits_criteria(&fits), 1);
    fits = sure(64, MISS_HITS);
    fits.most = 66;
    CU_ASSERT_EQUAL(fits_criteria(&fits), 0);
    CU_ASSERT_TRUE(fits_bounded(&fits));
    fits.most = 0;
    CU_ASSERT_FALSE(fits_bounded(&fits));
}

/* ---- the levels ---- */

/* Of a TLB with these ways and sets; the second level's sets are the curve's. */
static struct counted sure_counted(uint64_t pages, uint64_t ways, uint64_t second_ways)
{
    return (struct counted){.pages = sure(pages, MISS_HITS),
                            .first = sure(ways, MISS_HITS),
                            .second = sure(second_ways, 2 * MISS_HITS)};
}

TEST(the_first_level_is_what_consecutive_pages_show)
{
    struct level level;
    struct counted counted = sure_counted(72, 72, 0);
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_EQUAL(level.entries, 72);
    CU_ASSERT_EQUAL(level.least, 72);
    CU_ASSERT_EQUAL(level.most, 72);
    CU_ASSERT_EQUAL(level.criteria, 2);
    counted.pages.most = 75;
    counted.first.fits = counted.first.most = 5; /* 5 × 16 are more than allowed */
    counted.pages.misses[76] = 60;
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_TRUE(isnan(level.entries));
    CU_ASSERT_EQUAL(level.least, 72);
    CU_ASSERT_EQUAL(level.most, 75);
    CU_ASSERT_EQUAL(level.criteria, 0);
}

/* A neighbour always holds four of 64 entries: 60 pages fit, but four of one set do. */
TEST(the_first_level_is_ways_times_a_power_of_two)
{
    struct level level;
    struct counted counted = sure_counted(60, 4, 0);
    counted.pages.most = 63;
    counted.pages.misses[95] = 40; /* 95 do not nearly fit */
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_EQUAL(level.entries, 64);
    CU_ASSERT_EQUAL(level.least, 64);
    CU_ASSERT_EQUAL(level.criteria, 2);
    CU_ASSERT_FALSE(level.held);
    counted.pages.most = 60; /* even where pages are as sure */
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_EQUAL(level.entries, 64);
    counted.pages.most = 63;
    counted.pages.misses[95] = 0; /* 99 do not nearly fit, but 95 may */
    counted.pages.misses[99] = 60;
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_EQUAL(level.least, 60);
    CU_ASSERT_EQUAL(level.criteria, 0);
    counted.pages.misses[95] = 40;
    counted.pages.fits = 55; /* too many are held */
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_EQUAL(level.entries, 64);
    CU_ASSERT_EQUAL(level.least, 55);
    CU_ASSERT_EQUAL(level.criteria, 0);
    CU_ASSERT_TRUE(level.held);
}

/* 64 or 128: nothing shows that 128 are too many. */
TEST(several_powers_of_two_are_no_answer)
{
    struct level level;
    struct counted counted = sure_counted(64, 4, 0);
    counted.pages.most = 0;
    counted.pages.chance = 1;
    CU_ASSERT_TRUE(laps_first_level(&counted, &level));
    CU_ASSERT_TRUE(isnan(level.entries));
    CU_ASSERT_EQUAL(level.criteria, 0);
}

TEST(a_miss_that_costs_nothing_is_no_level)
{
    struct level level;
    struct counted counted = sure_counted(64, 64, 0);
    counted.pages.miss_hits = 0.1;
    CU_ASSERT_FALSE(laps_first_level(&counted, &level));
    counted.pages.miss_hits = NAN;
    CU_ASSERT_FALSE(laps_first_level(&counted, &level));
    counted = sure_counted(0, 0, 0);
    CU_ASSERT_FALSE(laps_first_level(&counted, &level));
}

enum { WALK_NS = 20 }; /* what a walk adds to a miss of the first level */

/* Page minus packed at four sizes an octave, up to 16 384 pages: a miss of the first level, and
 * walks beyond so many entries. */
static struct curve curve_of(double first, double second, struct curve_point at[64])
{
    struct curve curve = {.at = at};
    for (int k = 8; k <= 56; k++) {
        double pages = round(exp2(k / 4.0)), ns = 0;
        ns += pages > first ? MISS_HITS * HIT_NS : 0;
        ns += pages > second ? WALK_NS : 0;
        at[curve.count++] = (struct curve_point){.pages = pages, .ns = ns, .load_ns = HIT_NS};
    }
    return curve;
}

static size_t levels_of(const struct counted *counted, double second, struct level *levels)
{
    struct curve_point at[64];
    struct curve curve = curve_of(72, second, at);
    return laps_levels(counted, &curve, levels);
}

TEST(the_second_level_is_its_ways_times_what_the_curve_allows)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 72, 12);
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 3072, levels), 2);
    CU_ASSERT_EQUAL(levels[0].entries, 72);
    CU_ASSERT_EQUAL(levels[0].knee.step_ns, MISS_HITS * HIT_NS);
    CU_ASSERT_EQUAL(levels[1].entries, 3072);
    CU_ASSERT_EQUAL(levels[1].least, 3072);
    CU_ASSERT_EQUAL(levels[1].most, 3072);
    CU_ASSERT_EQUAL(levels[1].criteria, 2);
    CU_ASSERT_DOUBLE_EQUAL(levels[1].knee.step_ns, 20, 1e-9);
    counted = sure_counted(72, 72, 6);
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 192, levels), 2); /* a small one */
    CU_ASSERT_EQUAL(levels[1].entries, 192);
}

/* A rise from 1500 to 5000 pages allows 12 times 128 or 256; pages 32 apart are in
 * 4 sets or in 8. */
TEST(nearer_pages_limit_the_number_of_sets)
{
    for (uint64_t sets = 4; sets <= 8; sets *= 2) {
        struct level levels[LEVELS_MAX];
        struct counted counted = sure_counted(72, 72, 12);
        struct curve_point at[64];
        struct curve curve = curve_of(72, 4500, at);
        for (size_t i = 0; i < curve.count; i++)
            if (at[i].pages > 1500 && at[i].pages < 4500)
                at[i].ns += 0.3 * WALK_NS;
        CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &curve, levels), 2);
        CU_ASSERT_TRUE(isnan(levels[1].entries));
        counted.near = sure(12 * sets, 2 * MISS_HITS);
        counted.near_pages = 32;
        CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &curve, levels), 2);
        if (sets == 4) { /* with 8 sets a fold may do the same */
            CU_ASSERT_EQUAL(levels[1].entries, 12 * 4 * 32);
            CU_ASSERT_EQUAL(levels[1].criteria, 2);
        } else
            CU_ASSERT_TRUE(isnan(levels[1].entries));
        counted.near.chance = 0.5; /* more may fit */
        CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &curve, levels), 2);
        CU_ASSERT_TRUE(isnan(levels[1].entries));
    }
}

/* 11 or 12 ways fit; the chance that 12 do is small, or not. */
TEST(ways_that_are_not_known_are_a_range)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 72, 11);
    counted.second.most = 12;
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 3072, levels), 2);
    CU_ASSERT_EQUAL(levels[1].entries, 11 * 256);
    CU_ASSERT_EQUAL(levels[1].least, 11 * 256);
    CU_ASSERT_EQUAL(levels[1].most, 12 * 256);
    CU_ASSERT_EQUAL(levels[1].criteria, 0);
    counted.second.chance = 0.5;
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 3072, levels), 2);
    CU_ASSERT_TRUE(isnan(levels[1].entries));
    CU_ASSERT_EQUAL(levels[1].least, 11 * 256);
}

/* The first level is 72 to 75. */
TEST(a_first_level_in_doubt_does_not_hide_the_second)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 5, 12);
    counted.pages.most = 75;
    counted.pages.misses[76] = 60;
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 3072, levels), 2);
    CU_ASSERT_TRUE(isnan(levels[0].entries));
    CU_ASSERT_EQUAL(levels[1].entries, 3072);
}

TEST(without_ways_the_curve_gives_a_range)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 72, 0);
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 3072, levels), 2);
    CU_ASSERT_TRUE(isnan(levels[1].entries));
    CU_ASSERT_TRUE(levels[1].least < 3072 && levels[1].least > 2048);
    CU_ASSERT_TRUE(levels[1].most > 3072 && levels[1].most < 4097);
    CU_ASSERT_EQUAL(levels[1].criteria, 0);
}

/* The second level of 3072 entries in 12 ways, where from so many pages on loads take longer by so
 * much; on `packed` too, or on pages alone. */
static struct level second_beside(double from, double longer, bool packed)
{
    struct level levels[LEVELS_MAX];
    struct curve_point at[64];
    struct curve curve = curve_of(72, 3072, at);
    struct counted counted = sure_counted(72, 72, 12);
    for (size_t i = 0; i < curve.count; i++) {
        at[i].load_ns += at[i].ns + (at[i].pages > from ? longer : 0);
        if (!packed && at[i].pages > from && at[i].pages < 3072)
            at[i].ns += longer;
    }
    CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &curve, levels), 2);
    return levels[1];
}

/* From 1722 pages on some loads walk; 1536 entries are possible if they are many. */
TEST(a_few_walks_are_below_the_rise)
{
    CU_ASSERT_EQUAL(second_beside(1500, 0.1 * WALK_NS, false).entries, 3072);
    struct level level = second_beside(1500, 0.2 * WALK_NS, false);
    CU_ASSERT_TRUE(isnan(level.entries));
    CU_ASSERT_TRUE(level.least < 1536);
    level = second_beside(2600, 0.6 * WALK_NS, false); /* 3072 entries would be too many */
    CU_ASSERT_TRUE(isnan(level.entries));
    CU_ASSERT_EQUAL(level.most, 2896);
}

/* Most loads walk from 3444 pages on. `packed` leaves a cache soon after, below 6889, or later. */
TEST(a_rise_that_a_cache_explains_too_is_in_doubt)
{
    struct level level = second_beside(6000, 2.2 * WALK_NS, true);
    CU_ASSERT_TRUE(isnan(level.entries));
    CU_ASSERT_EQUAL(level.most, 6889);
    CU_ASSERT_EQUAL(level.criteria, 0);
    CU_ASSERT_EQUAL(second_beside(6000, 1.8 * WALK_NS, true).entries, 3072); /* too little */
    CU_ASSERT_EQUAL(second_beside(7000, 2.2 * WALK_NS, true).entries, 3072); /* too late */
    CU_ASSERT_EQUAL(second_beside(1000, 2.2 * WALK_NS, true).entries, 3072); /* before */
}

/* Walks that take hardly longer than a miss of the first level. */
TEST(a_small_rise_is_noise)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 72, 12);
    for (int i = 0; i < 2; i++) {
        struct curve_point at[64];
        struct curve curve = curve_of(72, 3072, at);
        for (size_t k = 0; k < curve.count; k++)
            if (at[k].pages > 3072)
                at[k].ns -= WALK_NS - (i == 0 ? 0.2 : 0.4) * MISS_HITS * HIT_NS;
        CU_ASSERT_EQUAL(laps_levels(&counted, &curve, levels), i == 0 ? 1 : 2);
    }
}

/* Up to 64 pages were measured, of 72 that fit. */
TEST(a_curve_may_end_before_the_level)
{
    struct level levels[LEVELS_MAX];
    struct curve_point at[64];
    struct curve curve = curve_of(72, 3072, at);
    struct counted counted = sure_counted(72, 72, 12);
    while (at[curve.count - 1].pages > 64)
        curve.count--;
    at[curve.count].pages = 0; /* not on the curve */
    CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &curve, levels), 1);
    CU_ASSERT_EQUAL(levels[0].entries, 72);
    CU_ASSERT_EQUAL(levels[0].knee.before, curve.count - 1);
    CU_ASSERT_EQUAL(levels[0].knee.after, curve.count - 1);
    CU_ASSERT_EQUAL(levels[0].knee.end, curve.count - 1);
    struct curve_point only = at[0];
    const struct curve one = {.at = &only, .count = 1}; /* of a single size */
    CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &one, levels), 1);
    CU_ASSERT_EQUAL(knee_size_at(&one, &levels[0].knee, 0.5), only.pages);
    counted = sure_counted(50, 5, 0);
    counted.pages.most = 75;
    CU_ASSERT_EQUAL_FATAL(laps_levels(&counted, &curve, levels), 1);
    CU_ASSERT_EQUAL(at[levels[0].knee.before].pages, 45);
    CU_ASSERT_EQUAL(at[levels[0].knee.after].pages, 54);
    CU_ASSERT_EQUAL(at[levels[0].knee.end].pages, 64);
}

/* The curve shows both, and a neighbour's page costs as much as one too many. */
TEST(exclusive_levels_add_up)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 72, 12);
    counted.exclusive = true;
    CU_ASSERT_EQUAL_FATAL(levels_of(&counted, 3072 + 72, levels), 2);
    CU_ASSERT_EQUAL(levels[1].entries, 3072 + 72);
    CU_ASSERT_EQUAL(levels[1].criteria, 0);
}

TEST(a_curve_that_ends_or_is_flat_has_no_second_level)
{
    struct level levels[LEVELS_MAX];
    struct counted counted = sure_counted(72, 72, 12);
    CU_ASSERT_EQUAL(levels_of(&counted, INFINITY, levels), 1);
    CU_ASSERT_EQUAL(laps_levels(&counted, &(struct curve){0}, levels), 1);
    counted.pages.miss_hits = 0;
    CU_ASSERT_EQUAL(levels_of(&counted, 3072, levels), 0);
}

/* Pages of one set, more than the second level has ways, of which none walks. */
TEST(levels_whose_entries_add_up_are_exclusive)
{
    for (int walks = 0; walks < 2; walks++) {
        struct series series;
        struct truth truth = {.capacity = 64};
        series_init(&series);
        add_moments(&series, 1, 41, 64, &truth);
        for (uint64_t m = 41; m < 61; m++) {
            add_family(&series, m, 1024, 0);
            struct sample s = series.moments[series.moment_count - 1];
            s.point.role = ROLE_ALL;
            s.point.pages = s.point.targets = 14;
            s.ns = HIT_NS * (1 + MISS_HITS + 9 * walks);
            series_add(&series, &s);
        }
        struct families families = families_of(&series);
        struct counted counted = counted_of(&families, NULL);
        CU_ASSERT_EQUAL(counted.exclusive, walks == 0);
        families_free(&families);
        series_free(&series);
    }
}

enum { OTHERS = 20 };

/* Makes all samples from this one on those of pages so far apart that others flush. */
static void set_flushed(struct series *series, size_t from, uint64_t apart)
{
    for (size_t i = from; i < series->moment_count; i++) {
        struct sample *s = &series->moments[i];
        double lap_ns = s->min_ns * (double)s->point.pages + OTHERS * HIT_NS;
        s->point.spacing = apart * PAGE;
        s->point.others = OTHERS;
        s->point.pages += OTHERS;
        s->min_ns = lap_ns / (double)s->point.pages;
    }
}

/* The ways of a second level of which so many far pages and so many pages less far apart fit. */
static uint64_t second_of(const struct truth *far, const struct truth *close)
{
    struct series series;
    series_init(&series);
    add_moments(&series, 1, 121, far->capacity, far);
    set_flushed(&series, 0, 1 << 18);
    size_t count = series.moment_count;
    add_moments(&series, 121, 241, close->capacity, close);
    set_flushed(&series, count, CLOSE_PAGES);
    struct families families = families_of(&series);
    CU_ASSERT_EQUAL(families.count, 2);
    struct counted counted = counted_of(&families, NULL);
    CU_ASSERT_EQUAL(counted.far.fits, far->capacity);
    CU_ASSERT_EQUAL(counted.close.fits, close->capacity);
    CU_ASSERT_EQUAL(counted.second.most,
                    counted.second.fits == far->capacity ? counted.far.most : counted.close.most);
    families_free(&families);
    series_free(&series);
    return counted.second.fits;
}

TEST(closer_pages_count_if_something_holds_ways_of_far_ones)
{
    struct truth held = {.capacity = 14, .fights = true, .most = 16}, free14 = {.capacity = 14};
    CU_ASSERT_EQUAL(second_of(&held, &(struct truth){.capacity = 16}), 16);
    CU_ASSERT_EQUAL(second_of(&held, &(struct truth){.capacity = 13}), 14);
    CU_ASSERT_EQUAL(second_of(&held, &(struct truth){.capacity = 20}), 14); /* of two sets */
    CU_ASSERT_EQUAL(second_of(&free14, &(struct truth){.capacity = 16}), 14);
}

/* ---- levels by the fastest laps ---- */

/* The level of a curve of 8, 16, `next` and 32 pages, of which 16 fit: at `next` a lap has so many
 * misses, each of 3 ns, and the times have this standard error. */
static struct level fastest_of(double next, double misses, double error)
{
    struct curve_point at[] = {{.pages = 8, .ns = 1, .error = error},
                               {.pages = 16, .ns = 1, .error = error},
                               {.pages = next, .ns = 1 + 3 * misses / next, .error = error},
                               {.pages = 32, .ns = 4, .error = error}};
    const struct curve curve = {.at = at, .count = sizeof at / sizeof *at};
    const struct knee knee = {
        .before = 1, .after = 2, .end = 3, .plateau_ns = 1, .step_ns = 3, .plateau_error = error};
    return laps_fastest(&curve, &knee);
}

TEST(a_level_without_moments_is_a_range)
{
    struct level level = fastest_of(19, 19, 0);
    CU_ASSERT(isnan(level.entries));
    CU_ASSERT_EQUAL(level.least, 16);
    CU_ASSERT_EQUAL(level.most, 19);
    CU_ASSERT_EQUAL(level.criteria, 0);
    level = fastest_of(19, 5, 0); /* half of the loads miss later */
    CU_ASSERT_EQUAL(level.least, 16);
    CU_ASSERT_EQUAL(level.most, 32);
}

TEST(one_page_more_that_misses_makes_it_exact)
{
    struct level level = fastest_of(17, 2, 0);
    CU_ASSERT_EQUAL(level.entries, 16);
    CU_ASSERT_EQUAL(level.most, 16);
    CU_ASSERT_EQUAL(level.criteria, 1);
    CU_ASSERT(isnan(fastest_of(17, 1.2, 0).entries));
}

TEST(what_may_be_noise_is_no_miss)
{
    CU_ASSERT_EQUAL(fastest_of(17, 17, 0.1).entries, 16);
    CU_ASSERT(isnan(fastest_of(17, 2, 0.1).entries));
}
