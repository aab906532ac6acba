/* xor_space.c: subspaces of bit vectors under XOR.
 *
 *     struct xor_space space = {0};
 *     xor_space_add(&space, 0x11);
 *     xor_space_reduce(&space, 0x13);    // 2
 */
#include "base/xor_space.h"
#include "base/number.h"
#include <stdio.h>

unsigned parity(uint64_t vector)
{
    return (unsigned)__builtin_parityll(vector);
}

uint64_t xor_index(const uint64_t *masks, size_t count, uint64_t vector)
{
    uint64_t index = 0;
    for (size_t i = 0; i < count; i++)
        index |= (uint64_t)parity(vector & masks[i]) << i;
    return index;
}

void xor_spell(const uint64_t *vectors, size_t count, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *before = i > 0 ? "," : "";
        for (int bit = 0; bit < 64; bit++)
            if (vectors[i] >> bit & 1 && used < size) {
                used += (size_t)snprintf(text + used, size - used, "%s%d", before, bit);
                before = "^";
            }
    }
}

/* Reduces *vector by the rows; returns the XOR of their values (NULL: 0). */
static uint64_t reduce(const uint64_t *row, const uint64_t *values, uint64_t *vector)
{
    uint64_t value = 0, left = *vector;
    while (left != 0) {
        unsigned b = highest_bit(left);
        left &= ~((uint64_t)1 << b);
        if (row[b] != 0) {
            *vector ^= row[b];
            left ^= row[b] & (((uint64_t)1 << b) - 1);
            value ^= values != NULL ? values[b] : 0;
        }
    }
    return value;
}

uint64_t xor_space_reduce(const struct xor_space *s, uint64_t vector)
{
    reduce(s->row, NULL, &vector);
    return vector;
}

bool xor_space_add(struct xor_space *s, uint64_t vector)
{
    vector = xor_space_reduce(s, vector);
    if (vector == 0)
        return false;
    s->row[highest_bit(vector)] = vector;
    s->size++;
    return true;
}

uint64_t xor_space_member(const struct xor_space *s, uint64_t k)
{
    uint64_t member = 0;
    for (unsigned b = 0; b < 64 && k != 0; b++)
        if (s->row[b] != 0) {
            member ^= k & 1 ? s->row[b] : 0;
            k >>= 1;
        }
    return member;
}

/* A bit without a pivot is free; the pivots above it then follow one by one, from the lowest. */
unsigned xor_space_orthogonal(const struct xor_space *s, unsigned bits, uint64_t *basis)
{
    unsigned size = 0;
    for (unsigned b = 0; b < bits; b++) {
        if (s->row[b] != 0)
            continue;
        uint64_t vector = (uint64_t)1 << b;
        for (unsigned above = b + 1; above < bits; above++)
            vector |= (uint64_t)parity(s->row[above] & vector) << above;
        basis[size++] = vector;
    }
    return size;
}

uint64_t xor_equations_reduce(const struct xor_equations *e, uint64_t *vector)
{
    return reduce(e->space.row, e->value, vector);
}

bool xor_equations_add(struct xor_equations *e, uint64_t vector, uint64_t value)
{
    value ^= xor_equations_reduce(e, &vector);
    if (vector == 0)
        return false;
    unsigned b = highest_bit(vector);
    e->space.row[b] = vector;
    e->value[b] = value;
    e->space.size++;
    return true;
}

void xor_equations_clear_pivots(struct xor_equations *e)
{
    for (unsigned b = 0; b < 64; b++)
        for (unsigned above = b + 1; above < 64 && e->space.row[b] != 0; above++)
            if (e->space.row[above] >> b & 1) {
                e->space.row[above] ^= e->space.row[b];
                e->value[above] ^= e->value[b];
            }
}
