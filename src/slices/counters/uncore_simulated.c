/* uncore_simulated.c: a simulated uncore, for tests of the measuring program and for lessons. */
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "slices/counters/uncore.h"
#include "slices/hash/random_hash.h"
#include <math.h>
#include <stdlib.h>

enum { RIGHT_EVENT = 1, BURST_LOOKUPS = 3 /* per load */ }; /* [prior] */

struct simulated {
    const struct slice_hash *hash;
    struct uncore_disturbance disturbance;
    struct random random;
    uint64_t *page; /* the address of each page; then where each moves, if any do */
    size_t pages;
    uint64_t page_bytes;
    unsigned slices, candidate, first, last; /* those that are counted */
    uint64_t count[SLICES_MAX];
    unsigned burst; /* the slice with a burst by others, and the calls it lasts */
    uint64_t burst_left;
    double slept;
};

static const char *event_text(void *context, unsigned candidate, const char **source)
{
    (void)context;
    *source = candidate == RIGHT_EVENT ? "simulated: lookups" : "simulated: counts lookups twice";
    return candidate == RIGHT_EVENT ? "event=lookups" : "event=lookups,twice";
}

static bool choose_event(void *context, unsigned candidate, unsigned first, unsigned last,
                         char why[PLATFORM_WHY_ROOM])
{
    struct simulated *s = context;
    (void)why;
    s->candidate = candidate;
    s->first = first;
    s->last = last;
    return true;
}

/* More events than counters take turns. */
static bool read_counters(void *context, unsigned first, unsigned last, uint64_t *counts)
{
    const struct simulated *s = context;
    for (unsigned i = first; i <= last; i++)
        counts[i] = i < s->disturbance.silent || i < s->first || i > s->last ? 0 : s->count[i];
    return s->disturbance.counters == 0 || s->last - s->first < s->disturbance.counters;
}

static uint64_t address_of(const struct simulated *s, size_t offset)
{
    return s->page[offset / s->page_bytes] + offset % s->page_bytes;
}

/* Every `moves` pages, a page moves when its middle is loaded. */
static void move_page(struct simulated *s, size_t offset)
{
    size_t page = offset / s->page_bytes;
    if (s->disturbance.moves > 0 && page % s->disturbance.moves == s->disturbance.moves - 1 &&
        offset % s->page_bytes >= s->page_bytes / 2)
        s->page[page] = s->page[s->pages + page];
}

static void add_background(struct simulated *s, uint64_t times)
{
    for (unsigned i = 0; i < s->slices && s->disturbance.background > 0; i++) {
        double mean = s->disturbance.background * (double)times;
        double drawn = mean + sqrt(mean) * random_normal(&s->random);
        s->count[i] += drawn > 0 ? (uint64_t)drawn : 0;
    }
    if (s->burst_left == 0 && random_unit(&s->random) < s->disturbance.bursts) {
        s->burst = (unsigned)random_below(&s->random, s->slices);
        s->burst_left = 1 + random_below(&s->random, 20);
    }
    if (s->burst_left > 0) {
        s->count[s->burst] += BURST_LOOKUPS * times;
        s->burst_left--;
    }
}

static void load(void *context, size_t offset, uint64_t times)
{
    struct simulated *s = context;
    move_page(s, offset);
    int slice = slice_of(s->hash, address_of(s, offset));
    if (slice >= 0)
        s->count[slice] += s->candidate == RIGHT_EVENT ? times : 2 * times;
    add_background(s, times);
}

static bool physical(void *context, size_t offset, uint64_t *paddr, char why[PLATFORM_WHY_ROOM])
{
    (void)why;
    *paddr = address_of(context, offset);
    return true;
}

static void rest(void *context)
{
    struct simulated *s = context;
    s->slept++;
    s->burst_left = 0;
}

static void close_simulated(void *context)
{
    struct simulated *s = context;
    free(s->page);
    free(s);
}

void uncore_simulated(struct uncore *uncore, const struct slice_hash *hash, size_t bytes,
                      uint64_t page_bytes, const struct uncore_disturbance *disturbance)
{
    struct simulated *s = allocate(1, sizeof *s);
    unsigned bits = highest_bit(page_bytes) - LINE_BITS;
    *s = (struct simulated){.hash = hash,
                            .disturbance = *disturbance,
                            .pages = bytes / page_bytes,
                            .page_bytes = page_bytes,
                            .slices = slice_hash_end(hash)};
    s->page = random_pages(hash->top_bit, bits, (disturbance->moves > 0 ? 2 : 1) * s->pages,
                           disturbance->seed);
    random_seed(&s->random, disturbance->seed, 2);
    *uncore = (struct uncore){.context = s,
                              .slices = s->slices,
                              .at_once = s->slices,
                              .candidates = 2,
                              .event = event_text,
                              .choose = choose_event,
                              .read = read_counters,
                              .load = load,
                              .physical = physical,
                              .sleep = rest,
                              .close = close_simulated};
}

double uncore_simulated_slept(const struct uncore *uncore)
{
    return ((const struct simulated *)uncore->context)->slept;
}
