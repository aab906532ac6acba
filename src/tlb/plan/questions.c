/* questions.c: what to ask next. Every answer so far is taken from the samples alone, so a plan by
 * hand, a resumed one and `sweep` ask the same. */
#include "tlb/plan/questions.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "base/random.h"
#include "tlb/geometry/cache_sets.h"
#include "tlb/geometry/organisation.h"
#include <math.h>

/* Moments of a family in a batch; and one moment in ALL_EVERY also measures so many targets that
 * all miss, which takes longest. [prior] */
enum { TOGETHER = 48, ALL_EVERY = 16 };

/* Moments of a family: of one that is settled, so that they are spread over the sweep, and before
 * the curve at most, so that there is an answer soon; and of one that is not. [prior] */
enum { SETTLED_MIN = 960, UNSETTLED_MAX = 2400 };

/* Others per way of the first level that flush it: of LRU, by which all targets miss if one is too
 * many, and of any other replacement, even a random one. [physics] */
static const double flushed_lru = 2, flushed_any = 6, lru_misses = 0.75;

/* Pages that surely fit, and jumps enough for the first loop of a processor that predicts them one
 * by one. [prior] */
enum { FEW = 8, CODE_FEW = 16 };

/* More pages than a first level holds, hardly more than a small second one, and fewer lines than
 * any first cache. [prior] */
enum { PAGES_MAX = 400 };

/* ---- the points of a moment ---- */

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

static struct point point_of(const struct question *q, uint64_t targets, enum role role,
                             uint64_t moment, uint64_t place)
{
    struct point point = q->like;
    point.pages = targets + point.others;
    point.targets = point.layout->targets ? targets : 0;
    point.moment = moment;
    point.sample = SETS_TRIED * moment + place;
    point.role = role;
    return point;
}

static void add_moment(struct points *points, const struct question *q, uint64_t moment,
                       uint64_t place, uint64_t control, uint64_t asked, bool all)
{
    struct point few = point_of(q, q->few, ROLE_FEW, moment, place),
                 known = point_of(q, control, ROLE_CONTROL, moment, place),
                 next = point_of(q, asked, ROLE_ASKED, moment, place),
                 many = point_of(q, q->all, ROLE_ALL, moment, place);
    points_append(points, &few);
    if (control > q->few)
        points_append(points, &known);
    points_append(points, &next);
    if (all)
        points_append(points, &many);
}

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

/* Questions that take turns, all at the same places. [prior] */
enum { CYCLE = 4 };

/* The number to ask about in the next of the family's moments, and the control beside it: quarters
 * of the way from what fits to what does not, or to twice as many; then the next number, some
 * beyond it, and what fits, again and again. */
static uint64_t next_number(const struct question *q, const struct fits *fits, uint64_t turn,
                            uint64_t *control)
{
    uint64_t known = fits->fits > 0 ? fits->fits : q->few, over = first_too_many(fits);
    uint64_t apart = over > 0 ? over - known : known;
    *control = known;
    if (apart > 1 || over == 0) {
        uint64_t step = apart * (1 + turn % 3) / 4;
        return known + (step > 0 ? step : 1);
    }
    if (turn % CYCLE == 0) /* a neighbour may have paused */
        return known + 1 + random_mix(turn, known) % (known / 3 + 2);
    if (turn % 2 == 0 || known == q->few)
        return known + 1;
    *control = known - 1; /* in what share of the moments is it clean? */
    return known;
}

/* The same for code, whose control is the number below: each number in turn, until one does not
 * fit; then that one and the last that does. */
static uint64_t next_of_code(const struct question *q, const struct fits *fits, uint64_t turn,
                             uint64_t *control)
{
    uint64_t known = fits->fits > 0 ? fits->fits : q->few;
    uint64_t asked = first_too_many(fits) != known + 1 ? known + 1 + turn % TOGETHER
                     : turn % 2 > 0                    ? known + 1
                                                       : known;
    asked = asked > q->few ? asked : q->few + 1;
    asked = asked < q->to ? asked : q->to;
    *control = asked - 1;
    return asked;
}

