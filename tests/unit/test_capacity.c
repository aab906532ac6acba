/* test_capacity.c: shapes of rises against levels that are simulated access by access, and the
 * capacities that are told from them. */
#include "base/random.h"
#include "curve/capacity.h"
#include "simulate/assoc.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGES_MOST = 9000 };

/* A level, and a fully associative one before it that holds its pages exclusively (0: none). */
struct level {
    struct assoc_shape shape;
    uint64_t before;
};

static void shuffle(uint32_t *order, uint32_t count, struct random *random)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t k = (uint32_t)random_below(random, i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

/* A load of a page: true when both levels miss. */
static bool misses(struct assoc *before, struct assoc *level, uint32_t page)
{
    if (before == NULL)
        return !assoc_access(level, page);
    if (assoc_hit(before, page))
        return false;
    bool missed = !assoc_hit(level, page);
    assoc_drop(level, page);
    uint32_t victim = assoc_fill(before, page);
    if (victim != ASSOC_NONE)
        assoc_fill(level, victim);
    return missed;
}

/* The share of loads that miss with n pages in one random order, after many rounds. */
static double simulated(const struct level *l, uint32_t n, uint64_t seed)
{
    static uint64_t numbers[PAGES_MOST];
    static uint32_t order[PAGES_MOST];
    struct assoc_shape full = {.entries = l->before, .ways = l->before};
    struct assoc level, before;
    struct random random;
    uint32_t rounds = 6 + 10000 / n, missed = 0;
    random_seed(&random, seed, n);
    shuffle(order, n, &random);
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = i;
    assoc_open(&level, &l->shape, numbers, n, seed);
    if (l->before > 0)
        assoc_open(&before, &full, numbers, n, seed);
    for (uint32_t round = 0; round < 2 * rounds; round++)
        for (uint32_t i = 0; i < n; i++)
            missed += misses(l->before > 0 ? &before : NULL, &level, order[i]) && round >= rounds;
    assoc_close(&level);
    if (l->before > 0)
        assoc_close(&before);
    return (double)missed / (rounds * n);
}

/* The largest difference between the formula and a simulated level, from 0.5 to 3 times its size.
 */
static double largest_error(const struct level *l, const struct miss_curve *shape)
{
    double entries = (double)(l->shape.entries + l->before), largest = 0, variance;
    for (double x = 0.5; x < 3; x *= 1.07) {
        uint32_t n = (uint32_t)(x * entries);
        double off = simulated(l, n, 1) - miss_curve_share(shape, entries, n, &variance);
        largest = fmax(largest, fabs(off));
    }
    return largest;
}

static void shapes_are_those_of_simulated_levels(void)
{
    static const struct {
        struct level level;
        struct miss_curve shape;
        double error;
    } cases[] = {
        {{{64, 64, .replacement = REPLACE_LRU}, 0}, {RULE_LRU, 0, false, 0, 0}, 1e-9},
        {{{64, 4, .replacement = REPLACE_LRU}, 0}, {RULE_LRU, 4, false, 0, 0}, 1e-9},
        {{{96, 6, .replacement = REPLACE_FIFO}, 0}, {RULE_LRU, 6, false, 0, 0}, 1e-9},
        {{{512, 8, .replacement = REPLACE_PLRU}, 0}, {RULE_LRU, 8, false, 0, 0}, 1e-9},
        {{{384, 12, .replacement = REPLACE_PLRU}, 0}, {RULE_PLRU, 12, false, 0, 0}, 1e-6},
        {{{48, 48, .replacement = REPLACE_PLRU}, 0}, {RULE_PLRU, 0, false, 0, 0}, 1e-6},
        {{{640, 20, .replacement = REPLACE_PLRU}, 0}, {RULE_PLRU, 20, false, 0, 0}, 1e-6},
        {{{64, 4, .replacement = REPLACE_NRU}, 0}, {RULE_NRU, 4, false, 0, 0}, 0.001},
        {{{96, 12, .replacement = REPLACE_NRU}, 0}, {RULE_NRU, 12, false, 0, 0}, 0.001},
        {{{256, 16, .replacement = REPLACE_SRRIP}, 0}, {RULE_LRU, 16, false, 0, 0}, 1e-9},
        {{{64, 64, .replacement = REPLACE_RANDOM}, 0}, {RULE_RANDOM, 0, false, 0, 0}, 0.012},
        {{{64, 4, .replacement = REPLACE_RANDOM}, 0}, {RULE_RANDOM, 4, false, 0, 0}, 0.015},
        {{{1536, 12, .replacement = REPLACE_LRU}, 64}, {RULE_LRU, 12, false, 64, 0}, 0.03},
        {{{512, 8, .replacement = REPLACE_LRU}, 32}, {RULE_LRU, 8, false, 32, 0}, 0.05},
        {{{512, 8, .replacement = REPLACE_RANDOM}, 64}, {RULE_RANDOM, 8, false, 64, 0}, 0.04},
        {{{320, 20, .replacement = REPLACE_RANDOM}, 16}, {RULE_RANDOM, 20, false, 16, 0}, 0.04},
        {{{768, 24, .replacement = REPLACE_RANDOM}, 64}, {RULE_RANDOM, 24, false, 64, 0}, 0.04},
        {{{512, 4, .replacement = REPLACE_SRRIP}, 64}, {RULE_SRRIP, 4, false, 64, 0}, 0.12},
        {{{768, 6, .replacement = REPLACE_SRRIP}, 64}, {RULE_SRRIP, 6, false, 64, 0}, 0.12},
        {{{1024, 16, .replacement = REPLACE_SRRIP}, 128}, {RULE_SRRIP, 16, false, 128, 0}, 0.06},
        {{{1536, 24, .replacement = REPLACE_SRRIP}, 64}, {RULE_SRRIP, 24, false, 64, 0}, 0.12},
        {{{768, 6, .replacement = REPLACE_PLRU}, 64}, {RULE_PLRU, 6, false, 64, 0}, 0.3},
        {{{768, 6, .replacement = REPLACE_PLRU}, 16}, {RULE_PLRU, 6, false, 16, 0}, 0.4},
        {{{768, 12, .replacement = REPLACE_PLRU}, 64}, {RULE_PLRU, 12, false, 64, 0}, 0.3},
        {{{1024, 16, .replacement = REPLACE_PLRU}, 64}, {RULE_PLRU, 16, false, 64, 0}, 0.06},
        {{{256, 8, .replacement = REPLACE_PLRU}, 64}, {RULE_PLRU, 8, false, 64, 0}, 0.08},
        {{{64, 64, .replacement = REPLACE_NRU}, 0}, {RULE_NRU, 0, false, 0, 0}, 0.01},
        {{{256, 8, .replacement = REPLACE_NRU}, 32}, {RULE_NRU, 8, false, 32, 0}, 0.06},
        {{{384, 6, .replacement = REPLACE_NRU}, 10}, {RULE_NRU, 6, false, 10, 0}, 0.05},
        {{{640, 20, .replacement = REPLACE_PLRU}, 160}, {RULE_PLRU, 20, false, 160, 0}, 0.3},
        {{{512, 8, INDEX_BITS, .mask = {1, 2, 4, 8, 16, 64}}, 0}, {RULE_LRU, 8, false, 0, 1}, 1e-9},
        {{{384, 6, INDEX_BITS, .mask = {1, 2, 4, 8, 16, 128}}, 0},
         {RULE_LRU, 6, false, 0, 2},
         1e-9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double error = largest_error(&cases[i].level, &cases[i].shape);
        if (error > cases[i].error)
            printf("# case %zu: the formula is off by %g\n", i, error);
        CU_ASSERT_TRUE(error <= cases[i].error);
    }
}

/* Of five pages in one set of two ways, behind a level of two: each other page is outside that
 * level with probability 2/4, and a page misses where two or more of the four others are: 11/16. */
static void an_exclusive_level_misses_as_often_as_others_are_outside_the_first(void)
{
    struct miss_curve shape = {RULE_LRU, 2, false, 2, 0};
    double variance;
    CU_ASSERT_DOUBLE_EQUAL(miss_curve_share(&shape, 4, 5, &variance), 11.0 / 16, 1e-9);
}

/* Mean and variance over many hashes are those of the formula. */
static void hashed_sets_have_the_variance_of_the_formula(void)
{
    static const enum assoc_replacement rules[] = {REPLACE_LRU, REPLACE_RANDOM};
    enum { HASHES = 60 };
    for (int rule = 0; rule < 2; rule++)
        for (uint32_t n = 300; n <= 900; n += 300) {
            struct miss_curve shape = {rule == 0 ? RULE_LRU : RULE_RANDOM, 8, true, 0, 0};
            double sum = 0, squares = 0, predicted,
                   expected = miss_curve_share(&shape, 512, n, &predicted);
            for (uint64_t key = 1; key <= HASHES; key++) {
                struct level l = {{512, 8, INDEX_HASHED, rules[rule], .key = key}, 0};
                double missing = simulated(&l, n, key);
                sum += missing;
                squares += missing * missing;
            }
            double mean = sum / HASHES, variance = squares / HASHES - mean * mean;
            CU_ASSERT_DOUBLE_EQUAL(mean, expected, 4 * sqrt(predicted / HASHES) + 0.005);
            CU_ASSERT_TRUE(variance > predicted / 2 && variance < 2 * predicted);
        }
}

/* ---- capacities ---- */

/* A curve over `sizes` sizes from a quarter of the capacity to four times it, at which a miss costs
 * 2 ns on a load of 1 ns; the caller frees its points. */
static struct curve make_curve(const struct level *l, double stretch, double noise, uint64_t seed)
{
    double entries = (double)(l->shape.entries + l->before);
    struct curve curve = {calloc(400, sizeof *curve.at), 0};
    struct random random;
    random_seed(&random, seed, 7);
    for (double n = floor(entries / 4), last = 0; n < 4 * entries; n = floor(n * 1.02) + 1) {
        double pages = floor(n * stretch + 0.5), missing = simulated(l, (uint32_t)n, seed);
        double ns = 2 * missing + noise * random_normal(&random);
        if (pages > last)
            curve.at[curve.count++] = (struct curve_point){
                pages, ns, fmax(noise, 1e-4), 1 + ns, 9, 9, 0, 0};
        last = pages;
    }
    return curve;
}

static struct capacity told(const struct level *l, double stretch, double noise, uint64_t seed)
{
    struct curve curve = make_curve(l, stretch, noise, seed);
    struct knee knees[KNEES_MOST];
    struct capacity capacity = {0};
    size_t count = knee_find(&curve, knees);
    CU_ASSERT_TRUE(count > 0);
    bool hashed = l->shape.index == INDEX_HASHED; /* a first level is not */
    if (count > 0)
        capacity = capacity_fit(&curve, &knees[0], 0, curve.count - 1,
                                hashed ? 16 : (double)l->before);
    curve_free(&curve);
    return capacity;
}

static bool is_told(const struct level *l, double noise, uint64_t seed, double tolerance)
{
    double entries = (double)(l->shape.entries + l->before);
    struct capacity c = told(l, 1, noise, seed);
    bool right = fabs(c.entries / entries - 1) <= tolerance && c.least <= entries &&
                 entries <= c.most;
    if (!right)
        printf("# seed %llu, %g entries in %llu ways: told %g, from %g to %g\n",
               (unsigned long long)seed, entries, (unsigned long long)l->shape.ways, c.entries,
               c.least, c.most);
    return right;
}

static const struct level even[] = {
    {{64, 64, .replacement = REPLACE_LRU}, 0},     {{64, 4, .replacement = REPLACE_LRU}, 0},
    {{96, 6, .replacement = REPLACE_LRU}, 0},      {{64, 64, .replacement = REPLACE_RANDOM}, 0},
    {{128, 8, .replacement = REPLACE_RANDOM}, 0},  {{1536, 12, .replacement = REPLACE_PLRU}, 0},
    {{1024, 8, .replacement = REPLACE_RANDOM}, 0}, {{1536, 12, .replacement = REPLACE_LRU}, 64},
};
enum { EVEN = sizeof even / sizeof *even };

static void without_noise_even_levels_are_known_to_the_page(void)
{
    for (size_t i = 0; i < EVEN; i++)
        CU_ASSERT_TRUE(is_told(&even[i], 0, 3, even[i].shape.entries < 300 ? 0 : 0.002));
}

static void without_noise_the_ways_of_even_levels_are_known(void)
{
    for (uint64_t ways = 3; ways <= 16; ways++) {
        struct level l = {{8 * ways, ways, .replacement = REPLACE_LRU}, 0};
        struct capacity c = told(&l, 1, 0, 3);
        CU_ASSERT_EQUAL(c.shape.ways, (double)ways);
        CU_ASSERT_EQUAL(c.entries, 8 * (double)ways);
    }
}

static void with_noise_they_are_known_to_two_per_cent(void)
{
    for (size_t i = 0; i < EVEN; i++)
        CU_ASSERT_TRUE(is_told(&even[i], 0.03, 5 + i, 0.02));
}

/* Noise is ten times what the points say, so that no kind seems to fit. */
static void errors_that_are_too_small_do_not_make_odd_sets(void)
{
    struct level l = {{512, 8, .replacement = REPLACE_RANDOM}, 0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct curve curve = make_curve(&l, 1, 0.03, seed);
        struct knee knees[KNEES_MOST];
        CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
        for (size_t i = 0; i < curve.count; i++)
            curve.at[i].error = 0.003;
        CU_ASSERT_EQUAL(capacity_fit(&curve, &knees[0], 0, curve.count - 1, 0).entries, 512);
        curve_free(&curve);
    }
}

/* The points lie off any kind's curve by many times their errors, but by little of the step: the
 * kind that fits best is told, not the foot. */
static void small_misses_beside_smaller_errors_are_no_poor_fit(void)
{
    struct level l = {{512, 8, .replacement = REPLACE_LRU, .index = INDEX_HASHED, .key = 3}, 0};
    struct curve curve = make_curve(&l, 1, 0.026, 2);
    struct knee knees[KNEES_MOST];
    CU_ASSERT_FATAL(knee_find(&curve, knees) > 0);
    for (size_t i = 0; i < curve.count; i++)
        curve.at[i].error = 1e-4;
    struct capacity c = capacity_fit(&curve, &knees[0], 0, curve.count - 1, 32);
    CU_ASSERT_TRUE(c.poor);
    CU_ASSERT_TRUE(c.shape.hashed);
    CU_ASSERT_EQUAL(c.entries, 512);
    curve_free(&curve);
}

/* Hashes differ by 1 / sqrt(512) = 4.4 per cent; the range allows for it. */
static void the_range_holds_hashed_levels(void)
{
    for (uint64_t key = 1; key <= 8; key++) {
        struct level l = {{512, 8, INDEX_HASHED, REPLACE_LRU, .key = key}, 0};
        CU_ASSERT_TRUE(is_told(&l, 0.02, key, 0.25));
    }
}

/* The curve of an AMD Zen 5: 8 ways of 512 sets, whose index leaves bit 8 out behind 96 entries of
 * the first level. Walks take four times as long from twice its size on, and a neighbour takes
 * entries at the sizes from `bump` on. */
static struct curve make_dearer(double noise, double bump, uint64_t seed)
{
    const struct miss_curve gap = {RULE_LRU, 8, false, 0, 1};
    struct curve curve = {calloc(400, sizeof *curve.at), 0};
    struct random random;
    random_seed(&random, seed, 9);
    for (double n = 104; n < 16000; n = floor(n * 1.03) + 1) {
        double variance, missing = miss_curve_share(&gap, 4096, n, &variance);
        double walk = 6.5 * (1 + 3 * fmin(1, fmax(0, log2(n / 5000))));
        double ns = 2 + walk * missing + noise * random_normal(&random) + 0.3 * (n > bump);
        curve.at[curve.count++] = (struct curve_point){n, ns, noise, 4 + ns, 24, 24, 0, 0};
    }
    return curve;
}

static void walks_that_grow_dearer_do_not_move_the_capacity(void)
{
    static const double bumps[] = {INFINITY, 2900, 3700}, noise[] = {0.05, 0.1, 0.2, 0.3};
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct curve curve = make_dearer(noise[seed % 4], bumps[seed % 3], seed);
        struct knee knees[KNEES_MOST];
        CU_ASSERT_FATAL(knee_find(&curve, knees) > 0);
        struct capacity c = capacity_fit(&curve, &knees[0], 0, curve.count - 1, 96);
        CU_ASSERT_EQUAL(c.entries, 4096);
        CU_ASSERT(c.least <= 4096 && 4096 <= c.most);
        curve_free(&curve);
    }
}

/* Entries of a hashed level behind one of 16, by the fit to the least of eight places, with the
 * mean of the places beside it (`told`) or without. In one order of visits a set with more pages
 * than ways misses all of them. */
static double hashed_entries(uint64_t entries, uint64_t ways, bool told)
{
    struct assoc_shape shape = {.entries = entries, .ways = ways, .index = INDEX_HASHED, .key = 3};
    struct curve_point points[200] = {{0}};
    struct curve curve = {points, 0};
    struct knee knees[KNEES_MOST];
    for (double n = 0.3 * (double)entries; n < 3 * (double)entries; n *= 1.03) {
        double least = INFINITY, mean = 0, pages = round(n);
        for (uint64_t place = 0; place < 8; place++) {
            uint64_t count[256] = {0}, missed = 0;
            for (uint64_t page = 0; (double)page < pages; page++)
                count[assoc_set(&shape, place * PAGES_MOST + page)]++;
            for (uint64_t set = 0; set < entries / ways; set++)
                missed += count[set] > ways ? count[set] : 0;
            least = fmin(least, (double)missed / pages);
            mean += (double)missed / pages / 8;
        }
        points[curve.count++] = (struct curve_point){
            pages, 2 + 9 * least, 0.001, 6, 9, 9, 8, told ? 9 * (mean - least) : 0};
    }
    if (knee_find(&curve, knees) == 0)
        return 0;
    return capacity_fit(&curve, &knees[0], 0, curve.count - 1, 16).entries;
}

static void the_mean_of_the_places_tells_a_hashed_level(void)
{
    static const uint64_t levels[][2] = {{384, 24}, {1536, 12}, {320, 20}, {1024, 4}};
    size_t misled = 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        CU_ASSERT_EQUAL(hashed_entries(levels[i][0], levels[i][1], true), (double)levels[i][0]);
        misled += hashed_entries(levels[i][0], levels[i][1], false) != (double)levels[i][0];
    }
    CU_ASSERT_TRUE(misled > 0); /* by the luckiest place alone */
}

