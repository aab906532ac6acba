/* stack_distance.c: misses of fully associative LRU TLBs of all sizes in one pass.
 *
 *     struct stack stack = {0};
 *     distances_add(&distances, stack_access(&stack, page), 1);
 */
#include "trace/tlbs/stack_distance.h"
#include "base/error.h"
#include "base/random.h"
#include <stdlib.h>
#include <string.h>

/* ---- counts ---- */

/* [bound] distances up to here are distinguished even where others share a count */
enum { EXACT = 128, SHARED_PER_DOUBLING = 64 };

static size_t place_of(const struct distances *d, uint64_t distance)
{
    if (!d->coarse || distance < EXACT)
        return (size_t)distance;
    unsigned shift = 0;
    while (distance >> shift >= 2 * SHARED_PER_DOUBLING)
        shift++;
    return (size_t)(EXACT + (shift - 1) * SHARED_PER_DOUBLING + (distance >> shift) -
                    SHARED_PER_DOUBLING);
}

uint64_t distances_last(const struct distances *d, size_t k)
{
    if (!d->coarse || k < EXACT)
        return k;
    uint64_t shift = (k - EXACT) / SHARED_PER_DOUBLING + 1;
    return (((k - EXACT) % SHARED_PER_DOUBLING + SHARED_PER_DOUBLING + 1) << shift) - 1;
}

void distances_add(struct distances *d, uint64_t distance, double weight)
{
    if (distance == 0) {
        d->cold += weight;
        return;
    }
    size_t place = place_of(d, distance);
    if (place >= d->room) {
        size_t room = 2 * place + 64;
        d->count = reallocate(d->count, room, sizeof *d->count);
        memset(d->count + d->room, 0, (room - d->room) * sizeof *d->count);
        d->room = room;
    }
    d->count[place] += weight;
}

void distances_scale(struct distances *d, double factor)
{
    d->cold *= factor;
    for (size_t k = 0; k < d->room; k++)
        d->count[k] *= factor;
}

void distances_free(struct distances *d)
{
    free(d->count);
}

/* ---- the stack ---- */

enum { STACK_ROOM = 1 << 12 }; /* [bound] */

static void tree_add(struct stack *s, uint64_t time, uint32_t change)
{
    for (; time <= s->room; time += time & (0 - time))
        s->tree[time] += change;
}

static uint64_t tree_sum(const struct stack *s, uint64_t time)
{
    uint64_t sum = 0;
    for (; time > 0; time -= time & (0 - time))
        sum += s->tree[time];
    return sum;
}

/* Numbers the last accesses anew, from 1 in their order, so that memory grows with the number of
 * pages and not of accesses. */
static void renumber(struct stack *s)
{
    uint64_t room = STACK_ROOM;
    while (room < 2 * (s->last.count + 1))
        room *= 2;
    for (size_t i = 0; i < s->last.room; i++)
        if (s->last.slots[i].value != 0)
            s->last.slots[i].value = tree_sum(s, s->last.slots[i].value);
    s->now = s->last.count;
    free(s->tree);
    s->room = room;
    s->tree = allocate(room + 1, sizeof *s->tree);
    for (uint64_t time = 1; time <= room; time++) { /* each adds itself to the next above it */
        uint64_t above = time + (time & (0 - time));
        s->tree[time] += time <= s->now;
        if (above <= room)
            s->tree[above] += s->tree[time];
    }
}

uint64_t stack_access(struct stack *s, uint64_t page)
{
    uint64_t distance = 0;
    if (s->now == s->room)
        renumber(s);
    uint64_t *last = number_map_at(&s->last, page);
    s->now++;
    if (*last != 0) {
        uint64_t pages = s->last.count;
        distance = pages - tree_sum(s, *last) + 1;
        tree_add(s, *last, UINT32_MAX); /* minus 1 */
    }
    *last = s->now;
    tree_add(s, s->now, 1);
    return distance;
}

void stack_remove(struct stack *s, uint64_t page)
{
    uint64_t last = *number_map_at(&s->last, page);
    if (last != 0)
        tree_add(s, last, UINT32_MAX);
    else
        *number_map_at(&s->last, page) = 1; /* so that it can be taken out */
    number_map_remove(&s->last, page);
}

void stack_free(struct stack *s)
{
    number_map_free(&s->last);
    free(s->tree);
}

/* ---- miss curves in a fixed amount of memory ---- */

struct shard {
    uint64_t hash, page;
};

static const uint64_t hashes = (uint64_t)1 << 32; /* hashes lie below it [bound] */

static uint64_t hash_of(uint64_t page)
{
    return random_mix(0, page) >> 32;
}

void shards_open(struct shards *s, uint64_t pages_most)
{
    *s = (struct shards){.pages_most = pages_most, .threshold = hashes};
    s->distances.coarse = true;
    s->heap = allocate(pages_most + 1, sizeof *s->heap);
}

void shards_close(struct shards *s)
{
    free(s->heap);
    stack_free(&s->stack);
    distances_free(&s->distances);
}

/* ---- a heap with the largest hash first ---- */

static void heap_put(struct shards *s, struct shard shard)
{
    size_t at = s->count++;
    for (; at > 0 && s->heap[(at - 1) / 2].hash < shard.hash; at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = shard;
}

static struct shard heap_take(struct shards *s)
{
    struct shard first = s->heap[0], moved = s->heap[--s->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->count; at = child) {
        if (child + 1 < s->count && s->heap[child + 1].hash > s->heap[child].hash)
            child++;
        if (s->heap[child].hash <= moved.hash)
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = moved;
    return first;
}

/* Follows one page less, or more where their hashes are equal; counts so far stand for fewer. */
static void lower(struct shards *s)
{
    uint64_t threshold = s->heap[0].hash;
    while (s->count > 0 && s->heap[0].hash >= threshold)
        stack_remove(&s->stack, heap_take(s).page);
    double factor = (double)threshold / (double)s->threshold;
    distances_scale(&s->distances, factor);
    s->sampled *= factor;
    s->threshold = threshold;
}

void shards_access(struct shards *s, uint64_t page)
{
    uint64_t hash = hash_of(page);
    s->all++;
    if (hash >= s->threshold)
        return;
    uint64_t distance = stack_access(&s->stack, page);
    s->sampled++;
    distance = (uint64_t)((double)distance * (double)hashes / (double)s->threshold);
    distances_add(&s->distances, distance, 1);
    if (distance == 0)
        heap_put(s, (struct shard){hash, page});
    if (s->count > s->pages_most)
        lower(s);
}

/* Pages that are accessed often and are or are not followed by chance shift the whole curve; they
 * have small distances, so the difference to the expected number goes to the smallest one. */
void shards_finish(struct shards *s)
{
    double rate = (double)s->threshold / (double)hashes, missing = s->all * rate - s->sampled;
    distances_add(&s->distances, 1, missing);
    if (s->distances.count[1] < 0)
        s->distances.count[1] = 0;
    distances_scale(&s->distances, 1 / rate);
}