static bool is_settled(const struct fits *fits, double chance)
{
    return fits->fits > 0 && fits->most > 0 && fits->chance < chance;
}

/* Whether the family needs more moments: before the curve, for a likely answer soon. */
static bool is_open(const struct question *q, const struct family *family, const struct fits *fits,
                    bool curve)
{
    size_t count = family != NULL ? family->count : 0;
    if (fits->fits >= q->to)
        return false;
    bool settled = q->known || is_settled(fits, curve ? fits_chance_high : fits_chance_medium);
    if (!curve)
        return !settled && count < SETTLED_MIN;
    settled = settled &&
              (q->known || fits->most == fits->fits); /* else a neighbour may yet pause */
    return count < (settled ? SETTLED_MIN : UNSETTLED_MAX);
}

/* The place of a moment: in every other cycle, one where the control's number was clean recently,
 * as entries of a set are held for a while; else any. */
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

/* Adds the points of a question's next moments. */
static void put_moments(const struct question *q, const struct families *families, bool settle,
                        uint64_t *moment, struct points *points)
{
    const struct family *family = family_like(families, &q->like);
    struct fits fits = fits_of(family, q->miss_hits, q->too_many);
    uint64_t turn = family != NULL ? family->count : 0, control;
    if (!is_open(q, family, &fits, settle))
        return;
    for (int i = 0; i < TOGETHER; i++, turn++) {
        uint64_t asked = q->like.kernel->executes ? next_of_code(q, &fits, turn, &control)
                                                  : next_number(q, &fits, turn, &control);
        asked = asked < q->to ? asked : q->to;
        uint64_t place = place_of(q, family, &fits, turn, control);
        add_moment(points, q, ++*moment, place, control, asked,
                   q->all > 0 && turn % ALL_EVERY == 0);
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

/* Others per way. A few more pages may fit than are known to. */
static double flushed_of(const struct fits *fits)
{
    for (uint64_t n = fits->fits + 1; n <= fits->fits + 1 + fits->fits / 4 && n <= FITS_MAX; n++)
        if (fits->misses[n] >= lru_misses * (double)n)
            return flushed_lru;
    return flushed_any;
}

/* Sets the others that flush the first level; false: too little is known of it. */
static bool flush_first(const struct laps *laps, struct point *like)
{
    bool full = laps->first.fits >= laps->pages.fits; /* any pages fit, as many as of one set */
    struct level level;
    bool known = laps_first_level(laps, &level) && level.criteria > 0;
    if (!(full || is_settled(&laps->first, fits_chance_medium)) ||
        !(known || is_settled(&laps->pages, 1)))
        return false;
    double ways = (double)laps->first.fits;
    double pages = known ? level.entries : (double)laps->pages.fits;
    double sets = fmax(1, exp2(round(log2(pages / ways))));
    if (sets * ways != pages && is_settled(&laps->pages, fits_chance_high)) {
        ways = pages; /* no sets of so many ways make up the first level: it may hold any pages */
        sets = 1;
    }
    double others = flushed_of(full ? &laps->pages : &laps->first) * ways;
    like->others = (uint64_t)fmin(others, PAGES_MAX);
    like->others_spacing = (uint64_t)sets * like->page_bytes;
    return true;
}

/* Whether the second level can be asked about: then the question is complete. Others that were
 * chosen go on unless the first level turns out to have more ways, or more sets than they flush
 * (side by side, they flush all). */
static bool complete_second(const struct laps *laps, const struct family *begun, struct question *q)
{
    struct point like = q->like;
    bool known = flush_first(laps, &like);
    if (begun != NULL && begun->like.others > laps->first.fits) {
        uint64_t apart = begun->like.others_spacing;
        if (!known || apart == 0 || apart >= like.others_spacing) {
            q->like = begun->like;
            return true;
        }
        if (like.others < begun->like.others)
            like.others = begun->like.others; /* the most count: family_find() */
    }
    q->like = like;
    return known;
}

/* Whether far pages were asked about often, and something may hold ways of their set. */
static bool needs_close(const struct answers *answers, const struct plan_options *o)
{
    const struct family *far = family_find(&answers->families, NULL, true, true);
    return far != NULL && far->count >= SETTLED_MIN && fits_held(&answers->laps.far) &&
           far_pages(o) > CLOSE_PAGES;
}

/* If the curve allows several numbers of sets: asks about pages so near that the smallest of these
 * levels holds NEAR_TIMES its ways of them. */
static void ask_near(struct answers *answers, const struct question *second)
{
    enum { NEAR_TIMES = 8 };
    const struct laps *laps = &answers->laps;
    const struct level *level = &answers->levels[1];
    const struct family *begun = family_near(&answers->families, NULL, 2, NEAR_PAGES);
    double ways = (double)laps->second.fits;
    struct question near = *second;
    near.all = 0;
    if (begun != NULL) {
        near.like = begun->like;
        near.to = PAGES_MAX;
        answers_ask(answers, &near);
        return;
    }
    if (answers->level_count < 2 || !isnan(level->entries) || laps->exclusive ||
        !fits_bounded(&laps->second))
        return;
    double sets = exp2(ceil(log2(level->least / ways)));
    double apart = fmin(sets / NEAR_TIMES, NEAR_PAGES), targets = ways * sets / apart;
    near.like.spacing = (uint64_t)apart * near.like.page_bytes;
    near.to = (uint64_t)(laps_grown * targets) + 1;
    if (apart > 1 && near.to < PAGES_MAX && near.like.spacing >= 2 * near.like.others_spacing)
        answers_ask(answers, &near);
}

/* Asks about pages of one set, without and with others that flush the first level. */
static void ask_sets(struct answers *answers, const struct plan_options *o, const struct laps *laps)
{
    uint64_t most = o->most / SETS_TRIED;
    struct question first = {point_like(o, far_pages(o)), .few = 2, .to = PAGES_MAX,
                             .miss_hits = laps->pages.miss_hits, .too_many = too_many_alone},
                    second = {point_like(o, far_pages(o)),
                              .few = 3,
                              .to = 64,
                              .all = 40,
                              .miss_hits = laps->second.miss_hits,
                              .too_many = laps->exclusive ? too_many_exclusive : too_many_alone};
    first.to = first.to < most ? first.to : most;
    if (laps->second.fits > 0) /* too many for either level, but not if their ways add up */
        first.all = laps->first.fits + laps->second.fits - 1;
    answers_ask(answers, &first);
    if (complete_second(laps, family_find(&answers->families, NULL, true, true), &second)) {
        second.known = needs_close(answers, o);
        answers_ask(answers, &second);
        if (second.known) {
            second.known = false;
            second.like.spacing = CLOSE_PAGES * o->page_bytes;
            answers_ask(answers, &second);
        }
        if (o->kind != PLAN_GEOMETRY) /* which asks about nearer pages anyway */
            ask_near(answers, &second);
    }
}

/* Asks about the pages of a plan whose backing is set. */
static void ask_pages(struct answers *answers, const struct plan_options *o)
{
    uint64_t most = o->most;
    struct question pages = {point_like(o, 1), .few = o->kernel->executes ? CODE_FEW : FEW,
                             .to = most < PAGES_MAX ? most : PAGES_MAX, .miss_hits = NAN,
                             .too_many = too_many_alone};
    struct laps laps = laps_of(&answers->families, &pages.like);
    struct level first;
    if (pages.to <= pages.few)
        return;
    pages.all = answers_all(&laps.pages, pages.to);
    pages.known = laps_first_level(&laps, &first) && first.criteria == 2;
    answers_ask(answers, &pages);
    if (o->kind != PLAN_COALESCING && o->backing->scattered && !o->kernel->executes &&
        o->page_bytes == o->base_page_bytes && most >= SETS_TRIED * SETS_TRIED)
        ask_sets(answers, o, &laps);
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
