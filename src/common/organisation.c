/* organisation.c: how the levels of a TLB are organised. */
#include "organisation.h"
#include "gf2.h"
#include "replacement.h"
#include "table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One target too many shows when each costs this part of a full miss more. */
static const double share_least = 0.04, errors_least = 4.5;

/* Up to this part of the number of which half miss, all fit: with random replacement half miss at
 * 1.39 times what fits. */
static const double start_part = 0.6;

/* At least so many times what one set holds: they miss where they fall into one set. */
static const double crowded = 1.25;

/* Targets that cost this part of what as many of one set cost lie in one set, though some of them
 * may hit the first level; and those of the same fold must cost nearly as much as its first: halves
 * that just fit into two sets overflow one of them where an other lies in it. */
static const double one_set = 0.25, same_fold = 0.65;

/* So many times the ways of the first level a set of the second must have for its replacement to
 * show through the first. */
static const double seen_by_second = 2.5;

/* A level has settled when its capacity has not fallen for so many strides. */
enum { STRIDES_SETTLED = 2 };

/* ---- ways ---- */

/* Mean of the points at the start of a curve, up to a part of `reach`; and its error. */
static double start_of(const struct curve *curve, double reach, double *error)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < curve->count; i++) {
        double w = 1 / (curve->at[i].error * curve->at[i].error + 1e-6);
        if (i > 0 && curve->at[i].pages > start_part * reach)
            break;
        sum += w * curve->at[i].ns;
        weight += w;
    }
    *error = 1 / sqrt(weight);
    return sum / weight;
}

/* Whether point i lies above the start of the curve by the noise and a part of what it would cost
 * if all targets missed. */
static bool is_over(const struct curve *curve, size_t i, double start, double error, double full)
{
    const struct curve_point *p = &curve->at[i];
    return p->ns - start > fmax(errors_least * hypot(p->error, error), share_least * full);
}

/* The largest number of pages of one set that a level holds all of; NaN when the curve does not
 * show it. *sharp: the next one makes most of them miss. */
static double ways_of(const struct profile *p, size_t level, bool *sharp)
{
    int from, to;
    double ways = NAN, error, step = p->ns[level + 1] - p->ns[level];
    struct curve curve = {0};
    profile_fall(p, level, &from, &to);
    uint64_t others = level > 0 ? profile_others_at(p, to) : 0;
    if (to > 0)
        curve = profile_targets(p, p->page.spacing << to, others, 1);
    double start = start_of(&curve, p->reach[level][to], &error);
    if (others == 0) /* the first level holds the first few of them */
        start = fmax(start, p->ns[level]);
    for (size_t i = 1; i + 1 < curve.count && isnan(ways); i++) {
        size_t k = i;
        double full = step * curve.at[i].pages / (curve.at[i].pages + (double)others);
        while (k < i + 3 && k < curve.count && is_over(&curve, k, start, error, full))
            k++;
        if (k < i + 3 && k < curve.count)
            continue;
        ways = curve.at[i].pages - 1;
        *sharp = curve.at[i].ns - start > 0.7 * full;
    }
    curve_free(&curve);
    return ways;
}

/* ---- folded index bits ---- */

uint64_t folds_stride(int fold, int j)
{
    return ((uint64_t)1 << j) + ((uint64_t)1 << (j + fold));
}

static double missing_at(const struct profile *p, const struct folds *folds, uint64_t stride)
{
    return profile_missing(p, stride * p->page.spacing, profile_others(p), folds->targets);
}

struct folds folds_of(const struct profile *p)
{
    struct folds folds = {0};
    int from, to;
    bool sharp;
    profile_fall(p, 1, &from, &to);
    double ways = p->levels > 1 ? ways_of(p, 1, &sharp) : (double)NAN;
    if (from == 0 || isnan(ways))
        return folds;
    folds.targets = 1; /* a power of two: a bit that does select the set halves them */
    while ((double)folds.targets < crowded * ways)
        folds.targets *= 2;
    folds.stride = (uint64_t)1 << to;
    folds.bits = to - from;
    folds.to = to;
    while ((uint64_t)1 << folds.from < folds.targets) /* no carry from one part into the other */
        folds.from++;
    double least = one_set * missing_at(p, &folds, folds.stride);
    for (int fold = folds.from; fold < folds.to; fold++)
        folds.found[fold] = missing_at(p, &folds, folds_stride(fold, 0)) > least;
    return folds;
}

/* Adds what one stride proves: its multiples by 1, 2, 4, … as long as there were targets there. */
static size_t add_kernel(uint64_t *kernel, size_t count, uint64_t stride, uint64_t targets)
{
    for (uint64_t times = 1; times < targets; times *= 2)
        kernel[count++] = stride * times;
    return count;
}

