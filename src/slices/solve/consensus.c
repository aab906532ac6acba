/* consensus.c: aligns blocks to one another and lets them vote on each line.
 *
 * The first block is the initial consensus. Blocks are aligned to it a few at a time, at the shift
 * with the most agreements, and vote again whenever their number has doubled; wrong entries are
 * thus outvoted before anything depends on single lines. */
#include "base/error.h"
#include "base/number.h"
#include "slices/solve/solver.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 4,        /* [bound] blocks correlated together */
    GROUP = 64,       /* [bound] lines whose votes are counted together */
    LOOKED_AT = 4096, /* [bound] lines sampled for errors that are not random */
    SEEDS_MAX = 8,    /* [bound] blocks tried as the initial consensus */
};
static const double chance = 1e-3; /* [significance] that a block agrees this well by chance */
/* [significance] e^-3: that a line of the reference is wrong */
static const double sure_weight = 3;

/* [significance] wrong entries are not independent if their spread exceeds the expected one by this
 * fraction and by this many standard errors, and involves more than a few lines */
static const double uneven_part = 1.5, uneven_errors = 12, uneven_least = 8;

size_t block_known_lines(const struct solver *s, size_t block)
{
    const signed char *slices = slice_maps_block(s->maps, block);
    size_t known = 0;
    for (size_t x = 0; x < s->lines; x++)
        known += slices[x] >= 0;
    return known;
}

/* ---- agreement ---- */

/* The share of lines that agree by chance, given how often each slice occurs in either. */
static double agreement_by_chance(const struct solver *s, size_t block)
{
    const signed char *slices = slice_maps_block(s->maps, block);
    double ours[SLICES_MAX] = {0}, theirs[SLICES_MAX] = {0}, known = 0, seen = 0, sum = 0;
    for (size_t x = 0; x < s->lines; x++) {
        if (slices[x] >= 0) {
            ours[slices[x]]++;
            known++;
        }
        if (s->reference[x] >= 0) {
            theirs[s->reference[x]]++;
            seen++;
        }
    }
    for (int v = 0; v < SLICES_MAX; v++)
        sum += ours[v] * theirs[v];
    return known > 0 && seen > 0 ? sum / (known * seen) : 1;
}

/* Whether the best of all shifts agrees better than chance: a binomial tail is below exp(-compared
 * × the divergence of the rates) (Chernoff bound). */
static bool is_sure(const struct solver *s, const struct match *m, double by_chance)
{
    double rate = (double)m->agreeing / (double)(m->compared > 0 ? m->compared : 1);
    if (m->compared == 0 || rate <= by_chance)
        return by_chance >= 1 && rate >= 1; /* one slice only */
    double divergence = rate * log(rate / by_chance);
    if (rate < 1)
        divergence += (1 - rate) * log((1 - rate) / (1 - by_chance));
    return (double)m->compared * divergence > log((double)s->lines / chance);
}

struct match match_at(const struct solver *s, size_t block, uint32_t shift)
{
    const signed char *slices = slice_maps_block(s->maps, block);
    struct match m = {.shift = shift};
    size_t group = s->lines < GROUP ? s->lines : GROUP;
    size_t within = shift & (group - 1), across = shift - within;
    for (size_t x = 0; x < s->lines; x += group) {
        const signed char *at = s->reference + (x ^ across);
        for (size_t j = 0; j < group; j++) {
            signed char a = slices[x + j], b = at[j ^ within];
            m.compared += (a | b) >= 0;
            m.agreeing += a == b && a >= 0;
        }
    }
    return m;
}

static struct match best_match(const struct solver *s, size_t block, const double *agreements)
{
    uint32_t best = 0;
    double most = 0;
    for (uint32_t shift = 0; shift < s->lines; shift++)
        most = agreements[shift] > most ? agreements[shift] : most;
    while (agreements[best] < most - s->slack)
        best++;
    struct match m = match_at(s, block, best);
    m.sure = is_sure(s, &m, agreement_by_chance(s, block));
    return m;
}

void match_blocks(const struct solver *s, const size_t *blocks, size_t count, struct match *matches)
{
    double *storage = allocate(BATCH * s->lines, sizeof *storage), *agreements[BATCH];
    const signed char *sequences[BATCH];
    for (size_t k = 0; k < BATCH; k++)
        agreements[k] = storage + k * s->lines;
    for (size_t done = 0; done < count; done += BATCH) {
        size_t batch = count - done < BATCH ? count - done : BATCH;
        for (size_t k = 0; k < batch; k++)
            sequences[k] = slice_maps_block(s->maps, blocks[done + k]);
        xor_agreements(s->reference, sequences, batch, s->bits, agreements);
        for (size_t k = 0; k < batch; k++)
            matches[done + k] = best_match(s, blocks[done + k], agreements[k]);
    }
    free(storage);
}

/* ---- votes ---- */

void consensus_votes_on(const struct solver *s, size_t line, uint32_t votes[SLICES_MAX])
{
    for (size_t i = 0; i < s->maps->count; i++) {
        if (s->state[i] != BLOCK_ALIGNED)
            continue;
        signed char slice = slice_maps_block(s->maps, i)[line ^ s->shift[i]];
        if (slice >= 0)
            votes[slice]++;
    }
}

