/* pages.h: the size of the page under each address: one size, and others in some ranges. */
#ifndef TLBLAB_TLBS_PAGES_H
#define TLBLAB_TLBS_PAGES_H

#include "trace/format/record.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_KINDS = 4 }; /* sizes of one machine [bound] */

/* Addresses begin … last lie on pages of this kind. */
struct page_range {
    uint64_t begin, last;
    int kind;
};

struct pages {
    unsigned shift[PAGE_KINDS]; /* of each kind; kind 0 is everywhere else */
    int kinds;
    struct page_range *ranges; /* ascending, none overlaps another */
    size_t count, last;        /* the range that was found last */
};

/* All pages have `bytes`, a power of two. */
void pages_open(struct pages *pages, uint64_t bytes);

/* Puts the range begin … end − 1 on pages of `bytes`, rounded outwards to whole ones. False, with
 * the reason, where that overlaps a range of another size or is one size too many. */
bool pages_put(struct pages *pages, uint64_t begin, uint64_t end, uint64_t bytes, const char **why);

/* Reads a list "BEGIN-END[:SIZE],…", addresses in hexadecimal; SIZE is 2M where it is missing. */
bool pages_parse(struct pages *pages, const char *text, const char **why);

/* Makes a size known, of which there are no pages yet. There is room for one. */
void pages_add(struct pages *pages, uint64_t bytes);

/* [physics: huge pages of x86, and of others with pages of 4 KiB] */
#define HUGE_BYTES ((uint64_t)2 << 20)

/* Takes a record PAGES, where its size is one of those known, and it is sure. */
void pages_take(struct pages *pages, const struct record *record);

/* How many of `left` bytes from an address on lie in its page of 2^shift bytes. */
static inline uint64_t pages_part(uint64_t address, uint64_t left, unsigned shift)
{
    uint64_t page = (uint64_t)1 << shift, here = page - (address & (page - 1));
    return here < left ? here : left;
}

/* The kind of the page under the address, where there are ranges. */
int pages_kind_of(struct pages *pages, uint64_t address);

/* The kind of the page under the address. */
static inline int pages_kind(struct pages *pages, uint64_t address)
{
    return pages->count == 0 ? 0 : pages_kind_of(pages, address);
}

void pages_close(struct pages *pages);

#endif
