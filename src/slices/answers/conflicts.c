/* conflicts.c: how the lines of a piece of memory spread over the sets of each slice. */
#include "base/error.h"
#include "base/random.h"
#include "slices/answers/tables.h"
#include "slices/hash/hash_file.h"
#include "slices/hash/random_hash.h"
#include <stdlib.h>
#include <string.h>

enum { RUN_LINES = 1 << PAGE_LINES_BITS }; /* [bound] */

/* ---- the lines of each set ---- */

struct occupancy {
    const struct conflict_memory *memory;
    unsigned slices; /* the highest number plus 1 */
    uint32_t *lines; /* of each set of slice 0, then of slice 1, … */
    size_t total;
};

static struct occupancy begin(const struct conflict_memory *m)
{
    struct occupancy o = {.memory = m, .slices = slice_hash_end(m->hash)};
    o.lines = allocate(o.slices * m->sets, sizeof *o.lines);
    return o;
}

static void clear(struct occupancy *o)
{
    memset(o->lines, 0, o->slices * o->memory->sets * sizeof *o->lines);
    o->total = 0;
}

/* Adds (sign 1) or removes (-1) a line, unless its slice is missing. */
static void add_line(struct occupancy *o, uint64_t line, int slice, int sign)
{
    if (slice < 0)
        return;
    o->lines[(size_t)slice * o->memory->sets + (line & (o->memory->sets - 1))] += (uint32_t)sign;
    o->total += (size_t)sign;
}

/* The same for lines at consecutive physical addresses. */
static void add(struct occupancy *o, uint64_t paddr, uint64_t bytes, int sign)
{
    static signed char slices[RUN_LINES];
    uint64_t line = paddr >> LINE_BITS, end = (paddr + bytes + 63) >> LINE_BITS;
    while (line < end) { /* up to the next multiple of RUN_LINES */
        uint64_t first = line & ~(uint64_t)(RUN_LINES - 1), last = first + RUN_LINES;
        last = last < end ? last : end;
        slices_of(o->memory->hash, first << LINE_BITS, RUN_LINES, slices);
        for (; line < last; line++)
            add_line(o, line, slices[line - first], sign);
    }
}

/* Shares of the lines: those beyond the ways of their sets; and those in sets with more lines than
 * ways, which all miss if lines are visited cyclically under LRU replacement. */
struct conflicts {
    size_t lines;
    double overflow, cyclic;
};

static struct conflicts conflicts_of(const struct occupancy *o)
{
    size_t beyond = 0, cyclic = 0;
    double all = o->total > 0 ? (double)o->total : 1;
    for (size_t i = 0; i < o->slices * o->memory->sets; i++)
        if (o->lines[i] > o->memory->ways) {
            beyond += o->lines[i] - o->memory->ways;
            cyclic += o->lines[i];
        }
    return (struct conflicts){o->total, rounded((double)beyond / all, 1e6),
                              rounded((double)cyclic / all, 1e6)};
}

static void put_conflicts(const struct occupancy *o)
{
    struct conflicts c = conflicts_of(o);
    put_count(c.lines, '\t');
    put_number(c.overflow, '\t');
    put_number(c.cyclic, '\n');
}

/* ---- addresses ---- */

static void put_sets(const struct occupancy *o)
{
    struct conflicts c = conflicts_of(o);
    table_put_meta("sets", "%llu", (unsigned long long)o->memory->sets);
    table_put_meta("ways", "%llu", (unsigned long long)o->memory->ways);
    table_put_meta("lines", "%zu", c.lines);
    table_put_meta("overflow", "%.6g", c.overflow);
    table_put_meta("cyclic", "%.6g", c.cyclic);
    table_put_header("set\tslice\tlines\toverflow");
    for (uint64_t set = 0; set < o->memory->sets; set++)
        for (unsigned slice = 0; slice < o->slices; slice++) {
            uint32_t lines = o->lines[slice * o->memory->sets + set];
            if (lines == 0)
                continue;
            put_count(set, '\t');
            put_count(slice, '\t');
            put_count(lines, '\t');
            put_count(lines > o->memory->ways ? lines - o->memory->ways : 0, '\n');
        }
}

int conflicts_put_rows(const struct conflict_memory *m, struct table *table)
{
    struct occupancy o = begin(m);
    int paddr = table_column(table, "paddr");
    size_t rows = 0;
    table_require(table, paddr);
    table_begin(table);
    for (; table_next(table); rows++) {
        uint64_t at = paddr_read(table, paddr);
        add_line(&o, at >> LINE_BITS, slice_of(m->hash, at), 1);
    }
    bool whole = o.total == rows;
    if (!whole)
        warn("some addresses are left out: the hash does not apply to them");
    put_sets(&o);
    free(o.lines);
    return whole && !table_partial(table) ? STATUS_DONE : STATUS_PARTIAL;
}

