/* organisation.c: how the levels of a TLB are organised. */
#include "organisation.h"
#include "gf2.h"
#include "table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One target too many shows when each costs this part of a full miss more. */
static const double share_least = 0.04, errors_least = 4.5;

/* Up to this part of the number of which half miss, all fit: with random replacement half miss at
 * 1.39 times what fits. */
static const double start_part = 0.6;

/* So many times what one set holds: they miss where they fall into one set, and nearly fit into two,
 * though others hold some of the entries. */
static const double crowd = 2;

/* Targets that cost this part of what as many of one set cost lie in one set. */
static const double one_set = 0.25;

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
        curve = profile_targets(p, p->page.spacing << to, others);
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

static bool in_one_set(const struct profile *p, const struct folds *folds, uint64_t stride)
{
    uint64_t others = profile_others(p), page = p->page.spacing;
    return profile_missing(p, stride * page, others, folds->targets) >
           one_set * profile_missing(p, folds->stride * page, others, folds->targets);
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
    folds.targets = (uint64_t)ceil(crowd * ways);
    folds.stride = (uint64_t)1 << to;
    folds.bits = to - from;
    folds.to = to;
    while ((uint64_t)1 << folds.from < folds.targets) /* no carry from one part into the other */
        folds.from++;
    for (int fold = folds.from; fold < folds.to; fold++)
        folds.found[fold] = in_one_set(p, &folds, folds_stride(fold, 0));
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
    for (int fold = folds->from; fold < folds->to; fold++)
        for (int j = 0; j == 0 || (folds->found[fold] && j < folds->bits); j++)
            if (in_one_set(p, folds, folds_stride(fold, j)))
                count = add_kernel(kernel, count, folds_stride(fold, j), folds->targets);
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
    if (c.last < first + 0.5 * ways)
        c.stride = 0;
    return c;
}

/* Time of a load that depends on it, over `packed`, at so many pages. */
static double cost_at(const struct curve *curve, double pages)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->at[i].pages >= pages)
            return curve->at[i].ns;
    return NAN;
}

/* Pages of one set that both levels hold together, beyond those of the first alone. */
static double ways_beyond(const struct profile *p, const struct curve *curve, double first)
{
    double limit = p->ns[1] + 0.25 * (p->ns[2] - p->ns[1]), ways = 0;
    for (size_t i = 0; i < curve->count; i++)
        if (curve->at[i].pages > first && curve->at[i].ns <= limit)
            ways = curve->at[i].pages - first;
        else if (curve->at[i].pages > first)
            break;
    return ways;
}

/* Where the first level can hold more pages of a set than the second: inclusive when it loses them
 * all the same, exclusive when both together hold more than it alone. */
static const char *relation_by_conflict(const struct profile *p, const struct conflict *c,
                                        double *ways)
{
    struct curve curve = profile_targets(p, c->stride * p->page.spacing, 0);
    double held = cost_at(&curve, (double)c->inclusive_at);
    double beyond = cost_at(&curve, p->entries[0] + ceil(*ways / 2));
    const char *relation = "unknown";
    if (held > (p->ns[0] + p->ns[2]) / 2)
        relation = "inclusive";
    else if (beyond > (p->ns[1] + p->ns[2]) / 2)
        relation = "neither";
    else if (beyond > (p->ns[0] + p->ns[1]) / 2) {
        relation = "exclusive";
        *ways = ways_beyond(p, &curve, p->entries[0]);
    }
    curve_free(&curve);
    return relation;
}

/* Else by what fits together: an exclusive second level adds to the pages of the first, in each set
 * and in all. */
static const char *relation_by_sum(const struct profile *p, double first_ways, double sets,
                                   double *ways)
{
    double apart = (*ways - first_ways) * sets + p->entries[0];
    double error = fabs(log(*ways * sets / p->entries[1]));
    double error_apart = *ways > first_ways ? fabs(log(apart / p->entries[1])) : (double)INFINITY;
    if (error < 0.15 && error < error_apart / 2)
        return "unknown"; /* inclusive or neither: at this distance both look alike */
    if (error_apart < 0.15 && error_apart < error / 2) {
        *ways -= first_ways;
        return "exclusive";
    }
    return "unknown";
}

