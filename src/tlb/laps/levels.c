/* levels.c: from laps to the levels of a TLB. */
#include "tlb/laps/levels.h"
#include <math.h>

const double laps_grown = 1.41; /* [physics] */

/* Neighbours hold at most this share of the entries of a set-associative level; consecutive pages
 * show the rest. [prior] */
static const double held_most = 0.1;

/* A quarter of the loads miss below this multiple of the entries. [physics: random replacement] */
static const double ends_most = 1.5;

/* Shares of the rise of the curve: below the first hardly any load walks, beyond the second a level
 * has ended, whatever its replacement. [physics: random replacement misses half at 1.4 times] */
static const double few_walk = 0.15, many_walk = 0.5;

/* A walk takes more than this many times a miss of the first level. [physics] */
static const double misses_only = 1.15;

/* The plateau after a level has begun at this multiple of its entries; it begins at the second,
 * from which on even random replacement adds less than noise: a second level that is smaller is not
 * seen. [physics: of random replacement 94 and 80 per cent miss] */
static const double plateau_at = 3, plateau_from = 2;

/* Sizes are a quarter of an octave apart, so the rise may seem to start beyond the capacity: by
 * 2^(1/4) at most. [physics] */
static const double start_least = 0.84;

/* Pages of one set, more than the second level has ways: if none of them walks, the entries of both
 * levels add up, and others that flush the first level fill the second. */
static bool is_exclusive(const struct counted *counted)
{
    double miss_ns = counted->pages.miss_hits * counted->pages.hit_ns;
    double costs = counted->first.all_hits * counted->first.hit_ns / miss_ns;
    return counted->first.all > counted->far.fits && costs > 1 / misses_only && costs < misses_only;
}

struct counted counted_of(const struct families *families, const struct point *like)
{
    struct counted counted;
    const struct family *far = family_find(families, like, 2, UINT64_MAX, true),
                        *close = family_find(families, like, CLOSE_PAGES, CLOSE_PAGES, true),
                        *near = family_find(families, like, 2, NEAR_PAGES, true);
    double excess = excess_alone;
    counted.pages = fits_of(family_find(families, like, 1, 1, false), NAN, excess_alone);
    counted.first = fits_of(family_find(families, like, 2, UINT64_MAX, false),
                            counted.pages.miss_hits, excess_alone);
    counted.far = fits_of(far, NAN, excess);
    counted.exclusive = is_exclusive(&counted);
    if (counted.exclusive)
        counted.far = fits_of(far, NAN, excess = excess_exclusive);
    counted.close = fits_of(close != far ? close : NULL, NAN, excess);
    bool closer = fits_held(&counted.far) && counted.close.fits > counted.far.fits &&
                  (double)counted.close.fits < laps_grown * (double)counted.far.fits;
    counted.second = closer ? counted.close : counted.far;
    counted.near = fits_of(near, counted.second.miss_hits, excess_alone);
    counted.near_pages = near != NULL ? (double)near->like.spacing / (double)near->like.page_bytes
                                      : 0;
    return counted;
}

struct counted counted_of_series(const struct series *series, const struct point *like)
{
    struct families families = families_of(series);
    struct counted counted = counted_of(&families, like);
    families_free(&families);
    return counted;
}

/* ---- the first level ---- */

/* The ways times a power of two that consecutive pages allow; 0: none, or several. */
static double product_of(const struct counted *counted)
{
    double pages = (double)counted->pages.fits, end = fits_thrashes(&counted->pages), product = 0;
    if (counted->first.fits == 0 || counted->first.most != counted->first.fits)
        return 0;
    for (double entries = (double)counted->first.fits; entries < end && entries <= 2 * pages;
         entries *= 2)
        if (entries >= pages) {
            if (product > 0)
                return 0;
            product = entries;
        }
    return product;
}

