/* sealing.h: makes a broken binary trace readable, so that a reader goes on to what is broken in
 * it. */
#ifndef TLBLAB_FUZZ_SEALING_H
#define TLBLAB_FUZZ_SEALING_H

#include "trace/format/trace.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

static uint8_t plain[1 << 20];
static const char mark[] = {'T', 'B', 'L', 'K'};

/* The length of what is before the next mark. */
static inline size_t before_mark(const uint8_t *at, size_t length)
{
    size_t i = 0;
    while (i < length && (length - i < sizeof mark || memcmp(at + i, mark, sizeof mark) != 0))
        i++;
    return i;
}

static inline void put_block(const uint8_t *bytes, size_t length, FILE *out)
{
    uint8_t sealed[BLOCK_HEAD];
    struct block_head head;
    const uint8_t *content = bytes + BLOCK_HEAD;
    block_head_get(&head, bytes);
    head.stored = (uint32_t)(length - BLOCK_HEAD);
    if (head.coding == CODING_ZSTD) {
        size_t got = ZSTD_decompress(plain, sizeof plain, content, head.stored);
        if (!ZSTD_isError(got)) {
            head.coding = CODING_PLAIN;
            head.stored = (uint32_t)got;
            content = plain;
        }
    }
    head.bytes = head.stored;
    block_head_seal(&head, content, sealed);
    fwrite(sealed, 1, sizeof sealed, out);
    fwrite(content, 1, head.stored, out);
}

/* Writes it with the content of its blocks plain, and with the right lengths and checksum in their
 * heads. A block ends where the next mark is. */
static inline void seal(const uint8_t *trace, size_t count, FILE *out)
{
    size_t at = before_mark(trace, count);
    fwrite(trace, 1, at, out);
    while (at < count) {
        size_t length = sizeof mark +
                        before_mark(trace + at + sizeof mark, count - at - sizeof mark);
        if (length >= BLOCK_HEAD)
            put_block(trace + at, length, out);
        else
            fwrite(trace + at, 1, length, out);
        at += length;
    }
}

#endif
