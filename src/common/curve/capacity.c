/* capacity.c: the capacity behind a knee, by least squares. */
#include "curve/capacity.h"
#include "base/random.h"
#include "curve/candidate.h"
#include "curve/capacity_foot.h"
#include <math.h>
#include <string.h>

/* Ways that are tried; 0 is fully associative. Above `every_way`, only LRU with evenly filled sets
 * needs odd ways: the other curves hardly differ. [prior] */
static const double ways_tried[] = {0,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 32};
static const double every_way = 6;
enum {
    WAYS = sizeof ways_tried / sizeof *ways_tried,
    SHAPES_MOST = 4 * RULES * WAYS
}; /* [bound] */

/* Half of a gradual step lies between these parts of the capacity, for all kinds. [physics] */
static const double half_way_least = 0.85, half_way_most = 2;

/* A sharp step begins at the capacity, which is sought from this part of the bracket on. [prior] */
static const double sharp_least = 0.95;

/* Noise may hide that a step of less significance is gradual. [significance] */
static const double sharp_errors = 20;

/* A level with fewer sets is not hashed. [prior] */
static const double hashed_sets_least = 8;

/* Ratios between the capacities tried: first, and then around the best. [bound] */
static const double coarse = 1.02, fine = 1.001;

/* Handicaps of the score: exclusive levels (the most, hashed or with SRRIP, PLRU or random
 * replacement, whose gentle rises fit much), rules other than LRU and some numbers of ways
 * (is_rare()) are rarer, and no TLB is known with a number of sets that is no power of two, which
 * counts odd_approximate times where the formula is not exact; fully associative levels stand
 * between. [prior] */
static const double rare_exclusive = 3, rarest = 15, rare_rule = 5, rare_random = 2, rare_ways = 10,
                    odd_sets = 20, no_sets = 10, odd_approximate = 3;

/* A candidate whose score on the coarse grid exceeds the best so far by more is dropped. [bound] */
static const double worth_keeping = 300;

/* A range is at least this part of the capacity to either side. [prior] */
static const double range_least = 0.0015;

/* Factors of a hashed level's range, since uneven sets have other causes too: under interference a
 * level has more entries than it shows; where an overloaded set begins to miss only gradually, it
 * has fewer. On virtual Xeons with 2048 entries and both effects, hashed curves of 1800 to 2200
 * entries fit. [tuned: virtual Xeons] */
static const double sets_least = 0.9, sets_most = 1.15;

/* A first level or a cache may end before a point that costs this part of its step more than the
 * plateau: a chain that is a page too long may nearly fit for once. [prior] */
static const double lucky = 0.05;

/* The range of an exclusive level extends by this part of the level before: entries that move up
 * leave empty ways, which the formulas describe only approximately without LRU. [prior] */
static const double exclusive_unsure = 0.25;

/* Candidates within this score of the best fit about as well. The points lie off the best where its
 * mean square, in standard errors, exceeds `off_least`: their errors are larger than they seem. No
 * kind fits where it exceeds `poor_least`; `poor_exclusive` of a sharp step, whose shape is only
 * known approximately; `off_least` where its sets are no power of two. [significance] */
static const double as_well = 6, off_least = 3, poor_least = 6, poor_exclusive = 15;

/* Which kinds are tried: those of a sharp step, with evenly filled sets, also hashed ones. */
enum shapes { SHAPES_SHARP, SHAPES_EVEN, SHAPES_ALL };

/* The TLBs that are known have 4, 5 or 6 ways, or a power of two times as many. [prior] */
static bool is_rare(double ways)
{
    int exponent;
    double part = 8 * frexp(ways, &exponent);
    return ways == 3 || part == 7 || part != floor(part);
}