bool laps_first_level(const struct counted *counted, struct level *level)
{
    double pages = (double)counted->pages.fits, product = product_of(counted);
    if (counted->pages.fits == 0 || !(counted->pages.miss_hits >= fits_noise))
        return false;
    *level = (struct level){.criteria = fits_criteria(&counted->pages),
                            .held = fits_held(&counted->pages),
                            .knee.step_ns = counted->pages.miss_hits * counted->pages.hit_ns};
    level->least = pages;
    level->most = counted->pages.most > 0 ? (double)counted->pages.most : NAN;
    level->entries = level->most == pages ? pages : NAN;
    if (product >= pages && fits_criteria(&counted->first) >= level->criteria) {
        bool near = product - pages <= held_most * product &&
                    fits_thrashes(&counted->pages) < ends_most * product;
        level->entries = level->most = product;
        level->least = near ? product : pages;
        level->criteria = near ? fits_criteria(&counted->first) : 0;
        level->held = !near || fits_held(&counted->first);
    }
    return true;
}

/* ---- the second level ---- */

/* From the last size of which hardly any load walks to the first from which on many do. */
struct rise {
    double height_ns, from, to;
    bool ended; /* the curve reaches the plateau above */
};

/* In the octave from this size on. */
static double lowest_in(const struct curve *curve, double from)
{
    double lowest = INFINITY;
    for (size_t i = 0; i < curve->count; i++)
        if (curve->at[i].pages >= from && curve->at[i].pages <= 2 * from)
            lowest = fmin(lowest, curve->at[i].ns);
    return lowest;
}

/* Nodes on scattered pages fill the sets of a cache less evenly than packed ones, so `page` leaves
 * it up to the first many times earlier; until packed nodes leave it, at most the second share of
 * the loads on pages miss it. [physics: Poisson] */
static const double leaves_earlier = 2, leave_uneven = 0.5;

/* The point that ends a rise which ends at `to`: beyond the cache that the control leaves soon
 * after if that cache explains the rise, too. */
static size_t doubt_end(const struct curve *curve, size_t from, size_t to, double height)
{
    const struct curve_point *at = curve->at;
    size_t beyond_it = to;
    while (beyond_it + 1 < curve->count && at[beyond_it].pages < leaves_earlier * at[to].pages)
        beyond_it++;
    double control = at[beyond_it].load_ns - at[beyond_it].ns - (at[from].load_ns - at[from].ns);
    return height < leave_uneven * control ? beyond_it : to;
}

/* The rise of the curve after the first level; false: there is none. Far beyond it, tables of pages
 * leave the caches and the curve rises on, so its upper plateau is looked for beyond its start.
 * What is in doubt between its ends belongs to the rise. */
static bool find_rise(const struct curve *curve, double first, double miss_ns, struct rise *rise)
{
    const struct curve_point *at = curve->at;
    double base = lowest_in(curve, plateau_from * first);
    size_t start = 0, end, from, to;
    while (start < curve->count && !(at[start].pages > plateau_from * first))
        start++;
    for (to = start; to < curve->count && !(at[to].ns > base + fits_noise * miss_ns);)
        to++;
    if (to == curve->count)
        return false;
    for (end = to; end + 1 < curve->count && at[end].pages < plateau_at * at[to].pages;)
        end++;
    bool ended = !(at[end].pages < plateau_at * at[to].pages);
    double height = at[end].ns - base;
    for (from = start; from <= end && at[from].ns < base + few_walk * height;)
        from++;
    for (to = end; to > from && at[to - 1].ns > base + many_walk * height;)
        to--;
    if (from == start || from > end)
        return false;
    *rise = (struct rise){height, at[from - 1].pages,
                          at[doubt_end(curve, from - 1, to, height)].pages, ended};
    return true;
}

/* Whether nearer pages allow a second level of so many sets. They are in at least as many as the
 * bits from their distance on select, and in more if an index folds others into these: so the
 * number that fits is a bound from above alone. */
static bool has_sets(const struct counted *counted, double sets)
{
    double targets = (double)counted->second.fits * fmax(1, sets / counted->near_pages);
    return !fits_bounded(&counted->near) || targets <= laps_grown * (double)counted->near.most;
}

/* The ways times the powers of two that the curve and nearer pages allow, and the entries of a
 * first level that the second does not hold too; returns how many. */
