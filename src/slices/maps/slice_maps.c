/* slice_maps.c: collects lines in any order into blocks.
 *
 * Lines are kept in chunks of 64, in order of arrival; a chunk that arrives again is merged when
 * they are sorted, which is before they take more memory, and at the end. Blocks are then packed in
 * place, without a second copy of the maps. */
#include "slices/maps/slice_maps.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BITS = 6, /* [bound] */
    CHUNK = 1 << CHUNK_BITS,
    LEAST_BITS = 4,    /* [bound] of a block */
    CONTRADICTED = -2, /* the line was given with different slices */
    ABSENT = -3        /* it was never given; SLICE_MISSING: given without a slice */
};

struct chunk {
    uint64_t key; /* its address / 4096 */
    signed char slice[CHUNK];
};

struct slice_lines {
    unsigned paddr_bits;
    size_t count, capacity;
    struct chunk *chunk;
};

struct slice_lines *slice_lines_begin(unsigned paddr_bits)
{
    struct slice_lines *l = allocate(1, sizeof *l);
    l->paddr_bits = paddr_bits > 0 ? paddr_bits : ADDRESS_BITS_MAX;
    return l;
}

/* What is known of a line that was given twice. */
static signed char merged(signed char a, signed char b)
{
    if (a == CONTRADICTED || b == CONTRADICTED || (a >= 0 && b >= 0 && a != b))
        return CONTRADICTED;
    return a > b ? a : b;
}

static int compare_keys(const void *a, const void *b)
{
    const struct chunk *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void sort_chunks(struct slice_lines *l)
{
    size_t kept = 0;
    for (size_t i = 1; i < l->count && kept == 0; i++)
        kept = l->chunk[i - 1].key >= l->chunk[i].key;
    if (kept == 0) /* they are in order, as a rule */
        return;
    qsort(l->chunk, l->count, sizeof *l->chunk, compare_keys);
    for (size_t i = 1; i < l->count; i++) {
        struct chunk *last = &l->chunk[kept - 1];
        if (last->key == l->chunk[i].key)
            for (int k = 0; k < CHUNK; k++)
                last->slice[k] = merged(last->slice[k], l->chunk[i].slice[k]);
        else
            l->chunk[kept++] = l->chunk[i];
    }
    l->count = kept;
}

/* The chunk with this key: the last one, or a new one. */
static struct chunk *chunk_of(struct slice_lines *l, uint64_t key)
{
    if (l->count > 0 && l->chunk[l->count - 1].key == key)
        return &l->chunk[l->count - 1];
    if (l->count == l->capacity) {
        sort_chunks(l);
        if (2 * l->count >= l->capacity)
            l->capacity = l->capacity > 0 ? 2 * l->capacity : 1 << 9;
        l->chunk = reallocate(l->chunk, l->capacity, sizeof *l->chunk);
    }
    struct chunk *chunk = &l->chunk[l->count++];
    chunk->key = key;
    memset(chunk->slice, ABSENT, CHUNK);
    return chunk;
}

void slice_lines_put(struct slice_lines *l, uint64_t paddr, int slice)
{
    uint64_t line = paddr >> LINE_BITS;
    signed char *place = &chunk_of(l, line >> CHUNK_BITS)->slice[line & (CHUNK - 1)];
    *place = merged(*place, (signed char)(slice >= 0 ? slice : SLICE_MISSING));
}

/* ---- blocks ---- */

/* How full the blocks of 2^bits lines are that have any line; chunks are sorted. */
static double filling(const struct slice_lines *l, unsigned bits)
{
    size_t given = 0, blocks = 0;
    uint64_t last = UINT64_MAX;
    for (size_t i = 0; i < l->count; i++)
        for (unsigned j = 0; j < CHUNK; j++) {
            uint64_t block = (l->chunk[i].key << CHUNK_BITS | j) >> bits;
            if (l->chunk[i].slice[j] == ABSENT)
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
    uint64_t per_block = (uint64_t)1 << (bits - CHUNK_BITS);
    struct slice_lines missing = {0};
    for (size_t i = 0; i < l->count;) {
        uint64_t first = l->chunk[i].key / per_block * per_block;
        for (uint64_t key = first; key < first + per_block; key++)
            if (i < l->count && l->chunk[i].key == key)
                i++;
            else
                chunk_of(&missing, key);
    }
    for (size_t i = 0; i < missing.count; i++)
        chunk_of(l, missing.chunk[i].key);
    free(missing.chunk);
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

/* A chunk may lack some of its smaller blocks: the others are moved together. */
static struct slice_maps cut_blocks(const struct slice_lines *l, unsigned bits)
{
    struct slice_maps maps = {
        .block_bits = bits, .paddr_bits = l->paddr_bits, .slices = (signed char *)l->chunk};
    size_t lines = (size_t)1 << bits, part = lines < CHUNK ? lines : CHUNK, done = 0;
    maps.address = allocate((l->count << CHUNK_BITS) >> bits, sizeof *maps.address);
    for (size_t i = 0; i < l->count; i++) {
        struct chunk chunk = l->chunk[i]; /* whose place is about to be taken */
        for (size_t k = 0; k < CHUNK; k += part) {
            if (lines < CHUNK && !occurs(chunk.slice + k, part))
                continue;
            if (done % lines == 0)
                maps.address[maps.count++] = (chunk.key << CHUNK_BITS | k) << LINE_BITS;
            memcpy(maps.slices + done, chunk.slice + k, part);
            done += part;
        }
    }
    for (size_t i = 0; i < done; i++) {
        maps.lines += maps.slices[i] >= 0;
        maps.contradicted += maps.slices[i] == CONTRADICTED;
    }
    return maps;
}

struct slice_maps slice_lines_end(struct slice_lines *l, unsigned block_bits)
{
    struct slice_maps maps = {.block_bits = block_bits > 0 ? block_bits : LEAST_BITS,
                              .paddr_bits = l->paddr_bits};
    if (l->count > 0) {
        sort_chunks(l);
        unsigned bits = block_bits > 0 ? block_bits : choose_block(l);
        if (bits > CHUNK_BITS)
            complete_blocks(l, bits);
        maps = cut_blocks(l, bits);
    }
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
