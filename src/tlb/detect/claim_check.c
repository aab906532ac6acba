/* claim_check.c: a machine's claim about a boundary, compared with the measurement.
 *
 *     claim_check(&row, "128 or 4096", "96");    -> row.error_percent is that to 4096 for 4150
 */
#include "tlb/detect/claim_check.h"
#include "machine/claim.h"
#include <math.h>

/* A measurement of more than low confidence contradicts a claim that is further outside its range
 * than the range is wide, and than this fraction of the size. [prior] */
static const double contradicts_least = 0.25;

/* The measured size and its range; of a line in bytes. */
struct measured {
    double size, least, most;
};

static struct measured measured_of(const struct boundary *b)
{
    if (b->structure == STRUCTURE_LINE)
        return (struct measured){b->bytes_max, b->bytes_min, b->bytes_max};
    return (struct measured){b->entries, b->entries_min, b->entries_max};
}

static bool contradicts(const struct measured *m, double claim)
{
    double margin = fmax(m->most - m->least, contradicts_least * m->size);
    return claim < fmin(m->least, m->size) - margin || claim > fmax(m->most, m->size) + margin;
}

void claim_check(struct boundary *b, const char *claim, const char *first)
{
    uint64_t values[CLAIM_VALUES], firsts[CLAIM_VALUES];
    size_t count = claim_values(claim, values);
    struct measured m = measured_of(b);
    b->claim = count > 0 ? claim : NULL;
    b->error_percent = NAN;
    if (count == 0)
        return;
    double value = (double)values[0];
    for (size_t i = 1; i < count; i++)
        if (fabs(log((double)values[i] / m.size)) < fabs(log(value / m.size)))
            value = (double)values[i];
    if (count > 1)
        note_add(&b->note, NOTE_CLAIM_UNIT_HIDDEN);
    bool impossible = b->level > 1 && claim_values(first, firsts) > 0 && value < (double)firsts[0];
    if (impossible || (b->confidence > CONFIDENCE_LOW && contradicts(&m, value)))
        note_add(&b->note, NOTE_CLAIM_DOUBTFUL);
    else
        b->error_percent = round(1000 * (m.size - value) / value) / 10 + 0; /* no -0 */
}