/* The index bits, from page numbers that are known to fall into set 0: what is orthogonal to all of
 * them. Returns how many there are. */
static size_t solve_index(const struct profile *p, const struct folds *folds, uint64_t *basis)
{
    uint64_t kernel[PROFILE_STRIDES * PROFILE_STRIDES * 8];
    size_t count = 0;
    for (int fold = folds->from; fold < folds->to; fold++) {
        double least = same_fold * missing_at(p, folds, folds_stride(fold, 0));
        for (int j = 0; folds->found[fold] && j < folds->bits; j++)
            if (missing_at(p, folds, folds_stride(fold, j)) > least)
                count = add_kernel(kernel, count, folds_stride(fold, j), folds->targets);
    }
    return gf2_annihilator(kernel, count, (size_t)folds->to, basis);
}

static void spell_bits(const uint64_t *basis, size_t count, char text[INDEX_BITS_ROOM])
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const char *before = i > 0 ? "," : "";
        for (int bit = 0; bit < 64; bit++)
            if (basis[i] >> bit & 1 && used < INDEX_BITS_ROOM) {
                used += (size_t)snprintf(text + used, INDEX_BITS_ROOM - used, "%s%d", before, bit);
                before = "^";
            }
    }
}

/* ---- relation ---- */

struct conflict conflict_of(const struct profile *p, const struct folds *folds)
{
    struct conflict c = {0};
    int from, to;
    bool sharp;
    double ways = p->levels > 1 ? ways_of(p, 1, &sharp) : (double)NAN, first = p->entries[0];
    if (isnan(ways) || first < 1.3 * ways)
        return c;
    profile_fall(p, 1, &from, &to);
    uint64_t most = UINT64_MAX;
    if (p->reach[0][to] > 0.7 * p->reach[0][0])
        c.stride = (uint64_t)1 << to;
    for (int fold = folds->from; fold < folds->to && c.stride == 0; fold++)
        if (folds->found[fold]) {
            c.stride = folds_stride(fold, 0);
            most = (uint64_t)1 << fold;
        }
    c.inclusive_at = (uint64_t)((ways + first) / 2);
    c.first = (uint64_t)first + 1;
    c.last = (uint64_t)(first + 1.2 * ways) + 1;
    c.last = c.last < most ? c.last : most;
    if ((double)c.last < first + 0.5 * ways)
        c.stride = 0;
    return c;
}

/* A curve at so many pages, between two of its points if need be; NaN beyond them. */
static double cost_at(const struct curve *curve, double pages)
{
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *q = &curve->at[i], *p = i > 0 ? q - 1 : q;
        if (q->pages == pages)
            return q->ns;
        if (q->pages > pages && i > 0)
            return p->ns + (q->ns - p->ns) * (pages - p->pages) / (q->pages - p->pages);
    }
    return NAN;
}

/* Whether pages of one set of the second level, so many of them, miss it when they miss the first:
 * neighbouring pages, as many, only miss the first. */
static bool misses_both(const struct profile *p, const struct curve *neighbours,
                        const struct curve *conflicting, double pages)
{
    double first = fmax(cost_at(neighbours, pages), p->ns[0] + 0.1 * (p->ns[1] - p->ns[0]));
    return cost_at(conflicting, pages) > first * sqrt(p->ns[2] / p->ns[1]);
}

/* Where the first level can hold more pages of a set than the second: inclusive when it loses them
 * all the same, exclusive when both together hold more than it alone, as many as *ways more. What
 * was taken for the ways of an exclusive level includes those pages that the first one held. */
static const char *relation_by_conflict(const struct profile *p, const struct conflict *c,
                                        bool first_full, double *ways)
{
    struct curve conflicting = profile_targets(p, c->stride * p->page.spacing, 0, 1);
    struct curve neighbours = curve_control(p->series, &p->page);
    double first = p->entries[0], beyond = first + ceil(*ways / (first_full ? 4 : 2)), held = 0;
    const char *relation = "unknown";
    if (cost_at(&conflicting, (double)c->inclusive_at) > (p->ns[0] + p->ns[2]) / 2)
        relation = "inclusive";
    else if (misses_both(p, &neighbours, &conflicting, beyond))
        relation = "neither";
    else if (cost_at(&conflicting, beyond) > (p->ns[0] + p->ns[1]) / 2) {
        relation = "exclusive";
        while (first + held < (double)c->last &&
               !misses_both(p, &neighbours, &conflicting, first + held + 1))
            held++;
        *ways = held;
    }
    curve_free(&conflicting);
    curve_free(&neighbours);
    return relation;
}

