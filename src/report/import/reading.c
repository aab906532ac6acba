/* reading.c: words, numbers and sizes of another program's output. */
#include "base/error.h"
#include "base/number.h"
#include "report/import/forms.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Noreturn void reading_die(const struct reading *in, const char *expected, const char *text)
{
    die("%s:%lu: '%.64s' is not %s", in->lines->name, in->lines->number, text, expected);
}

void reading_split(struct reading *in, char *line, const char *between)
{
    bool blanks = *between == ' ';
    for (in->words = 0; line != NULL && in->words < WORDS_MAX;) {
        line += blanks ? strspn(line, between) : 0;
        if (blanks && *line == '\0')
            return;
        in->word[in->words++] = line;
        line = strpbrk(line, between);
        if (line != NULL)
            *line++ = '\0';
    }
}

bool reading_is(const struct reading *in, int k, const char *text)
{
    return k < in->words && strcmp(in->word[k], text) == 0;
}

double reading_number(const struct reading *in, const char *text)
{
    double value;
    if (!parse_number(text, strlen(text), &value) || value < 0)
        reading_die(in, "a number from 0", text);
    return fabs(value); /* not -0 */
}

uint64_t reading_size(const char *text)
{
    char copy[32];
    uint64_t bytes = 0;
    size_t length = strcspn(text, ":kmgKMG");
    char unit = (char)toupper((unsigned char)text[length]);
    if (length >= sizeof copy - 1)
        return 0;
    snprintf(copy, sizeof copy, "%.*s%c", (int)length, text, unit == 'K' ? 'k' : unit);
    const char *end = text + length;
    if (unit == ':' || unit == '\0')
        copy[length] = '\0';
    else if (*++end == 'i' || *end == 'B') /* KiB, KB */
        end += *end == 'i' && end[1] == 'B' ? 2 : *end == 'B';
    if (*end == ':')
        end++;
    return *end == '\0' && parse_size(copy, &bytes) ? bytes : 0;
}
