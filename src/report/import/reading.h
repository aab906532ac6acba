/* reading.h: what has been read of another program's output: its words, and what the lines so far
 * say of those that follow.
 *
 *     reading_split(in, line, " \t");
 *     if (reading_is(in, 2, "ns"))
 *         ns = reading_number(in, in->word[1]);
 */
#ifndef TLBLAB_IMPORT_READING_H
#define TLBLAB_IMPORT_READING_H

#include "base/lines.h"
#include <stdbool.h>
#include <stdint.h>

enum { WORDS_MAX = 4096 }; /* of a line: as many cores as a row of a matrix may have [bound] */

struct reading {
    const struct lines *lines;
    char *word[WORDS_MAX];
    int words;
    uint64_t spacing, bytes;     /* of the rows that follow; 0: not known */
    unsigned run;                /* headings so far: the sample */
    int section, row;            /* as each format counts them */
    bool huge, sequential;       /* the rows that follow */
    unsigned long rows;          /* written */
    unsigned long left_out;      /* times of loads in sequence */
    int columns, size_at, ns_at; /* of a CSV */
    char separator;              /* of its fields */
    double unit;                 /* of its sizes */
    unsigned long leaf, subleaf; /* the last ones of CPUID */
};

/* Dies: the text at this line is not what was expected. */
_Noreturn void reading_die(const struct reading *in, const char *expected, const char *text);

/* Takes the line apart at any of these characters; where the first one is a blank, also at several
 * in a row. */
void reading_split(struct reading *in, char *line, const char *between);

/* Whether word k is this text. */
bool reading_is(const struct reading *in, int k, const char *text);

/* A number from 0; dies for another text. */
double reading_number(const struct reading *in, const char *text);

/* "4k", "64M", "1g", "8KiB", also before a colon; 0: none. */
uint64_t reading_size(const char *text);

#endif
