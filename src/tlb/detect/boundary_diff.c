/* boundary_diff.c: the differences between the boundaries of two sets of samples. */
#include "tlb/detect/boundary_diff.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct boundary *find_level(const struct boundaries *list, const struct boundary *like)
{
    for (size_t i = 0; i < list->count; i++)
        if (boundary_is_same(&list->at[i], like))
            return &list->at[i];
    return NULL;
}

/* Whether its size is given in bytes only. */
static bool is_line(const struct boundary *b)
{
    return b->structure == STRUCTURE_LINE || b->structure == STRUCTURE_PREFETCH;
}

static bool is_within(const struct boundary *a, const struct boundary *range)
{
    if (is_line(a))
        return !(a->bytes_max < range->bytes_min || a->bytes_max > range->bytes_max);
    return isnan(a->entries) == isnan(range->entries) &&
           !(a->entries < range->entries_min || a->entries > range->entries_max);
}

static const char *capacity_text(const struct boundary *b, char text[32])
{
    if (is_line(b))
        snprintf(text, 32, "%.0f bytes", b->bytes_max);
    else
        snprintf(text, 32, isnan(b->entries) ? "unknown" : "%.0f", b->entries);
    return text;
}

/* Either may be NULL. */
static void add_change(char *text, size_t size, const struct boundary *first,
                       const struct boundary *other)
{
    const struct boundary *level = first != NULL ? first : other;
    char now[32], then[32];
    size_t used = strlen(text);
    if (first != NULL && other != NULL && is_within(other, first))
        return;
    used += (size_t)snprintf(text + used, size - used,
                             level->level > 0 ? "%s%s %d: " : "%s%s: ", used > 0 ? "; " : "",
                             structure_names[level->structure], level->level);
    if (used >= size)
        return;
    if (other == NULL)
        snprintf(text + used, size - used, "not found");
    else if (first == NULL)
        snprintf(text + used, size - used, "%s instead of none", capacity_text(other, now));
    else
        snprintf(text + used, size - used, "%s, not %s", capacity_text(other, now),
                 capacity_text(first, then));
}

void boundary_diff(const struct boundaries *first, const struct boundaries *other, char *text,
                   size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < first->count; i++)
        add_change(text, size, &first->at[i], find_level(other, &first->at[i]));
    for (size_t i = 0; i < other->count; i++)
        if (find_level(first, &other->at[i]) == NULL)
            add_change(text, size, NULL, &other->at[i]);
}
