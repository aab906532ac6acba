/* number_map.c: a table from numbers to numbers, by open addressing.
 *
 *     struct number_map map = {0};
 *     *number_map_at(&map, page) += 1;
 */
#include "trace/tlbs/number_map.h"
#include "base/error.h"
#include <stdlib.h>

enum { ROOM_FIRST = 1024 }; /* [bound] */

static size_t home_of(const struct number_map *m, uint64_t key)
{
    return (size_t)((key ^ key >> 29) * 0x9e3779b97f4a7c15 >> 20) & (m->room - 1);
}

static size_t find(const struct number_map *m, uint64_t key)
{
    size_t at = home_of(m, key);
    while (m->slots[at].value != 0 && m->slots[at].key != key)
        at = (at + 1) & (m->room - 1);
    return at;
}

/* At most half of the slots are taken. */
static void grow(struct number_map *m)
{
    struct number_map larger = {.room = m->room > 0 ? 2 * m->room : ROOM_FIRST, .count = m->count};
    larger.slots = allocate(larger.room, sizeof *larger.slots);
    for (size_t i = 0; i < m->room; i++)
        if (m->slots[i].value != 0)
            larger.slots[find(&larger, m->slots[i].key)] = m->slots[i];
    free(m->slots);
    *m = larger;
}

uint64_t *number_map_at(struct number_map *m, uint64_t key)
{
    if (2 * (m->count + 1) > m->room)
        grow(m);
    struct number_slot *slot = &m->slots[find(m, key)];
    if (slot->value == 0) {
        slot->key = key;
        m->count++;
    }
    return &slot->value;
}

uint64_t number_map_get(const struct number_map *m, uint64_t key)
{
    return m->room > 0 ? m->slots[find(m, key)].value : 0;
}

/* Moves back what the hole would cut off from its home. */
void number_map_remove(struct number_map *m, uint64_t key)
{
    if (m->room == 0)
        return;
    size_t hole = find(m, key), mask = m->room - 1;
    if (m->slots[hole].value == 0)
        return;
    for (size_t at = (hole + 1) & mask; m->slots[at].value != 0; at = (at + 1) & mask) {
        size_t home = home_of(m, m->slots[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            m->slots[hole] = m->slots[at];
            hole = at;
        }
    }
    m->slots[hole].value = 0;
    m->count--;
}

void number_map_free(struct number_map *m)
{
    free(m->slots);
}
