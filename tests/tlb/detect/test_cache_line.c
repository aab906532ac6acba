/* test_cache_line.c: layout `pair`, the line and what is fetched together, and the sets of the
 * first cache, on machines made of formulas; and what the model makes of lines that are fetched
 * together.
 *
 *     bin/.obj/plain/tests/tlb/detect/test_cache_line
 */
#include "access/point.h"
#include "machine.h"
#include "named.h"
#include "tlb/detect/cache_line.h"
#include "tlb/geometry/cache_sets.h"

/* ---- layout pair ---- */

enum { PAIRS_TRIED = 512, SETS = 64 };

/* Whatever is aligned and longer than their distance holds both, whatever is not holds one; all
 * pairs have a KiB to themselves and fill the sets of a cache alike. */
TEST(the_offsets_of_pairs_are_where_they_should_be)
{
    for (uint64_t spacing = PAIR_MIN; spacing <= PAIR_MAX; spacing *= 2) {
        struct point p = point_of("pair", 2 * PAIRS_TRIED, spacing);
        int used[SETS] = {0};
        for (uint64_t pair = 0; pair < PAIRS_TRIED; pair++) {
            uint64_t first = p.layout->offset(&p, 64, 2 * pair);
            uint64_t second = p.layout->offset(&p, 64, 2 * pair + 1);
            CU_ASSERT_EQUAL(second, first + spacing);
            CU_ASSERT_EQUAL(first / (2 * spacing), second / (2 * spacing));
            CU_ASSERT_EQUAL(first / 1024, pair);
            CU_ASSERT_EQUAL(second / 1024, pair);
            CU_ASSERT_EQUAL(first, p.layout->offset(&p, 128, 2 * pair)); /* no claim enters */
            used[first / 64 % SETS]++;
            if (spacing >= 64)
                used[second / 64 % SETS]++;
        }
        for (int set = 0; set < SETS; set++)
            CU_ASSERT_EQUAL(used[set], (spacing < 64 ? 1 : 2) * PAIRS_TRIED / SETS);
        CU_ASSERT_EQUAL(layout_bytes(&p), PAIRS_TRIED * 1024);
    }
    struct point odd = point_of("pair", 3, 64);
    CU_ASSERT_EQUAL(layout_bytes(&odd), 2 * 1024);
}

TEST(pairs_lie_a_power_of_two_apart_8_to_512_bytes)
{
    static const uint64_t good[] = {8, 64, 512}, bad[] = {0, 4, 24, 1024};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct point p = point_of("pair", 8, good[i]);
        CU_ASSERT_PTR_NULL(point_refuses(&p));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct point p = point_of("pair", 8, bad[i]);
        CU_ASSERT_PTR_NOT_NULL(point_refuses(&p));
    }
}

/* Every node once, mates side by side, and a page is left for good; in both orders. */
static void check_pairs(uint64_t nodes)
{
    uint32_t next[1024];
    bool seen[1024] = {false};
    struct point p = point_of("pair", nodes, 64);
    struct random random;
    uint64_t steps = 0, apart = 0, pages = 0, forward = 0;
    random_seed(&random, nodes, 0);
    CU_ASSERT_EQUAL(layout_window(&p), 8);
    p.layout->chain(next, &p, &random);
    uint32_t node = 0;
    do {
        CU_ASSERT(node < nodes && !seen[node]);
        seen[node] = true;
        apart += node / 2 != next[node] / 2;
        pages += node / 8 != next[node] / 8;
        forward += next[node] == node + 1 && node % 2 == 0;
        node = next[node];
    } while (++steps < nodes && node != 0);
    CU_ASSERT_EQUAL(steps, nodes);
    CU_ASSERT_EQUAL(node, 0);
    CU_ASSERT_EQUAL(apart, nodes > 2 ? (nodes + 1) / 2 : 0);
    CU_ASSERT_EQUAL(pages, nodes > 8 ? (nodes + 7) / 8 : 0);
    CU_ASSERT(nodes < 100 || (forward > nodes / 8 && forward < 3 * nodes / 8));
}

TEST(a_chain_of_pairs_visits_both_nodes_one_after_the_other)
{
    check_pairs(2);
    check_pairs(9);
    check_pairs(1024);
    check_pairs(1001);
}

/* ---- machines made of formulas ---- */

static const struct machine plain = {
    .load_ns = 1,
    .cache = {{512, 8, 3, MISS_EVENLY}, {16384, 1, 56, MISS_EVENLY}},
    .line = 64,
    .fetched = 64,
    .sets_bytes = 4096,
    .seed = 7,
};

/* The second cache misses whatever the first does. */
static void drop_second(struct machine *m)
{
    m->cache[0].miss_ns += m->cache[1].miss_ns;
    m->cache[1].entries = 0;
}

