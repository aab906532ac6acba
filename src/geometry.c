/* geometry: tells how each level of the TLB, and the first cache, is organised, from samples.
 *
 * usage: geometry [OPTION...] [FILE...]
 * Reads the samples of `sweep --preset geometry`, writes a row for each dTLB level: entries, ways,
 * sets, the bits of the page number that select the set, replacement and the relation to the level
 * before. From those of `sweep --preset line` a row for the first cache. The header alone and exit
 * status 1 when it cannot tell.
 *
 * example: sweep --preset geometry | geometry
 */
#include "base/args.h"
#include "base/error.h"
#include "detect/control.h"
#include "detect/groups.h"
#include "geometry/cache_sets.h"
#include "geometry/organisation.h"
#include "geometry/stride_profile.h"
#include "table/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *by_name;
static bool claims;

static const struct flag flags[] = {
    {"by", FLAG_TEXT, &by_name, "WHAT", "file or host: answer for each, and add that column",
     false},
    {"claims", FLAG_YES, &claims, NULL, "add what the machine claims of entries and ways", false},
    {0},
};

static const struct program program = {
    .name = "geometry",
    .purpose = "tell how each level of the TLB, and the first cache, is organised",
    .operands = "[FILE...]",
    .example = "sweep --preset geometry | geometry",
    .flags = flags,
    .writes_table = true,
};

/* The claim on a level as the samples' metadata hold it: a number, or a word such as "8 to 15". */
static const char *claim_of(const struct table *table, const struct sample_group *group,
                            const struct organisation *row, const char *what)
{
    char key[64];
    snprintf(key, sizeof key, "claim_%s%d_%s", row->structure, row->level, what);
    return group_meta(table, group, key);
}

/* A cache's size is claimed in bytes. */
static void put_claimed_entries(const struct table *table, const struct sample_group *group,
                                const struct organisation *row)
{
    uint64_t line = group_size(table, group, "line_bytes", 0);
    uint64_t bytes = group_size(table, group, "l1d_bytes", 0);
    if (strcmp(row->structure, "cache") != 0)
        put_text(claim_of(table, group, row, "entries"), '\t');
    else
        put_number(line > 0 && bytes > 0 ? (double)bytes / (double)line : (double)NAN, '\t');
}

static void write_row(const struct table *table, const struct sample_group *group,
                      const struct organisation *row)
{
    organisation_write(row, claims ? '\t' : group_after(group));
    if (claims) {
        put_claimed_entries(table, group, row);
        put_text(claim_of(table, group, row, "ways"), group_after(group));
    }
    group_put_label(group);
}

static struct stride_profile read_profile(struct sample_group *group)
{
    struct stride_profile profile = {.levels = 0};
    const struct point *pages[CONTROLS_MOST];
    series_sort(&group->series);
    if (control_curves(&group->series, pages) == 0)
        return profile;
    profile = stride_profile_open(&group->series, pages[0]);
    for (int k = 1; k <= STRIDE_PROFILE_STRIDES && profile.levels > 0; k++)
        if (!stride_profile_add(&profile, k))
            break;
    return profile;
}

/* The first cache, where there are chains for it. */
static bool tell_cache(const struct table *table, const struct sample_group *group)
{
    struct organisation row;
    char text[256];
    const char *why = cache_sets_tell(&group->series, &row);
    if (why == NULL)
        write_row(table, group, &row);
    else {
        snprintf(text, sizeof text, "cannot tell the sets of the first cache: %s", why);
        group_warn(group, text);
    }
    return why == NULL;
}

/* Whether any level's organisation is known: its size alone, without pages far apart, `detect`
 * tells too. */
static bool tell(const struct table *table, struct sample_group *group)
{
    bool known = false;
    struct organisation rows[STRIDE_PROFILE_LEVELS];
    struct stride_profile profile = read_profile(group);
    size_t count = profile.strides > 0 ? organisation_of(&profile, rows) : 0;
    for (size_t i = 0; i < count; i++) {
        write_row(table, group, &rows[i]);
        known = known || strcmp(rows[i].index, "unknown") != 0;
    }
    if (cache_sets_point(&group->series) != NULL)
        return tell_cache(table, group) || known;
    if (count == 0)
        group_warn(group, profile.levels == 0
                              ? "cannot tell: no level of the TLB in the samples (larger --pages)"
                              : "cannot tell: no pages far apart in the samples (sweep --preset "
                                "geometry measures them)");
    return known;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status = STATUS_DONE;
    struct table *table = table_open(argv + first, argc - first);
    struct sample_groups groups = groups_read(table, by_name);
    groups_begin(table, organisation_columns, claims ? "\tclaim_entries\tclaim_ways" : "", by_name);
    for (size_t i = 0; i < groups.count; i++)
        if (!tell(table, &groups.at[i]))
            status = STATUS_PARTIAL;
    if (table_partial(table))
        status = STATUS_PARTIAL;
    groups_free(&groups);
    table_close(table);
    return finish(status);
}
