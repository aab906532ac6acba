/* sysfs_set.c: lists of numbers as Linux writes them, "0-3,8", of any length.
 *
 *     if (sysfs_set_read("/sys/devices/system/cpu/online", &set))
 *         for (long cpu = sysfs_set_next(&set, -1); cpu >= 0; cpu = sysfs_set_next(&set, cpu))
 */
#include "sysfs.h"
#include <ctype.h>
#include <string.h>

enum { WORD = SYSFS_SET_WORD };

bool sysfs_set_has(const struct sysfs_set *set, long number)
{
    return number >= 0 && number < SYSFS_SET_MAX &&
           (set->bits[number / WORD] >> number % WORD & 1) != 0;
}

void sysfs_set_put(struct sysfs_set *set, long number, bool in)
{
    if (number < 0 || number >= SYSFS_SET_MAX)
        return;
    unsigned long *word = &set->bits[number / WORD], bit = 1UL << number % WORD;
    *word = in ? *word | bit : *word & ~bit;
}

long sysfs_set_next(const struct sysfs_set *set, long after)
{
    for (long number = after + 1; number < SYSFS_SET_MAX; number++) {
        if (number % WORD == 0 && set->bits[number / WORD] == 0)
            number += WORD - 1;
        else if (sysfs_set_has(set, number))
            return number;
    }
    return -1;
}

size_t sysfs_set_count(const struct sysfs_set *set)
{
    size_t count = 0;
    for (long i = sysfs_set_next(set, -1); i >= 0; i = sysfs_set_next(set, i))
        count++;
    return count;
}

/* Reads a number, -1 if there is none, and returns what comes after it. */
static int take_number(FILE *file, long *number)
{
    int c = fgetc(file);
    *number = -1;
    while (c == ' ' || c == '\t')
        c = fgetc(file);
    for (; isdigit(c); c = fgetc(file)) {
        *number = (*number < 0 ? 0 : *number) * 10 + (c - '0');
        *number = *number < SYSFS_SET_MAX ? *number : SYSFS_SET_MAX;
    }
    return c;
}

/* Reads the list that the rest of a line is, up to what belongs to none. */
static bool take_list(FILE *file, struct sysfs_set *set)
{
    int next = ',';
    memset(set, 0, sizeof *set);
    while (next == ',') {
        long from, to;
        next = take_number(file, &from);
        to = from;
        if (next == '-')
            next = take_number(file, &to);
        for (long i = from; from >= 0 && i <= to && i < SYSFS_SET_MAX; i++)
            sysfs_set_put(set, i, true);
    }
    return sysfs_set_next(set, -1) >= 0;
}

bool sysfs_set_read(const char *path, struct sysfs_set *set)
{
    FILE *file = platform_open(path);
    memset(set, 0, sizeof *set);
    if (file == NULL)
        return false;
    bool some = take_list(file, set);
    fclose(file);
    return some;
}

bool sysfs_set_keyed(const char *path, const char *key, struct sysfs_set *set)
{
    FILE *file = platform_open(path);
    bool some = false;
    int c = file != NULL ? '\n' : EOF;
    memset(set, 0, sizeof *set);
    while (c != EOF && !some) {
        size_t same = 0;
        while ((c = fgetc(file)) != EOF && c != '\n' && c == (unsigned char)key[same])
            same++;
        some = key[same] == '\0' && c == ':' && take_list(file, set);
        while (!some && c != EOF && c != '\n')
            c = fgetc(file);
    }
    if (file != NULL)
        fclose(file);
    return some;
}

char *sysfs_set_text(const struct sysfs_set *set, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (long from = sysfs_set_next(set, -1), to; from >= 0; from = sysfs_set_next(set, to)) {
        char range[48];
        for (to = from; sysfs_set_has(set, to + 1);)
            to++;
        snprintf(range, sizeof range, from == to ? "%s%ld" : "%s%ld-%ld", length > 0 ? "," : "",
                 from, to);
        if (length + strlen(range) + sizeof ",…" > size) {
            snprintf(text + length, size - length, ",…");
            break;
        }
        strcpy(text + length, range);
        length += strlen(range);
    }
    return text;
}
