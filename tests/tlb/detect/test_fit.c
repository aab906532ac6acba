/* test_fit.c: the formulas of miss curves against levels that are simulated access by access, and
 * the levels that one fit finds in such curves. */
#include "base/random.h"
#include "tap.h"
#include "tlb/fit/fit.h"
#include "tlb/simulate/assoc.h"
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
        {{{64, 64, .replacement = REPLACE_LRU}, 0}, {RULE_LRU, 0, false, 0, 0, 0}, 1e-9},
        {{{64, 4, .replacement = REPLACE_LRU}, 0}, {RULE_LRU, 4, false, 0, 0, 0}, 1e-9},
        {{{96, 6, .replacement = REPLACE_FIFO}, 0}, {RULE_LRU, 6, false, 0, 0, 0}, 1e-9},
        {{{512, 8, .replacement = REPLACE_PLRU}, 0}, {RULE_LRU, 8, false, 0, 0, 0}, 1e-9},
        {{{64, 4, .replacement = REPLACE_NRU}, 0}, {RULE_NRU, 4, false, 0, 0, 0}, 0.001},
        {{{96, 12, .replacement = REPLACE_NRU}, 0}, {RULE_NRU, 12, false, 0, 0, 0}, 0.001},
        {{{256, 16, .replacement = REPLACE_SRRIP}, 0}, {RULE_LRU, 16, false, 0, 0, 0}, 1e-9},
        {{{64, 64, .replacement = REPLACE_RANDOM}, 0}, {RULE_RANDOM, 0, false, 0, 0, 0}, 0.012},
        {{{64, 4, .replacement = REPLACE_RANDOM}, 0}, {RULE_RANDOM, 4, false, 0, 0, 0}, 0.015},
        {{{1536, 12, .replacement = REPLACE_LRU}, 64}, {RULE_LRU, 12, false, 64, 0, 0}, 0.03},
        {{{512, 8, .replacement = REPLACE_LRU}, 32}, {RULE_LRU, 8, false, 32, 0, 0}, 0.05},
        {{{512, 8, .replacement = REPLACE_RANDOM}, 64}, {RULE_RANDOM, 8, false, 64, 0, 0}, 0.04},
        {{{320, 20, .replacement = REPLACE_RANDOM}, 16}, {RULE_RANDOM, 20, false, 16, 0, 0}, 0.04},
        {{{768, 24, .replacement = REPLACE_RANDOM}, 64}, {RULE_RANDOM, 24, false, 64, 0, 0}, 0.04},
        {{{64, 64, .replacement = REPLACE_NRU}, 0}, {RULE_NRU, 0, false, 0, 0, 0}, 0.01},
        {{{512, 8, INDEX_BITS, .mask = {1, 2, 4, 8, 16, 64}}, 0},
         {RULE_LRU, 8, false, 0, 1, 0},
         1e-9},
        {{{384, 6, INDEX_BITS, .mask = {1, 2, 4, 8, 16, 128}}, 0},
         {RULE_LRU, 6, false, 0, 2, 0},
         1e-9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double error = largest_error(&cases[i].level, &cases[i].shape);
        if (error > cases[i].error)
            printf("# case %zu: the formula is off by %g\n", i, error);
        CU_ASSERT_TRUE(error <= cases[i].error);
    }
}

/* Of five pages in one set of two ways, beyond a level of two: each other page is outside that
 * level with probability 2/4, and a page misses where two or more of the four others are: 11/16. */
