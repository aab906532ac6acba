/* throughput.h: the section of the report about rates. */
#ifndef TLBLAB_REPORT_THROUGHPUT_H
#define TLBLAB_REPORT_THROUGHPUT_H

#include "report/run_tables.h"

/* Says of each op, by threads, where it is fastest, what it does at its largest size, compared with
 * read, and where it falls off a cliff that memory does not have: swap. Nothing where there are no
 * rates. Sorts them. */
void report_throughput(struct run_tables *run);

#endif
