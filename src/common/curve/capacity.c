/* capacity.c: the capacity behind a knee, by least squares. */
#include "curve/capacity.h"
#include "curve/candidate.h"
#include "curve/capacity_foot.h"
#include "curve/shapes.h"
#include <math.h>

/* Half of a gradual step lies between these parts of the capacity, for all kinds. [physics] */
static const double half_way_least = 0.85, half_way_most = 2;

/* A sharp step begins at the capacity, which is sought from this part of the bracket on. [prior] */
static const double sharp_least = 0.95;

/* Noise may hide that a step of less significance is gradual. [significance] */
static const double sharp_errors = 20;

/* A level with fewer sets is not hashed, nor has its index a gap. [prior] */
static const double hashed_sets_least = 8;

/* Ratios between the capacities tried: first, and then around the best. [bound] */
static const double coarse = 1.02, fine = 1.001;

/* No TLB is known with a number of sets that is no power of two: handicaps, the first one so many
 * times where the formula is not exact; fully associative levels stand between. [prior] */
static const double odd_sets = 20, no_sets = 10, odd_approximate = 3;

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

/* A level has overflowed at this multiple of its capacity, whatever walks cost farther on. [prior]
 */
static const double near_most = 1.25;

/* A kind with such a mean square that scores so much worse than another up to there fits what walks
 * cost farther on. [significance] */
static const double suspect_least = 2, worse_near = 100;

/* Candidates within this score of the best fit about as well. The points lie off the best where its
 * mean square, in standard errors, exceeds `off_least`: their errors are larger than they seem. No
 * kind fits where it exceeds `poor_least`; `poor_exclusive` of a sharp step, whose shape is only
 * known approximately; `off_least` where its sets are no power of two, or hashed without LRU, whose
 * rises are so gentle that they fit much. [significance] */
static const double as_well = 6, off_least = 3, poor_least = 6, poor_exclusive = 15;

/* Whether the sets of a kind are a power of two: hashed ones, and those whose index has a gap. */
static bool needs_powers(const struct miss_curve *s)
{
    return s->hashed || s->gap > 0;
}

/* The best capacity of such a kind from low to high, unless none scores below `most`. */
static void search_powers(const struct fit_data *r, struct candidate *best, double low, double high,
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
    size_t listed = shapes_list(candidates, kind, before);
    double least = INFINITY;
    *count = 0;
    for (size_t i = 0; i < listed; i++) {
        struct candidate c = candidates[i];
        bool sharp = kind == SHAPES_SHARP;
        double above = sharp ? c.shape.before : 0, most = sharp ? INFINITY : least + worth_keeping;
        if (needs_powers(&c.shape))
            search_powers(r, &c, low, high, most);
        else
            search(r, &c, low + above, high + above, sharp ? fine : coarse, most);
        if (c.score < most)
            candidates[(*count)++] = c;
        least = fmin(least, c.score);
    }
    rescale(r, candidates, *count);
    least = candidates[best_of(candidates, *count)].score;
    for (size_t i = 0; i < *count && kind != SHAPES_SHARP; i++)
        if (candidates[i].score < least + worth_keeping && !needs_powers(&candidates[i].shape))
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
    bool gentle = c->shape.hashed && c->shape.rule != RULE_LRU;
    return c->squares > (gentle || (plain && !has_even_sets(c)) ? off_least : poor_least);
}

/* Whether `best` fits the points up to `near_most` of *foot far worse than another kind does. *foot
 * becomes the capacity of that; *even: its number of sets is a power of two. */
static bool fits_foot_worse(const struct curve *curve, const struct knee *knee, size_t first,
                            double before, const struct candidate *best, double *foot, bool *even)
{
    struct candidate candidates[SHAPES_MOST], here = *best;
    struct knee part = *knee;
    size_t count;
    while (part.end > knee->after && curve->at[part.end].pages > near_most * *foot)
        part.end--;
    part.step_ns = curve->at[part.end].ns - knee->plateau_ns;
    struct fit_data r = fit_data_of(curve, &part, first, part.end);
    const struct candidate *near = fit_all(&r, &part, curve, SHAPES_EVEN, before, candidates,
                                           &count);
    candidate_fit(&r, &here, INFINITY);
    fit_data_free(&r);
    *even = near->step_ns > 0 && has_even_sets(near);
    *foot = near->entries;
    return here.score > near->score + worse_near;
}

/* The capacity where no kind fits the whole rise, `best` being the best, or another fits its foot
 * far better: at the foot, or, of a number of sets that is a power of two, near by. False where
 * `best` fits everywhere. */
static bool fit_foot(const struct curve *curve, const struct knee *knee, size_t first,
                     double before, const struct candidate *best, struct capacity *foot)
{
    *foot = capacity_at_foot(curve, knee);
    if (best->step_ns > 0 && best->squares <= suspect_least)
        return false;
    double entries = foot->entries;
    bool even, worse = fits_foot_worse(curve, knee, first, before, best, &entries, &even);
    if (!even && entries > foot->entries) /* noise may look like an earlier foot */
        worse = fits_foot_worse(curve, knee, first, before, best, &entries, &even) || worse;
    if (even && capacity_is_near(foot, entries)) {
        foot->entries = entries;
        foot->least = fmin(foot->least, entries);
        foot->most = fmax(foot->most, entries);
    }
    return best->step_ns <= 0 || fits_poorly(best, knee) || worse;
}

struct capacity capacity_fit(const struct curve *curve, const struct knee *knee, size_t first,
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
    struct capacity foot;
    if (fit_foot(curve, knee, first, before, best, &foot)) {
        fit_data_free(&r);
        return foot;
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
    if (capacity.poor)
        widen(&capacity, foot.least, foot.most);
    if (before == 0)
        capacity.least = fmin(capacity.least, last_that_fits(curve, knee, best->entries));
    if (kind == SHAPES_SHARP)
        capacity.entries = capacity_roundest(best->entries, capacity.least, capacity.most,
                                             best->shape.before);
    fit_data_free(&r);
    return capacity;
}

double capacity_cost(const struct capacity *capacity, double pages)
{
    double variance;
    return capacity->step_ns *
           miss_curve_share(&capacity->shape, capacity->entries, pages, &variance);
}
