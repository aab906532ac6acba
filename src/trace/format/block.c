/* block.c: the records of a block as bytes.
 *
 *     block_add(&draft, &record);
 *     size_t length = block_write(&draft, bytes);
 *     long count = block_decode(bytes, length, false, records);
 */
#include "trace/format/block.h"
#include "base/number.h"
#include "trace/format/recent.h"
#include <stddef.h>
#include <string.h>

const char *const trace_op_names[TRACE_OPS] = {"read",  "write", "execute", "alloc", "free",
                                               "stack", "phase", "total",   "call",  "pages",
                                               "exec",  "fork",  "name",    "maps",  "pause"};

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

/* As the bytes of a trace have it, the lowest first; and back. */
static inline uint64_t little(uint64_t number)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? number : __builtin_bswap64(number);
}

/* Writes a number in eight bytes. */
static inline void little_put(uint8_t *at, uint64_t number)
{
    number = little(number);
    memcpy(at, &number, sizeof number);
}

/* Reads a number of this width, 0 to 8, and no byte beyond the end. */
static inline uint64_t little_get(const uint8_t *at, const uint8_t *end, unsigned width)
{
    uint64_t number = 0;
    if (width == 0)
        return 0;
    if (end - at >= 8)
        memcpy(&number, at, sizeof number);
    else
        memcpy(&number, at, width);
    return little(number) & UINT64_MAX >> (64 - 8 * width);
}

/* ---- columns ---- */

/* The columns of numbers, as places in a record, in the order of block_add(). */
static const size_t columns[BLOCK_COLUMNS] = {
    offsetof(struct record, sequence), offsetof(struct record, time_ns),
    offsetof(struct record, bytes), offsetof(struct record, address),
    offsetof(struct record, site)};

enum { LEVEL_SHIFT = 4, OP_MASK = 15 };

static uint64_t *field_of(struct record *record, int column)
{
    return (uint64_t *)(void *)((char *)record + columns[column]);
}

void block_add(struct block_draft *d, const struct record *r)
{
    size_t i = d->count++;
    if (i == 0) {
        d->process = r->process;
        d->thread = r->thread;
    }
    d->ordered = d->ordered || r->order != 0;
    d->orders[i] = r->order;
    d->ops[i] = (uint8_t)(r->op | r->level << LEVEL_SHIFT);
    d->columns[0][i + 1] = r->sequence;
    d->columns[1][i + 1] = r->time_ns;
    d->columns[2][i + 1] = r->bytes;
    d->columns[3][i + 1] = r->address;
    d->columns[4][i + 1] = r->site;
}

/* Differences of a group to the values before; returns how many bytes the largest takes. The number
 * of steps is constant, so that the compiler makes vectors of them. */
static unsigned subtract(uint64_t *restrict difference, const uint64_t *before)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < BLOCK_GROUP; i++) {
        difference[i] = fold_sign(before[i + 1] - before[i]);
        bits |= difference[i];
    }
    return bits == 0 ? 0 : highest_bit(bits) / 8 + 1;
}

/* Each group as the width of its numbers in bytes, then these, the lowest byte first. */
static uint8_t *encode_column(uint8_t *at, uint64_t *column, size_t count)
{
    uint64_t difference[BLOCK_GROUP];
    for (size_t i = count; i % BLOCK_GROUP != 0; i++)
        column[i + 1] = column[i];
    for (size_t i = 0; i < count; i += BLOCK_GROUP) {
        size_t here = count - i < BLOCK_GROUP ? count - i : BLOCK_GROUP;
        unsigned width = subtract(difference, column + i);
        *at++ = (uint8_t)width;
        for (size_t k = 0; k < here && width > 0; k++) {
            little_put(at, difference[k]);
            at += width;
        }
    }
    return at;
}

size_t block_write(struct block_draft *d, uint8_t *bytes)
{
    uint8_t *at = bytes;
    at = number_encode(at, d->count);
    at = number_encode(at, d->process);
    at = number_encode(at, d->thread);
    memcpy(at, d->ops, d->count);
    at += d->count;
    if (d->ordered) {
        memcpy(at, d->orders, d->count);
        at += d->count;
    }
    for (int column = 0; column < BLOCK_COLUMNS; column++)
        at = encode_column(at, d->columns[column], d->count);
    d->count = 0;
    d->ordered = false;
    return (size_t)(at - bytes);
}

/* NULL where the column goes beyond the end. */
static const uint8_t *decode_column(const uint8_t *at, const uint8_t *end, int column,
                                    struct record *records, size_t count)
{
    uint64_t value = 0;
    unsigned width = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % BLOCK_GROUP == 0) {
            size_t here = count - i < BLOCK_GROUP ? count - i : BLOCK_GROUP;
            if (at == end || (width = *at++) > 8 || (size_t)(end - at) < here * width)
                return NULL;
        }
        value += unfold_sign(little_get(at, end, width));
        at += width;
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
        records[i].order = 0;
        if (records[i].op >= TRACE_MAPS)
            return NULL;
    }
    return at + count;
}

static const uint8_t *decode_orders(const uint8_t *at, const uint8_t *end, struct record *records,
                                    size_t count)
{
    if ((size_t)(end - at) < count)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        records[i].order = at[i];
        if (at[i] > 1 + RECENT_FRESH || (at[i] > 0 && !record_is_access(&records[i])))
            return NULL;
    }
    return at + count;
}

long block_decode(const uint8_t *bytes, size_t length, bool ordered, struct record *records)
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
    if (ordered && at != NULL)
        at = decode_orders(at, end, records, count);
    for (int column = 0; column < BLOCK_COLUMNS && at != NULL; column++)
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
