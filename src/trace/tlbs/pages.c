/* pages.c: the size of the page under each address.
 *
 *     pages_open(&pages, 4096);
 *     pages_parse(&pages, "7f0000000000-7f0040000000:2M", &why);
 *     unsigned shift = pages.shift[pages_kind(&pages, address)];
 */
#include "trace/tlbs/pages.h"
#include "base/error.h"
#include "base/number.h"
#include "trace/format/search.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void pages_open(struct pages *p, uint64_t bytes)
{
    *p = (struct pages){.kinds = 1};
    p->shift[0] = highest_bit(bytes);
}

void pages_close(struct pages *p)
{
    free(p->ranges);
}

/* The kind for pages of this shift, a new one where there is none; PAGE_KINDS: there is no room. */
static int kind_of(struct pages *p, unsigned shift)
{
    int kind = 0;
    while (kind < p->kinds && p->shift[kind] != shift)
        kind++;
    if (kind == p->kinds && kind < PAGE_KINDS)
        p->shift[p->kinds++] = shift;
    return kind;
}

bool pages_put(struct pages *p, uint64_t begin, uint64_t end, uint64_t bytes, const char **why)
{
    struct page_range range = {begin & ~(bytes - 1), (end - 1) | (bytes - 1), 0};
    range.kind = kind_of(p, highest_bit(bytes));
    *why = "more than four sizes of pages";
    if (range.kind == PAGE_KINDS)
        return false;
    size_t at = 0;
    while (at < p->count && p->ranges[at].last < range.begin)
        at++;
    /* Two ranges of one size may share a page: they become one. */
    while (at < p->count && p->ranges[at].begin <= range.last) {
        *why = "ranges of different page sizes overlap (a range is made of whole pages)";
        if (p->ranges[at].kind != range.kind)
            return false;
        range.begin = p->ranges[at].begin < range.begin ? p->ranges[at].begin : range.begin;
        range.last = p->ranges[at].last > range.last ? p->ranges[at].last : range.last;
        p->count--;
        memmove(p->ranges + at, p->ranges + at + 1, (p->count - at) * sizeof range);
    }
    p->ranges = reallocate(p->ranges, p->count + 1, sizeof range);
    memmove(p->ranges + at + 1, p->ranges + at, (p->count - at) * sizeof range);
    p->ranges[at] = range;
    p->count++;
    p->last = 0;
    return true;
}

/* Reads hexadecimal digits, without a sign or blanks, and moves *at behind them. */
static bool take_address(const char **at, uint64_t *address)
{
    char *end;
    if (!isxdigit((unsigned char)**at))
        return false;
    *address = strtoull(*at, &end, 16);
    *at = end;
    return true;
}

bool pages_parse(struct pages *p, const char *text, const char **why)
{
    for (const char *at = text; *at != '\0'; at += *at == ',') {
        char word[32] = "2M";
        uint64_t begin, until, bytes;
        *why = "it is not BEGIN-END[:SIZE],…, with addresses in hexadecimal";
        if (!take_address(&at, &begin) || *at++ != '-' || !take_address(&at, &until) ||
            until <= begin)
            return false;
        if (*at == ':') {
            size_t length = strcspn(++at, ",");
            if (length >= sizeof word)
                return false;
            memcpy(word, at, length);
            word[length] = '\0';
            at += length;
        }
        if ((*at != '\0' && *at != ',') || !parse_size(word, &bytes) || !is_power_of_two(bytes))
            return false;
        if (!pages_put(p, begin, until, bytes, why))
            return false;
    }
    return true;
}

void pages_add(struct pages *p, uint64_t bytes)
{
    kind_of(p, highest_bit(bytes));
}

void pages_take(struct pages *p, const struct record *r)
{
    const char *why;
    int kind = 0;
    if (r->bytes == 0)
        p->count = p->last = 0;
    while (kind < p->kinds && (uint64_t)1 << p->shift[kind] != r->site)
        kind++;
    if (r->bytes > 0 && r->level == 0 && kind < p->kinds)
        pages_put(p, r->address, record_last(r) + 1, r->site, &why);
}

int pages_kind_of(struct pages *p, uint64_t address)
{
    const struct page_range *last = &p->ranges[p->last];
    if (address >= last->begin && address <= last->last)
        return last->kind;
    size_t before = search_begins(p->ranges, p->count, sizeof *p->ranges, address);
    if (before == 0 || address > p->ranges[before - 1].last)
        return 0;
    p->last = before - 1;
    return p->ranges[p->last].kind;
}
