/* test_plan_questions.c: what is asked in moments, given the answers so far, on machines whose TLBs
 * are known; and that the questions end. */
#include "machine.h"
#include "tap.h"
#include "tlb/laps/levels.h"
#include "tlb/plan/plan.h"

enum { BATCHES_MAX = 200 };

static struct plan_options defaults(void)
{
    struct plan_options options = option_plan(NULL, 0, MACHINE_PAGE, MACHINE_LINE);
    options.address_bytes = (uint64_t)1 << 46;
    return options;
}

static struct machine full_then_linear(void)
{
    return machine_of_sets((struct machine_sets){.ways = 72, .sets = 1},
                           (struct machine_sets){.ways = 12, .sets = 256}, INCLUSION_NEITHER);
}

/* ---- answers ---- */

/* Takes the ways that a neighbour holds while a point is measured. */
typedef void neighbour(const struct point *point, struct machine *machine);

static void nobody(const struct point *point, struct machine *machine)
{
    (void)point;
    (void)machine;
}

/* Most entries, once the first few numbers are known to fit. */
static void somebody_for_a_while(const struct point *point, struct machine *machine)
{
    if (point->moment > 80 && point->moment < 1000)
        machine->sets[0].ways -= 50;
}

static void somebody_always(const struct point *point, struct machine *machine)
{
    machine->sets[0].ways -= point->moment % 2 > 0 ? 7 : 4;
}

/* One or two ways of the set of far pages. */
static void somebody_far(const struct point *point, struct machine *machine)
{
    if (point->spacing > (uint64_t)CLOSE_PAGES * point->page_bytes)
        machine->sets[1].ways -= point->moment % 16 == 0 ? 1 : 2;
}

/* Three quarters of the sets of the first level, or 32 of its 72 ways, as long as the first answers
 * are likely. */
static void somebody_at_first(const struct point *point, struct machine *machine)
{
    struct machine_sets *first = &machine->sets[0];
    if (first->sets > 1)
        first->sets /= point->moment < 150 ? 4 : 1;
    else if (point->moment < 600)
        first->ways = 40;
}

static void answer(const struct machine *machine, neighbour *takes, const struct point *points,
                   size_t count, struct series *series)
{
    for (size_t i = 0; i < count; i++) {
        struct machine m = *machine;
        takes(&points[i], &m);
        struct sample s = {.point = points[i], .t_s = (double)points[i].moment / 500};
        s.min_ns = machine_ns(&m, &points[i]);
        s.ns = 1.1 * s.min_ns;
        series_add(series, &s);
    }
}

/* Answers what is planned until no more is; returns the number of batches. */
static int follow(const struct machine *machine, neighbour *takes, struct series *series)
{
    struct plan_options options = defaults();
    struct point *points;
    size_t count;
    int batches = 0;
    while (batches < BATCHES_MAX && (count = plan_next(&options, series, &points)) > 0) {
        answer(machine, takes, points, count, series);
        free(points);
        batches++;
    }
    CU_ASSERT_TRUE(batches < BATCHES_MAX);
    return batches;
}

static struct counted laps_shown(const struct series *series)
{
    struct families families = families_of(series);
    struct counted counted = counted_of(&families, NULL);
    families_free(&families);
    return counted;
}

/* ---- when there are questions ---- */

static bool asks(const struct plan_options *options)
{
    return plan_columns(options) & SAMPLE_MOMENT;
}