static bool is_possible(const struct miss_curve *s, enum shapes kind)
{
    bool plain = s->rule == RULE_LRU && !s->hashed;
    if (!plain && s->ways > every_way && fmod(s->ways, 2) > 0)
        return false;
    if (s->rule == RULE_PLRU && s->before == 0 && s->ways > 0 && frexp(s->ways, &(int){0}) == 0.5)
        return false; /* a tree over a power of two is LRU */
    if (s->rule == RULE_NRU && s->hashed && s->before > 0)
        return false; /* none is known */
    if (s->rule == RULE_SRRIP && (s->hashed || s->before == 0 || s->ways == 0))
        return false; /* LRU, or not known */
    if (s->hashed)
        return kind == SHAPES_ALL && s->ways > 0 && !is_rare(s->ways);
    return kind != SHAPES_SHARP || s->rule == RULE_LRU || s->rule == RULE_NRU ||
           (s->rule != RULE_RANDOM && s->before > 0);
}

/* Hashed sets come last: they take longest, and another kind that fits well stops their fits early.
 */
static size_t list_shapes(struct candidate candidates[SHAPES_MOST], enum shapes kind, double before)
{
    size_t count = 0;
    for (int i = 0; i < SHAPES_MOST; i++) {
        int family = i / (RULES * WAYS);
        bool exclusive = family % 2 > 0, hashed = family > 1;
        struct miss_curve s = {(enum rule)(i % RULES), ways_tried[i / RULES % WAYS], hashed,
                               exclusive ? before : 0};
        bool simple = !hashed && (s.rule == RULE_LRU || s.rule == RULE_NRU);
        double handicap = exclusive ? simple ? rare_exclusive : rarest : 0;
        handicap += s.rule == RULE_RANDOM            ? rare_random
                    : s.rule == RULE_NRU && s.hashed ? rarest
                    : s.rule != RULE_LRU             ? rare_rule
                                                     : 0;
        handicap += kind != SHAPES_SHARP && is_rare(s.ways) ? rare_ways : 0;
        if (is_possible(&s, kind) && (!exclusive || before > 0))
            candidates[count++] = (struct candidate){.shape = s, .handicap = handicap};
    }
    return count;
}

/* The best capacity of a hashed kind of a TLB from low to high, unless none scores below `most`. No
 * TLB is known that hashes and has a number of sets that is no power of two. */
static void search_hashed(const struct fit_data *r, struct candidate *best, double low, double high,
                          double most)
{
    struct candidate c = {.shape = best->shape, .handicap = best->handicap};
    double sets = fmax(hashed_sets_least, (low - c.shape.before) / c.shape.ways);
    best->score = most;
    for (sets = exp2(ceil(log2(sets))); c.shape.before + sets * c.shape.ways <= high; sets *= 2) {
        c.entries = c.shape.before + sets * c.shape.ways;
        if (candidate_fit(r, &c, best->score) < best->score)
            *best = c;
    }
}

/* The best capacity of one kind on a grid from low to high, unless none scores below `most`. */
static void search(const struct fit_data *r, struct candidate *best, double low, double high,
                   double ratio, double most)
{
    struct candidate c = {.shape = best->shape, .handicap = best->handicap};
    best->score = most;
    for (c.entries = fmax(1, floor(low)); c.entries <= high;
         c.entries = floor(fmax(c.entries + 1, c.entries * ratio)))
        if (candidate_fit(r, &c, best->score) < best->score)
            *best = c;
}

/* The last capacity in one direction whose score is at most `most`. */
static double end_of_range(const struct fit_data *r, struct candidate c, double most, int direction)
{
    double entries, low = c.entries / half_way_most, high = c.entries * half_way_most;
    do {
        entries = c.entries;
        c.entries += direction * fmax(1, floor(entries * (fine - 1)));
    } while (c.entries >= low && c.entries <= high && candidate_fit(r, &c, most) <= most);
    return entries;
}

/* Makes the number of sets the nearest power of two, unless the fit becomes too poor. */
static void prefer_even_sets(const struct fit_data *r, struct candidate *c)
{
    double ways = c->shape.ways, before = c->shape.before;
    struct candidate even = {.shape = c->shape, .handicap = c->handicap, .score = INFINITY};
    if (ways > 0) {
        even.entries = before + ways * exp2(round(log2((c->entries - before) / ways)));
        candidate_fit(r, &even, INFINITY);
    }
    double rare = ways > 0 ? odd_sets : no_sets;
    if (before > 0 && c->shape.rule != RULE_LRU)
        rare *= odd_approximate;
    c->handicap += rare;
    c->score += rare;
    if (even.score <= c->score)
        *c = even;
}

