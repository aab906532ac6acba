/* questions.c: what to ask next. Every answer so far is taken from the samples alone, so a plan by
 * hand, a resumed one and `sweep` ask the same. */
#include "tlb/plan/questions.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/random.h"
#include "tlb/geometry/cache_sets.h"
#include "tlb/geometry/organisation.h"
#include <math.h>

/* Moments of a family in a batch; and one moment in ALL_EVERY also measures so many targets that
 * all miss, which takes longest. [prior] */
enum { TOGETHER = 4 * SHARE_FEW, ALL_EVERY = 16 };

/* Moments of a family: of one that is settled, so that they are spread over the sweep, and before
 * the curve at most, so that there is an answer soon; and of one that is not. [prior] */
enum { SETTLED_MIN = 960, UNSETTLED_MAX = 2400 };

/* Pages that surely fit, and jumps enough for the first loop of a processor that predicts them one
 * by one; and more pages than a first level holds, hardly more than a small second one. [prior] */
enum { FEW = 8, CODE_FEW = 16, PAGES_MAX = 400 };

/* More ways than any second level has, and so many pages that all of one set miss. [prior] */
enum { WAYS_MAX = 64, WAYS_ALL = 40 };

/* ---- what to ask ---- */

/* A number is given up after so many moments that count, if it still does not fit. [prior] */
enum { ASKED_OFTEN = 6 };

/* The smallest number beyond those that fit that was asked about often; 0: none. */
static uint64_t first_too_many(const struct fits *fits)
{
    for (uint64_t n = fits->fits + 1; n <= FITS_MAX; n++)
        if (fits->at[n].all >= ASKED_OFTEN)
            return n;
    return 0;
}

/* Questions that take turns, where the place is drawn all at the same one. [prior] */
enum { CYCLE = 4 };

/* The number to ask about in the next of the family's moments: quarters of the way from what fits
 * to what does not, or to twice as many; then the next number, some beyond it, and what fits, again
 * and again. */
static uint64_t next_number(const struct question *q, const struct fits *fits, uint64_t turn)
{
    uint64_t known = fits->fits, over = first_too_many(fits);
    uint64_t apart = over > 0 ? over - known : known, step = apart * (1 + turn % 3) / 4;
    if (apart > 1 || over == 0)
        return known + (step > 0 ? step : 1);
    if (turn % CYCLE == 0) /* a neighbour may have paused */
        return known + 1 + random_mix(turn, known) % (known / 3 + 2);
    return turn % 2 == 0 || known == q->few ? known + 1 : known;
}

/* The same for code: each number in turn, until one does not fit; then that one and the last that
 * does. */
static uint64_t next_of_code(const struct question *q, const struct fits *fits, uint64_t turn)
{
    uint64_t next = fits->fits + 1;
    if (first_too_many(fits) != next)
        return next + turn % TOGETHER;
    return turn % 2 > 0 || fits->fits == q->few ? next : fits->fits;
}

/* Whether the family needs more moments: before the curve, for a likely answer soon; then, for a
 * sure one, more where a larger number is in doubt: a neighbour may yet pause. */
static bool is_open(const struct question *q, const struct fits *fits, bool settle)
{
    if (fits->fits >= q->to || (fits_bounded(fits) && !settle))
        return false;
    return fits->moments < (settle && fits_criteria(fits) < 2 ? UNSETTLED_MAX : SETTLED_MIN);
}

/* The place of a moment: in every other cycle, one where as many targets as the control's were
 * clean recently, as entries of a set are held for a while; else any. */
static uint64_t place_of(const struct question *q, const struct family *family,
                         const struct fits *fits, uint64_t turn, uint64_t control)
{
    uint64_t clean[2 * TOGETHER], count = 0, cycle = turn / CYCLE;
    size_t end = family != NULL && cycle % 2 == 0 ? family->count : 0;
    for (size_t i = end > 2 * TOGETHER ? end - 2 * TOGETHER : 0; i < end; i++)
        if (fits_shows(family, &family->at[i], control, fits->miss_hits))
            clean[count++] = family->at[i].sample;
    return (count > 0 ? clean[cycle / 2 % count] : random_mix(cycle, q->few)) % SETS_TRIED;
}

static void add_point(struct points *points, const struct question *q, uint64_t targets,
                      enum role role, uint64_t moment, uint64_t place)
{
    struct point point = q->like;
    point.pages = targets + point.others;
    point.targets = point.layout->targets ? targets : 0;
    point.moment = moment;
    point.sample = SETS_TRIED * moment + place;
    point.role = role;
    points_append(points, &point);
}

