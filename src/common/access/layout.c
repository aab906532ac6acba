/* layout.c: the layouts and the backings. */
#include "access/layout.h"
#include "access/chain.h"
#include "access/kernel.h"
#include "access/probe.h"
#include "base/choice.h"
#include "base/number.h"
#include <stdio.h>

/* The product; 0 when it overflows. */
static uint64_t bytes_of(uint64_t nodes, uint64_t apart)
{
    return apart > 0 && nodes > UINT64_MAX / apart ? 0 : nodes * apart;
}

/* ---- one random cycle over all nodes ---- */

static uint64_t even(const struct point *point, uint64_t line_bytes, uint64_t i)
{
    (void)line_bytes;
    return i * point->spacing;
}

static void whole_cycle(uint32_t *next, const struct point *point, struct random *random)
{
    chain_cycle(next, point->pages, random);
}

/* ---- a node per page ---- */

/* A place is the part of the buffer that a sample of `page` uses. Successive samples use different
 * places, so their page frames, and their sets under a hashed index, differ. A place starts at a
 * multiple of a power of two that is at least its size or PLACE_MAX, which exceeds the sets of
 * any TLB: an index made of page number bits, or of exclusive ors of them, then fills all sets
 * evenly. [prior] */
enum { PLACES = 8, PLACE_MAX = 4096, PLACES_PAGES = 8192 };

static bool has_places(const struct point *p)
{
    return p->layout->per_page && p->spacing == p->page_bytes && p->backing->scattered &&
           p->kernel->chases && !p->one_place && p->pages < PLACES_PAGES;
}

uint64_t layout_places_bytes(const struct point *point)
{
    return has_places(point) ? PLACES_PAGES * point->page_bytes : 0;
}

static uint64_t place_distance(const struct point *point)
{
    uint64_t pages = 1;
    while (pages < point->pages && pages < PLACE_MAX)
        pages *= 2;
    return pages;
}

/* Number of pages that all places span. */
static uint64_t places_pages(const struct point *point)
{
    uint64_t pages = PLACES * place_distance(point);
    return pages < PLACES_PAGES ? pages : PLACES_PAGES;
}

uint64_t layout_place(const struct point *point)
{
    if (!has_places(point))
        return 0;
    uint64_t apart = place_distance(point);
    return point->sample % ((places_pages(point) - point->pages) / apart + 1) * apart;
}

/* The node's line within its page (or within its spacing, if that is less) advances by one from
 * node to node, which spreads the nodes over the sets of a cache. After each round over the lines
 * it advances by one more: on adjacent page frames the nodes would otherwise use only as many sets
 * as a page has lines. */
static uint64_t staggered(const struct point *point, uint64_t line_bytes, uint64_t i)
{
    uint64_t room = point->page_bytes < point->spacing ? point->page_bytes : point->spacing;
    uint64_t lines = room / line_bytes;
    return (layout_place(point) + i) * point->spacing +
           (lines > 0 ? (i + i / lines) % lines * line_bytes : 0);
}

static uint64_t staggered_bytes(const struct point *point)
{
    return bytes_of(has_places(point) ? places_pages(point) : point->pages, point->spacing);
}

/* ---- window after window ---- */

static uint64_t box_window(const struct point *point)
{
    return point->pages;
}

static void box_chain(uint32_t *next, const struct point *point, struct random *random)
{
    chain_boxes(next, layout_nodes(point), point->pages, point->chain, random);
}

static void refuse_box(const struct point *p, char why[REFUSAL_ROOM])
{
    if (p->buffer == 0)
        snprintf(why, REFUSAL_ROOM, "layout box needs metadata buffer_bytes");
    else if (layout_nodes(p) < 2)
        snprintf(why, REFUSAL_ROOM, "buffer %llu: it holds fewer than 2 nodes %llu bytes apart",
                 (unsigned long long)p->buffer, (unsigned long long)p->spacing);
    else if (p->pages > layout_nodes(p))
        snprintf(why, REFUSAL_ROOM, "pages %llu: the window is larger than the buffer",
                 (unsigned long long)p->pages);
}

/* Layout `local` visits the nodes of this many pages in random order before it goes on to the next
 * pages. With one page at a time, a prefetcher that works within pages fetches its lines: on a Zen
 * 4 a load from L2 then takes 0.7 of its time, the same with 4 pages, and all of it from 12 pages
 * on. The first TLB level of most processors holds 32 pages or more. [tuned: Zen 4] */
enum { LOCAL_PAGES = 24 };

static uint64_t local_window(const struct point *point)
{
    if (point->spacing == 0)
        return point->pages;
    return point->page_bytes > point->spacing ? point->page_bytes / point->spacing : 1;
}

