/* set_index.c: which bits of the page number select the set of a level. */
#include "tlb/geometry/set_index.h"
#include "base/xor_space.h"
#include "table/table.h"
#include <math.h>
#include <string.h>

/* Numbers are followed up to this multiple of the ways: three bits. [prior] */
enum { TIMES = 4 };

/* The number has stayed the same for so many doublings before the sets can be counted.
 * [significance] */
enum { STAYED = 3 };

/* Two targets more than a set has ways do not fit if they share it. [physics] */
enum { MORE = 2 };

enum { SPELT_BYTES = 128 }; /* [bound] */

/* Whether the level holds more targets 2^k pages apart than `number` (answers_grow()). Others that
 * flush the level before must not be multiples of that distance. */
static int grows(struct answers *answers, const struct set_level *level, int k, double number)
{
    struct question q = level->question;
    q.like.spacing = q.like.page_bytes << k;
    return q.like.spacing < 2 * q.like.others_spacing ? -1 : answers_grow(answers, q, number);
}

/* Sets `to`: the first stride from which on all pages share a set. */
static bool find_end(struct answers *answers, const struct set_level *level,
                     struct set_index *index, struct note *note)
{
    int far = 0;
    while (level->question.like.page_bytes << (far + 1) <= level->question.like.spacing)
        far++;
    for (int k = level->bits; k + STAYED <= far + 1; k++) {
        int more = grows(answers, level, k, level->ways);
        if (more == 0)
            index->to = k;
        if (more <= 0)
            return more == 0;
    }
    note_add(note, NOTE_UNSETTLED);
    return false;
}

/* Finds the bits below `to` that double the number, from the highest down, until as many are
 * missing as there are bits below. */
static void find_bits(struct answers *answers, const struct set_level *level,
                      struct set_index *index, struct note *note)
{
    int k = index->to, left = level->bits;
    double last = level->ways;
    uint64_t basis[64], *first = basis + level->bits;
    while (k == index->to || (left > 0 && left < k && last <= TIMES * level->ways)) {
        int more = grows(answers, level, --k, last);
        if (more < 0)
            return;
        if (more > 0) {
            *--first = (uint64_t)1 << k;
            last *= 2;
            left--;
        }
    }
    if (left > k) /* the highest of the lowest bits does not select the set */
        note_add(note, NOTE_ENTRIES_DISAGREE);
    index->folded = left < k;
    for (int bit = 0; bit < left; bit++)
        basis[bit] = (uint64_t)1 << bit;
    if (left == k)
        index->bits = set_index_spell(basis, (size_t)level->bits);
}

/* ---- folds ---- */

static uint64_t fold_stride(int fold, int j)
{
    return ((uint64_t)1 << j) + ((uint64_t)1 << (j + fold));
}

/* Whether targets fall into one set if they are so many pages apart; 0: no, 1: yes, -1: unknown. */
static int share_set(struct answers *answers, const struct set_level *level, uint64_t others,
                     uint64_t apart)
{
    struct question q = level->question;
    q.like.spacing = apart * q.like.page_bytes;
    q.like.others = others;
    q.like.others_spacing = 0;
    q.to = (uint64_t)level->ways + MORE;
    double number = answers_to(answers, &q);
    return isnan(number) ? -1 : isfinite(number);
}

/* If a stride falls into set 0, so do its multiples by 1, 2, 4, … below the number of ways. */
static void add_multiples(struct xor_space *space, const struct set_level *level, uint64_t apart,
                          int to)
{
    uint64_t known_bits = ((uint64_t)1 << to) - 1;
    for (uint64_t times = 1; (double)times < level->ways; times *= 2)
        xor_space_add(space, apart * times & known_bits);
}

static void unfold(struct answers *answers, const struct set_level *level, uint64_t others,
                   struct set_index *index)
{
    struct xor_space in_set_0 = {0};
    uint64_t basis[64];
    int from = 0;
    bool sure = true;
    while (exp2(from) < level->ways + MORE) /* no carry between the bits of a fold */
        from++;
    for (int fold = from; fold < index->to; fold++)
        for (int j = 0; j < level->bits; j++) {
            int shares = share_set(answers, level, others, fold_stride(fold, j));
            sure = sure && shares >= 0;
            if (shares <= 0 && j == 0)
                break;
            if (shares <= 0)
                continue;
            add_multiples(&in_set_0, level, fold_stride(fold, j), index->to);
            if (index->conflict == 0)
                index->conflict = fold_stride(fold, j);
        }
    size_t count = xor_space_orthogonal(&in_set_0, (unsigned)index->to, basis);
    if (sure && count == (size_t)level->bits)
        index->bits = set_index_spell(basis, count);
}

struct set_index set_index_of(struct answers *answers, const struct set_level *level,
                              uint64_t others, struct note *note)
{
    struct set_index index = {.bits = ""};
    if (level->bits > 0 && find_end(answers, level, &index, note))
        find_bits(answers, level, &index, note);
    if (index.folded && others > 0)
        unfold(answers, level, others, &index);
    return index;
}

const char *set_index_spell(const uint64_t *basis, size_t count)
{
    char text[SPELT_BYTES];
    xor_spell(basis, count, text, sizeof text);
    return field_keep((struct field){text, strlen(text)});
}
