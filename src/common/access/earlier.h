/* earlier.h: an earlier run: its rows, which a run that goes on need not measure again, and what it
 * was told. */
#ifndef TLBLAB_ACCESS_EARLIER_H
#define TLBLAB_ACCESS_EARLIER_H

#include "access/point.h"
#include "base/args.h"
#include "table/table.h"
#include <stddef.h>
#include <stdint.h>

/* Its table, still open for the metadata, and its rows. */
struct earlier {
    struct table *table;
    struct sample *rows;
    size_t count;
};

/* Reads samples of earlier runs (count 0: none). A cut last line is dropped with a warning. */
struct earlier earlier_read(char *const *files, int count);

void earlier_free(struct earlier *earlier);

/* The same for --resume FILE: refuses a FILE that is stdout, and takes over options and seed (where
 * *seed is 0; another one is a contradiction). */
struct earlier earlier_resume(const struct program *program, const char *file, uint64_t *seed);

/* Takes over the options of the earlier run's own command, and its seed. */
void earlier_inherit(const struct program *program, const struct earlier *earlier, uint64_t *seed);

/* The seed of the points' table (NULL: none), so that the same points give the same chains; else a
 * fresh one. */
uint64_t earlier_seed(const struct table *source);

#endif
