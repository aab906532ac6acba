/* organisation.c: how the levels of a TLB are organised. */
#include "tlb/geometry/organisation.h"
#include "table/table.h"
#include "tlb/fit/kinds.h"
#include "tlb/geometry/inclusion.h"
#include "tlb/geometry/replacement.h"
#include "tlb/geometry/targets.h"
#include <math.h>
#include <string.h>

/* The second level's replacement is visible behind the first if its ways are this many times the
 * pages at that stride that the first holds. [prior] */
static const double seen_by_second = 2.5;

/* With a hashed index, half of the pages miss only above this many times the number at which a
 * tenth miss. [physics] */
static const double hashed_width = 1.08;

/* A range of entries up to this fraction of their number is sharp. If reach has not fallen for
 * FLAT_STRIDES strides, it never does. [prior] */
static const double sharp_range = 0.02;
enum { FLAT_STRIDES = 8 };

/* Ways times sets are reported once reach has stayed the same for this many strides. [prior] */
enum { STAYED_LEAST = 2 };

/* Ways times sets may differ from the measured entries by this fraction: if their confidence is
 * high, and otherwise. [significance] */
static const double slack_sure = 0.03, slack_unsure = 0.12;

/* Interference leaves at least this fraction of all entries free. [prior] */
static const double free_least = 0.6;

/* A set of this many ways or more, whose replacement is not LRU, may seem to hold one page more
 * than it has ways: 16 ways seemed to hold 17 in a few sweeps of a Xeon. [prior] */
enum { MANY_WAYS = 16 };

/* ---- replacement ---- */

static bool is_sharp(const struct stride_profile *p, size_t level)
{
    return p->most[level] - p->least[level] <= fmax(1, sharp_range * p->entries[level]);
}

/* Any pages overload a fully associative level. If nothing flushes the first level, it serves some
 * pages of the second: harmless if they are few of many. */
struct overload overload_of(const struct stride_profile *p, size_t level)
{
    struct overload overload = {.stride = 1};
    int to = stride_profile_fall(p, level).to;
    if (level == 0 && inclusion_makes_fall(p))
        to = 0;
    double ways = to > 0 ? p->ways[level].count : p->entries[level];
    if (isnan(ways) || (to == 0 && (level > 0 || !is_sharp(p, level))))
        return overload;
    overload.stride = (uint64_t)1 << to;
    overload.others = level > 0 ? stride_profile_others_at(p, to) : 0;
    if (level == 0 || overload.others > 0 || ways > seen_by_second * p->reach[0][to])
        overload.ways = (uint64_t)ways;
    return overload;
}

static const char *find_replacement(const struct stride_profile *p, size_t level)
{
    struct overload overload = overload_of(p, level);
    struct overload_sample measured[2 * REPLACEMENT_TARGETS];
    uint64_t targets[REPLACEMENT_TARGETS];
    int count = 0;
    if (overload.ways == 0)
        return "unknown";
    replacement_targets(overload.ways, targets);
    for (uint64_t rounds = 1; rounds <= REPLACEMENT_ROUNDS; rounds *= REPLACEMENT_ROUNDS) {
        struct curve curve = targets_rounds(p, overload.stride * p->page.spacing, overload.others,
                                            rounds);
        for (size_t i = 0; i < curve.count; i++)
            for (int t = 0; t < REPLACEMENT_TARGETS; t++)
                if (curve.at[i].pages == (double)targets[t])
                    measured[count++] = (struct overload_sample){
                        targets[t], overload.others, rounds, curve.at[i].ns - p->ns[level],
                        curve.at[i].error};
        curve_free(&curve);
    }
    return replacement_of(overload.ways, measured, count);
}

/* ---- levels ---- */

/* A level whose reach never falls: none of the bits tried selects a set. A hashed level has no
 * sharp edge, as its sets fill unevenly. Nor does a fully associative one with random replacement,
 * but those are small. */
static void fill_flat(const struct stride_profile *p, size_t level, struct organisation *row)
{
    if (p->strides < FLAT_STRIDES)
        row->index = "unknown";
    else if (is_sharp(p, level)) {
        row->index = "full";
        row->ways = p->entries[level];
        row->sets = 1;
        row->signs = p->most[level] > p->least[level] ? 1 : 2;
    } else if (level > 0) {
        row->index = p->reach[level][0] > hashed_width * p->early[level] ? "hashed" : "full";
        row->signs = 1;
    } else
        note_add(&row->note, NOTE_GRADUAL);
}

/* A level whose reach falls: ways from the number of pages of one set that fit, sets from the
 * halvings. Returns how many of the others fall into the targets' set; they occupy ways too. */
