/* walkpenalty: tells what a translation miss costs from samples.
 *
 * usage: walkpenalty [OPTION...] [FILE...]
 * Reads samples of one or more files, writes the whitepaper's raw figure and the controlled ones,
 * one for each TLB level that can be missed; exit status 1 when none of them is available.
 *
 * example: sweep | walkpenalty
 */
#include "args.h"
#include "error.h"
#include "penalty.h"
#include "point.h"
#include "series.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct flag flags[] = {{0}};

static const struct program program = {
    .name = "walkpenalty",
    .purpose = "tell what a translation miss costs from samples",
    .operands = "[FILE...]",
    .example = "sweep | walkpenalty",
    .flags = flags,
    .writes_table = true,
};

static void read_samples(struct table *table, struct series *series)
{
    struct sample sample;
    struct point_reader *reader = point_reader_open(table, true);
    while (point_reader_next(reader, &sample))
        series_add(series, &sample);
    point_reader_close(reader);
}

/* Whether the samples come from a virtual machine, whose walks go through two sets of tables. */
static bool is_nested(const struct table *table)
{
    const char *hypervisor = table_meta(table, -1, "hypervisor");
    return hypervisor != NULL && strcmp(hypervisor, "none") != 0 && strcmp(hypervisor, "-") != 0 &&
           strcmp(hypervisor, "unknown") != 0 && *hypervisor != '\0';
}

static void explain(const struct penalty *penalty)
{
    static const char *const words[][2] = {
        {"no_comparison_point", "raw: no comparison point of 512 MiB (sweep --density takes one "
                                "when its buffer is 512M or larger)"},
        {"buffer_below_512M", "raw: the buffer has no room for the comparison point of 512 MiB "
                              "(sweep --density high --buffer 512M)"},
        {"no_first_point", "raw: a comparison point, but none of the sweep that it belongs to"},
        {"no_control", "control: no samples of layout packed beside page (sweep takes both)"},
        {"no_tlb_level", "control: no TLB level in the samples, so nothing that missed it (larger "
                         "--pages)"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!args_quiet && strcmp(penalty->note, words[i][0]) == 0)
            warn("%s", words[i][1]);
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct penalty penalties[PENALTIES_MOST];
    struct series series;
    struct table *table = table_open(argv + first, argc - first);
    series_init(&series);
    read_samples(table, &series);
    table_begin(table);
    table_put_header(penalty_columns);
    penalties[0] = penalty_raw(&series);
    size_t count = 1 + penalty_control(&series, penalties + 1), available = 0;
    bool nested = is_nested(table);
    for (size_t i = 0; i < count; i++) {
        bool measured = isfinite(penalties[i].ns);
        if (measured && nested && penalties[i].level == 0) /* only a walk goes through tables */
            penalty_note(&penalties[i], "nested");
        available += measured ? 1 : 0;
        penalty_write(&penalties[i]);
    }
    for (size_t i = 0; available == 0 && i < count; i++)
        explain(&penalties[i]);
    int status = available > 0 ? table_partial(table) : STATUS_PARTIAL;
    series_free(&series);
    table_close(table);
    return finish(status);
}
