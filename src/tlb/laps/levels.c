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

/* The plateau after a level begins at this multiple of its entries: nearly all loads miss. [prior]
 */
static const double plateau_from = 3;

/* Sizes are a quarter of an octave apart, so the rise may seem to start beyond the capacity: by
 * 2^(1/4) at most. [physics] */
static const double start_least = 0.84;

/* Pages of one set, more than the second level has ways: if none of them walks, the entries of both
 * levels add up, and others that flush the first level fill the second. */
static bool is_exclusive(const struct laps *laps)
{
    double miss_ns = laps->pages.miss_hits * laps->pages.hit_ns;
    double costs = laps->first.all_hits * laps->first.hit_ns / miss_ns;
    return laps->first.all > laps->far.fits && costs > 1 / misses_only && costs < misses_only;
}

struct laps laps_of(const struct families *families, const struct point *like)
{
    struct laps laps;
    const struct family *far = family_find(families, like, true, true),
                        *close = family_near(families, like, CLOSE_PAGES, CLOSE_PAGES),
                        *near = family_near(families, like, 2, NEAR_PAGES);
    double too_many = too_many_alone;
    laps.pages = fits_of(family_find(families, like, false, false), NAN, too_many_alone);
    laps.first = fits_of(family_find(families, like, true, false), laps.pages.miss_hits,
                         too_many_alone);
    laps.second = laps.far = fits_of(far, NAN, too_many);
    laps.exclusive = is_exclusive(&laps);
    if (laps.exclusive) {
        too_many = too_many_exclusive;
        laps.second = laps.far = fits_of(far, NAN, too_many);
    }
    laps.close = fits_of(close != far ? close : NULL, NAN, too_many);
    if (fits_held(&laps.far) && laps.close.fits > laps.far.fits &&
        (double)laps.close.fits < laps_grown * (double)laps.far.fits)
        laps.second = laps.close;
    laps.near = fits_of(near, laps.second.miss_hits, too_many_alone);
    laps.near_pages = near != NULL ? (double)near->like.spacing / (double)near->like.page_bytes : 0;
    return laps;
}

struct laps laps_of_series(const struct series *series, const struct point *like)
{
    struct families families = families_of(series);
    struct laps laps = laps_of(&families, like);
    families_free(&families);
    return laps;
}

/* ---- the first level ---- */

/* The ways times a power of two that consecutive pages allow; 0: none, or several. */
static double product_of(const struct laps *laps)
{
    double pages = (double)laps->pages.fits, end = fits_thrashes(&laps->pages), product = 0;
    if (laps->first.fits == 0 || laps->first.most != laps->first.fits)
        return 0;
    for (double entries = (double)laps->first.fits; entries < end && entries <= 2 * pages;
         entries *= 2)
        if (entries >= pages) {
            if (product > 0)
                return 0;
            product = entries;
        }
    return product;
}

bool laps_first_level(const struct laps *laps, struct level *level)
{
    double pages = (double)laps->pages.fits, product = product_of(laps);
    if (laps->pages.fits == 0 || !(laps->pages.miss_hits >= fits_noise))
        return false;
    *level = (struct level){.criteria = fits_criteria(&laps->pages),
                            .held = fits_held(&laps->pages),
                            .knee.step_ns = laps->pages.miss_hits * laps->pages.hit_ns};
    level->least = pages;
    level->most = laps->pages.most > 0 ? (double)laps->pages.most : NAN;
    level->entries = level->most == pages ? pages : NAN;
    if (product >= pages && fits_criteria(&laps->first) >= level->criteria) {
        bool near = product - pages <= held_most * product &&
                    fits_thrashes(&laps->pages) < ends_most * product;
        level->entries = level->most = product;
        level->least = near ? product : pages;
        level->criteria = near ? fits_criteria(&laps->first) : 0;
        level->held = !near || fits_held(&laps->first);
    }
    return true;
}

/* ---- the second level ---- */

