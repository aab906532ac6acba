/* note.c: the column `note`. */
#include "base/note.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void note_add(char *note, size_t room, const char *word)
{
    size_t used = strlen(note);
    snprintf(note + used, room - used, "%s%s", used > 0 ? "," : "", word);
}

/* What follows the word where it stands at the beginning of one; NULL when it does not. */
static const char *find(const char *note, const char *word, char after, char or_after)
{
    size_t length = strlen(word);
    for (const char *at = note; (at = strstr(at, word)) != NULL; at += length) {
        char next = at[length];
        if ((at == note || at[-1] == ',') && (next == after || next == or_after))
            return at + length;
    }
    return NULL;
}

bool note_has(const char *note, const char *word)
{
    return find(note, word, ',', '\0') != NULL;
}

double note_number(const char *note, const char *key)
{
    const char *at = find(note, key, '=', '=');
    double number;
    if (at == NULL || !parse_number(at + 1, strcspn(at + 1, ","), &number))
        return NAN;
    return number;
}
