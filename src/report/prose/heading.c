/* heading.c: the heading of the report. */
#include "access/layout.h"
#include "base/number.h"
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The columns `backed` of all backings in one line; NULL: no such column. */
static const char *backings_obtained(const struct run_tables *run)
{
    static char list[512];
    size_t used = 0;
    for (size_t i = 0; i < BACKINGS; i++)
        if (run->backed[i] != NULL && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s: %s",
                                     used > 0 ? ", " : "", backings[i].name, run->backed[i]);
    return used > 0 ? list : NULL;
}

/* A metadata value. Backing and locking are columns of samples, and metadata in older tables. */
static const char *value_of(const struct run_tables *run, const char *key)
{
    const char *value = strcmp(key, "backing") == 0  ? backings_obtained(run)
                        : strcmp(key, "locked") == 0 ? run->locked
                                                     : NULL;
    return value != NULL ? value : table_meta(run->table, -1, key);
}

static void say_meta(const struct run_tables *run)
{
    static const char *const lines[][2] = {
        {"cpu", "CPU"},
        {"machine", "TLBs of"},
        {"hypervisor", "Hypervisor"},
        {"page_bytes", "Page size"},
        {"buffer_bytes", "Buffer"},
        {"chain", "Chain mode"},
        {"locked", "Memory locked"},
        {"backing", "Backing"},
        {"pinned_cpu", "Pinned to core"},
        {"sibling_busy", "Sibling busy"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *value = value_of(run, lines[i][0]);
        char text[PROSE_ROOM];
        uint64_t bytes;
        if (value == NULL || strcmp(value, "-") == 0)
            continue;
        if (strstr(lines[i][0], "_bytes") != NULL && parse_size(value, &bytes))
            value = size_text((double)bytes, 4, text);
        prose_say(lines[i][1], "%s", value);
    }
}

static void say_samples(const struct run_tables *run)
{
    size_t refined = 0, least = SIZE_MAX, most = 0;
    char text[PROSE_ROOM], loads[PROSE_ROOM];
    const struct point *before = NULL;
    for (size_t i = 0; i < run->series.count; i++) {
        const struct group *group = &run->series.groups[i];
        const struct point *p = &group->point;
        bool far = before != NULL && p->layout == before->layout && p->spacing > p->page_bytes;
        if (before == NULL || p->layout != before->layout ||
            (p->spacing != before->spacing && !far))
            prose_say(before == NULL ? "Stride" : "", "%s (%s)",
                      size_text((double)p->spacing, 4, text), p->layout->name);
        before = p;
        refined += p->role == ROLE_REFINE;
        least = group->count < least ? group->count : least;
        most = group->count > most ? group->count : most;
    }
    if (run->series.count == 0) {
        prose_say("Samples", run->cut ? "of moments, none of a curve" : "none in the input");
        return;
    }
    if (run->loads_min <= run->loads_max)
        prose_say("Loops x accesses", "%s x %s", prose_range((double)least, (double)most, text),
                  prose_range(run->loads_min, run->loads_max, loads));
    prose_say("Fine sweep", "%zu points added, %zu in total", refined, run->series.count);
    if (!isnan(run->faults_bytes))
        prose_say("Page faults", "from %s on: likely swap, not memory",
                  size_text(run->faults_bytes, 4, text));
    if (run->moved > 0)
        prose_say("Moved",
                  "to another core during %zu samples: what it had in caches and TLBs\n%20s"
                  "was lost",
                  run->moved, "");
}

void report_heading(const struct run_tables *run)
{
    bool tlb = !run_tables_lacks_tlb(run);
    puts(tlb                    ? "TLB report\n"
         : run->rates.count > 0 ? "Bandwidth report\n"
                                : "Report on TLB misses\n");
    if (tlb && report_summary(run))
        putchar('\n');
    say_meta(run);
    if (tlb)
        say_samples(run);
}
