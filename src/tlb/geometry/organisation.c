/* organisation.c: how the levels of a TLB are organised. */
#include "tlb/geometry/organisation.h"
#include "table/table.h"
#include "tlb/geometry/set_index.h"
#include <math.h>
#include <string.h>

/* ---- sets ---- */

/* The only power of two that makes the ways the level's entries, beside `held` entries of another
 * level; -1: there is none, or there are several. */
static int bits_of(const struct level *level, double ways, double held)
{
    int found = -1;
    for (int bits = 0; ldexp(ways, bits) + held <= level->most; bits++)
        if (ldexp(ways, bits) + held >= level->least) {
            if (found >= 0)
                return -1;
            found = bits;
        }
    return found;
}

static void fill_full(struct organisation *row, double entries)
{
    row->index = "full";
    row->ways = entries;
    row->sets = 1;
}

/* The ways and the sets of a level whose index bits may be known. */
static void fill_sets(struct organisation *row, const struct set_level *level,
                      const struct set_index *index)
{
    bool known = *index->bits != '\0';
    if (!known && !index->folded)
        return;
    row->ways = level->exact ? level->ways : (double)NAN;
    row->sets = ldexp(1, level->bits);
    row->index = index->folded ? "xor" : "linear";
    row->index_bits = index->bits;
    if (!known)
        note_add(&row->note, NOTE_INDEX_HASH_UNSOLVED);
}

/* Pages of one set of a level: of the second, while others flush the first. */
static struct set_level set_level_of(const struct answers *a, const struct level *level,
                                     bool second, double held)
{
    const struct counted *counted = &a->counted;
    const struct fits *fits = second ? &counted->second : &counted->first;
    const struct family *family = family_find(&a->families, NULL, 2, UINT64_MAX, second);
    struct set_level found = {.ways = NAN, .exact = !isnan(answers_ways(fits)), .bits = -1};
    if (family == NULL)
        return found;
    found.question = answers_set(counted, family->like, second);
    if (second ? fits->fits > found.question.few : found.exact) {
        found.ways = (double)fits->fits;
        found.bits = bits_of(level, found.ways, held);
    }
    return found;
}

/* ---- the first level ---- */

/* Two pages more than a set has ways do not fit; three times as many all miss, nearly; and twice as
 * many others as entries flush a level. [physics] */
enum { MORE = 2, ALL_TIMES = 3, OTHERS_TIMES = 2 };

/* Others that flush a level of so many entries; 0: these are unknown. */
static uint64_t flushing(double entries)
{
    return isnan(entries) ? 0 : OTHERS_TIMES * ((uint64_t)entries + 1);
}

/* Whether the first level holds pages of one set only as the second does, whose evictions evict
 * from it: sets of so many ways do not make up the first level, and no more pages fit the second
 * when others flush the first. */
static bool is_inclusive(struct answers *a, const struct set_level *first,
                         const struct set_index *index, double entries)
{
    struct question q = answers_set(&a->counted, first->question.like, true);
    if (isnan(entries) || index->to <= first->bits)
        return false;
    q.to = a->counted.first.fits + MORE;
    q.all = ALL_TIMES * q.to;
    q.like.others = flushing(entries);
    if (first->bits < 0) /* it holds any pages: those that no fold puts into the targets' set */
        q.like.others_spacing = q.like.page_bytes;
    q.miss_hits = NAN;
    return isfinite(answers_to(a, &q));
}

static void fill_first(struct answers *a, const struct level *level, struct organisation *row,
                       bool *inclusive)
{
    struct set_level first = set_level_of(a, level, false, 0);
    struct note note = row->note;
    struct set_index index = set_index_of(a, &first, 0, &note);
    if (isnan(first.ways))
        return;
    *inclusive = is_inclusive(a, &first, &index, level->entries);
    if (first.bits == 0 || *inclusive)
        fill_full(row, level->entries);
    else {
        row->note = note;
        fill_sets(row, &first, &index);
    }
    row->set = first.question.like;
    if (row->sets == 1)
        row->set.spacing = row->set.page_bytes;
}

/* ---- the second level ---- */

/* If the pages of a fold share a set of the second level, but not of the first, the first level
 * holds more of them than the second, unless it loses those that the second loses. */
static const char *relation_by_fold(struct answers *a, const struct set_level *second,
                                    uint64_t apart)
{
    struct question q = answers_set(&a->counted, second->question.like, false);
    q.like.spacing = apart * q.like.page_bytes;
    q.like.others = q.like.others_spacing = 0;
    q.to = (uint64_t)second->ways + MORE;
    double number = answers_to(a, &q);
    return isinf(number) ? "neither" : number == second->ways ? "inclusive" : "unknown";
}

