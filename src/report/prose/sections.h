/* sections.h: the sections of the report, in order. Each prints nothing if the run has none of its
 * rows. */
#ifndef TLBLAB_PROSE_SECTIONS_H
#define TLBLAB_PROSE_SECTIONS_H

#include "report/run/run_tables.h"

/* summary.c: the answer in a few sentences: levels, costs, disturbances. Whether there are any.
 */
bool report_summary(const struct run_tables *run);

/* heading.c: machine, run and samples. */
void report_heading(const struct run_tables *run);

/* boundary.c: a boundary's size, claim, confidence and method, and the meaning of its notes; and a
 * row of method prefetch. */
void report_boundary(const struct boundary *row);
void report_prefetcher(const struct boundary *row);

/* causes.c: a TLB level that was not detected: the usual causes that show in the samples, and the
 * command that prints the samples' medians. */
void report_causes(const struct run_tables *run);

/* Entries of the first level of the data TLB for small pages, or 0. */
double report_first_level(const struct run_tables *run);

/* costs.c: the cost of a miss in each TLB level, or that it is unknown. */
void report_walk(const struct run_tables *run);

/* The cost of walks that need new entries in one level of the page table, in two, and so on. */
void report_depths(const struct run_tables *run);

/* ways.c: sets, ways, index, replacement and inclusion of a level. */
void report_ways(const struct organisation *row);

/* costs.c: the time of an access in each cache and in memory. */
void report_levels(const struct run_tables *run);

/* throughput.c: for each op and number of threads: the highest rate, the rate at the largest size
 * and its ratio to that of read, and where the rate drops so far that swap is likely. Sorts the
 * rates. */
void report_throughput(struct run_tables *run);

/* misses.c: of each table of a program's TLB misses the rows with the most, or the largest changes,
 * in the order of the table. */
void report_misses(const struct run_tables *run);

#endif
