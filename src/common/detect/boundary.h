/* boundary.h: the rows of the boundaries table: where a TLB or a cache ends. */
#ifndef TLBLAB_DETECT_BOUNDARY_H
#define TLBLAB_DETECT_BOUNDARY_H

#include "base/note.h"
#include "table/table.h"
#include <stdbool.h>
#include <stdint.h>

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

struct boundary {
    const char *structure; /* "dtlb", "itlb", "cache", "line" */
    int level;      /* from 1; 0 is written as `-`: the private-cache knee, and what is no level */
    double entries; /* translations, lines for a cache; NaN when not known, and for a line */
    double entries_min, entries_max;
    double bytes_min, bytes_max; /* of the capacity; segment: windows before and at the step */
    double plateau_ns;           /* before the step */
    double step_ns, step_percent;
    enum confidence confidence;
    const char *method;
    char note[NOTE_ROOM]; /* fixed words with commas between; "" is written as `-` */
};

#define BOUNDARIES_ROOM 32 /* more than any machine has [bound] */

struct boundaries {
    struct boundary at[BOUNDARIES_ROOM];
    size_t count;
};

/* Adds one and returns it zeroed (NaN in the numbers), or NULL when there is no more room. */
struct boundary *boundary_add(struct boundaries *boundaries, const char *structure, int level,
                              const char *method);

/* Adds a word to the note. */
void boundary_note(struct boundary *boundary, const char *word);

/* Lowers the confidence to `most` where it is higher. */
void boundary_at_most(struct boundary *boundary, enum confidence most);

const char *confidence_name(enum confidence confidence);

/* Names of the columns in their order, without --claims and --by. */
extern const char boundary_columns[];

/* Writes the fields of a row in that order; `after` stands behind the last. */
void boundary_write(const struct boundary *boundary, char after);

#endif
