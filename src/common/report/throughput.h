/* throughput.h: the section of the report on rates. */
#ifndef TLBLAB_REPORT_THROUGHPUT_H
#define TLBLAB_REPORT_THROUGHPUT_H

#include "report/run_tables.h"

/* Prints for each op and number of threads the highest rate, the rate at the largest size and its
 * quotient by that of read, and where the rate falls so far that swap is likely. Prints nothing
 * without rates. Sorts them. */
void report_throughput(struct run_tables *run);

#endif