/* Adds the points of a question's next moments. The control of code is the number below, and so is
 * that of what fits: in what share of the moments is it clean? */
static void put_moments(const struct question *q, const struct families *families, bool settle,
                        uint64_t *moment, struct points *points)
{
    const struct family *family = family_like(families, &q->like);
    struct fits fits = fits_of(family, q->miss_hits, q->excess_misses);
    bool code = q->like.kernel->executes;
    if (!is_open(q, &fits, settle))
        return;
    fits.fits = fits.moments > 0 ? fits.fits : q->few;
    for (uint64_t turn = fits.moments; turn < fits.moments + TOGETHER; turn++) {
        uint64_t next = code ? next_of_code(q, &fits, turn) : next_number(q, &fits, turn);
        uint64_t asked = next < q->to ? next : q->to;
        uint64_t control = code || asked == fits.fits ? asked - 1 : fits.fits;
        uint64_t place = place_of(q, family, &fits, turn, control);
        add_point(points, q, q->few, ROLE_FEW, ++*moment, place);
        if (control > q->few)
            add_point(points, q, control, ROLE_CONTROL, *moment, place);
        add_point(points, q, asked, ROLE_ASKED, *moment, place);
        if (q->all > 0 && turn % ALL_EVERY == 0)
            add_point(points, q, q->all, ROLE_ALL, *moment, place);
    }
}

size_t questions_next(const struct batch *batch, questions *asks, bool settle,
                      struct point **points)
{
    struct answers answers = answers_of(batch->series);
    struct points list = {0};
    uint64_t moment = answers.families.last;
    asks(&answers, batch);
    for (size_t i = 0; i < answers.count; i++)
        put_moments(&answers.asked[i], &answers.families, settle, &moment, &list);
    answers_free(&answers);
    *points = list.at;
    return list.count;
}

/* ---- the levels of a TLB ---- */

/* The distance of targets that share a set of any level: beyond the bits of the page number that an
 * index folds, which are 9 bits folded once, if there is address space for it. [prior] */
enum { FAR_PAGES = 1 << 18 };

static uint64_t far_pages(const struct plan_options *o)
{
    uint64_t pages = FAR_PAGES;
    while (pages > 1 && pages * o->page_bytes > o->address_bytes / PAGES_MAX)
        pages /= 2;
    return pages;
}

/* What all families of a plan share. */
static struct point point_like(const struct plan_options *o, uint64_t apart)
{
    return (struct point){.spacing = apart * o->page_bytes,
                          .page_bytes = o->page_bytes,
                          .layout = &layouts[LAYOUT_SET],
                          .backing = o->backing,
                          .kernel = o->kernel};
}

/* Others per way of the first level that flush it: of LRU, by which all targets miss if one is too
 * many, and of any other replacement, even a random one. [physics] */
static const double flushed_lru = 2, flushed_any = 6, lru_misses = 0.75;

/* Others that were chosen go on while they are such a share of those that are needed. [prior] */
static const double flushed_least = 0.75;

/* A few more pages may fit than are known to. */
static double others_per_way(const struct fits *fits)
{
    for (uint64_t n = fits->fits + 1; n <= fits->fits + 1 + fits->fits / 4 && n <= FITS_MAX; n++)
        if (fits->misses[n] >= lru_misses * (double)n)
            return flushed_lru;
    return flushed_any;
}

/* Sets the others that flush the first level; false: too little is known of it. */
static bool flush_first(const struct counted *counted, struct point *like)
{
    struct level level;
    bool full = counted->first.fits >= counted->pages.fits; /* it may hold any pages */
    if (!laps_first_level(counted, &level) || !(full || fits_bounded(&counted->first)) ||
        !(level.criteria > 0 || fits_bounded(&counted->pages)))
        return false;
    double ways = (double)counted->first.fits;
    double sets = fmax(1, exp2(round(log2(level.least / ways))));
    if (sets * ways != level.least && counted->pages.chance < fits_chance_high) {
        ways = level.least; /* no sets of so many ways make up the level: it may hold any pages */
        sets = 1;
    }
    like->others = (uint64_t)fmin(others_per_way(full ? &counted->pages : &counted->first) * ways,
                                  PAGES_MAX);
    like->others_spacing = (uint64_t)sets * like->page_bytes;
    return true;
}

/* Whether the second level can be asked about: then the others are set. Those that were chosen go
 * on if they flush about as many entries of as many sets as needed; side by side, of all sets. */