static void an_exclusive_level_misses_as_often_as_others_are_outside_the_first(void)
{
    struct miss_curve shape = {RULE_LRU, 2, false, 2, 0, 0};
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
            struct miss_curve shape = {rule == 0 ? RULE_LRU : RULE_RANDOM, 8, true, 0, 0, 0};
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

/* ---- levels ---- */

/* A curve from half of a first level to four times the second: a miss of the first costs 1 ns, one
 * of both 2 ns more, on a load of 1 ns. first 0: only the other. The caller frees its points. */
static struct curve make_curve(const struct level *l, double first, double stretch, double noise,
                               uint64_t seed)
{
    double entries = (double)(l->shape.entries + l->before);
    struct curve curve = {calloc(1000, sizeof *curve.at), 0};
    struct random random;
    random_seed(&random, seed, 7);
    for (double n = floor((first > 0 ? first / 2 : entries / 4)), last = 0; n < 4 * entries;
         n = floor(n * 1.02) + 1) {
        double pages = floor(n * stretch + 0.5), missing = simulated(l, (uint32_t)n, seed);
        double ns = (first > 0 && n > first) + 2 * missing + noise * random_normal(&random);
        if (pages > last)
            curve.at[curve.count++] = (struct curve_point){pages,        ns, fmax(noise, 1e-4),
                                                           1 + fabs(ns), 9,  9};
        last = pages;
    }
    return curve;
}

/* The level after the first one; without entries if none is found. */
static struct fitted_level found(const struct level *l, double stretch, double noise, uint64_t seed)
{
    double first = l->shape.index == INDEX_HASHED ? 16 : (double)l->before;
    struct curve curve = make_curve(l, first, stretch, noise, seed);
    struct fitted_level levels[FIT_LEVELS_MOST] = {{.entries = 0}};
    size_t count = fit_levels(&curve, INFINITY, KINDS_LOADS, levels), wanted = first > 0 ? 2 : 1;
    CU_ASSERT_EQUAL(count, wanted);
    for (size_t i = 0; i < count && count != wanted; i++)
        printf("# %g [%g, %g], step %g\n", levels[i].entries, levels[i].least, levels[i].most,
               levels[i].knee.step_ns);
    curve_free(&curve);
    return count == wanted ? levels[wanted - 1] : (struct fitted_level){.entries = 0};
}

static bool is_found(const struct level *l, double noise, uint64_t seed, double tolerance)
{
    double entries = (double)(l->shape.entries + l->before);
    struct fitted_level f = found(l, 1, noise, seed);
    bool right = fabs(f.entries / entries - 1) <= tolerance && f.least <= entries &&
                 entries <= f.most;
    if (!right)
        printf("# seed %llu, %g entries in %llu ways: found %g, from %g to %g\n",
               (unsigned long long)seed, entries, (unsigned long long)l->shape.ways, f.entries,
               f.least, f.most);
    return right;
}

static const struct level even[] = {
    {{64, 64, .replacement = REPLACE_LRU}, 0},     {{64, 4, .replacement = REPLACE_LRU}, 0},
    {{96, 6, .replacement = REPLACE_LRU}, 0},      {{64, 64, .replacement = REPLACE_RANDOM}, 0},
    {{128, 8, .replacement = REPLACE_RANDOM}, 0},  {{1024, 16, .replacement = REPLACE_PLRU}, 0},
    {{1024, 8, .replacement = REPLACE_RANDOM}, 0}, {{1536, 12, .replacement = REPLACE_LRU}, 64},
};
enum { EVEN = sizeof even / sizeof *even };

static void without_noise_even_levels_are_known_to_the_page(void)
{
    for (size_t i = 0; i < EVEN; i++)
        CU_ASSERT_TRUE(is_found(&even[i], 0, 3, even[i].shape.entries < 300 ? 0 : 0.002));
}

static void without_noise_the_ways_of_even_levels_are_known(void)
{
    static const uint64_t ways[] = {4, 5, 6, 8, 10, 12, 16};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct level l = {{8 * ways[i], ways[i], .replacement = REPLACE_LRU}, 0};
        struct fitted_level f = found(&l, 1, 0, 3);
        CU_ASSERT_EQUAL(f.kind.ways, (double)ways[i]);
        CU_ASSERT_EQUAL(f.entries, 8 * (double)ways[i]);
    }
}

static void with_noise_they_are_known_to_two_per_cent(void)
{
    for (size_t i = 0; i < EVEN; i++)
        CU_ASSERT_TRUE(is_found(&even[i], 0.03, 5 + i, 0.02));
}

/* Noise is ten times what the points say, so that no kind seems to fit. */
static void errors_that_are_too_small_do_not_make_odd_sets(void)
{
    struct level l = {{512, 8, .replacement = REPLACE_RANDOM}, 0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct curve curve = make_curve(&l, 0, 1, 0.03, seed);
        struct fitted_level levels[FIT_LEVELS_MOST];
        for (size_t i = 0; i < curve.count; i++)
            curve.at[i].error = 0.003;
        CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 1);
        CU_ASSERT_EQUAL(levels[0].entries, 512);
        CU_ASSERT_FALSE(levels[0].odd);
        curve_free(&curve);
    }
}