/* Nothing is rounded to a familiar number, but for powers of two of sets. The more hashed sets
 * there are the smaller their variance, and the range is narrower. */
static void stretching_a_gradual_curve_stretches_the_answer(void)
{
    static const struct level levels[] = {{{1024, 8, .replacement = REPLACE_RANDOM}, 0},
                                          {{1024, 16, INDEX_HASHED, REPLACE_LRU, .key = 5}, 0},
                                          {{1536, 12, .replacement = REPLACE_PLRU}, 0}};
    for (size_t i = 0; i < 3; i++) {
        struct capacity plain = told(&levels[i], 1, 0, 2), more = told(&levels[i], 4, 0, 2);
        CU_ASSERT_DOUBLE_EQUAL(more.entries / plain.entries, 4, 0.02);
        CU_ASSERT_TRUE(more.most > 3.6 * plain.most && more.most < 4.1 * plain.most);
        if (levels[i].shape.index != INDEX_HASHED)
            CU_ASSERT_DOUBLE_EQUAL(more.most / plain.most, 4, 0.08);
    }
}

/* Half of the way at first and the rest much later is no level of any kind. */
static void what_fits_nothing_is_poor(void)
{
    struct curve curve = {calloc(200, sizeof *curve.at), 0};
    for (double n = 16; n < 2000; n = floor(n * 1.04) + 1) {
        double ns = n <= 100 ? 0 : n < 240 ? 1 : n < 250 ? 1 + (n - 240) / 5 : 3;
        curve.at[curve.count++] = (struct curve_point){n, ns, 0.01, 1 + ns, 9, 9, 0, 0};
    }
    struct knee knee = {.plateau_ns = 0, .step_ns = 3, .gradual = true};
    while (curve.at[knee.after].pages <= 100)
        knee.after++;
    knee.before = knee.after - 1;
    for (knee.end = knee.after; curve.at[knee.end].ns < 3; knee.end++)
        ;
    struct capacity c = capacity_fit(&curve, &knee, 0, curve.count - 1, 0);
    CU_ASSERT_TRUE(c.poor);
    CU_ASSERT_TRUE(c.least <= curve.at[knee.before].pages && c.most >= c.entries);
    curve_free(&curve);
}