static void local_chain(uint32_t *next, const struct point *point, struct random *random)
{
    chain_boxes(next, point->pages, LOCAL_PAGES * local_window(point), CHAIN_RANDOM_BOX, random);
}

/* ---- pairs ---- */

/* Every pair occupies its own PAIR_SLOT bytes, a slot, whatever its spacing: the number of pairs
 * on a page is always the same, and no other node shares a pair's lines. */
enum { PAIR_SLOT = 2 * PAIR_MAX, PAIR_STAGGER = 64 };

/* The position within the slot is staggered, within a page and from page to page, which spreads
 * the pairs over the sets of a cache. The step does not depend on the claimed line size. */
static uint64_t in_pair(const struct point *point, uint64_t line_bytes, uint64_t i)
{
    uint64_t pair = i / 2, spacing = point->spacing, slots = point->page_bytes / PAIR_SLOT;
    uint64_t block = spacing < PAIR_STAGGER ? PAIR_STAGGER : 2 * spacing;
    uint64_t in_block = spacing < PAIR_STAGGER ? 1 : spacing / PAIR_STAGGER;
    uint64_t places = PAIR_SLOT / block * in_block, page = slots > 1 ? pair / slots : 0;
    uint64_t place = (pair + page) % places;
    (void)line_bytes;
    return pair * PAIR_SLOT + place / in_block * block + place % in_block * PAIR_STAGGER +
           i % 2 * spacing;
}

static uint64_t pair_window(const struct point *point)
{
    return point->page_bytes > PAIR_SLOT ? 2 * (point->page_bytes / PAIR_SLOT) : 2;
}

static uint64_t pair_bytes(const struct point *point)
{
    return bytes_of(point->pages + point->pages % 2, PAIR_SLOT / 2);
}

static void pair_chain(uint32_t *next, const struct point *point, struct random *random)
{
    chain_pairs(next, point->pages, pair_window(point), random);
}

static void refuse_pair(const struct point *p, char why[REFUSAL_ROOM])
{
    if (!is_power_of_two(p->spacing) || p->spacing < PAIR_MIN || p->spacing > PAIR_MAX)
        snprintf(why, REFUSAL_ROOM,
                 "spacing %llu: layout pair has its nodes %d to %d bytes apart, a power of two",
                 (unsigned long long)p->spacing, PAIR_MIN, PAIR_MAX);
}

/* ---- targets and others ---- */

/* Others are never on a multiple of this many pages: if the low bits of the page number select one
 * of that many sets or more, none of them falls into the targets' set. [prior] */
enum { OTHERS_APART = 16 };

/* The largest power of two that divides the number. */
static uint64_t power_in(uint64_t number)
{
    return number & (0 - number);
}

/* The shift of a sample: the page numbers of all its nodes are combined with it by exclusive or,
 * so an index made of exclusive ors moves all nodes in the same way. It is less than the largest
 * power of two that divides the distance between targets: for a target the exclusive or is a sum.
 * Targets of a moment are far apart, or all pages from there on, unless a fold makes them share a
 * set. Of near ones beside others only the bits below their distance move alike, which keeps them
 * off the pages of others. */
static uint64_t set_shift(const struct point *point)
{
    uint64_t apart = point->spacing / point->page_bytes;
    bool far = point->others_spacing > 0 || (point->moment > 0 && is_power_of_two(apart));
    uint64_t power = far ? SETS_TRIED : power_in(apart);
    return point->sample * 37 % (power < SETS_TRIED ? (power > 0 ? power : 1) : SETS_TRIED);
}

/* How many of the pages 1 to `last` may hold one of the others: those that are neither a multiple
 * of OTHERS_APART nor a target. (Targets that a fold makes share a set are in all sets of the first
 * level, which the others flush.) */
static uint64_t free_pages(uint64_t last, uint64_t apart)
{
    if (apart > 1 && !is_power_of_two(apart))
        return last - last / apart;
    uint64_t common = apart, rest = OTHERS_APART, free = last - last / OTHERS_APART;
    if (apart < 2)
        return free;
    while (rest % 2 == 0 && common % 2 == 0) { /* OTHERS_APART is a power of two */
        common /= 2;
        rest /= 2;
    }
    return free - last / apart + last / apart / rest;
}

/* The page of the i-th of the others, counted from the first target: the first page with i + 1
 * free pages up to and including it. */
