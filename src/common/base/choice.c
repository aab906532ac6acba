/* choice.c: an option whose word names an entry of a table.
 *
 *     struct choice kernel = CHOICE_OF(kernels);
 *     if (!choose(&kernel, "read"))
 *         die_usage("there are %s", choice_names(&kernel));
 *     choice_nearest(&options, "bugdet", 6);    -> "budget"
 */
#include "base/choice.h"
#include "base/error.h"
#include <stdio.h>
#include <string.h>

const char *const *choice_at(const struct choice *choice, size_t k)
{
    return (const void *)((const char *)choice->table + k * choice->entry_bytes);
}

static const char *name_at(const struct choice *choice, size_t k)
{
    return *choice_at(choice, k);
}

const void *choice_find(const struct choice *choice, const char *name, size_t length)
{
    for (size_t k = 0; name_at(choice, k) != NULL; k++)
        if (strlen(name_at(choice, k)) == length && memcmp(name_at(choice, k), name, length) == 0)
            return choice_at(choice, k);
    return NULL;
}

bool choose(struct choice *choice, const char *name)
{
    choice->chosen = choice_find(choice, name, strlen(name));
    return choice->chosen != NULL;
}

const char *choice_chosen(const struct choice *choice)
{
    return choice->chosen != NULL ? *(const char *const *)choice->chosen : NULL;
}

const char *choice_names(const struct choice *choice)
{
    static char list[512];
    size_t used = 0;
    *list = '\0';
    for (size_t k = 0; name_at(choice, k) != NULL && used < sizeof list; k++) {
        const char *between = k == 0 ? "" : name_at(choice, k + 1) == NULL ? " and " : ", ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", between,
                                 name_at(choice, k));
    }
    return list;
}

size_t choice_list(const struct choice *choice, const char *option, const char *list,
                   const void **chosen, size_t room)
{
    size_t count = 0;
    for (const char *at = list; at != NULL;) {
        size_t length = strcspn(at, ",");
        const void *entry = choice_find(choice, at, length);
        if (entry == NULL)
            die_usage("--%s '%.*s': there are %s", option, (int)length, at, choice_names(choice));
        if (count == room)
            die_usage("--%s: more than %zu of them", option, room);
        chosen[count++] = entry;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return count;
}

/* ---- the name that somebody meant ---- */

enum { WORD_MAX = 32 };

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to replace, remove, add, or swap with their neighbours (Levenshtein's distance has no
 * swaps). A row for a prefix of the word has the distances from it to each prefix of the name. */
static size_t distance(const char *word, size_t length, const char *name)
{
    size_t rows[3][WORD_MAX + 1], end = strlen(name);
    for (size_t j = 0; j <= end; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= end; j++) {
            row[j] = min(last[j - 1] + (word[i - 1] != name[j - 1]), min(row[j - 1], last[j]) + 1);
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1])
                row[j] = min(row[j], before[j - 2] + 1);
        }
    }
    return rows[length % 3][end];
}

const char *choice_nearest(const struct choice *names, const char *word, size_t length)
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
