/* sets_capacity.c: the capacity of a level as its ways times its sets. */
#include "geometry/sets_capacity.h"
#include "geometry/organisation.h"
#include "geometry/stride_profile.h"
#include <math.h>
#include <string.h>

/* No second level has fewer ways: fewer are noise. [prior] */
static const double ways_least = 3;

/* Pages that a hashed index spreads over all sets do not show a set: the index must be solved, and
 * where it is not linear, or the rise is sharp, the product may not fall short of the range of the
 * curve. It is no less than this part of the pages of which few miss, and no more than the range
 * that the curve leaves: with random replacement a set seems to hold more than its ways. Where the
 * rise is sharp, it is no more than this part of the pages of which half miss. [prior] */
static const double shown_least = 0.8, shown_most = 1.05;

static struct boundary *second_level(struct boundaries *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct boundary *b = &found->at[i];
        if (b->structure == STRUCTURE_DTLB && b->level == 2 && boundary_is_plain(b))
            return b;
    }
    return NULL;
}

void sets_capacity(const struct series *series, struct boundaries *found)
{
    struct organisation rows[STRIDE_PROFILE_LEVELS];
    struct boundary *b = second_level(found);
    if (b == NULL || b->confidence == CONFIDENCE_HIGH)
        return;
    struct stride_profile profile = stride_profile_read(series);
    if (profile.strides <= 0 || organisation_of(&profile, rows) < 2)
        return;
    const struct organisation *row = &rows[1];
    double above = strcmp(row->relation, "exclusive") == 0 ? profile.entries[0] : 0;
    double entries = above + row->ways * row->sets;
    bool gradual = note_has(&b->note, NOTE_GRADUAL);
    bool reaches = entries + row->sets >= b->entries_min;
    double most = gradual ? b->entries_max : fmin(b->entries_max, shown_most * profile.reach[1][0]);
    if (note_has(&row->note, NOTE_INDEX_HASH_UNSOLVED) || row->ways < ways_least ||
        !(entries >= shown_least * profile.early[1]) ||
        (!reaches && !(gradual && strcmp(row->index, "linear") == 0)) || entries > most ||
        row->confidence <= b->confidence)
        return;
    b->confidence = row->confidence;
    b->entries = entries;
    /* the sets that were looked at may never have been free of a neighbour's last entry */
    boundary_set_range(b, b->entries, b->entries + row->sets, (double)profile.page.page_bytes);
    note_add(&b->note, NOTE_WAYS_TIMES_SETS);
}
