/* block.h: the records of a block as bytes: a column for each field, differences to the record
 * before, in groups whose numbers have the same width. */
#ifndef TLBLAB_FORMAT_BLOCK_H
#define TLBLAB_FORMAT_BLOCK_H

#include "trace/format/record.h"
#include <stddef.h>

/* The most records of a block, a multiple of those of a group; the most bytes that they take, and
 * eight more, since numbers are written by eight. */
enum { BLOCK_RECORDS = 1 << 14, BLOCK_COLUMNS = 5, BLOCK_GROUP = 64 };
enum { COLUMN_ROOM = BLOCK_RECORDS * 8 + BLOCK_RECORDS / BLOCK_GROUP };
enum { BLOCK_ROOM = 2 * BLOCK_RECORDS + BLOCK_COLUMNS * COLUMN_ROOM + 64 };

/* A block that is being written; begins as {0}. */
struct block_draft {
    size_t count;
    bool ordered; /* a record has an order */
    uint32_t process, thread;
    uint8_t ops[BLOCK_RECORDS], orders[BLOCK_RECORDS];
    uint64_t columns[BLOCK_COLUMNS][1 + BLOCK_RECORDS]; /* behind a 0 */
};

/* Adds a record, which must be of the same process and thread as those before; there is room for
 * BLOCK_RECORDS. */
void block_add(struct block_draft *draft, const struct record *record);

/* Writes the block, and empties the draft; returns the number of bytes. */
size_t block_write(struct block_draft *draft, uint8_t *bytes);

/* Reads them back, of a draft that was `ordered` or not; the number of records, or -1 where the
 * bytes are no block. `records` has room for BLOCK_RECORDS. */
long block_decode(const uint8_t *bytes, size_t length, bool ordered, struct record *records);

/* A number in seven bits a byte; decoding returns NULL beyond the end. */
uint8_t *number_encode(uint8_t *at, uint64_t number);
const uint8_t *number_decode(const uint8_t *at, const uint8_t *end, uint64_t *number);

/* A checksum that any change within one word of eight bytes alters. */
uint64_t block_checksum(uint64_t seed, const uint8_t *bytes, size_t length);

#endif