/* Hashes differ by 1 / sqrt(512) = 4.4 per cent; the range allows for it. */
static void the_range_holds_hashed_levels(void)
{
    for (uint64_t key = 1; key <= 8; key++) {
        struct level l = {{512, 8, INDEX_HASHED, REPLACE_LRU, .key = key}, 0};
        CU_ASSERT_TRUE(is_found(&l, 0.02, key, 0.25));
    }
}

/* The curve of an AMD Zen 5: 96 entries before 8 ways of 512 sets, whose index leaves bit 8 out.
 * Walks take four times as long from twice its size on. */
static struct curve make_slower_walks(double noise, uint64_t seed)
{
    const struct miss_curve gap = {RULE_LRU, 8, false, 0, 1, 0};
    struct curve curve = {calloc(400, sizeof *curve.at), 0};
    struct random random;
    random_seed(&random, seed, 9);
    for (double n = 24; n < 16000; n = floor(n * 1.03) + 1) {
        double variance, missing = miss_curve_share(&gap, 4096, n, &variance);
        double walk = 6.5 * (1 + 3 * fmin(1, fmax(0, log2(n / 5000))));
        double ns = 2 * (n > 96) + walk * missing + noise * random_normal(&random);
        curve.at[curve.count++] = (struct curve_point){n, ns, noise, 4 + fabs(ns), 24, 24};
    }
    return curve;
}

static void walks_that_take_longer_do_not_move_the_capacity(void)
{
    static const double noise[] = {0.02, 0.05, 0.1};
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct curve curve = make_slower_walks(noise[seed % 3], seed);
        struct fitted_level levels[FIT_LEVELS_MOST];
        CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 2);
        CU_ASSERT(levels[0].least <= 96 && 96 <= levels[0].most && levels[0].most < 100);
        CU_ASSERT_DOUBLE_EQUAL(levels[1].entries, 4096, 0.02 * 4096);
        CU_ASSERT(levels[1].least <= 4096 && 4096 <= levels[1].most);
        curve_free(&curve);
    }
}

/* Nothing is rounded to a familiar number, except that sets are a power of two. */
static void stretching_a_gradual_curve_stretches_the_answer(void)
{
    static const struct level levels[] = {{{1024, 8, .replacement = REPLACE_RANDOM}, 0},
                                          {{1024, 16, .replacement = REPLACE_LRU}, 0}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct fitted_level plain = found(&levels[i], 1, 0, 2), more = found(&levels[i], 4, 0, 2);
        CU_ASSERT_DOUBLE_EQUAL(more.entries / plain.entries, 4, 0.02);
        CU_ASSERT_DOUBLE_EQUAL(more.most / plain.most, 4, 0.08);
    }
}

/* As measured on a Zen 3 of 64 entries: a page too many costs the fastest of many laps little. */
static void a_page_too_long_may_nearly_fit_for_once(void)
{
    static const double pages[] = {32, 38, 45,  54,  64,  65,  66,  67,  69,  70,  72, 73,
                                   76, 91, 108, 128, 152, 181, 215, 256, 304, 362, 400};
    struct curve curve = {calloc(200, sizeof *curve.at), 0};
    struct fitted_level levels[FIT_LEVELS_MOST];
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        double n = pages[i], error = n == 65 ? 0.03 : 0.001;
        double rise = n < 64 ? 0 : n == 64 ? 0.005 : n == 65 ? 0.226 : 2.159;
        curve.at[curve.count++] = (struct curve_point){n, rise, error, 1.23 + rise, 9, 9};
    }
    CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 1);
    CU_ASSERT_TRUE(levels[0].entries >= 64 && levels[0].entries <= 65);
    CU_ASSERT_TRUE(levels[0].least == 64 && levels[0].most <= 66);
    curve_free(&curve);
}

