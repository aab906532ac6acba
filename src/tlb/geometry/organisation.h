/* organisation.h: how the levels of a TLB are organised, and the rows of the organisation table,
 * which also contains the first cache (cache_sets.h). */
#ifndef TLBLAB_GEOMETRY_ORGANISATION_H
#define TLBLAB_GEOMETRY_ORGANISATION_H

#include "tlb/detect/boundary.h"
#include "tlb/geometry/index_hash.h"
#include "tlb/geometry/stride_profile.h"
#include <stdint.h>

/* Pages that overload one set of a level, to find its replacement policy. */
struct overload {
    uint64_t ways;   /* 0: unknown */
    uint64_t stride; /* in pages */
    uint64_t others; /* pages that flush the first level */
};
struct overload overload_of(const struct stride_profile *profile, size_t level);

struct organisation {
    enum structure structure; /* dtlb or cache */
    int level;
    double entries, ways, sets; /* NaN if unknown */
    const char *index;          /* full, linear, xor, hashed, unknown */
    const char *index_bits;     /* of the page number; for a cache, of the address; "" is
                                   written as `-` */
    const char *replacement, *relation;
    int signs;                  /* out of two signs that the row is right */
    enum confidence confidence; /* from the signs and the note */
    struct note note;
    const char *claim_entries, *claim_ways; /* --claims: a number, or words such as "8-15" */
    struct row_label label;
};

/* Fills in a row for each of the first two levels of a profile; returns their number. Until reach
 * has settled (note unsettled) a higher bit may still select the set: then there are twice the sets
 * and half the ways, and only their product is right. */
size_t organisation_of(const struct stride_profile *profile,
                       struct organisation rows[STRIDE_PROFILE_LEVELS]);

/* Sets the confidence from the signs and the note. */
void organisation_judge(struct organisation *row);

/* Makes ways, sets, index, replacement and relation unknown if reach has not settled. */
void organisation_hide_unsettled(struct organisation *row);

/* The columns; --claims and --by append some. */
extern const struct column organisation_columns[];

#endif
