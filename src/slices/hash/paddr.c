/* paddr.c: physical addresses in tables and on the command line. */
#include "slices/hash/paddr.h"
#include "slices/hash/slice_hash.h"
#include <inttypes.h>
#include <stdio.h>

/* The value of a digit; 16 or more for anything else. */
static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;
}

bool paddr_parse(const char *text, size_t length, uint64_t *paddr)
{
    bool hexadecimal = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned base = hexadecimal ? 16 : 10;
    uint64_t value = 0;
    size_t i = hexadecimal ? 2 : 0;
    if (i == length)
        return false;
    for (; i < length; i++) {
        unsigned digit = digit_of(text[i]);
        if (digit >= base)
            return false;
        value = value * base + digit;
        if (value >> ADDRESS_BITS_MAX != 0)
            return false;
    }
    *paddr = value;
    return true;
}

uint64_t paddr_read(struct table *table, int column)
{
    struct field field = table_field(table, column);
    uint64_t paddr;
    if (field.text == NULL)
        table_die(table, column, "missing");
    if (!paddr_parse(field.text, field.length, &paddr))
        table_die(table, column,
                  "'%.*s' is not an address below 2^%d (decimal, or hexadecimal with 0x)",
                  (int)(field.length < 80 ? field.length : 80), field.text, ADDRESS_BITS_MAX);
    return paddr;
}

void paddr_put(uint64_t paddr, char after)
{
    put_formatted("0x%012" PRIx64 "%c", paddr, after);
}