static const char *relation_of(struct answers *a, const struct set_level *second,
                               const struct set_index *index, bool inclusive)
{
    if (inclusive)
        return "inclusive";
    if (a->counted.exclusive)
        return "exclusive";
    if ((double)a->counted.first.fits > second->ways)
        return "neither";
    return index->conflict > 0 ? relation_by_fold(a, second, index->conflict) : "unknown";
}

static void fill_second(struct answers *a, const struct level *level,
                        const struct organisation *first, bool inclusive, struct organisation *row)
{
    if (a->counted.second.all_hits < fits_noise) { /* the targets are in many sets */
        row->index = "hashed";
        return;
    }
    struct set_level second = set_level_of(a, level, true,
                                           a->counted.exclusive ? first->entries : 0);
    struct set_index index = set_index_of(a, &second, flushing(first->entries), &row->note);
    if (second.bits == 0)
        fill_full(row, second.ways);
    else
        fill_sets(row, &second, &index);
    if (isnan(row->sets))
        return;
    row->relation = relation_of(a, &second, &index, inclusive);
    row->set = second.question.like;
    if (isnan(row->entries) || a->counted.exclusive) /* the level is found with the one before */
        row->entries = row->ways * row->sets;
}

/* ---- both ---- */

static void begin_row(struct organisation *row, int level, const struct level *found)
{
    *row = (struct organisation){.structure = STRUCTURE_DTLB,
                                 .level = level,
                                 .entries = found->entries,
                                 .least = found->least,
                                 .most = found->most,
                                 .ways = NAN,
                                 .sets = NAN,
                                 .index = "unknown",
                                 .index_bits = "",
                                 .replacement = "unknown",
                                 .relation = level > 1 ? "unknown" : "-"};
    if (found->held)
        note_add(&row->note, NOTE_INTERFERENCE);
}

size_t organisation_of(struct answers *a, struct organisation rows[ORGANISATION_LEVELS])
{
    bool inclusive = false;
    size_t count = a->level_count < ORGANISATION_LEVELS ? a->level_count : ORGANISATION_LEVELS;
    for (size_t i = 0; i < count; i++) {
        const struct level *level = &a->levels[i];
        begin_row(&rows[i], (int)i + 1, level);
        if (i == 0)
            fill_first(a, level, &rows[i], &inclusive);
        else
            fill_second(a, level, &rows[0], inclusive, &rows[i]);
        rows[i].criteria = level->criteria; /* the row is as sure as the level */
        rows[i].confidence = confidence_of(rows[i].criteria, &rows[i].note);
        rows[i].set.targets = isnan(rows[i].ways) ? 0 : (uint64_t)rows[i].ways;
    }
    return count;
}

/* ---- rows ---- */

const struct column organisation_columns[] = {
    COLUMN(WORD, "structure", offsetof(struct organisation, structure),
           COLUMN_LIST(structure_names), .needed = true),
    COLUMN(LEVEL, "level", offsetof(struct organisation, level)),
    COLUMN(NUMBER, "entries", offsetof(struct organisation, entries), .per_unit = 1),
    COLUMN(NUMBER, "ways", offsetof(struct organisation, ways), .per_unit = 1),
    COLUMN(NUMBER, "sets", offsetof(struct organisation, sets), .per_unit = 1),
    COLUMN(TEXT, "index", offsetof(struct organisation, index)),
    COLUMN(MIXED, "index_bits", offsetof(struct organisation, index_bits), .view = COLUMN_SPARE),
    COLUMN(TEXT, "replacement", offsetof(struct organisation, replacement), .view = COLUMN_IF_ROOM),
    COLUMN(TEXT, "relation", offsetof(struct organisation, relation), .view = COLUMN_IF_ROOM),
    COLUMN(WORD, "confidence", offsetof(struct organisation, confidence),
           COLUMN_LIST(confidence_names)),
    COLUMN(NOTE, "note", offsetof(struct organisation, note), .view = COLUMN_HIDDEN),
    COLUMN(MIXED, "claim_entries", offsetof(struct organisation, claim_entries),
           .option = COLUMN_CLAIMS, .title = "claim"),
    COLUMN(MIXED, "claim_ways", offsetof(struct organisation, claim_ways), .option = COLUMN_CLAIMS),
    ROW_LABEL_COLUMNS(struct organisation),
    {0},
};