/* No level where nothing rises, where little does, and in a few points. */
static void what_does_not_rise_has_no_level(void)
{
    struct curve curve = {calloc(200, sizeof *curve.at), 0};
    struct fitted_level levels[FIT_LEVELS_MOST];
    struct random random;
    random_seed(&random, 5, 5);
    for (double n = 16; n < 4000; n = floor(n * 1.05) + 1) {
        double ns = 0.05 * random_normal(&random) + (n > 500 ? 0.1 : 0);
        curve.at[curve.count++] = (struct curve_point){n, ns, 0.05, 1 + fabs(ns), 9, 9};
    }
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 0);
    curve.count = 4;
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 0);
    curve.count = 0;
    CU_ASSERT_EQUAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 0);
    curve_free(&curve);
}

/* A packed chain of 64 nodes in a page misses a level of 64 entries from 4096 nodes on. */
static void what_packed_chains_miss_is_no_fall(void)
{
    const struct miss_curve second = {RULE_LRU, 8, false, 0, 0, 0};
    struct curve curve = {calloc(400, sizeof *curve.at), 0};
    struct fitted_level levels[FIT_LEVELS_MOST];
    for (double n = 16; n < 16000; n = floor(n * 1.05) + 1) {
        double variance, ns = 2 * (n > 64) - 2 * fmax(0, 1 - 4096 / n);
        ns += 8 * miss_curve_share(&second, 3072, n, &variance);
        curve.at[curve.count++] = (struct curve_point){n, ns, 0.01, 1 + fabs(ns), 9, 9};
    }
    CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, 64, KINDS_LOADS, levels), 2);
    CU_ASSERT_EQUAL(levels[0].entries, 64);
    CU_ASSERT_DOUBLE_EQUAL(levels[1].entries, 3072, 30);
    CU_ASSERT_DOUBLE_EQUAL(levels[1].knee.step_ns, 8, 0.4);
    CU_ASSERT_DOUBLE_EQUAL(levels[0].knee.step_ns * fit_packed_share(levels[0].entries, 8192, 64),
                           1, 0.05);
    curve_free(&curve);
}

/* Pages, the time and its error. */
static struct curve curve_of(const double (*measured)[3], size_t count)
{
    struct curve curve = {calloc(count, sizeof *curve.at), count};
    for (size_t i = 0; i < count; i++)
        curve.at[i] = (struct curve_point){
            measured[i][0], measured[i][1], measured[i][2], 3 + measured[i][1], 9, 9};
    return curve;
}

/* Measured on a Zen 5 whose neighbour held entries of its 4096 all the time: no kind rises so
 * slowly, but the range is right. */
static void a_rise_bent_by_a_neighbour_is_a_level(void)
{
    static const double measured[][3] = {
        {4, 0.002, 0.001},      {16, 0.002, 0.001},    {64, 0.002, 0.001},
        {91, 0.008, 0.001},     {96, 0.02, 0.001},     {97, 0.57, 0.008},
        {100, 1.683, 0.001},    {152, 1.683, 0.001},   {304, 1.683, 0.001},
        {609, 1.683, 0.016},    {861, 1.683, 0.008},   {1024, 1.688, 0.009},
        {1218, 1.738, 0.003},   {1448, 1.741, 0.001},  {1722, 1.741, 0.001},
        {2048, 1.741, 0.414},   {2435, 2.182, 0.106},  {2896, 2.182, 0.752},
        {2965, 2.934, 0.012},   {3033, 2.934, 0.012},  {3102, 2.934, 0.012},
        {3170, 2.996, 0.023},   {3239, 3.268, 0.04},   {3307, 3.443, 0.083},
        {3376, 3.551, 0.113},   {3444, 3.551, 1.094},  {4096, 5.159, 1.302},
        {4871, 8.143, 0.081},   {5793, 9.845, 0.044},  {6889, 12.694, 0.307},
        {8192, 18.129, 0.229},  {9742, 25.169, 0.254}, {11585, 28.178, 0.419},
        {13777, 29.273, 0.587}, {16384, 28.62, 0.893}};
    struct curve curve = curve_of(measured, sizeof measured / sizeof *measured);
    struct fitted_level levels[FIT_LEVELS_MOST];
    CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, 64, KINDS_LOADS, levels), 2);
    CU_ASSERT_EQUAL(levels[0].entries, 96);
    CU_ASSERT_TRUE(levels[1].least <= 4096 && levels[1].most >= 4096);
    curve_free(&curve);
}