/* Else by what fits together: an exclusive second level adds to the pages of the first, in each set
 * and in all. There the ways of the first may hide that what is left halves once more: then *ways
 * is NaN. */
static const char *relation_by_sum(const struct profile *p, double first_ways, double sets,
                                   double *ways)
{
    double apart = (*ways - first_ways) * sets + p->entries[0];
    double error = fabs(log(*ways * sets / p->entries[1]));
    double error_apart = *ways > first_ways ? fabs(log(apart / p->entries[1])) : (double)INFINITY;
    if (error < 0.15 && error < error_apart / 2)
        return "unknown"; /* inclusive or neither: at this distance both look alike */
    if (error_apart < 0.15 && error_apart < error / 2) {
        int from, to;
        profile_fall(p, 1, &from, &to);
        *ways = p->reach[1][p->strides] > 0.85 * p->reach[1][to] ? *ways - first_ways : (double)NAN;
        return "exclusive";
    }
    return "unknown";
}

/* ---- replacement ---- */

/* An inclusive second level that runs out of room in a set takes the pages out of the first too, so
 * that both seem to hold as little: no fall of the first level's own. */
static bool falls_with_second(const struct profile *p)
{
    int from, to;
    profile_fall(p, 0, &from, &to);
    if (p->levels < 2 || from == 0)
        return false;
    for (int k = from + 1; k <= p->strides; k++)
        if (fabs(log(p->reach[0][k] / p->reach[1][k])) > log(1.35))
            return false;
    return true;
}

static bool is_sharp(const struct profile *p, size_t level)
{
    return p->most[level] - p->least[level] <= fmax(1, 0.02 * p->entries[level]);
}

/* Where a level is fully associative any pages will do. Of the second level's pages the first holds
 * some where nothing flushes it, and what it serves the second does not see: few of many do no
 * harm. */
struct crowd crowd_of(const struct profile *p, size_t level)
{
    struct crowd crowd = {.stride = 1};
    int from, to;
    bool sharp;
    profile_fall(p, level, &from, &to);
    if (level == 0 && falls_with_second(p))
        to = 0;
    double ways = to > 0 ? ways_of(p, level, &sharp) : p->entries[level];
    if (isnan(ways) || (to == 0 && (level > 0 || !is_sharp(p, level))))
        return crowd;
    crowd.stride = (uint64_t)1 << to;
    crowd.others = level > 0 ? profile_others_at(p, to) : 0;
    if (level == 0 || crowd.others > 0 || ways > seen_by_second * p->reach[0][to])
        crowd.ways = (uint64_t)ways;
    return crowd;
}

static const char *tell_replacement(const struct profile *p, size_t level)
{
    struct crowd crowd = crowd_of(p, level);
    struct crowding measured[2 * REPLACEMENT_TARGETS];
    uint64_t targets[REPLACEMENT_TARGETS];
    int count = 0;
    if (crowd.ways == 0)
        return "unknown";
    replacement_targets(crowd.ways, targets);
    for (uint64_t rounds = 1; rounds <= REPLACEMENT_ROUNDS; rounds *= REPLACEMENT_ROUNDS) {
        struct curve curve = profile_targets(p, crowd.stride * p->page.spacing, crowd.others,
                                             rounds);
        for (size_t i = 0; i < curve.count; i++)
            for (int t = 0; t < REPLACEMENT_TARGETS; t++)
                if (curve.at[i].pages == (double)targets[t])
                    measured[count++] = (struct crowding){targets[t], crowd.others, rounds,
                                                          curve.at[i].ns - p->ns[level],
                                                          curve.at[i].error};
        curve_free(&curve);
    }
    return replacement_of(crowd.ways, measured, count);
}

/* ---- levels ---- */

static void add_note(struct organisation *row, const char *word)
{
    size_t used = strlen(row->note);
    snprintf(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "," : "", word);
}

/* What never falls: no bit that was looked at selects a set. A level whose sets fill unevenly has
 * no sharp edge; neither has a fully associative one that drops any page, but only small ones are
 * built like that. */
static void tell_flat(const struct profile *p, size_t level, struct organisation *row)
{
    if (p->strides < 8)
        row->index = "unknown";
    else if (is_sharp(p, level)) {
        row->index = "full";
        row->ways = p->entries[level];
        row->sets = 1;
        row->confidence = p->most[level] > p->least[level] ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
    } else if (level > 0) {
        row->index = "hashed";
        row->confidence = CONFIDENCE_MEDIUM;
    } else
        add_note(row, "gradual");
}