/* As measured on a Zen 3 of 64 entries: a page too many costs the fastest of many laps little. */
static void a_page_too_long_may_nearly_fit_for_once(void)
{
    static const double pages[] = {32, 38, 45,  54,  64,  65,  66,  67,  69,  70,  72, 73,
                                   76, 91, 108, 128, 152, 181, 215, 256, 304, 362, 400};
    struct curve curve = {calloc(200, sizeof *curve.at), 0};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        double n = pages[i], error = n == 65 ? 0.03 : 0.001;
        double rise = n < 64 ? 0 : n == 64 ? 0.005 : n == 65 ? 0.226 : 2.159;
        curve.at[curve.count++] = (struct curve_point){n, rise, error, 1.23 + rise, 9, 9, 0, 0};
    }
    struct knee knees[KNEES_MOST];
    CU_ASSERT_EQUAL_FATAL(knee_find(&curve, knees), 1);
    struct capacity c = capacity_fit(&curve, &knees[0], 0, curve.count - 1, 0);
    CU_ASSERT_EQUAL(c.entries, 64);
    CU_ASSERT_TRUE(c.least == 64 && c.most <= 65);
    curve_free(&curve);
}

int main(void)
{
    TAP_SUITE(
        "capacity", {"shapes are those of simulated levels", shapes_are_those_of_simulated_levels},
        {"an exclusive level misses as often as others are outside the first",
         an_exclusive_level_misses_as_often_as_others_are_outside_the_first},
        {"hashed sets have the variance of the formula",
         hashed_sets_have_the_variance_of_the_formula},
        {"without noise even levels are known to the page",
         without_noise_even_levels_are_known_to_the_page},
        {"without noise the ways of even levels are known",
         without_noise_the_ways_of_even_levels_are_known},
        {"with noise they are known to two per cent", with_noise_they_are_known_to_two_per_cent},
        {"errors that are too small do not make odd sets",
         errors_that_are_too_small_do_not_make_odd_sets},
        {"small misses beside smaller errors are no poor fit",
         small_misses_beside_smaller_errors_are_no_poor_fit},
        {"the range holds hashed levels", the_range_holds_hashed_levels},
        {"walks that grow dearer do not move the capacity",
         walks_that_grow_dearer_do_not_move_the_capacity},
        {"the mean of the places tells a hashed level",
         the_mean_of_the_places_tells_a_hashed_level},
        {"stretching a gradual curve stretches the answer",
         stretching_a_gradual_curve_stretches_the_answer},
        {"what fits nothing is poor", what_fits_nothing_is_poor},
        {"a page too long may nearly fit for once", a_page_too_long_may_nearly_fit_for_once});
    return tap_run();
}
