/* labels.h: names, each with a number from 0. */
#ifndef TLBLAB_ATTRIBUTION_LABELS_H
#define TLBLAB_ATTRIBUTION_LABELS_H

#include <stddef.h>
#include <stdint.h>

/* Initialised by {0}. */
struct labels {
    char **at;
    size_t count;
    uint32_t *slots; /* private: a table of their numbers + 1 */
    size_t room;
};

uint32_t labels_number(struct labels *labels, const char *name);

/* Another number for a name that has one, by which labels_number() does not find it. */
uint32_t labels_add(struct labels *labels, const char *name);
void labels_free(struct labels *labels);

#endif