TEST(plans_of_levels_ask_in_moments)
{
    struct plan_options options = defaults(), other = options;
    CU_ASSERT_TRUE(asks(&options));
    other.kind = PLAN_GEOMETRY;
    CU_ASSERT_TRUE(asks(&other));
    other.kind = PLAN_LINE;
    CU_ASSERT_TRUE(asks(&other));
    other.kind = PLAN_WALK;
    CU_ASSERT_FALSE(asks(&other));
    other = options;
    other.kernel = &kernels[KERNEL_CODE];
    CU_ASSERT_TRUE(asks(&other));
    other.kernel = &kernels[KERNEL_WRITE]; /* which does not time its runs */
    CU_ASSERT_FALSE(asks(&other));
    other = options;
    other.kind = PLAN_CACHES;
    CU_ASSERT_FALSE(asks(&other));
    other = options;
    other.spacing *= 2;
    CU_ASSERT_FALSE(asks(&other));
    other = options;
    other.samples = 3;
    CU_ASSERT_FALSE(asks(&other));
}

/* Each number of jumps is compared with the one below. */
TEST(code_is_asked_about_page_by_page)
{
    struct machine machine = machine_of_sets((struct machine_sets){.ways = 64, .sets = 1},
                                             (struct machine_sets){.ways = 0}, INCLUSION_NEITHER);
    struct plan_options options = defaults();
    struct series series;
    struct point *points;
    size_t count;
    options.kernel = &kernels[KERNEL_CODE];
    options.most = 256;
    series_init(&series);
    while ((count = plan_next(&options, &series, &points)) > 0) {
        for (size_t i = 0; i < count; i++)
            if (points[i].role == ROLE_ASKED) {
                CU_ASSERT_EQUAL(points[i].spacing, MACHINE_PAGE);
                CU_ASSERT_TRUE(points[i - 1].targets + 1 == points[i].targets);
            }
        answer(&machine, nobody, points, count, &series);
        free(points);
    }
    struct counted counted = laps_shown(&series);
    CU_ASSERT_EQUAL(counted.pages.fits, 64);
    CU_ASSERT_EQUAL(counted.pages.most, 64);
    CU_ASSERT_EQUAL(counted.first.fits, 0);
    CU_ASSERT_EQUAL(fits_criteria(&counted.pages), 2);
    series_free(&series);
}

/* ---- what is asked ---- */

TEST(the_first_moments_are_of_pages_and_of_one_set)
{
    struct plan_options options = defaults();
    struct series series;
    struct point *points;
    uint64_t moment = 1, alls = 0;
    series_init(&series);
    size_t count = plan_next(&options, &series, &points);
    CU_ASSERT_TRUE_FATAL(count > 0);
    for (size_t i = 0; i < count; i++) {
        const struct point *p = &points[i];
        CU_ASSERT_PTR_EQUAL(p->layout, &layouts[LAYOUT_SET]);
        CU_ASSERT_TRUE(p->moment == moment || p->moment == moment + 1); /* one after the other */
        moment = p->moment;
        CU_ASSERT_TRUE(p->role == ROLE_FEW || p->role == ROLE_ASKED || p->role == ROLE_ALL);
        CU_ASSERT_EQUAL(p->others, 0);
        CU_ASSERT_EQUAL(p->pages, p->targets);
        CU_ASSERT_EQUAL(p->sample / 64, p->moment); /* each at its own place */
        CU_ASSERT_EQUAL(p->spacing, moment > 48 ? (uint64_t)MACHINE_PAGE << 18 : MACHINE_PAGE);
        alls += p->role == ROLE_ALL;
    }
    CU_ASSERT_EQUAL(moment, 96);
    CU_ASSERT_EQUAL(alls, 3); /* of consecutive pages, in every sixteenth moment */
    free(points);
    series_free(&series);
}

TEST(far_pages_keep_to_the_address_space)
{
    struct plan_options options = defaults();
    struct series series;
    struct point *points;
    series_init(&series);
    options.address_bytes = (uint64_t)1 << 30;
    size_t count = plan_next(&options, &series, &points);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_TRUE(400 * points[i].spacing <= options.address_bytes);
    CU_ASSERT_EQUAL(points[count - 1].spacing, 512 * MACHINE_PAGE);
    free(points);
    series_free(&series);
}