/* Measured likewise: what is left of a rise once the others explain it all has no step. */
static void a_level_has_a_step(void)
{
    static const double measured[][3] = {
        {4, 0.009, 0.001},      {7, 0.009, 0.001},     {11, 0.009, 0.001},    {19, 0.009, 0.001},
        {32, 0.009, 0.001},     {54, 0.009, 0.001},    {91, 0.009, 0.001},    {96, 0.019, 0},
        {97, 0.544, 0.001},     {98, 0.897, 0.002},    {99, 0.967, 0.002},    {100, 1.599, 0.003},
        {104, 1.599, 0.003},    {128, 1.599, 0.003},   {215, 1.599, 0.003},   {362, 1.599, 0.003},
        {609, 1.599, 0.003},    {879, 1.662, 0.026},   {910, 1.662, 0.026},   {940, 1.662, 0.026},
        {993, 1.639, 0.016},    {1150, 1.639, 0.031},  {1347, 1.68, 0.022},   {1602, 1.644, 0.002},
        {1905, 1.646, 0.006},   {2781, 1.649, 0.014},  {2896, 1.704, 0.231},  {3033, 1.936, 0.117},
        {3050, 2.053, 0.01},    {3068, 2.053, 0.01},   {3085, 2.053, 0.01},   {3102, 2.053, 0.074},
        {3239, 2.053, 0.145},   {3376, 2.219, 0.058},  {3526, 2.277, 0.015},  {3689, 2.277, 0.015},
        {3852, 2.277, 0.049},   {4015, 2.55, 0.064},   {4096, 5.295, 0.694},  {4871, 7.984, 0.382},
        {5793, 9.429, 0.429},   {6889, 12.224, 0.261}, {8192, 18.506, 0.12},  {9742, 24.933, 0.267},
        {11585, 28.021, 0.546}, {13777, 28.83, 0.509}, {16384, 28.558, 0.757}};
    struct curve curve = curve_of(measured, sizeof measured / sizeof *measured);
    struct fitted_level levels[FIT_LEVELS_MOST];
    size_t count = fit_levels(&curve, 64, KINDS_LOADS, levels);
    CU_ASSERT_TRUE(count >= 2);
    for (size_t k = 0; k < count; k++)
        CU_ASSERT_TRUE(levels[k].knee.step_ns > 0.6);
    curve_free(&curve);
}

static struct fitted_level only_level(const double (*measured)[3], size_t count)
{
    struct curve curve = curve_of(measured, count);
    struct fitted_level levels[FIT_LEVELS_MOST];
    CU_ASSERT_EQUAL_FATAL(fit_levels(&curve, INFINITY, KINDS_LOADS, levels), 1);
    curve_free(&curve);
    return levels[0];
}

/* Measured on a Xeon of 96 entries in sets of 6, whose first pages too many cost half of what a set
 * of LRU loses by them. */
