/* forms.h: what other programs print, line by line. Each function takes a line of its program's
 * output, which it may change, and writes the row that the line makes, if any. Dies for a line of
 * the program that is damaged.
 *
 * A program is a function here and a row of the table in import.c. */
#ifndef TLBLAB_IMPORT_FORMS_H
#define TLBLAB_IMPORT_FORMS_H

#include "report/import/reading.h"

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
