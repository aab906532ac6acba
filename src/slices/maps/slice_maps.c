/* slice_maps.c: collects lines in any order into blocks.
 *
 * Lines are kept in chunks of 64, found through a hash table of their addresses. At the end the
 * chunks are sorted in place, which makes blocks contiguous without a second copy of the maps. */
#include "slices/maps/slice_maps.h"
#include "base/error.h"
#include "base/random.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BITS = 6, /* [bound] */
    CHUNK = 1 << CHUNK_BITS,
    LEAST_BITS = 4, /* [bound] of a block */
    ABSENT = -2     /* the line was never given; SLICE_MISSING: given without a slice */
};

struct slice_lines {
    unsigned paddr_bits;
    size_t count, capacity; /* of chunks */
    uint64_t *key;          /* of each chunk: its address / 4096 */
    signed char (*chunk)[CHUNK];
    uint32_t *slot; /* number of a chunk + 1; 0: free */
    size_t slots;   /* a power of two */
    size_t last;    /* the chunk of the last line */
    size_t contradicted;
};

struct slice_lines *slice_lines_begin(unsigned paddr_bits)
{
    struct slice_lines *l = allocate(1, sizeof *l);
    l->paddr_bits = paddr_bits > 0 ? paddr_bits : ADDRESS_BITS_MAX;
    return l;
}

/* The slot of a key: the chunk's, or the free slot it would go in. */
static uint32_t *find_slot(const struct slice_lines *l, uint64_t key)
{
    size_t at = random_mix(key, 0) & (l->slots - 1);
    while (l->slot[at] != 0 && l->key[l->slot[at] - 1] != key)
        at = (at + 1) & (l->slots - 1);
    return &l->slot[at];
}

static void grow(struct slice_lines *l)
{
    l->capacity = l->capacity > 0 ? 2 * l->capacity : 1 << 9;
    if (l->capacity > UINT32_MAX / 4)
        die("too many lines");
    l->key = reallocate(l->key, l->capacity, sizeof *l->key);
    l->chunk = reallocate(l->chunk, l->capacity, sizeof *l->chunk);
    free(l->slot);
    l->slots = 2 * l->capacity;
    l->slot = allocate(l->slots, sizeof *l->slot);
    for (size_t i = 0; i < l->count; i++)
        *find_slot(l, l->key[i]) = (uint32_t)i + 1;
}

/* The number of the chunk with this key, which is made if needed. */
static size_t chunk_of(struct slice_lines *l, uint64_t key)
{
    if (l->count == l->capacity)
        grow(l);
    uint32_t *slot = find_slot(l, key);
    if (*slot == 0) {
        l->key[l->count] = key;
        memset(l->chunk[l->count], ABSENT, CHUNK);
        *slot = (uint32_t)++l->count;
    }
    return *slot - 1;
}

void slice_lines_put(struct slice_lines *l, uint64_t paddr, int slice)
{
    uint64_t line = paddr >> LINE_BITS, key = line >> CHUNK_BITS;
    if (l->count == 0 || l->key[l->last] != key)
        l->last = chunk_of(l, key);
    signed char *place = &l->chunk[l->last][line & (CHUNK - 1)];
    if (slice >= 0 && *place >= 0 && *place != slice)
        l->contradicted++;
    if (slice >= 0 || *place == ABSENT)
        *place = (signed char)(slice >= 0 ? slice : SLICE_MISSING);
}

/* ---- order ---- */

