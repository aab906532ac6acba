/* sections.h: the sections of the report, in the order in which they stand there. Each prints
 * nothing where the run has none of its rows. */
#ifndef TLBLAB_PROSE_SECTIONS_H
#define TLBLAB_PROSE_SECTIONS_H

#include "report/run/run_tables.h"

/* heading.c: machine, run and samples. */
void report_heading(const struct run_tables *run);

/* boundary.c: a boundary's size, claim, confidence and method, and what its notes mean. */
void report_boundary(const struct boundary *row);

/* causes.c: that a TLB level was not detected, the usual causes that the samples show, and the
 * command that prints the samples' medians. */
void report_causes(const struct run_tables *run);

/* Entries of the first level of the data TLB for small pages, or 0. */
double report_first_level(const struct run_tables *run);

/* penalties.c: what a miss of each TLB level costs, or that no penalty is known. */
void report_walk(const struct run_tables *run);

/* The cost of walks through new entries in one level of the page table, in two, and so on. */
void report_depths(const struct run_tables *run);

/* ways.c: sets, ways, index, replacement and inclusion of a level. */
void report_ways(const struct organisation *row);

/* prefetchers.c: a row of method prefetch. */
void report_prefetcher(const struct boundary *row);

/* levels.c: the time of an access in each cache and in memory. */
void report_levels(const struct run_tables *run);

/* throughput.c: for each op and number of threads the highest rate, the rate at the largest size
 * and its quotient by that of read, and where the rate falls so far that swap is likely. Sorts the
 * rates. */
void report_throughput(struct run_tables *run);

#endif