/* ---- draws and offsets ---- */

static size_t pages_of(const struct conflict_memory *m)
{
    return (size_t)((m->bytes + m->page_bytes - 1) / m->page_bytes);
}

/* Bytes on the k-th page. */
static uint64_t bytes_on(const struct conflict_memory *m, size_t k)
{
    uint64_t left = m->bytes - k * m->page_bytes;
    return left < m->page_bytes ? left : m->page_bytes;
}

int conflicts_put_draws(const struct conflict_memory *m, uint64_t draws, uint64_t seed,
                        unsigned top_bit)
{
    struct occupancy o = begin(m);
    unsigned bits = highest_bit(m->page_bytes) - LINE_BITS;
    table_begin(NULL);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
    table_put_header("draw\tlines\toverflow\tcyclic");
    for (uint64_t draw = 0; draw < draws; draw++) {
        uint64_t *pages = random_pages(top_bit, bits, pages_of(m), random_mix(seed, draw));
        clear(&o);
        for (size_t k = 0; k < pages_of(m); k++)
            add(&o, pages[k], bytes_on(m, k), 1);
        free(pages);
        put_count(draw, '\t');
        put_conflicts(&o);
    }
    free(o.lines);
    return STATUS_DONE;
}

int conflicts_put_offsets(const struct conflict_memory *m, const struct range *offsets)
{
    struct occupancy o = begin(m);
    table_begin(NULL);
    table_put_header("offset_bytes\tlines\toverflow\tcyclic");
    for (size_t k = 0; k < offsets->count; k++) {
        clear(&o);
        add(&o, offsets->values[k], m->bytes, 1);
        put_count(offsets->values[k], '\t');
        put_conflicts(&o);
    }
    free(o.lines);
    return STATUS_DONE;
}

/* ---- a choice of pages ---- */

/* The pages in which the addresses of a table are, in order of appearance. */
static uint64_t *read_pages(const struct conflict_memory *m, struct table *table, size_t *count)
{
    uint64_t *pages = NULL;
    int paddr = table_column(table, "paddr");
    table_require(table, paddr);
    for (*count = 0; table_next(table);) {
        uint64_t page = paddr_read(table, paddr) & ~(m->page_bytes - 1);
        size_t known = *count;
        while (known > 0 && pages[known - 1] != page)
            known--;
        if (known > 0)
            continue;
        pages = reallocate(pages, *count + 1, sizeof *pages);
        pages[(*count)++] = page;
    }
    return pages;
}

/* The cost of adding a page: lines beyond the ways, and lines already in the same sets. */
struct cost {
    uint64_t beyond, met;
};

static struct cost cost_of(struct occupancy *o, uint64_t page, uint64_t bytes)
{
    struct cost cost = {0};
    add(o, page, bytes, 1);
    for (size_t i = 0; i < o->slices * o->memory->sets; i++) {
        uint64_t lines = o->lines[i];
        cost.beyond += lines > o->memory->ways ? lines - o->memory->ways : 0;
        cost.met += lines * lines;
    }
    add(o, page, bytes, -1);
    return cost;
}

static size_t cheapest(struct occupancy *o, const uint64_t *pages, size_t count, uint64_t bytes)
{
    size_t best = 0;
    struct cost least = {UINT64_MAX, UINT64_MAX};
    for (size_t k = 0; k < count; k++) {
        struct cost cost = cost_of(o, pages[k], bytes);
        if (cost.beyond < least.beyond || (cost.beyond == least.beyond && cost.met < least.met)) {
            least = cost;
            best = k;
        }
    }
    return best;
}

int conflicts_put_choice(const struct conflict_memory *m, struct table *table)
{
    struct occupancy o = begin(m);
    size_t count, wanted = pages_of(m);
    uint64_t *pages = read_pages(m, table, &count);
    if (count < wanted)
        die("%zu pages are needed, only %zu are given", wanted, count);
    table_begin(table);
    table_put_header("paddr\tlines\toverflow\tcyclic");
    for (size_t k = 0; k < wanted; k++) {
        size_t best = cheapest(&o, pages, count, bytes_on(m, k));
        add(&o, pages[best], bytes_on(m, k), 1);
        paddr_put(pages[best], '\t');
        put_conflicts(&o);
        pages[best] = pages[--count];
    }
    free(pages);
    free(o.lines);
    return table_partial(table) ? STATUS_PARTIAL : STATUS_DONE;
}