/* Moments of the second level wait until the first is known, and flush it. */
TEST(the_second_level_is_asked_about_once_the_first_is_known)
{
    struct machine m = full_then_linear();
    struct plan_options options = defaults();
    struct series series;
    struct point *points;
    bool asked = false;
    series_init(&series);
    for (int batch = 0; batch < 20 && !asked; batch++) {
        size_t count = plan_next(&options, &series, &points);
        struct counted counted = laps_shown(&series);
        for (size_t i = 0; i < count; i++) {
            if (points[i].others == 0)
                continue;
            CU_ASSERT_EQUAL(counted.first.fits, 72);
            CU_ASSERT_TRUE(points[i].others >= 2 * 72 && points[i].others <= 400);
            CU_ASSERT_EQUAL(points[i].others_spacing, MACHINE_PAGE);
            asked = true;
        }
        answer(&m, nobody, points, count, &series);
        free(points);
    }
    CU_ASSERT_TRUE(asked);
    series_free(&series);
}

/* Half of the samples, in any order, as a run leaves them that was interrupted. */
TEST(the_same_samples_give_the_same_moments)
{
    struct machine m = full_then_linear();
    struct plan_options options = defaults();
    struct series first, second;
    struct point *points, *same;
    series_init(&first);
    series_init(&second);
    for (int batch = 0; batch < 3; batch++) {
        size_t count = plan_next(&options, &first, &points);
        answer(&m, nobody, points, batch < 2 ? count : count / 2, &first);
        free(points);
    }
    for (size_t i = first.moment_count; i-- > 0;)
        series_add(&second, &first.moments[i]);
    size_t count = plan_next(&options, &first, &points);
    CU_ASSERT_EQUAL_FATAL(plan_next(&options, &second, &same), count);
    uint64_t last = first.moments[first.moment_count - 1].point.moment;
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_TRUE(points[i].moment == same[i].moment && points[i].role == same[i].role);
        CU_ASSERT_TRUE(points[i].targets == same[i].targets && points[i].sample == same[i].sample);
        CU_ASSERT_TRUE(points[i].moment > last); /* no moment is resumed */
    }
    free(points);
    free(same);
    series_free(&first);
    series_free(&second);
}

/* ---- that they end ---- */

TEST(questions_end_with_the_answer)
{
    static const struct {
        struct machine_sets first, second;
    } tlbs[] = {
        {{.ways = 72, .sets = 1}, {.ways = 12, .sets = 256}},
        {{.ways = 4, .sets = 16}, {.ways = 8, .sets = 128}},
        {{.ways = 6, .sets = 16}, {.ways = 16, .sets = 128}},
    };
    for (size_t i = 0; i < sizeof tlbs / sizeof *tlbs; i++) {
        struct machine m = machine_of_sets(tlbs[i].first, tlbs[i].second, INCLUSION_NEITHER);
        struct series series;
        series_init(&series);
        follow(&m, nobody, &series);
        struct counted counted = laps_shown(&series);
        CU_ASSERT_EQUAL(counted.pages.fits, (uint64_t)(tlbs[i].first.ways * tlbs[i].first.sets));
        CU_ASSERT_EQUAL(counted.first.fits, (uint64_t)tlbs[i].first.ways);
        CU_ASSERT_EQUAL(counted.second.fits, (uint64_t)tlbs[i].second.ways);
        CU_ASSERT_EQUAL(counted.pages.most, counted.pages.fits);
        CU_ASSERT_EQUAL(counted.second.most, counted.second.fits);
        CU_ASSERT_TRUE(counted.second.chance < 1e-6);
        CU_ASSERT_TRUE(series.count > 100); /* and the curve was measured */
        series_free(&series);
    }
}

