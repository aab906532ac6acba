/* confidence.c: turns criteria and the doubts of a note into low, medium or high. The
 * criteria come from the method (of counted levels: fits_criteria()).
 *
 *     confidence_of(2, &note);    -> CONFIDENCE_HIGH, unless the note has a doubt
 */
#include "tlb/detect/confidence.h"
#include <stddef.h>

const char *const confidence_names[] = {"low", "medium", "high", NULL};

const char *confidence_name(enum confidence confidence)
{
    return confidence < 0 ? "" : confidence_names[confidence];
}

/* The upper limit for an answer with such a word. */
static const struct {
    enum note_word word;
    enum confidence most;
} doubts[] = {
    {NOTE_GRADUAL, CONFIDENCE_MEDIUM},    {NOTE_INTERFERENCE, CONFIDENCE_MEDIUM},
    {NOTE_SPLINTERED, CONFIDENCE_MEDIUM}, {NOTE_AT_END_OF_SWEEP, CONFIDENCE_LOW},
    {NOTE_WITHIN_RISE, CONFIDENCE_LOW},   {NOTE_ENTRIES_DISAGREE, CONFIDENCE_LOW},
};

enum confidence confidence_of(int criteria, const struct note *note)
{
    enum confidence most = (enum confidence)(criteria > 2 ? 2 : criteria < 0 ? 0 : criteria);
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        if (most > doubts[i].most && note_has(note, doubts[i].word))
            most = doubts[i].most;
    return most;
}