/* Adds one block's votes, at one shift, on a group of lines. */
static void vote_on_group(const struct solver *s, size_t block, size_t shift, size_t first,
                          size_t group, uint32_t (*votes)[SLICES_MAX])
{
    size_t within = shift & (group - 1);
    const signed char *at = slice_maps_block(s->maps, block) + (first ^ (shift - within));
    for (size_t j = 0; j < group; j++)
        if (at[j ^ within] >= 0)
            votes[j][at[j ^ within]]++;
}

/* The slice with the most votes, and its lead over the next. */
static signed char most_voted(const uint32_t votes[SLICES_MAX], uint32_t *ahead)
{
    uint32_t best = 0, next = 0;
    int slice = SLICE_MISSING;
    for (int v = 0; v < SLICES_MAX; v++) {
        if (votes[v] > best) {
            next = best;
            best = votes[v];
            slice = v;
        } else if (votes[v] > next)
            next = votes[v];
    }
    *ahead = best - next;
    return (signed char)slice;
}

/* Lines from here on repeat lower ones: the symmetry has a pivot at each higher position. */
static size_t distinct_lines(const struct solver *s)
{
    unsigned bits = s->bits;
    while (bits > 0 && s->symmetry.row[bits - 1] != 0)
        bits--;
    return (size_t)1 << bits;
}

/* The lines from `distinct` on get the slices of the lines they repeat. */
static void repeat_lines(struct solver *s, size_t distinct)
{
    for (size_t x = distinct; x < s->lines; x++) {
        unsigned pivot = highest_bit(x);
        s->consensus[x] = s->consensus[x ^ s->symmetry.row[pivot]];
        s->reference[x] = s->reference[x ^ s->symmetry.row[pivot]];
    }
}

/* A reference with few lines is worse than a doubtful one. */
static void complete_reference(struct solver *s)
{
    size_t sure = 0;
    for (size_t x = 0; x < s->lines; x++)
        sure += s->reference[x] >= 0;
    if (2 * sure < s->lines)
        memcpy(s->reference, s->consensus, s->lines);
}

/* Takes the slice with the most votes on each line of a group. */
static void decide(struct solver *s, size_t first, size_t group, uint32_t (*votes)[SLICES_MAX])
{
    double needed = s->weight > 0 ? (log((double)s->lines) + sure_weight) / s->weight : 0;
    for (size_t j = 0; j < group; j++) {
        uint32_t ahead;
        signed char slice = most_voted(votes[j], &ahead);
        s->consensus[first + j] = slice;
        s->reference[first + j] = (double)ahead < needed ? SLICE_MISSING : slice;
        s->doubt += 1 / (1 + exp(s->weight * (double)ahead));
    }
}

void consensus_vote(struct solver *s)
{
    static uint32_t votes[GROUP][SLICES_MAX];
    size_t distinct = distinct_lines(s), group = s->lines < GROUP ? s->lines : GROUP;
    size_t members = (size_t)1 << s->symmetry.size;
    uint32_t *member = allocate(members, sizeof *member);
    s->doubt = 0;
    for (size_t k = 0; k < members; k++)
        member[k] = (uint32_t)xor_space_member(&s->symmetry, k);
    for (size_t first = 0; first < distinct; first += group) {
        memset(votes, 0, sizeof votes);
        for (size_t i = 0; i < s->maps->count; i++)
            for (size_t k = 0; s->state[i] == BLOCK_ALIGNED && k < members; k++)
                vote_on_group(s, i, s->shift[i] ^ member[k], first, group, votes);
        decide(s, first, group, votes);
    }
    s->doubt /= (double)(distinct > group ? distinct : group);
    free(member);
    repeat_lines(s, distinct > group ? distinct : group);
    complete_reference(s);
    s->slices = slices_count(s->consensus, s->lines);
}

/* Even if no entry of a set is wrong, the rate may be up to one in its size. */
void consensus_weigh(struct solver *s)
{
    size_t agreeing = 0, compared = 0;
    for (size_t i = 0; i < s->maps->count; i++)
        if (s->state[i] == BLOCK_ALIGNED) {
            struct match m = match_at(s, i, s->shift[i]);
            agreeing += m.agreeing;
            compared += m.compared;
        }
    double all = (double)(compared > 0 ? compared : 1), others = s->slices > 2 ? s->slices - 1 : 1;
    s->wrong = (double)(compared - agreeing) / all;
    double wrong = s->wrong > 1 / all ? s->wrong : 1 / all;
    s->weight = fmax(log((1 - wrong) * others / wrong), 0.1);
}

/* ---- alignment ---- */

/* Takes the shifts of a batch; returns how many of its blocks are aligned. */
static size_t take_shifts(struct solver *s, const size_t *batch, size_t count)
{
    struct match matches[BATCH];
    size_t aligned = 0;
    match_blocks(s, batch, count, matches);
    for (size_t j = 0; j < count; j++) {
        s->shift[batch[j]] = matches[j].shift;
        s->state[batch[j]] = matches[j].sure ? BLOCK_ALIGNED : BLOCK_UNLIKE;
        aligned += matches[j].sure;
    }
    return aligned;
}

