/* cache_sets.c: ways and sets of the first cache.
 *
 *     struct organisation row;
 *     const char *why = cache_sets_find(&answers, &series, &page, &row);
 */
#include "tlb/geometry/cache_sets.h"
#include "access/layout.h"
#include "base/number.h"
#include "tlb/detect/cache_line.h"
#include "tlb/geometry/set_index.h"
#include <math.h>

/* The largest distance, in pages: all nodes in one set; more nodes than one holds. [prior] */
enum { PAGES_APART = 4, NODES_MAX = 64 };

/* The number of lines at which pairs (layout `pair`) start to miss, as a multiple of the cache's
 * lines; sizes of pairs are octaves apart. [prior] */
static const double first_miss_min = 0.9, first_miss_max = 4;

const struct point *cache_sets_point(const struct families *families)
{
    for (size_t i = 0; i < families->count; i++)
        if (layout_is_even(families->at[i].like.layout))
            return &families->at[i].like;
    return NULL;
}

static void fill_row(struct organisation *row, const struct cache_line *line, double ways,
                     uint64_t bytes, int criteria)
{
    uint64_t sets = bytes / line->bytes, basis[64];
    unsigned bits = highest_bit(sets);
    for (unsigned i = 0; i < bits; i++) /* the lowest above those within a line */
        basis[i] = line->bytes << i;
    *row = (struct organisation){.structure = STRUCTURE_CACHE,
                                 .level = 1,
                                 .ways = ways,
                                 .sets = (double)sets,
                                 .replacement = "unknown",
                                 .relation = "-",
                                 .criteria = criteria < line->criteria ? criteria : line->criteria};
    row->entries = row->ways * row->sets;
    row->index = row->sets > 1 ? "linear" : "full";
    row->index_bits = set_index_spell(basis, bits);
    if (line->nodes < first_miss_min * row->entries || line->nodes > first_miss_max * row->entries)
        note_add(&row->note, NOTE_ENTRIES_DISAGREE);
    row->confidence = confidence_of(row->criteria, &row->note);
}

const char *cache_sets_find(struct answers *answers, const struct series *series,
                            const struct point *like, struct organisation *row)
{
    struct question q = {
        .like = *like, .few = 1, .to = NODES_MAX, .miss_hits = NAN, .excess_misses = excess_alone};
    q.like.layout = &layouts[LAYOUT_LINE];
    q.like.spacing = PAGES_APART * like->page_bytes;
    struct fits fits = fits_of(family_like(&answers->families, &q.like), NAN, q.excess_misses);
    q.all = fits_far_above(&fits, NODES_MAX);
    double ways = answers_to(answers, &q);
    if (isinf(ways))
        return "even the longest chains fit into one set of the first cache";
    q.miss_hits = fits.miss_hits;
    q.all = 0;
    int more = isnan(ways) ? -1 : 0; /* whether more fit at a smaller distance */
    while (more == 0 && (q.like.spacing /= 2) >= sizeof(void *))
        more = answers_grow(answers, q, ways);
    if (more <= 0)
        return "it is not certain how many nodes fit into one set: bits of the page frame select "
               "the set, or something else uses the cache (repeat when idle)";
    uint64_t bytes = 2 * q.like.spacing; /* of a way */
    if (bytes > like->page_bytes)
        return "more nodes fit a page apart than farther apart: bits of the page frame select the "
               "set";
    struct cache_line line = cache_line_of(series);
    if (line.bytes == 0)
        return "the number of sets depends on the line size, which is unknown";
    if (line.bytes > bytes)
        return "nodes of one line seem to occupy a way each: the samples are too noisy";
    fill_row(row, &line, ways, bytes, fits_criteria(&fits));
    return NULL;
}
