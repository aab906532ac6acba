/* symmetry.c: the XOR shifts of indices that leave the consensus unchanged.
 *
 * Real hashes have shifts that change only some 0.4 % of the lines; wrong entries that outvoted the
 * right ones make a true symmetry look like one of those. The votes on a pair of differing lines
 * decide: either one slice explains both nearly as well, or it does not. */
#include "base/error.h"
#include "slices/solve/solver.h"
#include <math.h>
#include <stdlib.h>

static const double near = 0.95; /* [bound] shifts below this likeness are not candidates */
static const double doubts = 3;  /* [bound] allowed differences per doubtful line, of which two are
                                    expected: it differs from two lines */
static const double beyond = 3;  /* [significance] e^-3: that a pair of lines differs by chance */

static const float half_again = 1.5F; /* [prior] see is_like() */

/* Votes lost if lines x and y must have the same slice. */
static uint32_t votes_lost(const struct solver *s, size_t x, size_t y)
{
    uint32_t a[SLICES_MAX] = {0}, b[SLICES_MAX] = {0}, most_a = 0, most_b = 0, both = 0;
    consensus_votes_on(s, x, a);
    consensus_votes_on(s, y, b);
    for (int v = 0; v < SLICES_MAX; v++) {
        most_a = a[v] > most_a ? a[v] : most_a;
        most_b = b[v] > most_b ? b[v] : most_b;
        both = a[v] + b[v] > both ? a[v] + b[v] : both;
    }
    return most_a + most_b - both;
}

static bool is_symmetry(const struct solver *s, size_t shift)
{
    double most = (log((double)s->lines * s->slices) + beyond) / s->weight;
    for (size_t x = 0; x < s->lines; x++) {
        signed char a = s->consensus[x], b = s->consensus[x ^ shift];
        if (x < (x ^ shift) && a != b && a >= 0 && b >= 0 &&
            (double)votes_lost(s, x, x ^ shift) > most)
            return false;
    }
    return true;
}

/* ---- likeness ---- */

static void find_likeness(struct solver *s)
{
    const signed char *sequence = s->consensus;
    double *agreements = allocate(2 * s->lines, sizeof *agreements);
    double *compared = agreements + s->lines;
    signed char *known = allocate(s->lines, 1);
    const signed char *known_sequence = known;
    xor_agreements(s->consensus, &sequence, 1, s->bits, &agreements);
    for (size_t x = 0; x < s->lines; x++)
        known[x] = (signed char)(s->consensus[x] >= 0 ? 0 : SLICE_MISSING);
    xor_agreements(known, &known_sequence, 1, s->bits, &compared);
    for (size_t x = 0; x < s->lines; x++)
        s->likeness[x] = (float)(compared[x] > 0 ? agreements[x] / compared[x] : 0);
    free(known);
    free(agreements);
}

static const float *order_likeness; /* of compare_likeness() */

static int compare_likeness(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    float p = order_likeness[x], q = order_likeness[y];
    return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

/* The shifts at which the consensus resembles itself, most alike first. */
static size_t near_symmetries(const struct solver *s, uint32_t *shifts)
{
    size_t count = 0;
    double least = 1 - doubts * s->doubt < near ? 1 - doubts * s->doubt : near;
    for (uint32_t shift = 1; shift < s->lines; shift++)
        if (s->likeness[shift] >= least)
            shifts[count++] = shift;
    order_likeness = s->likeness;
    qsort(shifts, count, sizeof *shifts, compare_likeness);
    return count;
}

/* With a single block, no votes can distinguish wrong entries from a near symmetry: accepts only
 * shifts that change at most half again as many lines as the best. */
static bool is_like(const struct solver *s, uint32_t shift, uint32_t best)
{
    return 1 - s->likeness[shift] <= half_again * (1 - s->likeness[best]);
}

void symmetry_find(struct solver *s)
{
    uint32_t *shifts = allocate(s->lines, sizeof *shifts);
    find_likeness(s);
    size_t count = near_symmetries(s, shifts);
    bool alone = solver_count(s, BLOCK_ALIGNED) == 1;
    s->alike = count;
    s->differing = count > 0 ? (1 - (double)s->likeness[shifts[count / 4]]) * (double)s->lines : 0;
    s->symmetry = (struct xor_space){0};
    for (size_t k = 0; k < count; k++)
        if (xor_space_reduce(&s->symmetry, shifts[k]) != 0 &&
            (alone ? is_like(s, shifts[k], shifts[0]) : is_symmetry(s, shifts[k])))
            xor_space_add(&s->symmetry, shifts[k]);
    s->rival = 0;
    for (uint32_t shift = 1; shift < s->lines; shift++)
        if (s->likeness[shift] > s->rival && xor_space_reduce(&s->symmetry, shift) != 0)
            s->rival = s->likeness[shift];
    free(shifts);
}
