/* slice_solve.c: finds the base and masks: first the consensus, then the symmetry, then the masks.
 *
 * Correlations take almost all of the time, and some forty blocks determine everything: the shifts
 * of the other blocks follow from the masks and are only checked. */
#include "slices/solve/slice_solve.h"
#include "base/error.h"
#include "slices/solve/solver.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS_MIN = 2,    /* [bound] of blocks to correlate, each determining the masks */
    SETS_MAX = 32,   /* [bound] for small blocks, whose shifts may be mistaken */
    FREE_MAX = 64,   /* [bound] 2 MiB blocks to correlate without addresses */
    ROUNDS = 6,      /* [bound] until the steps agree */
    RIVALS_MAX = 64, /* [bound] shifts to examine one by one */
    ALIKE_MANY = 16, /* [bound] enough shifts for a block to fit its wrong entries */
};
/* [bound] share of lines that wrong entries have locked */
static const double locked_most = 0.0025;
static const double clean = 0.002;   /* [bound] share of wrong entries that counts as none */
static const float margin = 0.02F;   /* [significance] of an agreement over a rival shift's */
static const double doubt = 7;       /* [significance] e^-7: of another shift by chance */
static const double odd_share = 0.1; /* [significance] excess of wrong entries: the block was not
                                        measured as a whole */
static const double fewest_known = 0.25; /* [significance] of a block's lines, to align it */

static void solver_begin(struct solver *s, const struct slice_maps *maps)
{
    *s = (struct solver){.maps = maps,
                         .bits = maps->block_bits,
                         .lines = (size_t)1 << maps->block_bits,
                         .addressed = maps->paddr_bits > LINE_BITS + maps->block_bits};
    s->shift = allocate(maps->count, sizeof *s->shift);
    s->state = allocate(maps->count, sizeof *s->state);
    s->consensus = allocate(s->lines, 1);
    s->reference = allocate(s->lines, 1);
    s->likeness = allocate(s->lines, sizeof *s->likeness);
}

static void solver_end(struct solver *s)
{
    free(s->shift);
    free(s->state);
    free(s->consensus);
    free(s->reference);
    free(s->likeness);
}

/* ---- the blocks to correlate ---- */

/* Appends blocks with independent addresses, in sets that each determine as much as all blocks
 * do. */
static size_t choose_blocks(const struct solver *s, size_t *chosen)
{
    bool *taken = allocate(s->maps->count, sizeof *taken);
    size_t count = 0, before = SIZE_MAX, sets = (size_t)SETS_MIN << (PAGE_LINES_BITS - s->bits);
    size_t most = s->addressed ? SIZE_MAX : (size_t)FREE_MAX << (PAGE_LINES_BITS - s->bits);
    sets = !s->addressed ? 1 : sets < SETS_MAX ? sets : SETS_MAX;
    for (size_t set = 0; set < sets && before != count; set++) {
        struct xor_space space = {0};
        before = count;
        for (size_t i = 0; i < s->maps->count && count < most; i++) {
            uint64_t vector;
            if (taken[i] || (s->addressed && !mask_vector(s, i, &vector)) ||
                (double)block_known_lines(s, i) < fewest_known * (double)s->lines)
                continue;
            if (!s->addressed || xor_space_add(&space, vector)) {
                taken[i] = true;
                chosen[count++] = i;
            }
        }
    }
    free(taken);
    return count;
}

/* ---- doubtful blocks ---- */

/* Whether a block is at shift `to` rather than its address's, `from`: by more agreements than
 * chance adds at any of the shifts. */
static bool is_elsewhere(const struct solver *s, const struct match *from, const struct match *to)
{
    double gained = (double)to->agreeing - (double)from->agreeing;
    return gained * s->weight > log((double)s->lines) + doubt &&
           xor_space_reduce(&s->symmetry, from->shift ^ to->shift) != 0;
}

/* The shifts of the consensus that a block with this share of agreements may be mistaken for, one
 * per coset; SIZE_MAX if there are more than RIVALS_MAX, or the share is implausible. */
