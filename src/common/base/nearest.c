/* nearest.c: the name that somebody meant who mistyped one.
 *
 *     nearest(&options, "bugdet", 6);    -> "budget"
 */
#include "base/nearest.h"
#include <string.h>

enum { WORD_MAX = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance: letters to replace, remove or add. The row for a prefix of the word has
 * the distances from it to each prefix of the name. */
static size_t distance(const char *word, size_t length, const char *name)
{
    size_t row[WORD_MAX + 1], end = strlen(name);
    for (size_t j = 0; j <= end; j++)
        row[j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= end; j++) {
            size_t replaced = diagonal + (word[i - 1] != name[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[end];
}

const char *nearest(const struct choice *names, const char *word, size_t length)
{
    const char *found = NULL, *name;
    size_t closest = (length + 2) / 3 + 1;
    if (length > WORD_MAX)
        return NULL;
    for (size_t k = 0; (name = *choice_at(names, k)) != NULL; k++) {
        size_t here = strlen(name) <= WORD_MAX ? distance(word, length, name) : closest;
        if (here < closest) {
            closest = here;
            found = name;
        }
    }
    return found;
}