/* Ways by what one set holds, sets by the bits that select them. */
static void tell_falling(const struct profile *p, size_t level, struct organisation *row,
                         const struct folds *folds)
{
    int from, to;
    bool sharp = false;
    uint64_t basis[64];
    profile_fall(p, level, &from, &to);
    if (p->strides < to + STRIDES_SETTLED) {
        add_note(row, "unsettled");
        return;
    }
    size_t bits = (size_t)(to - from), solved = 0;
    row->index = from > 0 ? "xor" : "linear";
    row->ways = ways_of(p, level, &sharp);
    row->sets = exp2((double)bits);
    if (!isnan(row->ways))
        row->confidence = sharp ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
    if (from == 0)
        solved = gf2_annihilator(NULL, 0, bits, basis);
    else if (level > 0 && folds->to > 0)
        solved = solve_index(p, folds, basis);
    if (solved == bits)
        spell_bits(basis, bits, row->index_bits);
    else
        add_note(row, "folds_unsolved");
}

static void tell_relation(const struct profile *p, const struct folds *folds,
                          struct organisation rows[PROFILE_LEVELS])
{
    struct conflict conflict = conflict_of(p, folds);
    if (falls_with_second(p))
        rows[1].relation = "inclusive";
    else if (isnan(rows[1].ways))
        return;
    else if (conflict.stride > 0)
        rows[1].relation = relation_by_conflict(p, &conflict, rows[0].sets == 1, &rows[1].ways);
    else if (rows[0].sets > 1)
        rows[1].relation = relation_by_sum(p, rows[0].ways, rows[1].sets, &rows[1].ways);
    if (isnan(rows[1].ways))
        rows[1].confidence = CONFIDENCE_LOW;
}

/* Whether so many entries, of this level alone or with those of the one before an exclusive one,
 * lie in the range that was measured, or outside it by a part of it. */
static bool agrees(const struct profile *p, size_t level, const struct organisation *row,
                   double slack)
{
    double shared = strcmp(row->relation, "exclusive") == 0 ? p->entries[0] : 0;
    return row->entries + shared >= (1 - slack) * p->least[level] &&
           row->entries <= (1 + slack) * p->most[level];
}

/* The number of entries that follows from ways and sets must agree with the one that was measured.
 */
static void tell_entries(const struct profile *p, size_t level, struct organisation *row)
{
    row->entries = p->entries[level];
    if (isnan(row->ways))
        row->sets = NAN;
    if (isnan(row->ways * row->sets))
        return;
    row->entries = row->ways * row->sets;
    if (!agrees(p, level, row, p->sure[level] == CONFIDENCE_HIGH ? 0.03 : 0.12)) {
        row->confidence = CONFIDENCE_LOW;
        add_note(row, "entries_disagree");
    } else if (!agrees(p, level, row, 0.03) && row->confidence == CONFIDENCE_HIGH)
        row->confidence = CONFIDENCE_MEDIUM;
}

size_t organisation_of(const struct profile *p, struct organisation rows[PROFILE_LEVELS])
{
    struct folds folds = folds_of(p);
    for (size_t level = 0; level < p->levels; level++) {
        int from, to;
        struct organisation *row = &rows[level];
        *row = (struct organisation){.level = (int)level + 1,
                                     .entries = NAN,
                                     .ways = NAN,
                                     .sets = NAN,
                                     .index = "unknown",
                                     .relation = level > 0 ? "unknown" : "-"};
        profile_fall(p, level, &from, &to);
        if (to > 0 && !(level == 0 && falls_with_second(p)))
            tell_falling(p, level, row, &folds);
        else
            tell_flat(p, level, row);
        row->replacement = tell_replacement(p, level);
    }
    if (p->levels > 1)
        tell_relation(p, &folds, rows);
    for (size_t level = 0; level < p->levels; level++)
        tell_entries(p, level, &rows[level]);
    return p->levels;
}

/* ---- rows ---- */

const char organisation_columns[] = "structure\tlevel\tentries\tways\tsets\tindex\tindex_bits\t"
                                    "replacement\trelation\tconfidence\tnote";

void organisation_write(const struct organisation *row, char after)
{
    put_text("dtlb", '\t');
    put_count((uint64_t)row->level, '\t');
    put_number(row->entries, '\t');
    put_number(row->ways, '\t');
    put_number(row->sets, '\t');
    put_text(row->index, '\t');
    put_text(*row->index_bits ? row->index_bits : NULL, '\t');
    put_text(row->replacement, '\t');
    put_text(row->relation, '\t');
    put_text(confidence_name(row->confidence), '\t');
    put_text(*row->note ? row->note : NULL, after);
}