/* ---- levels ---- */

static void add_note(struct organisation *row, const char *word)
{
    size_t used = strlen(row->note);
    snprintf(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "," : "", word);
}

static bool is_sharp(const struct profile *p, size_t level)
{
    return p->most[level] - p->least[level] <= fmax(1, 0.02 * p->entries[level]);
}

/* What never falls: no bit that was looked at selects a set. A level whose sets fill unevenly has
 * no sharp edge. */
static void tell_flat(const struct profile *p, size_t level, struct organisation *row)
{
    row->entries = p->entries[level];
    if (p->strides < 8)
        row->index = "unknown";
    else if (is_sharp(p, level)) {
        row->index = "full";
        row->ways = row->entries;
        row->sets = 1;
        row->confidence = CONFIDENCE_HIGH;
    } else {
        row->index = "hashed";
        row->confidence = CONFIDENCE_MEDIUM;
    }
}

/* Sets are counted by the bits that select them; the number of entries that follows must agree with
 * the one that was measured. */
static void tell_entries(const struct profile *p, size_t level, struct organisation *row,
                         bool sharp)
{
    row->entries = row->ways * row->sets;
    double seen = row->entries;
    if (strcmp(row->relation, "exclusive") == 0)
        seen += p->entries[0];
    bool agrees = seen >= 0.97 * p->least[level] && seen <= 1.03 * p->most[level];
    row->confidence = agrees ? CONFIDENCE_HIGH : CONFIDENCE_LOW;
    if (!agrees)
        add_note(row, "entries_disagree");
    else if (!sharp)
        row->confidence = CONFIDENCE_MEDIUM;
}

static void tell_falling(const struct profile *p, size_t level, struct organisation *row,
                         const struct folds *folds)
{
    int from, to;
    bool sharp = false;
    uint64_t basis[64];
    profile_fall(p, level, &from, &to);
    size_t bits = (size_t)(to - from), solved = bits;
    row->index = from > 0 ? "xor" : "linear";
    row->ways = ways_of(p, level, &sharp);
    row->sets = exp2((double)bits);
    if (from == 0)
        solved = gf2_annihilator(NULL, 0, bits, basis);
    else
        solved = level > 0 && folds->to > 0 ? solve_index(p, folds, basis) : 0;
    if (solved == bits)
        spell_bits(basis, bits, row->index_bits);
    else
        add_note(row, "folds_unsolved");
    if (isnan(row->ways)) {
        row->entries = p->entries[level];
        row->sets = NAN;
        return;
    }
    tell_entries(p, level, row, sharp);
}

static void tell_relation(const struct profile *p, const struct folds *folds,
                          struct organisation rows[PROFILE_LEVELS])
{
    struct organisation *row = &rows[1];
    struct conflict conflict = conflict_of(p, folds);
    if (isnan(row->ways) || isnan(row->sets))
        return;
    double ways = row->ways;
    if (conflict.stride > 0)
        row->relation = relation_by_conflict(p, &conflict, &ways);
    else if (rows[0].sets > 1)
        row->relation = relation_by_sum(p, rows[0].ways, row->sets, &ways);
    if (ways != row->ways) {
        row->ways = ways;
        row->note[0] = '\0';
        tell_entries(p, 1, row, true);
    }
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
                                     .replacement = "unknown",
                                     .relation = level > 0 ? "unknown" : NULL};
        if (level == 0)
            row->relation = "-";
        profile_fall(p, level, &from, &to);
        if (to > 0)
            tell_falling(p, level, row, &folds);
        else
            tell_flat(p, level, row);
    }
    if (p->levels > 1)
        tell_relation(p, &folds, rows);
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