static uint64_t other_page(const struct point *point, uint64_t i)
{
    uint64_t apart = point->spacing / point->page_bytes, low = i, high = 4 * (i + 1);
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (free_pages(middle, apart) > i)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The same in units of others_spacing: an odd number with an odd number of one bits. If the low
 * bits of the page number select the set, or their exclusive or with the next bits, it is not the
 * targets'. */
static uint64_t other_multiple(uint64_t i)
{
    uint64_t odd = 0;
    for (uint64_t bits = i; bits > 0; bits &= bits - 1)
        odd ^= 1;
    return 4 * i + 2 * odd + 1;
}

static uint64_t in_set(const struct point *point, uint64_t line_bytes, uint64_t i)
{
    uint64_t each = point->targets + point->others, page = i % each;
    uint64_t at = page * line_bytes + i / each * sizeof(void *); /* the rounds share a line */
    uint64_t within = at % point->page_bytes, shift = set_shift(point);
    if (page < point->targets)
        return page * point->spacing + shift * point->page_bytes + within;
    uint64_t other = point->others_spacing > 0 ? other_multiple(page - point->targets) *
                                                     (point->others_spacing / point->page_bytes)
                                               : other_page(point, page - point->targets);
    return (other ^ shift) * point->page_bytes + within;
}

uint64_t layout_others_pages(const struct point *point)
{
    if (point->others_spacing > 0)
        return SETS_TRIED + 4 * point->others * (point->others_spacing / point->page_bytes);
    return SETS_TRIED + (point->others > 0 ? other_page(point, point->others - 1) : 0);
}

uint64_t layout_rounds(const struct point *point)
{
    return point->targets > 0 ? point->pages / (point->targets + point->others) : 1;
}

const char *layout_refuses_targets(const struct point *p)
{
    bool whole = p->targets > 0 && p->targets <= p->pages && p->others <= p->pages - p->targets &&
                 p->pages % (p->targets + p->others) == 0;
    return whole ? NULL
                 : "layout set needs `targets` above 0, and `pages` a multiple of targets + others";
}

static uint64_t set_bytes(const struct point *point)
{
    uint64_t targets = (point->targets - 1) * point->spacing;
    uint64_t others = layout_others_pages(point) * point->page_bytes;
    uint64_t bytes = (targets > others ? targets : others) + SETS_TRIED * point->page_bytes;
    return bytes > targets && bytes_of(point->pages, point->spacing) > 0 ? bytes : 0;
}

static void set_chain(uint32_t *next, const struct point *point, struct random *random)
{
    if (point->targets > 0)
        chain_rounds(next, layout_rounds(point), point->targets, point->others, random);
    else
        chain_cycle(next, point->pages, random);
}

/* Multiples of the others' distance are below four times their number. */
static bool others_fit(const struct point *point)
{
    return point->others == 0 || point->others_spacing <= UINT64_MAX / 8 / point->others;
}

/* Whether a page may be a target and another. The others are at odd multiples of their distance:
 * none is a multiple of a distance that a larger power of two divides, whatever the shift. */
static bool others_meet_targets(const struct point *p)
{
    return p->others > 0 &&
           (p->others_spacing > 0 ? power_in(p->spacing) <= power_in(p->others_spacing)
                                  : p->spacing == p->page_bytes);
}

static void refuse_rounds(const struct point *p, char why[REFUSAL_ROOM])
{
    uint64_t most = p->page_bytes / sizeof(void *);
    if (layout_refuses_targets(p) != NULL)
        snprintf(why, REFUSAL_ROOM, "%s", layout_refuses_targets(p));
    else if (layout_rounds(p) > 1 && p->kernel->node_bytes > sizeof(void *))
        snprintf(
            why, REFUSAL_ROOM,
            "kernel %s: its nodes are too large for the rounds of layout set, which share a line",
            p->kernel->name);
    else if (layout_rounds(p) > most)
        snprintf(why, REFUSAL_ROOM, "pages %llu: a chain of layout set makes at most %llu rounds",
                 (unsigned long long)p->pages, (unsigned long long)most);
}

static void refuse_set(const struct point *p, char why[REFUSAL_ROOM])
{
    if (p->spacing == 0 || p->spacing % p->page_bytes != 0)
        snprintf(why, REFUSAL_ROOM,
                 "spacing %llu: layout set has its targets a multiple of %llu bytes apart",
                 (unsigned long long)p->spacing, (unsigned long long)p->page_bytes);
    else if (p->others_spacing % p->page_bytes != 0)
        snprintf(
            why, REFUSAL_ROOM,
            "others_spacing_bytes %llu: layout set has its others a multiple of %llu bytes apart",
            (unsigned long long)p->others_spacing, (unsigned long long)p->page_bytes);
    else if (!others_fit(p))
        snprintf(why, REFUSAL_ROOM,
                 "others_spacing_bytes %llu: %llu others do not fit into the address space",
                 (unsigned long long)p->others_spacing, (unsigned long long)p->others);
    else if (others_meet_targets(p))
        snprintf(why, REFUSAL_ROOM,
                 "spacing %llu: a multiple of %llu keeps targets off the pages of others",
                 (unsigned long long)p->spacing,
                 2 * (unsigned long long)power_in(p->others_spacing > 0 ? p->others_spacing
                                                                        : p->page_bytes));
    else
        refuse_rounds(p, why);
}

/* ---- the tables ---- */

const struct layout layouts[] = {
    [LAYOUT_PAGE] = {"page", "a node per page (or more), its line staggered within the page",
                     staggered, whole_cycle, .bytes = staggered_bytes, .per_page = true,
                     .caches_rank = 4},
    [LAYOUT_PACKED] = {"packed", "the same number of nodes in consecutive lines: the control", even,
                       whole_cycle, .control = true, .caches_rank = 3},
    [LAYOUT_LINE] = {"line", "nodes SPACING bytes apart: the classic latency curve", even,
                     whole_cycle, .windows = true, .caches_rank = 2},
    [LAYOUT_BOX] = {"box", "the whole buffer, SPACING bytes apart, window after window", even,
                    box_chain, .window = box_window, .refuse = refuse_box, .spacing = 256,
                    .windows = true, .whole_buffer = true},
    [LAYOUT_SET] =
        {"set", "TARGETS pages SPACING bytes apart, among OTHERS that flush the first TLB level",
         in_set, set_chain, .bytes = set_bytes, .refuse = refuse_set, .targets = true},
    [LAYOUT_LOCAL] = {"local",
                      "nodes as in line, a few pages at a time: the caches, with a TLB miss a page",
                      even, local_chain, .window = local_window, .page_by_page = true,
                      .caches_rank = 1},
    [LAYOUT_PAIR] = {"pair", "two nodes SPACING bytes apart, visited one after the other: the line",
                     in_pair, pair_chain, .window = pair_window, .bytes = pair_bytes,
                     .refuse = refuse_pair, .page_by_page = true, .pairs = true},
    [LAYOUT_ASCENDING] = {"ascending", "lines SPACING bytes apart, then a line ahead: prefetchers",
                          probe_offset, probe_chain, .bytes = probe_bytes, .refuse = probe_refuse,
                          .probes = true},
    [LAYOUT_DESCENDING] = {"descending", "the same downwards", probe_offset, probe_chain,
                           .bytes = probe_bytes, .refuse = probe_refuse, .probes = true,
                           .touches = TOUCHES_DESCEND},
    [LAYOUT_CROSSING] = {"crossing", "the same to the end of a page, the line ahead on the next",
                         probe_offset, probe_chain, .bytes = probe_bytes, .refuse = probe_refuse,
                         .probes = true, .touches = TOUCHES_CROSS},
    {.name = NULL},
};

bool layout_is_even(const struct layout *layout)
{
    return layout->offset == even && layout->chain == whole_cycle;
}

bool layout_shows_tlb(const struct layout *layout)
{
    return !layout->control && !layout->page_by_page && !layout->probes;
}

const struct backing backings[] = {
    [BACKING_SCATTERED] = {"scattered", "no huge pages, first touch in random page order",
                           .scattered = true},
    [BACKING_CONTIGUOUS] = {"contiguous",
                            "adjacent pages on adjacent frames, where the system provides them",
                            .contiguous = true},
    [BACKING_HUGE] = {"huge", "pages of page_bytes above the base page (--page-size)",
                      .huge = true},
    [BACKING_DEVICE] = {"device", "memory of a graphics card, as its driver maps it (gpu chase)",
                        .device = true},
    {.name = NULL},
};

const struct layout *layout_find(const char *text, size_t length)
{
    return choice_find(&(struct choice)CHOICE_OF(layouts), text, length);
}

uint64_t layout_spacing(const struct layout *layout, uint64_t given, uint64_t page_bytes,
                        uint64_t line_bytes)
{
    if (layout->control)
        return line_bytes;
    if (given > 0 || layout->targets)
        return given;
    return layout->per_page ? page_bytes : layout->spacing > 0 ? layout->spacing : line_bytes;
}

uint64_t layout_nodes(const struct point *point)
{
    if (!point->layout->whole_buffer)
        return point->pages;
    return point->spacing > 0 ? point->buffer / point->spacing : 0;
}

uint64_t layout_window(const struct point *point)
{
    return point->layout->window != NULL ? point->layout->window(point) : layout_nodes(point);
}

uint64_t layout_bytes(const struct point *point)
{
    return point->layout->bytes != NULL ? point->layout->bytes(point)
                                        : bytes_of(layout_nodes(point), point->spacing);
}