/* Measures the points of the preset; returns the number of samples. */
static size_t measure(struct series *series, const struct machine *m, uint64_t claimed_line)
{
    struct plan_options options = option_plan(&presets[PLAN_LINE], 0, MACHINE_PAGE, claimed_line);
    size_t count = 0;
    series_init(series);
    machine_follow(m, &options, series);
    for (size_t i = 0; i < series->count; i++)
        count += series->groups[i].count;
    series_sort(series);
    return count;
}

static struct cache_line line_on(const struct machine *m)
{
    struct series series;
    measure(&series, m, 64);
    struct cache_line line = cache_line_of(&series);
    series_free(&series);
    return line;
}

static void expect_line(const struct machine *m, uint64_t bytes, uint64_t fetched)
{
    for (int noisy = tap_brief() ? 1 : 0; noisy < 2; noisy++) {
        struct machine machine = *m;
        machine.noise = noisy ? 0.03 : 0;
        struct cache_line line = line_on(&machine);
        CU_ASSERT_EQUAL(line.bytes, bytes);
        CU_ASSERT_EQUAL(line.fetched, fetched);
        CU_ASSERT_EQUAL(line.criteria, 2);
        CU_ASSERT_PTR_NULL(line.why);
    }
}

TEST(lines_of_16_to_256_bytes)
{
    for (double bytes = 16; bytes <= 256; bytes *= tap_brief() ? 4 : 2) {
        struct machine m = plain;
        m.line = m.fetched = bytes;
        expect_line(&m, (uint64_t)bytes, (uint64_t)bytes);
    }
}

TEST(lines_fetched_together_are_distinguished_from_single_ones)
{
    struct machine m = plain;
    m.fetched = 128;
    expect_line(&m, 64, 128);
    m.fetched = 256;
    expect_line(&m, 64, 256);
    m.line = 32;
    m.fetched = 128;
    expect_line(&m, 32, 128);
}

/* A second cache that holds all, and none at all: then pairs may be lines. */
TEST(indistinguishable_ones_are_unknown)
{
    struct machine m = plain;
    m.cache[1].entries = 1 << 20;
    m.fetched = 128;
    expect_line(&m, 64, 0);
    m = plain;
    drop_second(&m);
    struct cache_line line = line_on(&m);
    CU_ASSERT_EQUAL(line.bytes, 64);
    CU_ASSERT_EQUAL(line.fetched, 0);
    CU_ASSERT_EQUAL(line.criteria, 0);
}

/* If the distance makes no difference, or noise is larger than it, there is no line. */
TEST(a_curve_without_a_step_gives_no_line)
{
    struct machine m = plain;
    struct series series;
    struct boundaries found = {0};
    m.cache[0].entries = 1 << 30;
    CU_ASSERT_EQUAL(line_on(&m).bytes, 0);
    m = plain;
    m.cache[0].miss_ns = 0.1;
    m.cache[1].miss_ns = 0;
    m.noise = 0.2;
    measure(&series, &m, 64);
    CU_ASSERT_EQUAL(cache_line_of(&series).bytes, 0);
    CU_ASSERT_PTR_NOT_NULL(cache_line_of(&series).why);
    cache_line_detect(&series, &found);
    boundaries_judge(&found, NULL);
    CU_ASSERT_EQUAL(found.count, 0);
    series_free(&series);
    series_init(&series);
    CU_ASSERT_PTR_NOT_NULL(cache_line_of(&series).why);
    series_free(&series);
}

/* A claimed line size changes neither points nor answer. */
TEST(a_claimed_line_changes_no_answer)
{
    struct series series, other;
    size_t count = measure(&series, &plain, 64);
    CU_ASSERT_EQUAL(measure(&other, &plain, 256), count);
    CU_ASSERT_EQUAL(series.count, other.count);
    for (size_t i = 0; i < series.count && i < other.count; i++) {
        CU_ASSERT_EQUAL(series.groups[i].point.pages, other.groups[i].point.pages);
        CU_ASSERT_EQUAL(series.groups[i].point.spacing, other.groups[i].point.spacing);
    }
    CU_ASSERT_EQUAL(cache_line_of(&other).bytes, 64);
    series_free(&series);
    series_free(&other);
}

/* ---- sets ---- */

/* cache_sets_find() on the pages of `point_of()`. */
static const char *find_sets(struct series *series, struct organisation *row)
{
    struct point like = point_of("page", 1, MACHINE_PAGE);
    series_sort(series);
    struct answers answers = answers_of(series);
    const char *why = cache_sets_find(&answers, series, &like, row);
    answers_free(&answers);
    return why;
}