static uint64_t fill_indexed(const struct stride_profile *p, size_t level, struct organisation *row,
                             const struct index_hash *hash)
{
    struct fall fall = stride_profile_fall(p, level);
    uint64_t basis[64];
    if (p->strides < fall.to + STRIDES_SETTLED)
        note_add(&row->note, NOTE_UNSETTLED);
    if (p->strides < fall.to + STAYED_LEAST)
        return 0;
    uint64_t in_set = 0;
    size_t bits = 0, solved = 0;
    for (int k = fall.from; k < fall.to; k++)
        if (fall.bits >> k & 1)
            basis[bits++] = (uint64_t)1 << k;
    row->index = fall.from > 0 ? "xor" : "linear";
    struct ways ways = p->ways[level];
    row->ways = ways.count;
    row->sets = exp2((double)bits);
    if (ways.exact)
        row->signs = ways.sharp && p->strides >= fall.to + STRIDES_SETTLED ? 2 : 1;
    if (ways.uneven)
        note_add(&row->note, NOTE_SETS_DIFFER);
    if (fall.from == 0)
        solved = bits;
    else if (level > 0 && hash->to > 0)
        solved = index_hash_solve(p, hash, basis);
    if (solved == bits)
        row->index_bits = index_hash_spell(basis, bits);
    else
        note_add(&row->note, NOTE_INDEX_HASH_UNSOLVED);
    if (level > 0 && solved == bits)
        in_set = index_hash_others(p, basis, bits);
    else if (level > 0 && stride_profile_others_at(p, fall.to) > 0)
        row->signs = 0; /* some of the others may fall into the targets' set */
    row->ways += (double)in_set;
    /* interference takes ways, and blurs the step to the first miss */
    if (level > 0 && !ways.sharp) {
        if (row->ways > MANY_WAYS && kinds_ways(row->ways - 1) < row->ways)
            row->signs = 0;
        row->ways = kinds_ways(row->ways);
    }
    return in_set;
}

static void find_relation(const struct stride_profile *p, const struct index_hash *hash,
                          struct organisation rows[STRIDE_PROFILE_LEVELS])
{
    struct conflict conflict = conflict_of(p, hash);
    double ways = rows[1].ways;
    if (inclusion_makes_fall(p))
        rows[1].relation = "inclusive";
    else if (isnan(ways))
        return;
    else if (conflict.stride > 0)
        rows[1].relation = inclusion_by_conflict(p, &conflict, rows[0].sets == 1, &rows[1].ways);
    else if (rows[0].sets > 1)
        rows[1].relation = inclusion_by_sum(p, rows[0].ways, rows[1].sets, &rows[1].ways);
    if (rows[1].relation == NULL) { /* such pages were not measured */
        rows[1].relation = inclusion_by_sum(p, rows[0].ways, rows[1].sets, &ways);
        if (strcmp(rows[1].relation, "exclusive") == 0)
            rows[1].ways = ways;
    }
    if (isnan(rows[1].ways))
        rows[1].signs = 0;
}

/* Entries as ways times sets, compared with the measured range; that of an exclusive level may
 * include the first level's entries. Interference takes entries of every set, so it makes the range
 * too low, never too high. */
static void fill_entries(const struct stride_profile *p, size_t level, struct organisation *row)
{
    row->entries = p->entries[level];
    if (isnan(row->ways))
        row->sets = NAN;
    if (isnan(row->ways * row->sets))
        return;
    row->entries = row->ways * row->sets;
    double shared = strcmp(row->relation, "exclusive") == 0 ? p->entries[0] : 0;
    double over = row->entries / p->most[level], under = p->least[level] / (row->entries + shared);
    double slack = p->confidence[level] == CONFIDENCE_HIGH ? slack_sure : slack_unsure;
    if (p->confidence[level] > CONFIDENCE_LOW && (over > 1 / free_least || under > 1 + slack)) {
        note_add(&row->note, NOTE_ENTRIES_DISAGREE);
        return;
    }
    if (over > 1 + slack)
        note_add(&row->note, NOTE_SETS_DIFFER);
    if (fmax(over, under) > 1 + slack_sure && row->signs > 1)
        row->signs = 1;
}

void organisation_judge(struct organisation *row)
{
    const struct evidence evidence = {.errors = INFINITY, .signs = row->signs};
    row->confidence = confidence_of(&evidence, &row->note);
}

size_t organisation_of(const struct stride_profile *p,
                       struct organisation rows[STRIDE_PROFILE_LEVELS])
{
    struct index_hash hash = index_hash_of(p);
    for (size_t level = 0; level < p->levels; level++) {
        uint64_t in_set = 0;
        struct organisation *row = &rows[level];
        *row = (struct organisation){.structure = STRUCTURE_DTLB,
                                     .level = (int)level + 1,
                                     .entries = NAN,
                                     .ways = NAN,
                                     .sets = NAN,
                                     .index = "unknown",
                                     .index_bits = "",
                                     .relation = level > 0 ? "unknown" : "-"};
        if (stride_profile_fall(p, level).to > 0 && !(level == 0 && inclusion_makes_fall(p)))
            in_set = fill_indexed(p, level, row, &hash);
        else
            fill_flat(p, level, row);
        row->replacement = in_set == 0 ? find_replacement(p, level) : "unknown";
    }
    if (p->levels > 1)
        find_relation(p, &hash, rows);
    for (size_t level = 0; level < p->levels; level++)
        fill_entries(p, level, &rows[level]);
    if (p->levels > 1 && strcmp(rows[0].replacement, "random") == 0) {
        /* a random first level serves random targets */
        note_add(&rows[1].note, NOTE_FIRST_LEVEL_RANDOM);
        /* its reach may have fallen because of an inclusive second level */
        if (strcmp(rows[0].index, "xor") == 0)
            rows[0].signs = 0;
    }
    for (size_t level = 0; level < p->levels; level++)
        organisation_judge(&rows[level]);
    return p->levels;
}

void organisation_hide_unsettled(struct organisation *row)
{
    if (!note_has(&row->note, NOTE_UNSETTLED))
        return;
    row->ways = row->sets = NAN;
    row->index = row->replacement = "unknown";
    row->index_bits = "";
    if (row->level > 1)
        row->relation = "unknown";
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