static size_t best_of(const struct candidate *candidates, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (candidates[i].score < candidates[best].score)
            best = i;
    return best;
}

/* Where even the best of all kinds fits poorly, the errors of the points are larger than they seem.
 */
static void rescale(struct fit_data *r, struct candidate *candidates, size_t count)
{
    double least = candidates[0].squares;
    for (size_t i = 1; i < count; i++)
        least = fmin(least, candidates[i].squares);
    double scale = least > off_least ? least : 1;
    if (scale == r->scale)
        return;
    fit_data_scale(r, scale / r->scale);
    for (size_t i = 0; i < count; i++)
        candidate_fit(r, &candidates[i], INFINITY);
}

/* Fits every kind at its best capacity; returns the best of all. */
static const struct candidate *fit_all(struct fit_data *r, const struct knee *knee,
                                       const struct curve *curve, enum shapes kind, double before,
                                       struct candidate candidates[SHAPES_MOST], size_t *count)
{
    double half_way = knee_size_at(curve, knee, 0.5);
    double low = half_way / half_way_most, high = half_way / half_way_least;
    if (kind == SHAPES_SHARP) {
        low = sharp_least * curve->at[knee->before].pages;
        high = curve->at[knee->after + 1 < curve->count ? knee->after + 1 : knee->after].pages - 1;
    }
    size_t listed = list_shapes(candidates, kind, before);
    double least = INFINITY;
    *count = 0;
    for (size_t i = 0; i < listed; i++) {
        struct candidate c = candidates[i];
        bool sharp = kind == SHAPES_SHARP;
        double above = sharp ? c.shape.before : 0, most = sharp ? INFINITY : least + worth_keeping;
        if (c.shape.hashed)
            search_hashed(r, &c, low, high, most);
        else
            search(r, &c, low + above, high + above, sharp ? fine : coarse, most);
        if (c.score < most)
            candidates[(*count)++] = c;
        least = fmin(least, c.score);
    }
    rescale(r, candidates, *count);
    least = candidates[best_of(candidates, *count)].score;
    for (size_t i = 0; i < *count && kind != SHAPES_SHARP; i++)
        if (candidates[i].score < least + worth_keeping && !candidates[i].shape.hashed)
            search(r, &candidates[i], candidates[i].entries / coarse,
                   candidates[i].entries * coarse, fine, candidates[i].score);
    for (size_t i = 0; i < *count; i++)
        prefer_even_sets(r, &candidates[i]);
    return &candidates[best_of(candidates, *count)];
}

/* The size before the first point up to `entries` that costs visibly more than the plateau, or
 * `entries` where none does. */
static double last_that_fits(const struct curve *curve, const struct knee *knee, double entries)
{
    double visible = knee->plateau_ns + lucky * knee->step_ns;
    for (size_t i = knee->before; i <= knee->end && curve->at[i].pages <= entries; i++)
        if (i > 0 && curve->at[i].ns > visible)
            return curve->at[i - 1].pages;
    return entries;
}

static void widen(struct capacity *capacity, double least, double most)
{
    capacity->least = fmin(capacity->least, round(least * (1 - range_least)));
    capacity->most = fmax(capacity->most, round(most * (1 + range_least)));
}

static bool has_even_sets(const struct candidate *c)
{
    double sets = (c->entries - c->shape.before) / c->shape.ways;
    return !c->shape.hashed && c->shape.ways > 0 && sets == exp2(round(log2(sets)));
}

static bool fits_poorly(const struct candidate *c, const struct knee *knee)
{
    bool plain = !c->shape.hashed && c->shape.ways > 0;
    if (plain && c->shape.before > 0 && !knee->gradual)
        return c->squares > poor_exclusive;
    return c->squares > (plain && !has_even_sets(c) ? off_least : poor_least);
}

/* The capacity where no kind fits well: at the foot, or, of a number of sets that is a power of
 * two, near by. */
