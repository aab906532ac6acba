/* earlier.h: an earlier run: its rows, which a run that goes on need not measure again, and what it
 * was told. */
#ifndef TLBLAB_ACCESS_EARLIER_H
#define TLBLAB_ACCESS_EARLIER_H

#include "access/point.h"
#include "table/table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row as it is found by its point. */
struct earlier_row {
    uint64_t key;
    size_t number;
    bool taken;
};

/* Its table, still open for the metadata, and its rows. */
struct earlier {
    struct table *table;
    struct sample *rows;
    size_t count;
    struct earlier_row *index; /* sorted; private to earlier_take() */
};

/* Reads samples of earlier runs (count 0: none). A cut last line is dropped with a warning. */
struct earlier earlier_read(char *const *files, int count);

void earlier_free(struct earlier *earlier);

/* The row of this point and number of sample, each but once; NULL: there is none. */
const struct sample *earlier_take(struct earlier *earlier, const struct point *point);

/* Writes the options of this run into the metadata, for one that goes on: a line
 * `# option: PROGRAM --NAME VALUE` for each that was given or inherited, or `# option: PROGRAM`
 * where there is none. */
void earlier_put_options(void);

/* Takes over the options of this program's last run in the history of the table, and its seed
 * (where *seed is 0; another one is a contradiction). Those of other programs stay theirs. Warns of
 * a run that has not recorded its options. */
void earlier_inherit(const struct earlier *earlier, uint64_t *seed);

/* Reads the FILE of --resume and takes over its options and seed. Refuses a FILE that is stdout,
 * that is no table of this program, or that has not recorded its options. */
struct earlier earlier_resume(const char *file, uint64_t *seed);

/* The seed of the points' table (NULL: none), so that the same points give the same chains; else a
 * fresh one. */
uint64_t earlier_seed(const struct table *source);

#endif
