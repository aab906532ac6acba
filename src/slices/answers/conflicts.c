/* conflicts.c: how lines spread over the sets of each slice. */
#include "slices/answers/conflicts.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

enum { RUN_LINES = 1 << PAGE_LINES_BITS }; /* [bound] */

struct occupancy occupancy_begin(const struct slice_hash *hash, struct slice_sets of)
{
    struct occupancy o = {.of = of, .slices = slice_hash_limit(hash)};
    o.lines = allocate(o.slices * of.sets, sizeof *o.lines);
    return o;
}

void occupancy_clear(struct occupancy *o)
{
    memset(o->lines, 0, o->slices * o->of.sets * sizeof *o->lines);
    o->total = 0;
}

void occupancy_free(struct occupancy *o)
{
    free(o->lines);
}

void occupancy_add(struct occupancy *o, const struct slice_hash *hash, uint64_t paddr,
                   uint64_t bytes, int sign)
{
    static signed char slices[RUN_LINES];
    uint64_t line = paddr >> LINE_BITS, end = (paddr + bytes + 63) >> LINE_BITS;
    while (line < end) { /* up to the next multiple of RUN_LINES */
        uint64_t first = line & ~(uint64_t)(RUN_LINES - 1), last = first + RUN_LINES;
        last = last < end ? last : end;
        slices_of(hash, first << LINE_BITS, RUN_LINES, slices);
        for (; line < last; line++) {
            signed char slice = slices[line - first];
            if (slice < 0)
                continue;
            o->lines[(size_t)slice * o->of.sets + (line & (o->of.sets - 1))] += (uint32_t)sign;
            o->total += (size_t)sign;
        }
    }
}

void occupancy_add_pages(struct occupancy *o, const struct slice_hash *hash, const uint64_t *pages,
                         uint64_t page_bytes, uint64_t bytes)
{
    for (size_t k = 0; bytes > 0; k++) {
        uint64_t part = bytes < page_bytes ? bytes : page_bytes;
        occupancy_add(o, hash, pages[k], part, 1);
        bytes -= part;
    }
}

struct conflicts conflicts_of(const struct occupancy *o)
{
    size_t beyond = 0, cyclic = 0;
    for (size_t i = 0; i < o->slices * o->of.sets; i++)
        if (o->lines[i] > o->of.ways) {
            beyond += o->lines[i] - o->of.ways;
            cyclic += o->lines[i];
        }
    double all = o->total > 0 ? (double)o->total : 1;
    return (struct conflicts){o->total, (double)beyond / all, (double)cyclic / all};
}

/* ---- a choice of pages ---- */

/* The cost of adding a page: lines beyond the ways, and lines already in the same sets. */
struct cost {
    uint64_t beyond, met;
};

static struct cost cost_of(const struct occupancy *o)
{
    struct cost cost = {0};
    for (size_t i = 0; i < o->slices * o->of.sets; i++) {
        uint64_t lines = o->lines[i];
        cost.beyond += lines > o->of.ways ? lines - o->of.ways : 0;
        cost.met += lines * lines;
    }
    return cost;
}

static bool is_cheaper(struct cost a, struct cost b)
{
    return a.beyond != b.beyond ? a.beyond < b.beyond : a.met < b.met;
}

void conflicts_choose_pages(const struct slice_hash *hash, struct slice_sets of, uint64_t *pages,
                            size_t count, size_t wanted, uint64_t page_bytes)
{
    struct occupancy o = occupancy_begin(hash, of);
    for (size_t chosen = 0; chosen < wanted && chosen < count; chosen++) {
        size_t best = chosen;
        struct cost least = {UINT64_MAX, UINT64_MAX};
        for (size_t k = chosen; k < count; k++) {
            occupancy_add(&o, hash, pages[k], page_bytes, 1);
            struct cost cost = cost_of(&o);
            occupancy_add(&o, hash, pages[k], page_bytes, -1);
            if (is_cheaper(cost, least)) {
                least = cost;
                best = k;
            }
        }
        uint64_t page = pages[best];
        pages[best] = pages[chosen];
        pages[chosen] = page;
        occupancy_add(&o, hash, page, page_bytes, 1);
    }
    occupancy_free(&o);
}
