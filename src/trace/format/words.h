/* words.h: words and numbers of a line of text. */
#ifndef TLBLAB_FORMAT_WORDS_H
#define TLBLAB_FORMAT_WORDS_H

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static inline const char *skip_word(const char *at)
{
    while (*at != '\0' && *at != ' ' && *at != '\t')
        at++;
    return at;
}

/* Reads a number that ends at one of `ends` or at the end; moves *at behind it. */
static inline bool take_number(const char **at, int base, const char *ends, uint64_t *number)
{
    char *end;
    if (!isxdigit((unsigned char)**at))
        return false;
    errno = 0;
    *number = strtoull(*at, &end, base);
    if (errno != 0 || end == *at || (*end != '\0' && strchr(ends, *end) == NULL))
        return false;
    *at = end;
    return true;
}

#endif
