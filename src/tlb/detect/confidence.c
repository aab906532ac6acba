/* confidence.c: turns criteria, noise and the doubts of a note into low, medium or high. The
 * criteria come from the method (of counted levels: fits_criteria()).
 *
 *     struct evidence sure = {.errors = 20, .criteria = 2};
 *     confidence_of(&sure, &note);    -> CONFIDENCE_HIGH, unless the note has a doubt
 */
#include "tlb/detect/confidence.h"
#include <stddef.h>

const char *const confidence_names[] = {"low", "medium", "high", NULL};

const char *confidence_name(enum confidence confidence)
{
    return confidence < 0 ? "" : confidence_names[confidence];
}

/* On random machines (tests/bench/accuracy) answers within these limits are right as often as their
 * confidence promises. [significance] */
static const double errors_medium = 6, errors_high = 12;

/* The upper limit for an answer with such a word. */
static const struct {
    enum note_word word;
    enum confidence most;
} doubts[] = {
    {NOTE_GRADUAL, CONFIDENCE_MEDIUM},    {NOTE_INTERFERENCE, CONFIDENCE_MEDIUM},
    {NOTE_SPLINTERED, CONFIDENCE_MEDIUM}, {NOTE_AT_END_OF_SWEEP, CONFIDENCE_LOW},
    {NOTE_WITHIN_RISE, CONFIDENCE_LOW},   {NOTE_ENTRIES_DISAGREE, CONFIDENCE_LOW},
};

enum confidence confidence_of(const struct evidence *e, const struct note *note)
{
    enum confidence most = (enum confidence)(e->criteria > 2   ? 2
                                             : e->criteria < 0 ? 0
                                                               : e->criteria);
    if (most > CONFIDENCE_MEDIUM && e->errors < errors_high)
        most = CONFIDENCE_MEDIUM;
    if (e->errors < errors_medium)
        most = CONFIDENCE_LOW;
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        if (most > doubts[i].most && note_has(note, doubts[i].word))
            most = doubts[i].most;
    return most;
}