static bool flush(const struct counted *counted, const struct family *begun, struct point *like)
{
    bool known = flush_first(counted, like);
    if (begun == NULL)
        return known;
    uint64_t others = begun->like.others, apart = begun->like.others_spacing;
    if (!known || ((double)others >= flushed_least * (double)like->others &&
                   (apart == 0 || apart >= like->others_spacing)))
        *like = begun->like;
    like->others = others > like->others ? others : like->others; /* the most: family_find() */
    return true;
}

/* If the curve allows several numbers of sets: asks about pages so near that the smallest of these
 * levels holds NEAR_TIMES its ways of them. [prior] */
enum { NEAR_TIMES = 8 };

static void ask_near(struct answers *answers, struct question near)
{
    const struct fits *second = &answers->counted.second;
    const struct level *level = &answers->levels[1];
    const struct family *begun = family_find(&answers->families, NULL, 2, NEAR_PAGES, true);
    double ways = (double)second->fits, sets = exp2(ceil(log2(level->least / ways)));
    double apart = fmin(sets / NEAR_TIMES, NEAR_PAGES);
    bool several = answers->level_count > 1 && isnan(level->entries) && fits_bounded(second) &&
                   !answers->counted.exclusive && laps_grown * ways * sets / apart < PAGES_MAX;
    near.to = PAGES_MAX;
    near.all = 0;
    near.like.spacing = several ? (uint64_t)apart * near.like.page_bytes : 0;
    several = several && near.like.spacing >= 2 * near.like.others_spacing;
    near.like = begun != NULL ? begun->like : near.like;
    if (begun != NULL || several)
        answers_ask(answers, &near);
}

/* Asks about pages of one set, without and with others that flush the first level. If something may
 * hold ways of far pages, closer ones are asked about. */
static void ask_sets(struct answers *answers, const struct plan_options *o,
                     const struct counted *counted)
{
    struct question first = answers_set(counted, point_like(o, far_pages(o)), false),
                    second = answers_set(counted, first.like, true);
    first.to = (uint64_t)fmin((double)o->most / SETS_TRIED, PAGES_MAX);
    if (counted->second.fits > 0) /* too many for either level, but not if their ways add up */
        first.all = counted->first.fits + counted->second.fits - 1;
    answers_ask(answers, &first);
    if (!flush(counted, family_find(&answers->families, NULL, 2, UINT64_MAX, true), &second.like))
        return;
    if (counted->far.moments >= SETTLED_MIN && fits_held(&counted->far) &&
        far_pages(o) > CLOSE_PAGES)
        second.like.spacing = CLOSE_PAGES * o->page_bytes;
    second.to = WAYS_MAX;
    second.all = WAYS_ALL;
    answers_ask(answers, &second);
    if (o->kind != PLAN_GEOMETRY) /* which asks about nearer pages anyway */
        ask_near(answers, second);
}

/* Asks about the pages of a plan whose backing is set, unless the ways of the first level show it,
 * too. */
static void ask_pages(struct answers *answers, const struct plan_options *o)
{
    struct question pages = {point_like(o, 1), .few = o->kernel->executes ? CODE_FEW : FEW,
                             .to = o->most < PAGES_MAX ? o->most : PAGES_MAX, .miss_hits = NAN,
                             .excess_misses = excess_alone};
    struct counted counted = counted_of(&answers->families, &pages.like);
    struct level first;
    if (pages.to <= pages.few)
        return;
    pages.all = fits_far_above(&counted.pages, pages.to);
    if (!(laps_first_level(&counted, &first) && first.criteria == 2 &&
          counted.pages.moments >= SETTLED_MIN))
        answers_ask(answers, &pages);
    if (o->kind != PLAN_COALESCING && o->backing->scattered && !o->kernel->executes &&
        o->page_bytes == o->base_page_bytes && o->most >= SETS_TRIED * SETS_TRIED)
        ask_sets(answers, o, &counted);
}

void questions_of_levels(struct answers *answers, const struct batch *batch)
{
    struct plan_options o = *batch->options;
    if (o.kind == PLAN_COALESCING) {
        o.backing = &backings[BACKING_SCATTERED];
        ask_pages(answers, &o);
        o.backing = &backings[BACKING_CONTIGUOUS];
    }
    ask_pages(answers, &o);
}

void questions_of_sets(struct answers *answers, const struct batch *batch)
{
    struct organisation rows[ORGANISATION_LEVELS];
    questions_of_levels(answers, batch);
    organisation_of(answers, rows); /* which asks as it analyses */
}

void questions_of_cache(struct answers *answers, const struct batch *batch)
{
    struct organisation row;
    cache_sets_find(answers, batch->series, &batch->like, &row); /* asks, too */
}
