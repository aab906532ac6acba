/* walkpenalty: tells what a translation miss costs from samples.
 *
 * usage: walkpenalty [OPTION...] [FILE...]
 * Reads samples of one or more files, writes the whitepaper's raw figure and the controlled ones,
 * one for each TLB level that can be missed; exit status 1 when none of them is available.
 *
 * example: sweep | walkpenalty
 */
#include "base/args.h"
#include "base/error.h"
#include "cost/penalty.h"
#include "cost/walks.h"
#include "detect/groups.h"
#include "table/table.h"
#include <math.h>
#include <string.h>

static const char *by_name;

static const struct flag flags[] = {
    {"by", FLAG_TEXT, &by_name, "WHAT", "file or host: answer for each, and add that column",
     false},
    {0},
};

static const struct program program = {
    .name = "walkpenalty",
    .purpose = "tell what a translation miss costs from samples",
    .operands = "[FILE...]",
    .example = "sweep | walkpenalty",
    .flags = flags,
    .writes_table = true,
};

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

/* Writes the rows of one group; returns whether any figure was available. */
static bool write_part(const struct table *table, struct sample_group *group)
{
    struct penalty penalties[PENALTIES_MOST + WALKS_MOST];
    penalties[0] = penalty_raw(&group->series);
    size_t count = 1 + penalty_control(&group->series, penalties + 1), available = 0;
    count += walks_find(&group->series, penalties + count);
    bool nested = group_is_guest(table, group);
    for (size_t i = 0; i < count; i++) {
        bool measured = isfinite(penalties[i].ns);
        if (measured && nested && penalties[i].level == 0) /* only a walk goes through tables */
            penalty_note(&penalties[i], "nested");
        available += measured ? 1 : 0;
        penalty_write(&penalties[i], group_after(group));
        group_put_label(group);
    }
    for (size_t i = 0; available == 0 && i < count; i++)
        explain(&penalties[i]);
    return available > 0;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status = STATUS_DONE;
    struct table *table = table_open(argv + first, argc - first);
    struct sample_groups groups = groups_read(table, by_name);
    groups_begin(table, penalty_columns, "", by_name);
    for (size_t i = 0; i < groups.count; i++)
        if (!write_part(table, &groups.at[i]))
            status = STATUS_PARTIAL;
    if (table_partial(table))
        status = STATUS_PARTIAL;
    groups_free(&groups);
    table_close(table);
    return finish(status);
}