TEST(ways_and_sets_of_the_first_cache)
{
    static const struct {
        int ways;
        double sets_bytes;
        const char *bits;
    } caches[] = {{12, 4096, "6,7,8,9,10,11"}, {8, 4096, "6,7,8,9,10,11"},
                  {4, 2048, "6,7,8,9,10"},     {2, 1024, "6,7,8,9"},
                  {32, 1024, "6,7,8,9"},       {3, 4096, "6,7,8,9,10,11"}};
    for (size_t i = 0; i < 2 * sizeof caches / sizeof *caches; i += tap_brief() ? 3 : 1) {
        struct machine m = plain;
        struct series series;
        struct organisation row;
        m.cache[0].ways = caches[i / 2].ways;
        m.sets_bytes = caches[i / 2].sets_bytes;
        m.cache[0].entries = m.cache[0].ways * m.sets_bytes / m.line;
        m.cache[1].entries = 32 * m.cache[0].entries;
        m.spikes = i % 2 > 0 && m.cache[0].ways > 3 ? 0.05 : 0; /* few have no control below */
        measure(&series, &m, 64);
        CU_ASSERT_PTR_NULL_FATAL(find_sets(&series, &row));
        CU_ASSERT_EQUAL(row.ways, m.cache[0].ways);
        CU_ASSERT_EQUAL(row.sets, m.sets_bytes / 64);
        CU_ASSERT_EQUAL(row.entries, m.cache[0].entries);
        CU_ASSERT_EQUAL(row.structure, STRUCTURE_CACHE);
        CU_ASSERT_STRING_EQUAL(row.index_bits, caches[i / 2].bits);
        CU_ASSERT(m.cache[0].entries < 256 || row.confidence == CONFIDENCE_HIGH);
        series_free(&series);
    }
}

/* Sets that reach beyond the distances measured, more ways than nodes, a single way, a cache of
 * another size. */
TEST(unknown_sets)
{
    struct machine m = plain;
    struct series series;
    struct organisation row;
    m.sets_bytes = 4 * 4096;
    measure(&series, &m, 64);
    CU_ASSERT_PTR_NOT_NULL(find_sets(&series, &row));
    series_free(&series);
    m.sets_bytes = 4096;
    m.cache[0].ways = 64;
    measure(&series, &m, 64);
    CU_ASSERT_PTR_NOT_NULL(find_sets(&series, &row));
    series_free(&series);
    m.cache[0].ways = 1;
    measure(&series, &m, 64);
    CU_ASSERT_PTR_NOT_NULL(find_sets(&series, &row));
    series_free(&series);
    m.cache[0].ways = 8;
    m.cache[0].entries = 4096;
    m.cache[1].entries = 1 << 17;
    measure(&series, &m, 64);
    CU_ASSERT_PTR_NULL(find_sets(&series, &row));
    CU_ASSERT_STRING_EQUAL(NOTE(row.note), "entries_disagree");
    CU_ASSERT_EQUAL(row.confidence, CONFIDENCE_LOW);
    series_free(&series);
    series_init(&series);
    CU_ASSERT_PTR_NOT_NULL(find_sets(&series, &row));
    series_free(&series);
}

/* The answer is no surer than its line, which here is reported beyond the second level alone. */
TEST(unsure_sets)
{
    struct machine m = plain;
    struct series series;
    struct organisation row;
    drop_second(&m);
    measure(&series, &m, 64);
    CU_ASSERT_PTR_NULL_FATAL(find_sets(&series, &row));
    CU_ASSERT_EQUAL(row.ways, 8);
    CU_ASSERT_STRING_EQUAL(NOTE(row.note), "");
    CU_ASSERT_EQUAL(row.criteria, 0);
    series_free(&series);
}

/* Without moments nothing shows; where a third of them have a way less, eight in a row, the answer
 * is not high. */
TEST(sets_beside_a_neighbour)
{
    struct series series, held, none;
    struct organisation row;
    measure(&series, &plain, 64);
    series_init(&held);
    series_init(&none);
    for (size_t i = 0; i < series.count; i++)
        for (size_t k = 0; k < series.groups[i].count; k++) {
            struct sample s = {.point = series.groups[i].point, .ns = series.groups[i].ns[k]};
            series_add(&held, &s);
            series_add(&none, &s);
        }
    for (size_t i = 0; i < series.moment_count; i++) {
        struct sample s = series.moments[i];
        if (s.point.moment / 8 % 3 == 0 && s.point.pages == 8)
            s.ns = machine_hit_ns(&plain, 1);
        series_add(&held, &s);
    }
    CU_ASSERT_PTR_NOT_NULL(find_sets(&none, &row));
    CU_ASSERT_PTR_NULL_FATAL(find_sets(&held, &row));
    CU_ASSERT_EQUAL(row.ways, 8);
    CU_ASSERT_EQUAL(row.sets, 64);
    CU_ASSERT_NOT_EQUAL(row.confidence, CONFIDENCE_HIGH);
    series_free(&series);
    series_free(&held);
    series_free(&none);
}

/* ---- the model ---- */
