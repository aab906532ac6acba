/* tlb.c: the points that show the levels of a TLB and the cost of a page walk. */
#include "access/kernel.h"
#include "access/layout.h"
#include "tlb/detect/tlb_levels.h"
#include "tlb/geometry/answers.h"
#include "tlb/geometry/organisation.h"
#include "tlb/plan/batch.h"

/* Sizes, and samples of a point: the duration of a sweep against its precision. They
 * are documented in plan(1). [tuned: unknown] */
enum {
    PACKED_BEYOND = 2, /* × the largest size of `page`, which leaves caches so much earlier */
    PER_OCTAVE = 4,
    SAMPLES = 5,     /* with fewer, compare could not tell two from each other */
    SAMPLES_FEW = 3, /* of a long chain */
    LONG_PAGES = 4096,
    SPLINTERS_MIN = 8, /* base pages on huge ones */
    SPLINTERS_MAX = 4096,
    SPLINTERED_MAX = 128, /* huge pages, while they are or may be splintered */
    WALK_MIN = 16,        /* nodes that must fit into the address space */
    WALK_MAX = 2048,      /* pages with one table each */
    SAMPLES_OVERLOAD = 64 /* of a set: each has another order, and the mean counts */
};

/* The control, and `page` too unless it is the control alone that goes on. */
static void request_coarse(struct batch *batch, uint64_t from, uint64_t to, bool control)
{
    for (uint64_t pages = 0; pages < to;) {
        pages = next_size(from, to, pages, PER_OCTAVE);
        uint64_t samples = pages > LONG_PAGES ? SAMPLES_FEW : SAMPLES;
        if (!control)
            request(batch, &layouts[LAYOUT_PAGE], pages, samples);
        request(batch, &layouts[LAYOUT_PACKED], pages, samples);
    }
}

/* Requests base pages on huge pages: if they miss the TLB like base pages, the hypervisor has
 * splintered the huge pages. Limits the sizes to SPLINTERED_MAX while they are or may be
 * splintered: larger ones would waste memory, and time to clear it. */
static uint64_t bound_huge(struct batch *batch, uint64_t to)
{
    struct point huge = batch->like;
    huge.layout = &layouts[LAYOUT_PAGE];
    batch->like.spacing = batch->options->base_page_bytes;
    request_coarse(batch, SPLINTERS_MIN, SPLINTERS_MAX, false);
    batch->like.spacing = huge.spacing;
    bool splintered = batch->count > 0 || tlb_levels_splinter(batch->series, &huge) > 0;
    return splintered && to > SPLINTERED_MAX ? SPLINTERED_MAX : to;
}

void plan_curves(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    uint64_t to = o->most;
    if (o->page_bytes > o->base_page_bytes)
        to = bound_huge(batch, to);
    request_coarse(batch, o->least, to, false);
    if (to <= UINT64_MAX / PACKED_BEYOND) /* the control shows caches that `page` reaches earlier */
        request_coarse(batch, to, PACKED_BEYOND * to, true);
}

void plan_coalescing(struct batch *batch)
{
    for (int i = BACKING_SCATTERED; i <= BACKING_CONTIGUOUS; i++) {
        batch->like.backing = &backings[i];
        plan_curves(batch);
    }
}

/* Neighbouring pages in coarse steps only: their second level ends at thousands of pages, and long
 * chains take most of the time. */
void plan_walk(struct batch *batch)
{
    const struct plan_options *o = batch->options;
    uint64_t most = o->most < WALK_MAX ? o->most : WALK_MAX;
    request_coarse(batch, o->least, o->most, false);
    for (uint64_t apart = o->page_bytes;
         apart <= o->address_bytes / WALK_MIN / (o->page_bytes / 8);) {
        apart *= o->page_bytes / 8;
        uint64_t pages = o->address_bytes / apart;
        batch->like.spacing = apart;
        request_coarse(batch, o->least, pages < most ? pages : most, false);
    }
}

void plan_overload(struct batch *batch)
{
    struct organisation rows[ORGANISATION_LEVELS];
    struct point points[REPLACEMENT_POINTS];
    struct answers answers = answers_of(batch->series);
    size_t levels = organisation_of(&answers, rows);
    answers_free(&answers);
    for (size_t i = 0; i < levels; i++)
        if (rows[i].set.targets > 0) {
            replacement_points(&rows[i].set, points);
            for (int k = 0; k < REPLACEMENT_POINTS; k++)
                request_point(batch, &points[k], SAMPLES_OVERLOAD);
        }
}