/* Aligns the blocks, with block `seed` as the initial consensus. Returns how many are aligned. */
static size_t align_to(struct solver *s, const size_t *blocks, size_t count, size_t seed)
{
    size_t batch[BATCH], aligned = 1, voted = 1, filled = 0;
    memcpy(s->consensus, slice_maps_block(s->maps, blocks[seed]), s->lines);
    memcpy(s->reference, s->consensus, s->lines);
    for (size_t k = 0; k < count; k++)
        s->state[blocks[k]] = BLOCK_NEW;
    s->shift[blocks[seed]] = 0;
    s->state[blocks[seed]] = BLOCK_ALIGNED;
    s->weight = 0;
    for (size_t k = 0; k < count; k++) {
        if (k != seed)
            batch[filled++] = blocks[k];
        if (filled == 0 || (filled < BATCH && k + 1 < count))
            continue;
        aligned += take_shifts(s, batch, filled);
        filled = 0;
        if (aligned >= 2 * voted || k + 1 == count) {
            consensus_vote(s);
            consensus_weigh(s);
            voted = aligned;
        }
    }
    if (count == 1)
        consensus_weigh(s);
    return aligned;
}

void consensus_align_again(struct solver *s, const size_t *blocks, size_t count, double slack)
{
    s->symmetry = (struct xor_space){0};
    consensus_vote(s);
    s->slack = slack;
    for (size_t k = 0; k < count; k += BATCH)
        take_shifts(s, blocks + k, count - k < BATCH ? count - k : BATCH);
    s->slack = 0;
    consensus_vote(s);
    consensus_weigh(s);
}

/* The block with the most known lines comes first; ties go to the earlier one. */
static size_t best_seed(const struct solver *s, const size_t *blocks, size_t count, bool *tried)
{
    size_t best = 0, most = 0;
    for (size_t k = 0; k < count; k++) {
        size_t known = tried[k] ? 0 : block_known_lines(s, blocks[k]) + 1;
        if (known > most) {
            most = known;
            best = k;
        }
    }
    tried[best] = true;
    return best;
}

size_t consensus_find(struct solver *s, const size_t *blocks, size_t count)
{
    bool *tried = allocate(count, sizeof *tried);
    size_t best = 0, most = 0, aligned = 0;
    s->symmetry = (struct xor_space){0};
    for (size_t k = 0; k < count && k < SEEDS_MAX && 2 * most <= count; k++) {
        size_t seed = best_seed(s, blocks, count, tried);
        aligned = align_to(s, blocks, count, seed);
        if (aligned > most) {
            most = aligned;
            best = seed;
        }
    }
    if (aligned < most)
        align_to(s, blocks, count, best);
    free(tried);
    consensus_vote(s); /* with the weight from the last vote */
    return most;
}

/* ---- errors that are not random ---- */

/* Votes on a line, and those that differ from the consensus. */
struct tally {
    double all, wrong;
};

static struct tally tally_of(const struct solver *s, size_t line)
{
    uint32_t votes[SLICES_MAX] = {0};
    struct tally tally = {0};
    consensus_votes_on(s, line, votes);
    for (int v = 0; v < SLICES_MAX; v++)
        tally.all += votes[v];
    if (s->consensus[line] >= 0)
        tally.wrong = tally.all - votes[s->consensus[line]];
    return tally;
}

/* The k-th of the sampled lines, which are spread over all. */
static size_t looked_at(const struct solver *s, size_t k)
{
    size_t step = s->lines > LOOKED_AT ? s->lines / LOOKED_AT : 1;
    return k * step ^ (k & (step - 1));
}

bool consensus_systematic(const struct solver *s)
{
    size_t lines = s->lines < LOOKED_AT ? s->lines : LOOKED_AT;
    struct tally *tally = allocate(lines, sizeof *tally), of_slice[SLICES_MAX + 1] = {{0}};
    double spread = 0, expected = 0;
    for (size_t k = 0; k < lines; k++) { /* entries may be wrong more often at some slices */
        int slice = s->consensus[looked_at(s, k)] + 1;
        tally[k] = tally_of(s, looked_at(s, k));
        of_slice[slice].all += tally[k].all;
        of_slice[slice].wrong += tally[k].wrong;
    }
    for (size_t k = 0; k < lines; k++) {
        struct tally usual = of_slice[s->consensus[looked_at(s, k)] + 1];
        double rate = usual.all > 0 ? usual.wrong / usual.all : 0, mean = tally[k].all * rate;
        spread += (tally[k].wrong - mean) * (tally[k].wrong - mean);
        expected += mean * (1 - rate);
    }
    free(tally);
    /* For independent errors the ratio is 1; its standard error is below 2 / √lines if there is at
     * least half a wrong entry per line, and larger if wrong entries are rarer. */
    double rare = expected > 0 ? 1 + (double)lines / (2 * expected) : 1;
    double most = uneven_part + uneven_errors * sqrt(rare / (double)lines);
    return spread > expected * most && spread > uneven_least;
}