/* A neighbour may have held entries whenever the answer was found. */
TEST(larger_numbers_are_asked_about_to_the_end)
{
    struct machine m = full_then_linear();
    struct series series;
    int larger = 0;
    series_init(&series);
    follow(&m, nobody, &series);
    uint64_t last = series.moments[series.moment_count - 1].point.moment;
    for (size_t i = 0; i < series.moment_count; i++) {
        const struct point *p = &series.moments[i].point;
        larger += 2 * p->moment > last && p->role == ROLE_ASKED && p->others == 0 &&
                  p->targets > 72 + 2;
    }
    CU_ASSERT_TRUE(larger > 10);
    series_free(&series);
}

TEST(an_episode_delays_the_answer)
{
    struct machine m = full_then_linear();
    struct series quiet, beside;
    series_init(&quiet);
    series_init(&beside);
    follow(&m, nobody, &quiet);
    follow(&m, somebody_for_a_while, &beside);
    struct counted counted = laps_shown(&beside);
    CU_ASSERT_EQUAL(counted.pages.fits, 72);
    CU_ASSERT_EQUAL(counted.first.fits, 72);
    CU_ASSERT_EQUAL(counted.second.fits, 12);
    CU_ASSERT_TRUE(beside.moment_count > quiet.moment_count);
    series_free(&quiet);
    series_free(&beside);
}

TEST(others_flush_a_first_level_that_turns_out_to_be_larger)
{
    const struct machine machines[] = {
        machine_of_sets((struct machine_sets){.ways = 4, .sets = 16},
                        (struct machine_sets){.ways = 8, .sets = 128}, INCLUSION_NEITHER),
        machine_of_sets((struct machine_sets){.ways = 72, .sets = 1},
                        (struct machine_sets){.ways = 8, .sets = 128}, INCLUSION_NEITHER)};
    for (int i = 0; i < 2; i++) {
        struct series series;
        series_init(&series);
        follow(&machines[i], somebody_at_first, &series);
        struct families families = families_of(&series);
        const struct family *flushed = family_find(&families, NULL, 2, UINT64_MAX, true);
        CU_ASSERT_PTR_NOT_NULL_FATAL(flushed);
        CU_ASSERT_EQUAL(flushed->like.others_spacing, (i == 0 ? 16 : 1) * MACHINE_PAGE);
        CU_ASSERT_EQUAL(flushed->like.others, i == 0 ? 8 : 144);
        CU_ASSERT_EQUAL(counted_of(&families, NULL).second.fits, 8);
        families_free(&families);
        series_free(&series);
    }
}

TEST(closer_pages_are_asked_about_if_something_holds_ways)
{
    struct machine m = full_then_linear();
    struct series series;
    series_init(&series);
    follow(&m, somebody_far, &series);
    struct counted counted = laps_shown(&series);
    CU_ASSERT_TRUE(counted.far.fits < 12);
    CU_ASSERT_EQUAL(counted.second.fits, 12);
    CU_ASSERT_TRUE(fits_bounded(&counted.second));
    series_free(&series);
    series_init(&series);
    follow(&m, nobody, &series);
    CU_ASSERT_EQUAL(laps_shown(&series).close.fits, 0);
    series_free(&series);
}

/* 65 or 68 entries are left. */
TEST(questions_end_where_no_moment_is_quiet)
{
    struct machine m = full_then_linear();
    struct series series;
    series_init(&series);
    follow(&m, somebody_always, &series);
    struct counted counted = laps_shown(&series);
    CU_ASSERT_TRUE(counted.pages.fits >= 65 && counted.pages.fits <= 68);
    series_free(&series);
}

TEST(questions_end_where_there_is_no_level)
{
    struct machine m = {.load_ns = 1,
                        .sets = {{.ways = 1 << 20, .sets = 1}, {.ways = 1, .sets = 1}}};
    struct series series;
    struct level level;
    series_init(&series);
    follow(&m, nobody, &series);
    struct counted counted = laps_shown(&series);
    CU_ASSERT_FALSE(laps_first_level(&counted, &level));
    series_free(&series);
}
