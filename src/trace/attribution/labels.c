/* labels.c: names, each with a number.
 *
 *     struct labels labels = {0};
 *     puts(labels.at[labels_number(&labels, "main")]);
 */
#include "trace/attribution/labels.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash ^ hash >> 29;
}

static size_t slot_of(const struct labels *l, const char *name)
{
    size_t at = hash_text(name) & (l->room - 1);
    while (l->slots[at] != 0 && strcmp(l->at[l->slots[at] - 1], name) != 0)
        at = (at + 1) & (l->room - 1);
    return at;
}

static void grow(struct labels *l)
{
    free(l->slots);
    l->room = l->room > 0 ? 2 * l->room : 256;
    l->slots = allocate(l->room, sizeof *l->slots);
    l->at = reallocate(l->at, l->room, sizeof *l->at);
    for (size_t i = 0; i < l->count; i++) {
        uint32_t *slot = &l->slots[slot_of(l, l->at[i])];
        *slot = *slot != 0 ? *slot : (uint32_t)i + 1;
    }
}

uint32_t labels_add(struct labels *l, const char *name)
{
    if (2 * (l->count + 1) > l->room)
        grow(l);
    size_t bytes = strlen(name) + 1;
    l->at[l->count] = allocate(bytes, 1);
    memcpy(l->at[l->count], name, bytes);
    return (uint32_t)l->count++;
}

uint32_t labels_number(struct labels *l, const char *name)
{
    if (2 * (l->count + 1) > l->room)
        grow(l);
    uint32_t *slot = &l->slots[slot_of(l, name)];
    if (*slot == 0)
        *slot = labels_add(l, name) + 1;
    return *slot - 1;
}

void labels_free(struct labels *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->at[i]);
    free(l->at);
    free(l->slots);
}