static struct capacity fit_of_none(const struct curve *curve, const struct knee *knee,
                                   const struct candidate *best)
{
    struct capacity foot = capacity_at_foot(curve, knee);
    if (best->step_ns > 0 && has_even_sets(best) && capacity_is_near(&foot, best->entries)) {
        foot.entries = best->entries;
        foot.least = fmin(foot.least, best->entries);
        foot.most = fmax(foot.most, best->entries);
    }
    return foot;
}

static struct capacity fit(const struct curve *curve, const struct knee *knee, size_t first,
                           size_t last, double before)
{
    struct candidate candidates[SHAPES_MOST];
    struct fit_data r = fit_data_of(curve, knee, first, last);
    size_t count;
    enum shapes kind = before > 0 ? SHAPES_ALL : SHAPES_EVEN;
    if (!knee->gradual && knee->significance >= sharp_errors)
        kind = SHAPES_SHARP;
    const struct candidate *best = fit_all(&r, knee, curve, kind, before, candidates, &count);
    if (kind == SHAPES_SHARP && fits_poorly(best, knee)) /* noise may hide the foot of a rise */
        best = fit_all(&r, knee, curve, SHAPES_EVEN, before, candidates, &count);
    if (best->step_ns <= 0 || fits_poorly(best, knee)) {
        fit_data_free(&r);
        return fit_of_none(curve, knee, best);
    }
    struct capacity capacity = {best->entries, best->entries, best->entries,
                                best->step_ns, best->shape,   best->squares > off_least};
    double most = best->score + as_well;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &candidates[i];
        if (c->score > most)
            continue;
        double less = exclusive_unsure * c->shape.before, more = less;
        if (c->shape.rule == RULE_RANDOM && c->shape.before == 0)
            more = before; /* an exclusive level begins to miss like this one */
        bool hashed = c->shape.hashed;
        widen(&capacity, end_of_range(&r, *c, most, -1) * (hashed ? sets_least : 1) - less,
              end_of_range(&r, *c, most, 1) * (hashed ? sets_most : 1) + more);
    }
    if (capacity.poor) {
        struct capacity foot = capacity_at_foot(curve, knee);
        widen(&capacity, foot.least, foot.most);
    }
    if (before == 0)
        capacity.least = fmin(capacity.least, last_that_fits(curve, knee, best->entries));
    if (kind == SHAPES_SHARP)
        capacity.entries = capacity_roundest(best->entries, capacity.least, capacity.most,
                                             best->shape.before);
    fit_data_free(&r);
    return capacity;
}

/* ---- known fits ---- */

static uint64_t mix(uint64_t key, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return random_mix(key, bits);
}

/* A hash of all that a fit depends on. */
static uint64_t key_of(const struct curve *curve, const struct knee *knee, size_t first,
                       size_t last, double before)
{
    uint64_t key = random_mix(first, last);
    key = random_mix(random_mix(key, knee->before), random_mix(knee->after, knee->end));
    key = mix(mix(mix(key, before), knee->plateau_ns), knee->plateau_error);
    key = mix(mix(key, knee->step_ns), knee->significance);
    key = random_mix(key, 2u * knee->gradual + knee->reaches_end);
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *p = &curve->at[i];
        key = mix(mix(mix(key, p->pages), p->ns), p->error);
        key = mix(mix(key, p->load_ns), p->above_ns);
        key = random_mix(random_mix(key, p->samples), random_mix(p->kept, p->places));
    }
    return key;
}

/* A plan and its rows ask for the same fits several times, which take most of their time. */
struct capacity capacity_fit(const struct curve *curve, const struct knee *knee, size_t first,
                             size_t last, double before)
{
    enum { KNOWN = 8 };
    static struct {
        uint64_t key;
        struct capacity capacity;
    } known[KNOWN];
    static size_t fits;
    uint64_t key = key_of(curve, knee, first, last, before);
    for (size_t i = 0; i < fits && i < KNOWN; i++)
        if (known[i].key == key)
            return known[i].capacity;
    size_t place = fits++ % KNOWN;
    known[place].key = key;
    return known[place].capacity = fit(curve, knee, first, last, before);
}

double capacity_cost(const struct capacity *capacity, double pages)
{
    double variance;
    return capacity->step_ns *
           miss_curve_share(&capacity->shape, capacity->entries, pages, &variance);
}