/* Where the walks begin and where most loads walk; NaN: not on the curve. */
struct rise {
    double base_ns, top_ns, from, to;
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

/* Sets `to`, beyond the cache that the control leaves soon after the rise if that cache explains
 * the rise, too. */
static void doubt_rise(const struct curve *curve, size_t from, size_t to, struct rise *rise)
{
    const struct curve_point *at = curve->at;
    size_t beyond_it = to;
    while (beyond_it + 1 < curve->count && at[beyond_it].pages < leaves_earlier * at[to].pages)
        beyond_it++;
    double control = at[beyond_it].load_ns - at[beyond_it].ns - (at[from].load_ns - at[from].ns);
    bool explained = rise->top_ns - rise->base_ns < leave_uneven * control;
    rise->to = at[explained ? beyond_it : to].pages;
}

/* Sets where the rise begins and ends: from the first point, of these sizes, below which hardly any
 * load walks to the one from which on many do. What is in doubt between them belongs to the rise.
 */
static void find_rise(const struct curve *curve, size_t first, size_t end, struct rise *rise)
{
    double height = rise->top_ns - rise->base_ns;
    size_t from = first, to = end;
    rise->from = rise->to = NAN;
    while (from <= end && curve->at[from].ns < rise->base_ns + few_walk * height)
        rise->from = curve->at[from++].pages;
    while (to > from && curve->at[to - 1].ns > rise->base_ns + many_walk * height)
        to--;
    if (from > first && from <= end)
        doubt_rise(curve, from - 1, to, rise);
}

/* The rise of the curve after the first level; false: there is none. Far beyond it, tables of pages
 * leave the caches and the curve rises on, so its upper plateau is looked for beyond its start. */
static bool walks_of(const struct curve *curve, double first, double miss_ns, struct rise *rise)
{
    size_t i = 0, start, end;
    rise->base_ns = lowest_in(curve, plateau_from * first);
    while (i < curve->count && !(curve->at[i].pages > plateau_from * first))
        i++;
    for (start = i; i < curve->count && !(curve->at[i].ns > rise->base_ns + fits_noise * miss_ns);)
        i++;
    if (i == curve->count)
        return false;
    for (end = i;
         end + 1 < curve->count && curve->at[end].pages < plateau_from * curve->at[i].pages;)
        end++;
    rise->top_ns = curve->at[end].ns;
    find_rise(curve, start, end, rise);
    return !isnan(rise->from) && !isnan(rise->to);
}

/* Whether nearer pages allow a second level of so many sets. They are in at least as many as the
 * bits from their distance on select, and in more if an index folds others into these: so the
 * number that fits is a bound from above alone. */
static bool has_sets(const struct laps *laps, double sets)
{
    double targets = (double)laps->second.fits * fmax(1, sets / laps->near_pages);
    return !fits_bounded(&laps->near) || targets <= laps_grown * (double)laps->near.most;
}

/* The ways times the powers of two that the curve and nearer pages allow, and the entries of a
 * first level that the second does not hold too; returns how many. */
static int products_of(const struct laps *laps, bool nearer, double first, const struct rise *rise,
                       struct level *level)
{
    int count = 0;
    const struct fits *ways = &laps->second;
    double most = ways->most > 0 ? (double)ways->most : INFINITY;
    for (double sets = 1; first + (double)ways->fits * sets < rise->to; sets *= 2) {
        if (first + most * sets < start_least * rise->from || (nearer && !has_sets(laps, sets)))
            continue;
        if (count++ == 0)
            level->least = first + (double)ways->fits * sets;
        level->most = first + most * sets;
    }
    return count;
}

static bool second_level(const struct laps *laps, const struct curve *curve, double first,
                         struct level *level)
{
    struct rise rise;
    double miss_ns = laps->pages.miss_hits * laps->pages.hit_ns;
    if (laps->second.miss_hits >= fits_noise)
        miss_ns = fmin(miss_ns, laps->second.miss_hits * laps->second.hit_ns);
    if (!walks_of(curve, first, miss_ns, &rise))
        return false;
    *level = (struct level){.entries = NAN, .knee.step_ns = rise.top_ns - rise.base_ns};
    int products = 0, criteria = fits_criteria(&laps->second);
    double added = laps->exclusive ? first : 0; /* entries that the second does not hold too */
    if (laps->second.fits > 0 && (fits_bounded(&laps->second) || !laps->exclusive))
        products = products_of(laps, false, added, &rise, level);
    if (products > 1 && laps->near_pages > 0) {
        products = products_of(laps, true, added, &rise, level);
        criteria = fits_criteria(&laps->near) == 2 ? criteria : 0;
    }
    if (laps->exclusive)
        criteria = 0; /* a neighbour's page costs one walk, too, so others may look exclusive */
    if (products == 1 && (level->least == level->most || fits_bounded(&laps->second)))
        level->entries = level->least;
    level->criteria = products == 1 ? criteria : 0;
    level->held = laps->second.fits > 0 && fits_held(&laps->second);
    if (products != 1 || !fits_bounded(&laps->second)) { /* what the curve alone allows */
        if (products != 1)
            level->least = fmax(first, floor(start_least * rise.from));
        level->most = fmax(rise.to, isnan(level->entries) ? 0 : level->most);
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

size_t laps_levels(const struct laps *laps, const struct curve *curve,
                   struct level levels[LEVELS_MAX])
{
    if (!laps_first_level(laps, &levels[0]))
        return 0;
    if (curve->count == 0)
        return 1;
    set_knee(&levels[0], curve);
    if (!second_level(laps, curve, levels[0].least, &levels[1]))
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
        misses_at(curve, knee, last + 1) >= too_many_alone + noise * at[last + 1].pages) {
        level.entries = level.most = level.least;
        level.criteria = 1;
    }
    return level;
}
