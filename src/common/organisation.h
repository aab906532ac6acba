/* organisation.h: how the levels of a TLB are organised, told from samples: the rows of the
 * organisation table. */
#ifndef TLBLAB_ORGANISATION_H
#define TLBLAB_ORGANISATION_H

#include "boundary.h"
#include "profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Pages 2^j + 2^(j + fold) pages apart fall into one set where bit i of the index is the exclusive
 * or of bits i and i + fold of the page number. */
struct folds {
    int from, to; /* folds that are worth a try; none when equal */
    int bits;     /* of the index */
    uint64_t targets;
    uint64_t stride; /* in pages; at this distance pages do fall into one set */
    bool found[PROFILE_STRIDES + 1];
};
struct folds folds_of(const struct profile *profile);
uint64_t folds_stride(int fold, int j);

/* What tells a level's replacement: more pages than one of its sets holds. */
struct crowd {
    uint64_t ways;   /* 0: not known */
    uint64_t stride; /* in pages */
    uint64_t others;
};
struct crowd crowd_of(const struct profile *profile, size_t level);

/* Pages of one set of the second level, of which the first can hold more: at how many of them which
 * level misses depends on how the two are related. */
struct conflict {
    uint64_t stride;       /* in pages; 0 where there is none that is known */
    uint64_t inclusive_at; /* so many fit into the first level alone */
    uint64_t first, last;  /* from one more than that holds to more than both hold */
};
struct conflict conflict_of(const struct profile *profile, const struct folds *folds);

#define INDEX_BITS_ROOM 128

struct organisation {
    int level;
    double entries, ways, sets;       /* NaN where not known */
    const char *index;                /* full, linear, xor, hashed, unknown */
    char index_bits[INDEX_BITS_ROOM]; /* of the page number; "" is written as `-` */
    const char *replacement, *relation;
    enum confidence confidence;
    char note[BOUNDARY_NOTE_ROOM];
};

/* Tells the levels of a profile, the first two; returns their number. */
size_t organisation_of(const struct profile *profile, struct organisation rows[PROFILE_LEVELS]);

/* Names of the columns in their order, and the fields of a row; `after` stands behind the last. */
extern const char organisation_columns[];
void organisation_write(const struct organisation *row, char after);

#endif
