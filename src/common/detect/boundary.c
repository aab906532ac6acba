/* boundary.c: the rows of the boundaries table. */
#include "detect/boundary.h"
#include "base/note.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const confidence_names[] = {"low", "medium", "high"};

const char *confidence_name(enum confidence confidence)
{
    return confidence_names[confidence];
}

struct boundary *boundary_add(struct boundaries *boundaries, const char *structure, int level,
                              const char *method)
{
    if (boundaries->count == BOUNDARIES_ROOM)
        return NULL;
    struct boundary *b = &boundaries->at[boundaries->count++];
    *b = (struct boundary){.structure = structure,
                           .level = level,
                           .entries = NAN,
                           .entries_min = NAN,
                           .entries_max = NAN,
                           .bytes_min = NAN,
                           .bytes_max = NAN,
                           .plateau_ns = NAN,
                           .step_ns = NAN,
                           .step_percent = NAN,
                           .method = method};
    return b;
}

void boundary_note(struct boundary *boundary, const char *word)
{
    note_add(boundary->note, sizeof boundary->note, word);
}

void boundary_at_most(struct boundary *boundary, enum confidence most)
{
    if (boundary->confidence > most)
        boundary->confidence = most;
}

const char boundary_columns[] = "structure\tlevel\tentries\tentries_min\tentries_max\tbytes_min\t"
                                "bytes_max\tplateau_ns\tstep_ns\tstep_percent\tconfidence\tmethod\t"
                                "note";

/* Times to a picosecond and per cent to a tenth. */
void boundary_write(const struct boundary *b, char after)
{
    put_text(b->structure, '\t');
    put_number(b->level > 0 ? (double)b->level : (double)NAN, '\t');
    put_number(rounded(b->entries, 1), '\t');
    put_number(rounded(b->entries_min, 1), '\t');
    put_number(rounded(b->entries_max, 1), '\t');
    put_number(rounded(b->bytes_min, 1), '\t');
    put_number(rounded(b->bytes_max, 1), '\t');
    put_number(rounded(b->plateau_ns, 1000), '\t');
    put_number(rounded(b->step_ns, 1000), '\t');
    put_number(rounded(b->step_percent, 10), '\t');
    put_text(confidence_name(b->confidence), '\t');
    put_text(b->method, '\t');
    put_text(b->note, after);
}
