/* block.c: the records of a block as bytes.
 *
 *     block_add(&draft, &record);
 *     size_t length = block_write(&draft, bytes);
 *     long again = block_decode(bytes, length, records);
 */
#include "trace/block.h"
#include "trace/recent.h"
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
static const size_t columns[BLOCK_COLUMNS] = {
    offsetof(struct record, sequence), offsetof(struct record, time_ns),
    offsetof(struct record, bytes), offsetof(struct record, address),
    offsetof(struct record, site)};

enum { LEVEL_SHIFT = 4, OP_MASK = 15 };

static uint64_t *field_of(struct record *record, int column)
{
    return (uint64_t *)(void *)((char *)record + columns[column]);
}

/* As number_encode(), for numbers that it would take several steps for: eight groups of seven bits
 * are spread over eight bytes at once, all of which are written. */
static uint8_t *encode_wide(uint8_t *at, uint64_t number)
{
    if (number >> 56 != 0)
        return number_encode(at, number);
    unsigned bytes = (unsigned)(70 - __builtin_clzll(number | 1)) / 7;
    uint64_t x = (number & 0xfffffff) | (number & 0xfffffff0000000) << 4;
    x = (x & 0x3fff00003fff) | (x & 0xfffc0000fffc000) << 2;
    x = (x & 0x7f007f007f007f) | (x & 0x3f803f803f803f80) << 1;
    x |= 0x8080808080808080 & (((uint64_t)1 << 8 * (bytes - 1)) - 1);
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(x >> 8 * i);
    return at + bytes;
}

void block_add(struct block_draft *d, const struct record *r)
{
    const uint64_t values[] = {r->sequence, r->time_ns, r->bytes, r->address, r->site};
    if (d->count == 0) {
        d->process = r->process;
        d->thread = r->thread;
    }
    d->ordered = d->ordered || r->order != 0;
    d->orders[d->count] = r->order;
    d->ops[d->count++] = (uint8_t)(r->op | r->level << LEVEL_SHIFT);
    for (int column = 0; column < BLOCK_COLUMNS; column++) {
        uint8_t *at = d->columns[column] + d->used[column];
        uint64_t number = fold_sign(values[column] - d->before[column]);
        d->before[column] = values[column];
        if (number < 0x80) {
            *at = (uint8_t)number;
            d->used[column]++;
        } else
            d->used[column] += (size_t)(encode_wide(at, number) - at);
    }
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
    for (int column = 0; column < BLOCK_COLUMNS; column++) {
        memcpy(at, d->columns[column], d->used[column]);
        at += d->used[column];
        d->before[column] = d->used[column] = 0;
    }
    d->count = 0;
    d->ordered = false;
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
