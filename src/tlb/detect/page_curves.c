/* page_curves.c: method control: from samples to levels. */
#include "tlb/detect/page_curves.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include "tlb/laps/levels.h"
#include <math.h>
#include <string.h>

/* Curves are sorted by kernel and backing, as in kernels[] and backings[], the default first, and
 * then by page size. */
static int compare_curves(const struct point *a, const struct point *b)
{
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    if (a->backing != b->backing)
        return a->backing < b->backing ? -1 : 1;
    return (a->page_bytes > b->page_bytes) - (a->page_bytes < b->page_bytes);
}

/* Several nodes per huge page: the probe of tlb_levels_splinter(). */
static bool is_splinter_probe(const struct point *p)
{
    return p->backing->huge && p->spacing < p->page_bytes;
}

bool group_shows_pages(const struct group *group)
{
    const struct point *p = &group->point;
    return group_layout(group)->per_page || (layout_is_even(group_layout(group)) &&
                                             p->kernel->chases && p->spacing >= p->page_bytes);
}

size_t page_curves_points(const struct series *series, const struct point *pages[PAGE_CURVES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        size_t k = count;
        if (!group_shows_pages(&series->groups[i]) || is_splinter_probe(p))
            continue;
        while (k > 0 && compare_curves(p, pages[k - 1]) < 0)
            k--;
        if ((k > 0 && compare_curves(p, pages[k - 1]) == 0) || count == PAGE_CURVES_MAX)
            continue; /* the smallest spacing comes first */
        memmove(&pages[k + 1], &pages[k], (count++ - k) * sizeof(const struct point *));
        pages[k] = p;
    }
    return count;
}

/* The time that translation adds to a load of `packed`: it visits its pages in random order, so it
 * misses in 1 - entries / pages of them (independent references, LRU). */
static double packed_cost(const struct page_curves *c, double nodes)
{
    double cost = 0, lines = (double)c->page.page_bytes / c->packed.spacing;
    for (size_t i = 0; i < c->tlb_count; i++)
        cost += c->tlb[i].knee.step_ns * fmax(0, 1 - c->tlb[i].least * lines / nodes);
    return cost;
}

static void correct_for_packed_cost(struct page_curves *c)
{
    for (size_t i = 0; i < c->difference.count; i++)
        c->difference.at[i].ns += packed_cost(c, c->difference.at[i].pages);
    for (size_t i = 0; i < c->packed.count; i++)
        c->packed.at[i].ns -= packed_cost(c, c->packed.at[i].pages);
}

/* Sizes of the same edge in two curves, and heights, differ by less than this. [prior] */
static const double same_size = 1.4, same_height = 1.05;

/* The cache whose edge a level of `page` may be, or NULL: if nodes lie on one line of their pages,
 * they fall into the same sets, and a cache holds one for each page of its size. */
static const struct knee *conflict_of(const struct page_curves *c, const struct level *level)
{
    double lines = (double)c->page.page_bytes / c->packed.spacing;
    for (size_t k = 0; k < c->cache_count; k++) {
        double most = laps_fastest(&c->packed, &c->cache[k]).most;
        if (fabs(log(level->most * lines / most)) < log(same_size))
            return &c->cache[k];
    }
    return NULL;
}

/* Walks get slower beyond the second level as page tables leave the caches, so a third level has at
 * least this many times its entries. [prior] */
static const double third_apart = 4;

/* The levels that the fastest laps of the difference show. If its first rise is the edge of the
 * first cache, nodes are on one line of their pages: the next rise is a level if it is higher than
 * that of the cache of its size, and later ones may be those of caches. */
static size_t fastest_levels(struct page_curves *c)
{
    struct knee knees[KNEES_MAX];
    size_t found = knee_find(&c->difference, knees), count = 0, most = LEVELS_MAX;
    for (size_t k = 0; k < found && count < most; k++) {
        struct level level = laps_fastest(&c->difference, &knees[k]);
        const struct knee *cache = conflict_of(c, &level);
        if (k == 0 && cache == c->cache)
            most = 1;
        else if (most == 1 && cache != NULL && level.knee.step_ns <= same_height * cache->step_ns)
            break;
        else if (count < 2 || level.least >= third_apart * c->tlb[count - 1].most)
            c->tlb[count++] = level;
    }
    return count;
}

/* The levels: counted in moments, if there are any, else in the fastest laps of the curve. */
static size_t find_levels(struct page_curves *c, const struct series *series)
{
    struct counted counted = counted_of_series(series, &c->page);
    size_t count = laps_levels(&counted, &c->difference, c->tlb);
    c->counted = count > 0;
    c->pages = counted.pages;
    return c->counted ? count : fastest_levels(c);
}

struct page_curves page_curves_of(const struct series *series, const struct point *page)
{
    struct page_curves c = {.page = *page,
                            .packed = curve_alone(series, curve_packed(series, page))};
    bool alone = c.packed.count == 0;
    c.difference = alone ? curve_alone(series, page) : curve_difference(series, page);
    c.alone = alone && c.difference.count > 0;
    c.cache_count = knee_find(&c.packed, c.cache); /* for conflict_of(), before the correction */
    c.tlb_count = find_levels(&c, series);
    if (!alone) {
        correct_for_packed_cost(&c);
        c.cache_count = knee_find(&c.packed, c.cache);
    }
    return c;
}

void page_curves_free(struct page_curves *curves)
{
    curve_free(&curves->difference);
    curve_free(&curves->packed);
}
