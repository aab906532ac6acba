/* earlier.h: an earlier run: its rows, which a resumed run does not measure again, and its options.
 */
#ifndef TLBLAB_ACCESS_EARLIER_H
#define TLBLAB_ACCESS_EARLIER_H

#include "access/point.h"
#include "table/table.h"
#include <stddef.h>
#include <stdint.h>

struct earlier {
    struct table *table; /* still open, for its metadata */
    struct sample *rows;
    size_t count;
    struct earlier_row *index; /* sorted by point; private to earlier_take() */
};

/* Reads the samples of earlier runs (count 0: none). Drops a truncated last line with a warning. */
struct earlier earlier_read(char *const *files, int count);

void earlier_free(struct earlier *earlier);

/* Returns the row of this point and sample number, each only once; NULL when there is none or it
 * was taken. */
const struct sample *earlier_take(struct earlier *earlier, const struct point *point);

/* Whether earlier_take() would find one. */
bool earlier_has(struct earlier *earlier, const struct point *point);

/* Writes this run's options to the metadata, for --resume: a line `# option: PROGRAM --NAME VALUE`
 * for each option that was given or inherited, or `# option: PROGRAM` for none. */
void earlier_put_options(void);

/* Inherits the seed of the table, and the options of the last run in its history of this program or
 * of one from which it inherits (args.h). Dies when *seed is neither 0 nor that seed, or that seed
 * is no number. Warns when the run did not record its options. */
void earlier_inherit(const struct earlier *earlier, uint64_t *seed);

/* Reads the FILE of --resume and inherits its options and seed. Warns of an empty one, which has
 * measured nothing and has no table. Dies when FILE is stdout, is no
 * table of this program, or has no recorded options, or one of the seed's errors above. */
struct earlier earlier_resume(const char *file, uint64_t *seed);

/* The seed in the metadata of the points' table, which gives the same points the same chains; a
 * fresh seed when there is none (or no table: NULL). Dies when it is not a number. */
uint64_t earlier_seed(const struct table *source);

#endif
