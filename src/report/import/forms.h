/* forms.h: what other programs print, line by line. Each function takes a line of its program's
 * output, which it may change, and writes the row that the line makes, if any. Dies for a line of
 * the program that is damaged.
 *
 * A program is a function here and a row of the table in import.c. */
#ifndef TLBLAB_IMPORT_FORMS_H
#define TLBLAB_IMPORT_FORMS_H

#include "base/lines.h"
#include <stdbool.h>
#include <stdint.h>

enum { WORDS_MAX = 4096 }; /* of a line: as many cores as a row of a matrix may have [bound] */

/* What has been read of a file: the words of a line, and what the lines so far say of those that
 * follow. */
struct reading {
    const struct lines *lines;
    char *word[WORDS_MAX];
    int words;
    uint64_t spacing, bytes;     /* of the rows that follow; 0: not known */
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

/* ---- the programs ---- */

/* Times by size. */
extern const char curves_header[];
void take_lmbench(struct reading *in, char *line);
void take_tinymembench(struct reading *in, char *line);
void take_multichase(struct reading *in, char *line);
void take_test_tlb(struct reading *in, char *line);
void take_csv(struct reading *in, char *line);

/* Caches and TLBs; pairs of cores; leaves of CPUID. */
extern const char lists_header[], matrix_header[], leaves_header[];
void take_calibrator(struct reading *in, char *line);
void take_core_to_core(struct reading *in, char *line);
void take_cpuid(struct reading *in, char *line);

/* Writes the table of claims of the machine that an XML file of hwloc describes. Dies if hwloc
 * cannot read it, or was not there when this was built. */
void take_hwloc(const char *file);

#endif