static size_t rivals(const struct solver *s, float share, uint32_t shifts[RIVALS_MAX])
{
    size_t count = 0;
    if (share < 1 - (float)s->wrong - (float)odd_share)
        return SIZE_MAX;
    if (s->rival < share - margin)
        return 0;
    for (uint32_t shift = 1; shift < s->lines; shift++)
        if (s->likeness[shift] >= share - margin &&
            xor_space_reduce(&s->symmetry, shift) == shift) {
            if (count == RIVALS_MAX)
                return SIZE_MAX;
            shifts[count++] = shift;
        }
    return count;
}

/* The best shift of a block near the given one, or of all shifts. */
static struct match look_around(const struct solver *s, size_t block, struct match at)
{
    uint32_t near[RIVALS_MAX];
    float share = (float)at.agreeing / (float)(at.compared > 0 ? at.compared : 1);
    size_t count = rivals(s, share, near);
    struct match best = at;
    if (count == SIZE_MAX) {
        match_blocks(s, &block, 1, &best);
        return best;
    }
    best.sure = true;
    for (size_t k = 0; k < count; k++) {
        struct match m = match_at(s, block, at.shift ^ near[k]);
        if (m.agreeing > best.agreeing) {
            best = m;
            best.sure = true;
        }
    }
    return best;
}

/* Judges a block whose shift follows from the masks. */
static void judge(struct solver *s, size_t block, uint32_t predicted)
{
    struct match at = match_at(s, block, predicted), best = look_around(s, block, at);
    s->shift[block] = predicted;
    s->state[block] = BLOCK_ALIGNED;
    if (at.compared == 0)
        s->state[block] = BLOCK_UNUSED;
    else if (!best.sure)
        s->state[block] = best.agreeing < at.compared / 2 ? BLOCK_UNLIKE : BLOCK_UNUSED;
    else if (is_elsewhere(s, &at, &best)) {
        s->shift[block] = best.shift;
        s->state[block] = BLOCK_MISLABELLED;
    }
}

/* ---- steps ---- */

/* Blocks aligned before the symmetry was known may be at a shift that is only nearly the best:
 * tries the nearby shifts. Returns whether any block moved. */
static bool refine(struct solver *s)
{
    bool moved = false;
    if (s->wrong == 0) /* already perfect */
        return false;
    for (size_t i = 0; i < s->maps->count; i++) {
        if (s->state[i] != BLOCK_ALIGNED)
            continue;
        struct match at = match_at(s, i, s->shift[i]), best = look_around(s, i, at);
        if (best.agreeing > at.agreeing) {
            s->shift[i] = best.shift;
            moved = true;
        }
    }
    return moved;
}

/* Votes and finds the symmetry until neither changes the other. */
static void settle(struct solver *s, const size_t *blocks, size_t count)
{
    symmetry_find(s);
    for (int round = 0; round < ROUNDS && s->alike >= ALIKE_MANY && s->wrong > clean; round++) {
        if (s->differing < 0.5 || s->differing > locked_most * (double)s->lines)
            break;
        /* A line with a wrong slice makes two lines differ at almost any shift. */
        consensus_align_again(s, blocks, count, s->differing + 2);
        symmetry_find(s);
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (!refine(s))
            break;
        s->symmetry = (struct xor_space){0};
        consensus_vote(s);
        consensus_weigh(s);
        symmetry_find(s);
    }
}

/* Aligns a block whose shift the masks do not determine. */
static void align_new(struct solver *s, size_t block)
{
    struct match match;
    match_blocks(s, &block, 1, &match);
    s->shift[block] = match.shift;
    s->state[block] = match.sure                      ? BLOCK_ALIGNED
                      : match.compared > s->lines / 4 ? BLOCK_UNLIKE
                                                      : BLOCK_UNUSED;
}

/* Judges all blocks by the masks, and aligns, one at a time, those whose shift the masks do not
 * give. False if no masks fit. */
