/* page_curves.h: method `control`: the levels of the TLB, counted in moments or, without any, in
 * the fastest laps of `page` minus `packed` (tlb/laps/levels.h); knees of `packed` alone are
 * caches. Claimed sizes are not used. */
#ifndef TLBLAB_DETECT_PAGE_CURVES_H
#define TLBLAB_DETECT_PAGE_CURVES_H

#include "access/series.h"
#include "tlb/laps/levels.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The two curves of the point `page`, the TLB levels and the caches. `packed` also misses in the
 * TLB once it spans more pages than a level has entries; that cost is added to the difference,
 * which lacks it, and removed from packed. */
struct page_curves {
    struct point page;
    struct curve difference, packed;
    struct level tlb[LEVELS_MAX];
    struct knee cache[KNEES_MAX];
    size_t tlb_count, cache_count;
    bool counted;      /* the levels come from moments, not from the curve */
    struct fits pages; /* consecutive pages, if counted */
    bool alone;        /* no packed samples: `difference` is `page` */
};
struct page_curves page_curves_of(const struct series *series, const struct point *page);

/* A point of each curve for page_curves_of(): for each kernel, backing and page size the curve of
 * layout `page` with the smallest spacing (at least a page, even with huge pages), the default
 * kernel on the default backing first. The series is sorted; returns their number. */
enum { PAGE_CURVES_MAX = 8 }; /* [bound] */
size_t page_curves_points(const struct series *series, const struct point *pages[PAGE_CURVES_MAX]);

void page_curves_free(struct page_curves *curves);

/* Whether a group has a node per page, by its layout or by the distance of its nodes on layout
 * line. */
bool group_shows_pages(const struct group *group);

#endif
