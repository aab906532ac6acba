/* number_map.h: a table from numbers, pages for instance, to numbers. */
#ifndef TLBLAB_TLBS_NUMBER_MAP_H
#define TLBLAB_TLBS_NUMBER_MAP_H

#include <stddef.h>
#include <stdint.h>

struct number_slot {
    uint64_t key, value; /* value 0: the slot is empty */
};

/* Initialised by {0}. */
struct number_map {
    struct number_slot *slots;
    size_t room, count; /* room is a power of two */
};

/* The value of a key, for reading and writing; a new key has 0, which must not stay. Valid until
 * the next call. */
uint64_t *number_map_at(struct number_map *map, uint64_t key);

/* The value of a key; 0: it is not there. */
uint64_t number_map_get(const struct number_map *map, uint64_t key);

/* Takes a key out, if it is there. */
void number_map_remove(struct number_map *map, uint64_t key);
void number_map_free(struct number_map *map);

#endif