static int products_of(const struct counted *counted, bool nearer, double first,
                       const struct rise *rise, struct level *level)
{
    int count = 0;
    const struct fits *ways = &counted->second;
    double most = ways->most > 0 ? (double)ways->most : INFINITY;
    for (double sets = 1; first + (double)ways->fits * sets < rise->to; sets *= 2) {
        if (first + most * sets < start_least * rise->from || (nearer && !has_sets(counted, sets)))
            continue;
        if (count++ == 0)
            level->least = first + (double)ways->fits * sets;
        level->most = first + most * sets;
    }
    return count;
}

static bool second_level(const struct counted *counted, const struct curve *curve, double first,
                         struct level *level)
{
    struct rise rise;
    double miss_ns = counted->pages.miss_hits * counted->pages.hit_ns;
    if (counted->second.miss_hits >= fits_noise)
        miss_ns = fmin(miss_ns, counted->second.miss_hits * counted->second.hit_ns);
    if (!find_rise(curve, first, miss_ns, &rise))
        return false;
    *level = (struct level){.entries = NAN, .knee.step_ns = rise.height_ns};
    int products = 0, criteria = fits_criteria(&counted->second);
    double added = counted->exclusive ? first : 0; /* entries that the second does not hold too */
    if (counted->second.fits > 0 && (fits_bounded(&counted->second) || !counted->exclusive))
        products = products_of(counted, false, added, &rise, level);
    if (products > 1 && counted->near_pages > 0) {
        products = products_of(counted, true, added, &rise, level);
        criteria = fits_criteria(&counted->near) == 2 ? criteria : 0;
    }
    if (counted->exclusive)
        criteria = 0; /* a neighbour's page costs one walk, too, so others may look exclusive */
    if (products == 1 && (level->least == level->most || fits_bounded(&counted->second)))
        level->entries = level->least;
    level->criteria = products == 1 ? criteria : 0;
    level->held = fits_held(&counted->second);
    if (products != 1 || !fits_bounded(&counted->second)) { /* what the curve alone allows */
        if (products != 1)
            level->least = fmax(first, floor(start_least * rise.from));
        level->most = rise.ended ? fmax(rise.to, isnan(level->entries) ? 0 : level->most) : NAN;
    }
    return true;
}

/* ---- both ---- */

/* Sets the points of the curve beside the level. */
static void set_knee(struct level *level, const struct curve *curve)
{
    struct knee *knee = &level->knee;
    knee->before = 0;
    while (knee->before + 1 < curve->count && curve->at[knee->before + 1].pages <= level->least)
        knee->before++;
    knee->after = knee->end = knee->before + (knee->before + 1 < curve->count);
    while (knee->end + 1 < curve->count && !(curve->at[knee->end].pages > level->most))
        knee->end++;
    knee->plateau_ns = curve->at[knee->before].ns;
}

size_t laps_levels(const struct counted *counted, const struct curve *curve,
                   struct level levels[LEVELS_MAX])
{
    if (!laps_first_level(counted, &levels[0]))
        return 0;
    if (curve->count == 0)
        return 1;
    set_knee(&levels[0], curve);
    if (!second_level(counted, curve, levels[0].least, &levels[1]))
        return 1;
    set_knee(&levels[1], curve);
    return 2;
}

/* ---- by the fastest laps ---- */

/* The misses of a lap at point i, if the loads that miss are those of this knee. */
static double misses_at(const struct curve *curve, const struct knee *knee, size_t i)
{
    const struct curve_point *p = &curve->at[i];
    return p->pages * (p->ns - knee->plateau_ns) / knee->step_ns;
}

struct level laps_fastest(const struct curve *curve, const struct knee *knee)
{
    struct level level = {.entries = NAN, .knee = *knee};
    const struct curve_point *at = curve->at;
    size_t half = knee->after, last;
    while (half < knee->end && misses_at(curve, knee, half) < at[half].pages / 2)
        half++;
    for (last = half - 1; last > 0 && misses_at(curve, knee, last) >= 1;)
        last--;
    level.least = at[last].pages;
    level.most = at[half].pages;
    double noise = noise_errors * hypot(at[last + 1].error, knee->plateau_error) / knee->step_ns;
    if (at[last + 1].pages == at[last].pages + 1 &&
        misses_at(curve, knee, last + 1) >= excess_alone + noise * at[last + 1].pages) {
        level.entries = level.most = level.least;
        level.criteria = 1;
    }
    return level;
}
