/* sets_capacity.c: the capacity of a level as its ways times its sets. */
#include "tlb/geometry/sets_capacity.h"
#include "tlb/fit/kinds.h"
#include "tlb/geometry/organisation.h"
#include "tlb/geometry/stride_profile.h"
#include <math.h>
#include <string.h>

/* The product is at least this fraction of the pages at which few miss and, if the rise is sharp,
 * at most this multiple of those at which half miss. [prior] */
static const double product_least = 0.8, shown_most = 1.05;

/* Whether the second level may have this many entries, although its curve disagrees. */
static bool is_believed(const struct boundary *curve, const struct organisation *row,
                        const struct stride_profile *profile, double entries)
{
    bool gradual = note_has(&curve->note, NOTE_GRADUAL);
    if (row->confidence <= curve->confidence)
        return false;
    if (note_has(&row->note, NOTE_INDEX_HASH_UNSOLVED)) /* pages that share a set are unknown */
        return false;
    if (kinds_ways(row->ways) != row->ways || !(entries >= product_least * profile->early[1]))
        return false;
    /* with random replacement a set seems to hold more than its ways */
    return entries <= curve->entries_max &&
           (gradual || entries <= shown_most * profile->reach[1][0]);
}

void sets_capacity(struct analysis *analysis, struct boundaries *found)
{
    struct organisation rows[STRIDE_PROFILE_LEVELS];
    struct boundary *b = boundary_second_level(found);
    if (b == NULL || b->confidence == CONFIDENCE_HIGH)
        return;
    struct stride_profile profile = stride_profile_read(analysis);
    if (profile.strides <= 0 || organisation_of(&profile, rows) < 2)
        return;
    const struct organisation *row = &rows[1];
    double above = strcmp(row->relation, "exclusive") == 0 ? profile.entries[0] : 0;
    double entries = above + row->ways * row->sets;
    if (!is_believed(b, row, &profile, entries))
        return;
    bool interference = note_has(&b->note, NOTE_INTERFERENCE);
    b->entries = entries;
    /* a neighbour may have held an entry of these sets all the time */
    boundary_set_range(b, b->entries, b->entries + row->sets, (double)profile.page.page_bytes);
    b->evidence = (struct evidence){.errors = INFINITY, .signs = row->signs};
    b->by_fit = false;
    b->note = (struct note){0}; /* doubts about the curve do not apply to the sets */
    if (interference)
        note_add(&b->note, NOTE_INTERFERENCE);
    boundary_doubt(b, NOTE_WAYS_TIMES_SETS);
}
