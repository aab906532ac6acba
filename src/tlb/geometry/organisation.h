/* organisation.h: how the levels of a TLB are organised, and the rows of the organisation table,
 * which also contains the first cache (cache_sets.h). */
#ifndef TLBLAB_GEOMETRY_ORGANISATION_H
#define TLBLAB_GEOMETRY_ORGANISATION_H

#include "tlb/detect/boundary.h"
#include "tlb/geometry/replacement.h"
#include <stdint.h>

enum { ORGANISATION_LEVELS = 2 }; /* [bound] */

struct organisation {
    enum structure structure; /* dtlb or cache */
    int level;
    double entries, ways, sets; /* NaN if unknown */
    double least, most;         /* entries; most: NaN: unknown; not columns */
    const char *index;          /* full, linear, xor, hashed, unknown */
    const char *index_bits;     /* of the page number; for a cache, of the address; "" is
                                   written as `-` */
    const char *replacement, *relation;
    int criteria;               /* out of two criteria that the row is right */
    enum confidence confidence; /* from the criteria and the note */
    struct note note;
    const char *claim_entries, *claim_ways; /* --claims: a number, or words such as "8-15" */
    struct row_label label;
    struct point set; /* pages that fill one; targets 0: unknown; not a column */
};

struct answers; /* answers.h */

/* Fills in a row for each of the first two levels, but for the replacement; returns their number.
 * The entries are those that `detect` reports; of a
 * second level for which it has none, ways times sets. */
size_t organisation_of(struct answers *answers, struct organisation rows[ORGANISATION_LEVELS]);

/* The columns; --claims and --by append some. */
extern const struct column organisation_columns[];

#endif
