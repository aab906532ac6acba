/* shards.c: miss curves in a fixed amount of memory.
 *
 *     shards_open(&shards, 8192);
 *     shards_access(&shards, page);
 *     shards_finish(&shards);
 */
#include "base/error.h"
#include "base/random.h"
#include "trace/tlbs/stack_distance.h"
#include <stdlib.h>

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
