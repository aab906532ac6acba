/* cache_sets.c: ways and sets of the first cache.
 *
 *     struct organisation row;
 *     const char *why = cache_sets_find(&series, &row);
 */
#include "tlb/geometry/cache_sets.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/range.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/cache_line.h"
#include "tlb/geometry/set_index.h"
#include <math.h>

/* A load of a chain that fits takes at most this fraction longer than in the shortest chains.
 * [significance] */
static const double slower_least = 0.125;

enum { DISTANCES = 40 }; /* of 2^k bytes [bound] */
enum { SHORTEST = 4 };   /* chains of up to 4 nodes fit any set [prior] */

/* The number of lines at which pairs (layout `pair`) start to miss, as a multiple of the cache's
 * lines; sizes of pairs are octaves apart. [prior] */
static const double first_miss_least = 0.9, first_miss_most = 4;

/* How many nodes `spacing` bytes apart fit; `sharp` as in cache_sets_held(). */
struct reach {
    uint64_t spacing;
    double held;
    bool sharp;
};

const struct point *cache_sets_point(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (layout_is_even(group_layout(&series->groups[i])) && p->kernel->chases &&
            p->spacing >= p->page_bytes && p->pages == CACHE_SETS_NODES)
            return p;
    }
    return NULL;
}

/* ---- one distance ---- */

/* Minimum time of a load in the shortest chains. */
static double fitting_ns(const struct curve *c)
{
    double ns = INFINITY;
    for (size_t i = 0; i < c->count && c->at[i].pages <= SHORTEST; i++)
        ns = fmin(ns, c->at[i].ns);
    return ns;
}

/* The threshold between chains that fit and chains that miss with the fewest exceptions. */
double cache_sets_held(const struct series *series, const struct point *like, uint64_t spacing,
                       bool *sharp)
{
    struct point point = *like;
    point.spacing = spacing;
    struct curve c = curve_alone(series, &point);
    double most = (1 + slower_least) * fitting_ns(&c), held = NAN;
    size_t wrong = 0, least, count = 0;
    while (count < c.count && c.at[count].pages <= CACHE_SETS_NODES)
        wrong += c.at[count++].ns <= most; /* the exceptions if no chain fits */
    least = count + 1;
    for (size_t i = 0; i < count; i++) {
        bool fits = c.at[i].ns <= most;
        wrong = fits ? wrong - 1 : wrong + 1;
        if (wrong < least) {
            least = wrong;
            held = c.at[i].pages;
        }
    }
    *sharp = least == 0;
    for (size_t i = 0; i + 1 < count; i++)
        *sharp = *sharp && (c.at[i].pages != held || c.at[i + 1].pages == held + 1);
    if (count > 0 && held == c.at[count - 1].pages)
        held = INFINITY;
    if (isinf(most))
        held = NAN; /* without the shortest chains, the time of a hit is unknown */
    curve_free(&c);
    return held;
}

/* ---- all distances ---- */

/* Fills in the distances that were measured, largest first; returns their number. */
static size_t read_reaches(const struct series *series, const struct point *like,
                           struct reach reaches[DISTANCES])
{
    size_t count = 0;
    for (int k = DISTANCES - 1; k >= 3; k--) {
        struct reach r = {.spacing = (uint64_t)1 << k};
        r.held = cache_sets_held(series, like, r.spacing, &r.sharp);
        if (!isnan(r.held))
            reaches[count++] = r;
    }
    return count;
}

/* How many distances, from the largest down, hold as few nodes as the largest does. */
static size_t settled(const struct reach *reaches, size_t count)
{
    size_t n = 0;
    while (n < count && reaches[n].held == reaches[0].held)
        n++;
    return n;
}

/* Whether twice as many nodes fit at half the distance; they may be more than were measured. */
static bool doubles(const struct reach *last, const struct reach *half)
{
    return half->spacing * 2 == last->spacing &&
           (half->held == 2 * last->held ||
            (isinf(half->held) && 2 * last->held >= CACHE_SETS_NODES));
}

/* The address bits that select one of `sets` sets: the lowest above those within a line. */
static const char *index_bits(uint64_t line_bytes, uint64_t sets)
{
    uint64_t basis[64];
    for (unsigned i = 0; i < highest_bit(sets); i++)
        basis[i] = (uint64_t)1 << (highest_bit(line_bytes) + i);
    return set_index_spell(basis, highest_bit(sets));
}

static void fill_row(struct organisation *row, const struct cache_line *line,
                     const struct reach *last, bool sharp)
{
    *row = (struct organisation){.structure = STRUCTURE_CACHE,
                                 .level = 1,
                                 .ways = last->held,
                                 .sets = floor((double)last->spacing / (double)line->bytes),
                                 .replacement = "unknown",
                                 .relation = "-",
                                 .signs = sharp || line->signs < 1 ? line->signs : 1};
    row->entries = row->ways * row->sets;
    row->index = row->sets > 1 ? "linear" : "full";
    row->index_bits = index_bits(line->bytes, last->spacing / line->bytes);
    if (line->nodes < first_miss_least * row->entries ||
        line->nodes > first_miss_most * row->entries)
        note_add(&row->note, NOTE_ENTRIES_DISAGREE);
    organisation_judge(row);
}

const char *cache_sets_find(const struct series *series, struct organisation *row)
{
    struct reach reaches[DISTANCES];
    const struct point *like = cache_sets_point(series);
    if (like == NULL)
        return "no short chains with nodes a page or more apart (sweep --preset line measures "
               "them)";
    size_t count = read_reaches(series, like, reaches), n = settled(reaches, count);
    if (count == 0)
        return "no chains of 1 to 4 nodes at power-of-two distances";
    if (isinf(reaches[0].held))
        return "even the longest chains fit into one set of the first cache";
    if (n < 2 || reaches[0].spacing <= like->page_bytes)
        return "the number of nodes that fit keeps falling up to the largest distance: bits of the "
               "page frame select the set, or the samples are too noisy";
    if (n == count || !doubles(&reaches[n - 1], &reaches[n]))
        return "halving the distance does not double the number of nodes that fit: bits of the "
               "page frame select the set, or the samples are too noisy";
    struct cache_line line = cache_line_of(series);
    if (line.bytes == 0)
        return "the number of sets depends on the line size, which is unknown";
    if (line.bytes > reaches[n - 1].spacing)
        return "nodes of one line seem to occupy a way each: the samples are too noisy";
    bool sharp = reaches[n].sharp;
    for (size_t i = 0; i < n; i++)
        sharp = sharp && reaches[i].sharp;
    fill_row(row, &line, &reaches[n - 1], sharp);
    return NULL;
}