static const uint64_t *order_keys; /* of compare_keys() */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = order_keys[*(const uint32_t *)a], y = order_keys[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

/* Moves chunk order[i] to position i, for all i, one cycle of the permutation after another. */
static void permute(struct slice_lines *l, uint32_t *order)
{
    for (uint32_t i = 0; i < l->count; i++) {
        signed char chunk[CHUNK];
        uint64_t key = l->key[i];
        memcpy(chunk, l->chunk[i], CHUNK);
        uint32_t to = i;
        while (order[to] != i) {
            uint32_t from = order[to];
            memcpy(l->chunk[to], l->chunk[from], CHUNK);
            l->key[to] = l->key[from];
            order[to] = to;
            to = from;
        }
        memcpy(l->chunk[to], chunk, CHUNK);
        l->key[to] = key;
        order[to] = to;
    }
}

static void sort_chunks(struct slice_lines *l)
{
    bool sorted = true;
    for (size_t i = 1; i < l->count && sorted; i++)
        sorted = l->key[i - 1] < l->key[i];
    if (sorted)
        return;
    uint32_t *order = allocate(l->count, sizeof *order);
    for (uint32_t i = 0; i < l->count; i++)
        order[i] = i;
    order_keys = l->key;
    qsort(order, l->count, sizeof *order, compare_keys);
    permute(l, order);
    free(order);
}

/* ---- blocks ---- */

/* How full the blocks of 2^bits lines are that have any line; chunks are sorted. */
static double filling(const struct slice_lines *l, unsigned bits)
{
    size_t given = 0, blocks = 0;
    uint64_t last = UINT64_MAX;
    for (size_t i = 0; i < l->count; i++)
        for (unsigned j = 0; j < CHUNK; j++) {
            uint64_t block = (l->key[i] << CHUNK_BITS | j) >> bits;
            if (l->chunk[i][j] == ABSENT)
                continue;
            given++;
            blocks += block != last;
            last = block;
        }
    return (double)given / ((double)blocks * (double)((size_t)1 << bits));
}

/* A block of the right size is at least this fraction as full as the smallest blocks. [prior]
 */
static const double filled_part = 0.6;

/* The largest blocks that are almost as full as the smallest: lines may be missing anywhere, but
 * blocks of twice the right size are half empty. */
static unsigned choose_block(const struct slice_lines *l)
{
    unsigned bits = PAGE_LINES_BITS, most = l->paddr_bits - LINE_BITS;
    double least = filling(l, LEAST_BITS) * filled_part;
    bits = bits < most ? bits : most;
    while (bits > LEAST_BITS && filling(l, bits) < least)
        bits--;
    return bits;
}

/* Adds the chunks missing from blocks. */
static void complete_blocks(struct slice_lines *l, unsigned bits)
{
    size_t count = l->count, per_block = (size_t)1 << (bits - CHUNK_BITS);
    uint64_t last = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t block = l->key[i] / per_block;
        for (size_t j = 0; j < per_block && block != last; j++)
            chunk_of(l, block * per_block + j);
        last = block;
    }
    sort_chunks(l);
}

/* Whether any line of a block was given. */
static bool occurs(const signed char *block, size_t lines)
{
    size_t i = 0;
    while (i < lines && block[i] == ABSENT)
        i++;
    return i < lines;
}

static void count_lines(struct slice_maps *maps)
{
    for (size_t i = 0; i < maps->count << maps->block_bits; i++)
        maps->lines += maps->slices[i] >= 0;
}

/* A chunk may lack some of its smaller blocks: the others are moved together. */
static struct slice_maps cut_blocks(struct slice_lines *l, unsigned bits)
{
    struct slice_maps maps = {.block_bits = bits,
                              .paddr_bits = l->paddr_bits,
                              .contradicted = l->contradicted,
                              .slices = (signed char *)l->chunk};
    size_t lines = (size_t)1 << bits, all = (l->count << CHUNK_BITS) >> bits;
    maps.address = allocate(all, sizeof *maps.address);
    for (size_t i = 0; i < all; i++) {
        const signed char *block = maps.slices + i * lines;
        uint64_t line = (l->key[i * lines >> CHUNK_BITS] << CHUNK_BITS) | (i * lines & (CHUNK - 1));
        if (!occurs(block, lines))
            continue;
        memmove(maps.slices + maps.count * lines, block, lines);
        maps.address[maps.count++] = line << LINE_BITS;
    }
    count_lines(&maps);
    return maps;
}

struct slice_maps slice_lines_end(struct slice_lines *l, unsigned block_bits)
{
    struct slice_maps maps = {.block_bits = block_bits > 0 ? block_bits : LEAST_BITS,
                              .paddr_bits = l->paddr_bits};
    if (l->count > 0) {
        sort_chunks(l);
        unsigned bits = block_bits > 0 ? block_bits : choose_block(l);
        if (l->slots > 0 && bits > CHUNK_BITS) {
            memset(l->slot, 0, l->slots * sizeof *l->slot);
            for (size_t i = 0; i < l->count; i++)
                *find_slot(l, l->key[i]) = (uint32_t)i + 1;
            complete_blocks(l, bits);
        }
        maps = cut_blocks(l, bits);
        l->chunk = NULL;
    }
    free(l->key);
    free(l->chunk);
    free(l->slot);
    free(l);
    return maps;
}

const signed char *slice_maps_block(const struct slice_maps *maps, size_t block)
{
    return maps->slices + (block << maps->block_bits);
}

void slice_maps_free(struct slice_maps *maps)
{
    free(maps->address);
    free(maps->slices);
}
