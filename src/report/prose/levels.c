/* levels.c: the report's section on latencies. */
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void say_time(const struct latency_row *row, const char *label)
{
    char cycles[64] = "", over[64] = "", chains[64] = "";
    if (isnan(row->ns)) {
        prose_say(label, "N/A");
        prose_say_notes(&row->note);
        return;
    }
    if (!isnan(row->cycles))
        snprintf(cycles, sizeof cycles, ", %.4g cycles", row->cycles);
    if (!isnan(row->over_read_ns))
        snprintf(over, sizeof over, ", %.3g ns %s than a read", fabs(row->over_read_ns),
                 row->over_read_ns < 0 ? "less" : "more");
    if (row->chains > 1 && row->chains != COUNT_MISSING)
        snprintf(chains, sizeof chains, ", with %.0f chains at once", (double)row->chains);
    prose_say(label, "%.4g ns, quartiles %.4g to %.4g%s%s%s", row->ns, row->low_ns, row->high_ns,
              cycles, over, chains);
    prose_say_notes(&row->note);
}

void report_levels(const struct run_tables *run)
{
    char label[64];
    if (run->latencies.count > 0)
        puts("\n[Latency]");
    for (size_t i = 0; i < run->latencies.count; i++) {
        const struct latency_row *row = &run->latencies.at[i];
        const char *kernel = row->kernel != NULL ? row->kernel->name : "";
        if (strcmp(row->structure, "cache") == 0)
            snprintf(label, sizeof label, "L%d %.20s", row->level, kernel);
        else
            snprintf(label, sizeof label, "%s %.20s",
                     strcmp(row->structure, "memory") == 0 ? "Memory" : "All sizes", kernel);
        say_time(row, label);
    }
}
