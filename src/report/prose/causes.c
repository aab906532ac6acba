/* causes.c: why a TLB level was not detected. */
#include "access/layout.h"
#include "base/error.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/stats.h"
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More pages than any current TLB holds; and the first size of the whitepaper's sweep with 4 KiB
 * pages. [prior] */
static const double pages_enough = 8192, pages_first = 4;

/* An interquartile range of this fraction of the median can hide a 10 % step. [prior] */
static const double scatter_much = 0.05;

/* The size in bytes of the point whose nodes are on the most (sign 1) or fewest (-1) pages,
 * excluding the control and the comparison point; 0 without samples. */
static double outermost(const struct run_tables *run, double sign, double *pages)
{
    double found = 0;
    *pages = 0;
    for (size_t i = 0; i < run->series.count; i++) {
        const struct point *p = &run->series.groups[i].point;
        double here = (double)p->pages * fmin(1, (double)p->spacing / (double)p->page_bytes);
        if (!run_tables_point_is_plain(p) || p->role == ROLE_COMPARISON || p->layout->control ||
            (found > 0 && sign * here <= sign * *pages))
            continue;
        found = point_span(p);
        *pages = here;
    }
    return found;
}

double report_first_level(const struct run_tables *run)
{
    const struct boundary *row = run->boundaries.at;
    for (size_t i = 0; i < run->boundaries.count; i++, row++)
        if (boundary_is_plain(row) && row->structure == STRUCTURE_DTLB && row->level == 1)
            return row->entries;
    return 0;
}

/* Prints the sizes missing from the sweep; returns whether any are. */
static bool lacks_sizes(const struct run_tables *run)
{
    double first = report_first_level(run), most, least;
    double last = outermost(run, 1, &most), start = outermost(run, -1, &least);
    bool early = last > 0 && (most < pages_enough || most < 2 * first);
    bool late = start > 0 && least > pages_first && !(first > 0);
    char text[PROSE_ROOM];
    if (early)
        printf("  - buffer too small: the sweep ends at %s, %.0f pages (larger %s)\n",
               size_text(last, 4, text), most, "--buffer, --pages");
    if (late)
        printf("  - stride too large: the sweep starts at %s, %.0f pages (smaller %s)\n",
               size_text(start, 4, text), least, "--spacing, --pages");
    return early || late;
}

/* Prints that the samples scatter, if they do. */
static bool scatters(const struct run_tables *run)
{
    double *shares = allocate(run->series.count, sizeof *shares);
    for (size_t i = 0; i < run->series.count; i++) {
        const struct group *g = &run->series.groups[i];
        shares[i] = (group_quantile(g, 0.75) - group_quantile(g, 0.25)) / group_quantile(g, 0.5);
    }
    double share = stats_median(shares, run->series.count);
    free(shares);
    bool much = share > scatter_much;
    if (much)
        printf("  - throttling or noise: the samples scatter by %.0f %% (repeat when idle)\n",
               100 * share);
    return much;
}

/* Prints a file's name quoted for a shell. */
static void put_quoted(const char *name)
{
    putchar('\'');
    for (size_t part; *name != '\0'; name += part) {
        part = strcspn(name, "'");
        put_printable(name, part, stdout);
        if (name[part] == '\'') {
            fputs("'\\''", stdout);
            part++;
        }
    }
    putchar('\'');
}

void report_causes(const struct run_tables *run)
{
    const char *file = run->samples_file;
    puts("  Not detected.\n  Likely causes:");
    bool sizes = lacks_sizes(run), seen = scatters(run) || sizes;
    if (!seen && run->series.count > 0)
        puts("  - no level stands out: the usual causes (buffer too small, stride too large,\n"
             "    throttling or noise) do not show in the samples");
    else if (!seen)
        puts("  - buffer too small, stride too large, throttling or noise: the input has no\n"
             "    samples that would show it");
    if (run->series.count > 0 && file == NULL)
        return; /* a table of the printed lab, without the columns datamash needs */
    fputs("  Look at the raw medians:\n    datamash -C -H -s -g layout,pages median ns <", stdout);
    put_quoted(file != NULL && strcmp(file, "-") != 0 ? file : "SAMPLES");
    putchar('\n');
}
