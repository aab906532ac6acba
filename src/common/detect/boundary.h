/* boundary.h: the rows of the boundaries table: where a TLB or a cache ends. */
#ifndef TLBLAB_DETECT_BOUNDARY_H
#define TLBLAB_DETECT_BOUNDARY_H

#include "access/layout.h"
#include "table/row.h"
#include <stdbool.h>
#include <stddef.h>

enum confidence { CONFIDENCE_UNKNOWN = -1, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

enum structure { STRUCTURE_DTLB, STRUCTURE_ITLB, STRUCTURE_CACHE, STRUCTURE_LINE };

/* Their names; those lists end with NULL. confidence_name() is "" for what is not known. */
extern const char *const confidence_names[], *const structure_names[];
const char *confidence_name(enum confidence confidence);

struct boundary {
    /* What it is about. In a table `code` (but for an itlb) and the backing stand in the note. */
    enum structure structure;
    int level; /* from 1; 0 is written as `-`: the private-cache knee, and what is no level */
    bool code; /* measured by jumps, not by loads */
    const struct backing *backing;

    double entries; /* translations, lines for a cache; NaN when not known, and for a line */
    double entries_min, entries_max;
    double bytes_min, bytes_max; /* of the capacity; segment: windows before and at the step */
    double plateau_ns;           /* before the step */
    double step_ns, step_percent;
    enum confidence confidence;
    const char *method;
    struct note note;
    double claim, error_percent; /* of detect --claims */
    struct row_label label;
};

#define BOUNDARIES_ROOM 32 /* more than any machine has [bound] */

struct boundaries {
    struct boundary at[BOUNDARIES_ROOM];
    size_t count;
};

/* Adds one about loads from scattered page frames and returns it zeroed (NaN in the numbers), or
 * NULL when there is no more room. */
struct boundary *boundary_add(struct boundaries *boundaries, enum structure structure, int level,
                              const char *method);

/* Lowers the confidence to `most` where it is higher. */
void boundary_at_most(struct boundary *boundary, enum confidence most);

/* Whether both are about the same level; and whether one is about loads from scattered pages of the
 * base size: not about code, contiguous frames or huge pages. */
bool boundary_is_same(const struct boundary *a, const struct boundary *b);
bool boundary_is_plain(const struct boundary *boundary);

/* The note with the words for what the boundary is about. */
struct note boundary_note(const struct boundary *boundary);

/* The columns, of which --claims and --by add some at the end; a row of them; and reading one, by a
 * reader of these columns. */
extern const struct column boundary_columns[];
void boundary_write(const struct boundary *boundary, unsigned options);
void boundary_read(const struct row_reader *reader, struct boundary *boundary);

#endif
