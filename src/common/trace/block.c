/* block.c: the records of a block as bytes.
 *
 *     size_t length = block_encode(records, count, bytes);
 *     long again = block_decode(bytes, length, records);
 */
#include "trace/block.h"
#include <stddef.h>
#include <string.h>

const char *const trace_op_names[TRACE_OPS] = {"read",  "write", "execute", "alloc", "free",
                                               "stack", "phase", "total",   "maps",  "pause"};

/* ---- numbers ---- */

uint8_t *number_encode(uint8_t *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (uint8_t)(number | 0x80);
    *at++ = (uint8_t)number;
    return at;
}

const uint8_t *number_decode(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    uint64_t value = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        value |= (uint64_t)(*at & 0x7f) << shift;
        if ((*at++ & 0x80) == 0) {
            *number = value;
            return at;
        }
    }
    return NULL;
}

/* Small differences of either sign become small numbers: 0, -1, 1, -2, … are 0, 1, 2, 3, … */
static uint64_t fold_sign(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unfold_sign(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

/* ---- columns ---- */

/* The columns of numbers, as places in a record. */
static const size_t columns[] = {offsetof(struct record, sequence),
                                 offsetof(struct record, time_ns), offsetof(struct record, bytes),
                                 offsetof(struct record, address), offsetof(struct record, site)};

enum { COLUMNS = sizeof columns / sizeof *columns, LEVEL_SHIFT = 4, OP_MASK = 15 };

static uint64_t *field_of(struct record *record, int column)
{
    return (uint64_t *)(void *)((char *)record + columns[column]);
}

static uint64_t value_of(const struct record *record, int column)
{
    return *(const uint64_t *)(const void *)((const char *)record + columns[column]);
}

size_t block_encode(const struct record *records, size_t count, uint8_t *bytes)
{
    uint8_t *at = bytes;
    at = number_encode(at, count);
    at = number_encode(at, records->process);
    at = number_encode(at, records->thread);
    for (size_t i = 0; i < count; i++)
        *at++ = (uint8_t)(records[i].op | records[i].level << LEVEL_SHIFT);
    for (int column = 0; column < COLUMNS; column++) {
        uint64_t before = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t value = value_of(&records[i], column);
            at = number_encode(at, fold_sign(value - before));
            before = value;
        }
    }
    return (size_t)(at - bytes);
}

static const uint8_t *decode_column(const uint8_t *at, const uint8_t *end, int column,
                                    struct record *records, size_t count)
{
    uint64_t value = 0, number;
    for (size_t i = 0; i < count; i++) {
        if (at < end && *at < 0x80)
            number = *at++;
        else if ((at = number_decode(at, end, &number)) == NULL)
            return NULL;
        value += unfold_sign(number);
        *field_of(&records[i], column) = value;
    }
    return at;
}

static const uint8_t *decode_ops(const uint8_t *at, const uint8_t *end, struct record *records,
                                 size_t count)
{
    if ((size_t)(end - at) < count)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        records[i].op = at[i] & OP_MASK;
        records[i].level = (uint8_t)(at[i] >> LEVEL_SHIFT);
        if (records[i].op >= TRACE_MAPS)
            return NULL;
    }
    return at + count;
}

long block_decode(const uint8_t *bytes, size_t length, struct record *records)
{
    const uint8_t *at = bytes, *end = bytes + length;
    uint64_t head[3]; /* count, process, thread */
    for (int i = 0; i < 3 && at != NULL; i++)
        at = number_decode(at, end, &head[i]);
    if (at == NULL || head[0] == 0 || head[0] > BLOCK_RECORDS || head[1] > UINT32_MAX ||
        head[2] > UINT32_MAX)
        return -1;
    size_t count = (size_t)head[0];
    at = decode_ops(at, end, records, count);
    for (int column = 0; column < COLUMNS && at != NULL; column++)
        at = decode_column(at, end, column, records, count);
    if (at != end)
        return -1;
    for (size_t i = 0; i < count; i++) {
        records[i].process = (uint32_t)head[1];
        records[i].thread = (uint32_t)head[2];
    }
    return (long)count;
}

/* ---- checksum ---- */

/* Each step is a bijection of the sum for a given word, and of the word for a given sum. */
uint64_t block_checksum(uint64_t sum, const uint8_t *bytes, size_t length)
{
    sum ^= length;
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        if (length - i >= 8)
            memcpy(&word, bytes + i, 8);
        else
            memcpy(&word, bytes + i, length - i);
        sum = ((sum << 23 | sum >> 41) ^ word) * 0x9e3779b97f4a7c15;
    }
    return sum ^ sum >> 32;
}
