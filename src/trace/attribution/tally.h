/* tally.h: counts of misses by what they are grouped by, and their distribution over pages. */
#ifndef TLBLAB_ATTRIBUTION_TALLY_H
#define TLBLAB_ATTRIBUTION_TALLY_H

#include "trace/format/record.h"
#include "trace/tlbs/number_map.h"
#include <stdbool.h>

struct tally_row {
    uint64_t key; /* a page's number, a label, a thread … */
    uint32_t process;
    uint64_t misses, reads, writes;
    uint64_t weight; /* of samples */
    double weight_squares;
    uint64_t samples; /* of a trace that is compared with them (comparison.h) */
    double seconds;
};

/* Initialised by {0}. */
struct tally {
    struct tally_row *rows;
    size_t count;
    struct number_map at; /* of a key mixed with its process: number of the row + 1 */
};

/* The row of a key. Processes other than 0 have rows of their own. */
struct tally_row *tally_row(struct tally *tally, uint32_t process, uint64_t key);
void tally_add(struct tally_row *row, const struct record *miss, double seconds);

/* The row of a label becomes that of its new name, together with others of that name; in a tally of
 * pairs a key is the first label << 32 | the second. */
void tally_rename(struct tally *tally, const uint32_t *names, bool pairs);

/* The most misses first; equal ones by process and key. */
void tally_sort(struct tally *tally);

/* Writes a table of the distribution over pages, which are sorted by increasing misses: for each
 * per cent of them the average of their misses and the share of all misses up to them. */
#define TALLY_CDF_COLUMNS "pages_percent\taverage_misses\tcumulative_percent"
void tally_write_cdf(struct tally *tally);
void tally_free(struct tally *tally);

#endif
