/* report: describes what was measured, found, not found and why.
 *
 * usage: report [OPTION...] [FILE...]
 * Reads the tables of one run, in any order, from several files, a folder or stdin: samples,
 * boundaries (detect), penalties (walkpenalty), organisation (geometry), latencies (latency), rates
 * (bandwidth) and misses of programs (misses). Writes prose.
 *
 * example: report samples.tsv boundaries.tsv penalties.tsv
 */
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include "tlb/detect/agreement.h"
#include "tlb/detect/datasets.h"
#include "tlb/detect/method.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct flag flags[] = {{0}};

static const struct program program = {
    .name = "report",
    .purpose = "describe what was measured, found, not found and why",
    .operands = "[FILE... | FOLDER]",
    .example = "report samples.tsv boundaries.tsv penalties.tsv",
    .flags = flags,
};

/* ---- the sections of every report ---- */

/* The first title is that of the whitepaper, for its method; NULL: no section for others. */
static const struct section {
    const char *whitepaper, *title;
    enum structure structure;
    int level;
} sections[] = {
    {"Private Cache Knee Detection", NULL, STRUCTURE_CACHE, 0},
    {"L1 TLB Detection", "First-Level Data TLB", STRUCTURE_DTLB, 1},
    {"L2 TLB / Page Walk", "Second-Level Data TLB", STRUCTURE_DTLB, 2},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

/* Whether a boundary is by the whitepaper's method; without any, whether the samples suit it alone.
 */
static bool is_whitepaper(const struct run_tables *run)
{
    const struct method *segment = &methods[METHOD_SEGMENT], *control = &methods[METHOD_CONTROL];
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (strcmp(run->boundaries.at[i].method, segment->name) == 0)
            return true;
    return run->boundaries.count == 0 && segment->suits(&run->series) &&
           !control->suits(&run->series);
}

static bool belongs(const struct boundary *row, const struct section *section)
{
    return boundary_is_plain(row) && row->structure == section->structure &&
           row->level == section->level;
}

/* Whether there are loads from scattered small pages in a layout with enough pages for TLB misses
 * to matter; true without samples. */
static bool has_plain_samples(const struct run_tables *run)
{
    for (size_t i = 0; i < run->series.count; i++) {
        const struct group *group = &run->series.groups[i];
        if (run_tables_point_is_plain(&group->point) && layout_shows_tlb(group->point.layout))
            return true;
    }
    return run->series.count == 0;
}

/* The only method that was run, if it looks for neither TLB levels nor caches; else NULL. */
static const char *other_method(const struct run_tables *run)
{
    const struct boundary *rows = run->boundaries.at;
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (rows[i].structure < STRUCTURE_LINE || rows[i].structure != rows[0].structure)
            return NULL;
    return run->boundaries.count > 0 ? rows[0].method : NULL;
}

static void say_missing(const struct run_tables *run, enum structure structure, int level)
{
    if (run->boundaries.count == 0 && !run_tables_was_run(run, "detect"))
        puts("  Not looked for: no boundaries in the input (detect samples.tsv).");
    else if (run->cut)
        puts("  Not looked for: the samples end before those of the curve.");
    else if (other_method(run) != NULL)
        printf("  Not looked for: the boundaries are those of method %s.\n", other_method(run));
    else if (run->series.count > 0 && run->series.groups[0].point.backing->device)
        puts("  Not looked for: these samples are a card's. Its levels, if any, come below.");
    else if (!has_plain_samples(run))
        puts("  Not looked for: no successive loads from scattered small pages.");
    else if (structure == STRUCTURE_CACHE)
        puts("  Not detected: no step from 512 KiB to 2 MiB.");
    else if (level == 2 && report_first_level(run) == 0)
        puts("  Not detected.\n  It is only looked for beyond a first level.");
    else
        report_causes(run);
}

/* The rows of a section. On Apple's processors the system-level cache hides the step of the second
 * level. */
static void say_section(const struct run_tables *run, const struct section *section)
{
    const char *cpu = table_meta(run->table, -1, "cpu");
    const char *title = is_whitepaper(run) ? section->whitepaper : section->title;
    size_t found = 0;
    if (title == NULL)
        return;
    printf("\n[%s]\n", title);
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (belongs(&run->boundaries.at[i], section)) {
            report_boundary(&run->boundaries.at[i]);
            found++;
        }
    if (found == 0)
        say_missing(run, section->structure, section->level);
    else if (section->level == 2 && cpu != NULL && strstr(cpu, "Apple") != NULL)
        prose_say("Note", "an inferred secondary reach: the system-level cache blurs it");
}

/* ---- further sections ---- */

/* Whether the same level was found on scattered page frames. */
static bool is_compared(const struct run_tables *run, const struct boundary *row)
{
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *other = &run->boundaries.at[i];
        if (boundary_is_plain(other) && other->structure == row->structure &&
            other->level == row->level && strcmp(other->label.file, row->label.file) == 0 &&
            strcmp(other->label.host, row->label.host) == 0)
            return true;
    }
    return false;
}

/* How many pages an entry holds if their page frames are contiguous. */
static void say_coalescing(const struct run_tables *run, const struct boundary *row)
{
    double pages = note_number(&row->note, NOTE_PAGES_PER_ENTRY);
    bool guest = names_hypervisor(table_meta(run->table, -1, "hypervisor"));
    if (!isnan(pages))
        prose_say("Pages per entry", "%.0f, if their frames are contiguous", pages);
    else if (note_has(&row->note, NOTE_COALESCED))
        prose_say("Pages per entry", "several; number unknown");
    else if (is_compared(run, row))
        prose_say("Pages per entry", "1: contiguous frames make no difference%s",
                  guest ? " here (the host may hide it)" : "");
    else
        prose_say("Pages per entry", "unknown: no such level on scattered frames");
}