static bool judge_all(struct solver *s, size_t *chosen, size_t *count)
{
    for (size_t i = 0; i < s->maps->count; i++) {
        uint32_t predicted;
        uint64_t vector;
        if (!mask_vector(s, i, &vector)) {
            s->state[i] = BLOCK_UNUSED;
            continue;
        }
        if (mask_predict(s, i, &predicted)) {
            judge(s, i, predicted);
            continue;
        }
        if (s->state[i] != BLOCK_NEW)
            continue;
        align_new(s, i);
        chosen[(*count)++] = i;
        if (s->state[i] == BLOCK_ALIGNED && !mask_fit(s, chosen, *count))
            return false;
    }
    return true;
}

/* Whether the blocks unlike the consensus are like each other: other parts of a base longer than
 * the blocks. */
static bool others_are_alike(struct solver *s, const size_t *blocks, size_t count)
{
    size_t *others = allocate(count, sizeof *others), found = 0, alike = 0;
    for (size_t k = 0; k < count; k++)
        if (s->state[blocks[k]] == BLOCK_UNLIKE)
            others[found++] = blocks[k];
    if (found > 1) {
        struct solver second;
        solver_begin(&second, s->maps);
        memset(second.state, BLOCK_UNUSED, s->maps->count);
        alike = consensus_find(&second, others, found);
        solver_end(&second);
    }
    free(others);
    return alike > 1;
}

/* Blocks that are wrong far more often than the others lose their vote: the page moved while it was
 * measured, or the file has the wrong name. Returns whether there were any. */
static bool reject_odd(struct solver *s)
{
    bool any = false;
    for (size_t i = 0; i < s->maps->count; i++) {
        if (s->state[i] != BLOCK_ALIGNED)
            continue;
        struct match m = match_at(s, i, s->shift[i]);
        double known = (double)m.compared, wrong = known - (double)m.agreeing;
        double usual = known * s->wrong, deviation = sqrt(known * s->wrong * (1 - s->wrong));
        if (wrong > usual + known * odd_share + 6 * deviation && wrong > 4) {
            s->state[i] = BLOCK_UNLIKE;
            any = true;
        }
    }
    return any;
}

/* Aligns, fits and judges; `chosen` can hold all blocks. */
static enum solve_outcome solve(struct solver *s, size_t *chosen)
{
    size_t count = choose_blocks(s, chosen);
    memset(s->state, BLOCK_UNUSED, s->maps->count);
    size_t aligned = count > 0 ? consensus_find(s, chosen, count) : 0;
    if (aligned == 0)
        return SOLVE_NO_LINES;
    if (aligned < count && others_are_alike(s, chosen, count))
        return SOLVE_TOO_SHORT;
    if (3 * aligned < 2 * count)
        return SOLVE_UNLIKE;
    settle(s, chosen, count);
    if (s->addressed) {
        if (!mask_fit(s, chosen, count))
            return consensus_systematic(s) ? SOLVE_TOO_SHORT : SOLVE_LABELS;
        for (size_t i = 0; i < s->maps->count; i++)
            if (s->state[i] == BLOCK_UNUSED)
                s->state[i] = BLOCK_NEW;
        if (!judge_all(s, chosen, &count))
            return SOLVE_LABELS;
    }
    for (int round = 0; round < ROUNDS; round++) {
        consensus_vote(s);
        consensus_weigh(s);
        symmetry_find(s);
        if (!reject_odd(s))
            break;
    }
    consensus_vote(s);
    consensus_weigh(s);
    return consensus_systematic(s) ? SOLVE_TOO_SHORT : SOLVED;
}

struct slice_solution slice_solve(const struct slice_maps *maps, unsigned top_bit)
{
    struct slice_solution solution = {.block_bits = maps->block_bits};
    struct solver solver;
    if (maps->lines == 0) {
        solution.outcome = SOLVE_NO_LINES;
        return solution;
    }
    size_t *chosen = allocate(maps->count, sizeof *chosen);
    solver_begin(&solver, maps);
    solution.outcome = solve(&solver, chosen);
    if (solution.outcome == SOLVED)
        solver_describe(&solver, &solution, top_bit);
    solver_name_blocks(&solver, &solution);
    solver_end(&solver);
    free(chosen);
    return solution;
}

void slice_solution_free(struct slice_solution *solution)
{
    slice_hash_free(&solution->hash);
    free(solution->unlike_address);
    free(solution->mislabelled_address);
    free(solution->suspect_address);
}
