/* gather.h: the tables of one run (samples, boundaries, penalties), told apart by their columns, in
 * any order, in several files or joined in one. */
#ifndef TLBLAB_GATHER_H
#define TLBLAB_GATHER_H

#include "series.h"
#include "table.h"
#include <stdbool.h>
#include <stddef.h>

/* What boundaries and penalties hold, by column. */
enum gather_text { STRUCTURE, LEVEL, CONFIDENCE, METHOD, NOTE, OF_FILE, OF_HOST, GATHER_TEXTS };
enum gather_number {
    ENTRIES,
    ENTRIES_MIN,
    ENTRIES_MAX,
    BYTES_MIN,
    BYTES_MAX,
    PLATEAU_NS,
    STEP_NS,
    STEP_PERCENT,
    CLAIM,
    ERROR_PERCENT,
    PENALTY_NS,
    LOW_NS,
    HIGH_NS,
    GATHER_NUMBERS
};

enum { GATHER_TEXT_ROOM = 160 };

struct gather_row {
    char text[GATHER_TEXTS][GATHER_TEXT_ROOM]; /* "" where missing */
    double number[GATHER_NUMBERS];             /* NaN where missing */
};

struct gather_rows {
    struct gather_row *at;
    size_t count;
};

struct run_tables {
    struct table *table; /* for the metadata */
    struct gather_rows boundaries, penalties;
    struct series series;           /* of the samples, sorted */
    const char *samples_file;       /* the last file with samples; NULL: none */
    double loads_least, loads_most; /* of a sample; least > most where they are not known */
};

/* Reads all files. Dies for a table that is none of the three, and for bad data. */
struct run_tables gather_read(char *const *files, int count);
void gather_free(struct run_tables *run);

/* Whether a program had a part in one of the tables, be they empty. */
bool gather_was_run(const struct run_tables *run, const char *program);

#endif