/* The reach of an entry: a huge page, or less if the page is splintered. */
static void say_huge(const struct run_tables *run, const struct boundary *row)
{
    char size[PROSE_ROOM];
    (void)run;
    prose_say("Reach of an entry", "%s", size_text(row->bytes_max / row->entries_max, 4, size));
}

static bool is_code(const struct boundary *row)
{
    return row->structure == STRUCTURE_ITLB;
}

static bool is_contiguous(const struct boundary *row)
{
    return row->structure == STRUCTURE_DTLB && row->backing->contiguous;
}

static bool is_huge(const struct boundary *row)
{
    return row->structure == STRUCTURE_DTLB && row->backing->huge;
}

static const struct further {
    const char *title;
    bool (*has)(const struct boundary *row);
    /* The line unique to this section; NULL: none. */
    void (*say)(const struct run_tables *run, const struct boundary *row);
} further_sections[] = {
    {"Instruction TLB", is_code, NULL},
    {"Contiguous Pages", is_contiguous, say_coalescing},
    {"Huge Pages", is_huge, say_huge},
};

enum { FURTHER = sizeof further_sections / sizeof *further_sections };

static void say_further(const struct run_tables *run, const struct further *section)
{
    const char *title = section->title;
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *row = &run->boundaries.at[i];
        if (!section->has(row))
            continue;
        if (title != NULL)
            printf("\n[%s]\n", title);
        title = NULL;
        prose_say("Level", row->level > 0 ? "%d" : "not known", row->level);
        if (section->say != NULL)
            section->say(run, row);
        report_boundary(row);
    }
}

/* The rows of a structure under a title, if there are any. */
static void say_structure(const struct run_tables *run, const char *title, enum structure structure,
                          void (*say)(const struct boundary *row))
{
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (run->boundaries.at[i].structure == structure) {
            fputs(title, stdout);
            title = "";
            say(&run->boundaries.at[i]);
        }
}

static void say_others(const struct run_tables *run)
{
    const char *title = "\n[Other Boundaries]\n";
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *row = &run->boundaries.at[i];
        int s = 0, f = 0;
        while (s < SECTIONS && !belongs(row, &sections[s]))
            s++;
        while (f < FURTHER && !further_sections[f].has(row))
            f++;
        if (s < SECTIONS || f < FURTHER || row->structure >= STRUCTURE_LINE)
            continue;
        printf(row->level > 0 ? "%s  %s %d\n" : "%s  %s\n", title, structure_names[row->structure],
               row->level);
        title = "";
        report_boundary(row);
    }
}

static void say_organisation(const struct run_tables *run)
{
    if (run->organisation.count > 0)
        puts("\n[Organisation]");
    for (size_t i = 0; i < run->organisation.count; i++) {
        prose_say_label(&run->organisation.at[i].label);
        report_ways(&run->organisation.at[i]);
    }
}

static void say_line(const char *line)
{
    printf("  %s\n", line);
}

/* In how many runs of detect --by file each level was found consistently. */
static void say_agreement(const struct run_tables *run)
{
    const struct boundary *rows = run->boundaries.at;
    size_t runs = 0;
    bool levels = false; /* a cache's line has no level */
    for (size_t i = 0, k; i < run->boundaries.count; i++) {
        levels = levels || (rows[i].level > 0 && !isnan(rows[i].entries));
        for (k = 0; k < i && strcmp(rows[k].label.file, rows[i].label.file) != 0;)
            k++;
        runs += k == i;
    }
    if (runs > 1 && levels) {
        puts("\n[Agreement of the Runs]");
        agreement_report(rows, run->boundaries.count, runs, say_line);
    }
}

/* Whether the tables have no rows and no program looked for any. */
static bool is_nothing(const struct run_tables *run)
{
    size_t rows = run->boundaries.count + run->penalties.count + run->organisation.count +
                  run->latencies.count + run->rates.count + run->misses.count;
    return run->series.count + rows == 0 && !run->cut && !run_tables_was_run(run, "detect") &&
           !run_tables_was_run(run, "walkpenalty") && !run_tables_was_run(run, "geometry");
}

static void say_all(struct run_tables *run)
{
    report_heading(run);
    for (int s = 0; s < SECTIONS && !run_tables_lacks_tlb(run); s++)
        say_section(run, &sections[s]);
    if (!run_tables_lacks_tlb(run) && !is_whitepaper(run))
        puts("\n[Cost of a Miss]");
    if (!run_tables_lacks_tlb(run))
        report_walk(run);
    report_depths(run);
    for (int f = 0; f < FURTHER; f++)
        say_further(run, &further_sections[f]);
    say_organisation(run);
    say_agreement(run);
    say_structure(run, "\n[Cache Line]\n", STRUCTURE_LINE, report_boundary);
    say_structure(run, "\n[Prefetchers]\n", STRUCTURE_PREFETCH, report_prefetcher);
    say_others(run);
    report_levels(run);
    report_throughput(run);
    report_misses(run);
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct run_tables run = run_tables_read(argv + first, argc - first);
    int status = table_partial(run.table);
    if (is_nothing(&run)) {
        warn("nothing to report: the tables have no rows (was a run interrupted right away?)");
        status = STATUS_PARTIAL;
    } else {
        say_all(&run);
    }
    run_tables_free(&run);
    return finish(status);
}