static void a_few_misses_are_no_even_level(void)
{
    static const double late[][3] = {
        {4, 0, 0.001},       {91, 0.004, 0.001},  {96, 0.005, 0.001},  {97, 0.068, 0.028},
        {98, 0.125, 0.001},  {99, 0.184, 0.002},  {100, 0.274, 0.023}, {101, 0.442, 0.006},
        {102, 0.579, 0.001}, {103, 0.742, 0.001}, {104, 0.768, 0.019}, {105, 0.9, 0.051},
        {106, 1.004, 0.037}, {107, 1.041, 0.053}, {108, 1.251, 0.001}, {112, 1.262, 0.232},
        {115, 1.506, 0.031}, {120, 1.537, 0.04},  {124, 1.624, 0.001}, {128, 1.644, 0.007},
        {134, 1.654, 0.007}, {156, 1.66, 0.002},  {181, 1.67, 0.001},  {215, 1.67, 0.001},
        {256, 1.67, 0.001},  {304, 1.67, 0.001},  {362, 1.67, 0.001}};
    static const double early[][3] = {
        {4, 0, 0.0005},       {7, 0, 0.0005},       {11, 0, 0.0005},     {19, 0, 0.0005},
        {32, 0, 0.0005},      {54, 0.001, 0.0005},  {76, 0.001, 0.0005}, {91, 0.003, 0.0005},
        {93, 0.004, 0.0005},  {95, 0.004, 0.0005},  {96, 0.004, 0.0005}, {97, 0.094, 0.02},
        {98, 0.164, 0.0005},  {99, 0.299, 0.0005},  {100, 0.332, 0.027}, {101, 0.469, 0.04},
        {102, 0.614, 0.001},  {103, 0.722, 0.007},  {104, 0.846, 0.001}, {105, 0.875, 0.018},
        {106, 0.977, 0.0005}, {107, 1.096, 0.0005}, {108, 1.184, 0.017}, {109, 1.201, 0.014},
        {110, 1.201, 0.014},  {111, 1.201, 0.014},  {112, 1.201, 0.014}, {113, 1.308, 0.007},
        {114, 1.308, 0.007},  {115, 1.315, 0.062},  {116, 1.378, 0.011}, {117, 1.378, 0.011},
        {118, 1.378, 0.011},  {119, 1.378, 0.011},  {120, 1.577, 0.001}, {121, 1.578, 0.0005},
        {122, 1.578, 0.0005}, {123, 1.604, 0.016},  {124, 1.621, 0.006}, {125, 1.621, 0.006},
        {126, 1.628, 0.008},  {127, 1.636, 0.008},  {128, 1.636, 0.008}, {129, 1.636, 0.008},
        {130, 1.636, 0.008},  {131, 1.636, 0.008},  {132, 1.636, 0.008}, {133, 1.636, 0.008},
        {134, 1.636, 0.008},  {136, 1.644, 0.003},  {138, 1.644, 0.003}, {139, 1.644, 0.012},
        {141, 1.656, 0.002},  {142, 1.656, 0.002},  {144, 1.658, 0.004}, {146, 1.658, 0.004},
        {148, 1.658, 0.004},  {150, 1.658, 0.004},  {152, 1.658, 0.004}, {154, 1.658, 0.004},
        {156, 1.658, 0.004},  {157, 1.658, 0.004},  {159, 1.658, 0.004}, {161, 1.658, 0.004},
        {163, 1.658, 0.004},  {164, 1.658, 0.004},  {166, 1.662, 0.003}, {168, 1.662, 0.003},
        {169, 1.662, 0.003},  {171, 1.662, 0.003},  {173, 1.662, 0.003}, {176, 1.662, 0.003},
        {178, 1.662, 0.003},  {181, 1.67, 0.0005},  {215, 1.67, 0.0005}, {256, 1.67, 0.0005},
        {304, 1.67, 0.0005},  {362, 1.67, 0.0005}};
    struct fitted_level level = only_level(late, sizeof late / sizeof *late);
    CU_ASSERT_TRUE(level.least <= 96 && level.most >= 96);
    level = only_level(early, sizeof early / sizeof *early);
    CU_ASSERT_EQUAL(level.entries, 96);
    CU_ASSERT_FALSE(level.odd);
}

int main(void)
{
    TAP_SUITE("miss curve",
              {"shapes are those of simulated levels", shapes_are_those_of_simulated_levels},
              {"an exclusive level misses as often as others are outside the first",
               an_exclusive_level_misses_as_often_as_others_are_outside_the_first},
              {"hashed sets have the variance of the formula",
               hashed_sets_have_the_variance_of_the_formula});
    TAP_SUITE(
        "fit",
        {"without noise even levels are known to the page",
         without_noise_even_levels_are_known_to_the_page},
        {"without noise the ways of even levels are known",
         without_noise_the_ways_of_even_levels_are_known},
        {"with noise they are known to two per cent", with_noise_they_are_known_to_two_per_cent},
        {"errors that are too small do not make odd sets",
         errors_that_are_too_small_do_not_make_odd_sets},
        {"a few misses are no even level", a_few_misses_are_no_even_level},
        {"a level has a step", a_level_has_a_step},
        {"the range holds hashed levels", the_range_holds_hashed_levels},
        {"walks that take longer do not move the capacity",
         walks_that_take_longer_do_not_move_the_capacity},
        {"stretching a gradual curve stretches the answer",
         stretching_a_gradual_curve_stretches_the_answer},
        {"a page too long may nearly fit for once", a_page_too_long_may_nearly_fit_for_once},
        {"what does not rise has no level", what_does_not_rise_has_no_level},
        {"what packed chains miss is no fall", what_packed_chains_miss_is_no_fall},
        {"a rise bent by a neighbour is a level", a_rise_bent_by_a_neighbour_is_a_level});
    return tap_run();
}
