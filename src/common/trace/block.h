/* block.h: the records of a block as bytes: a column for each field, differences to the record
 * before, seven bits in a byte. */
#ifndef TLBLAB_TRACE_BLOCK_H
#define TLBLAB_TRACE_BLOCK_H

#include "trace/record.h"
#include <stddef.h>

/* The most records of a block, and the most bytes that they take. */
enum { BLOCK_RECORDS = 1 << 14, BLOCK_ROOM = BLOCK_RECORDS * (1 + 5 * 10) + 64 };

/* Writes records of one process and thread; returns the number of bytes. */
size_t block_encode(const struct record *records, size_t count, uint8_t *bytes);

/* Reads them back; the number of records, or -1 where the bytes are no block. `records` has room
 * for BLOCK_RECORDS. */
long block_decode(const uint8_t *bytes, size_t length, struct record *records);

/* A number in seven bits a byte; decoding returns NULL beyond the end. */
uint8_t *number_encode(uint8_t *at, uint64_t number);
const uint8_t *number_decode(const uint8_t *at, const uint8_t *end, uint64_t *number);

/* A checksum that any change within one word of eight bytes alters. */
uint64_t block_checksum(uint64_t seed, const uint8_t *bytes, size_t length);

#endif
