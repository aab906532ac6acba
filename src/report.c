/* report: tells people what was measured, found, not found and why.
 *
 * usage: report [OPTION...] [FILE...]
 * Reads the tables of one run in any order, in several files or joined on stdin: samples,
 * boundaries (detect) and penalties (walkpenalty), told apart by their columns. Writes prose.
 *
 * example: report samples.tsv boundaries.tsv penalties.tsv
 */
#include "args.h"
#include "error.h"
#include "gather.h"
#include "layout.h"
#include "stats.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct flag flags[] = {{0}};

static const struct program program = {
    .name = "report",
    .purpose = "tell people what was measured, found, not found and why",
    .operands = "[FILE...]",
    .example = "report samples.tsv boundaries.tsv penalties.tsv",
    .flags = flags,
};

/* ---- words ---- */

__attribute__((format(printf, 2, 3))) static void say(const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %-17s ", label);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

/* A size with a binary unit; `text` has room for 32. */
static const char *size_text(double bytes, char *text)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 3; unit++)
        bytes /= 1024;
    snprintf(text, 32, "%.4g %s", bytes, units[unit]);
    return text;
}

/* "16 to 32", or "16" where both are the same; `text` has room for 64. */
static const char *range_text(double low, double high, char *text)
{
    if (low < high)
        snprintf(text, 64, "%.0f to %.0f", low, high);
    else
        snprintf(text, 64, "%.0f", low);
    return text;
}

/* What the names of methods and the words of a note mean. */
static const char *meaning_of(const char *word)
{
    static const char *const meanings[][2] = {
        {"segment", "segment: steps over a baseline; a cache may pass for a TLB"},
        {"control", "control: TLBs by page minus packed, caches by packed alone"},
        {"private_knee", ""},
        {"no_control", "no packed samples to compare with"},
        {"overlaps_private_cache_knee", "at the private-cache knee: it may be the cache"},
        {"may_interfere_with_tlb", "large enough to hide a TLB's boundary or to pass for one"},
        {"gradual", "a gradual rise, so a wide range"},
        {"coalesced", "one entry holds several pages"},
        {"at_end_of_sweep", "the sweep ends before the rise does"},
        {"nested", "under a hypervisor: through the guest's tables and the host's"},
        {"negative", "negative: noise (heat, a changing clock) was larger than the penalty"},
        {"control_misses_too", "too small: packed missed the first level as well"},
        {"no_comparison_point", "no comparison point of 512 MiB was measured"},
        {"buffer_below_512M", "the buffer is smaller than 512 MiB"},
        {"no_first_point", "the sweep of the comparison point is missing"},
        {"no_tlb_level", "no TLB level was found"},
    };
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(meanings[i][0], word) == 0)
            return meanings[i][1];
    return word;
}

/* Says every word of a note but endpoints. */
static void say_notes(const struct gather_row *row)
{
    char note[sizeof row->text[NOTE]];
    const char *label = "Note";
    strcpy(note, row->text[NOTE]);
    for (char *word = strtok(note, ","); word != NULL; word = strtok(NULL, ",")) {
        if (strstr(word, "->") != NULL || *meaning_of(word) == '\0')
            continue;
        say(label, "%s", meaning_of(word));
        label = "";
    }
}

/* ---- header ---- */

static void say_meta(const struct run_tables *run)
{
    static const struct {
        const char *key, *label;
        bool bytes;
    } lines[] = {
        {"cpu", "CPU", false},
        {"hypervisor", "Hypervisor", false},
        {"page_bytes", "Page size", true},
        {"buffer_bytes", "Buffer", true},
        {"chain", "Chain mode", false},
        {"locked", "Memory locked", false},
        {"backing", "Backing", false},
        {"pinned_cpu", "Pinned to core", false},
        {"sibling_busy", "Sibling busy", false},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *value = table_meta(run->table, -1, lines[i].key);
        char text[32];
        uint64_t bytes;
        if (value == NULL || strcmp(value, "-") == 0)
            continue;
        if (lines[i].bytes && parse_size(value, &bytes))
            value = size_text((double)bytes, text);
        say(lines[i].label, "%s", value);
    }
}

static void say_samples(const struct run_tables *run)
{
    size_t refined = 0, least = SIZE_MAX, most = 0;
    char text[64], loads[64] = "an unknown number of loads";
    const struct point *before = NULL;
    for (size_t i = 0; i < run->series.count; i++) {
        const struct group *group = &run->series.groups[i];
        const struct point *p = &group->point;
        if (before == NULL || p->layout != before->layout || p->spacing != before->spacing)
            say(before == NULL ? "Stride" : "", "%s (%s)", size_text((double)p->spacing, text),
                p->layout->name);
        before = p;
        refined += p->role == ROLE_REFINE;
        least = group->count < least ? group->count : least;
        most = group->count > most ? group->count : most;
    }
    if (run->series.count == 0) {
        say("Samples", "none among the input");
        return;
    }
    if (run->loads_least <= run->loads_most)
        range_text(run->loads_least, run->loads_most, loads);
    say("Loops x accesses", "%s x %s", range_text((double)least, (double)most, text), loads);
    say("Fine sweep", "%zu points added, %zu in total", refined, run->series.count);
}

/* ---- why something was not detected ---- */

/* More pages than any TLB holds today; and where the whitepaper's sweep starts with 4 KiB pages. */
static const double pages_enough = 8192, pages_first = 4;

/* Where the samples' interquartile range, as a part of their median, can hide a step of a tenth. */
static const double scatter_much = 0.05;

/* The point with the most (sign 1) or the fewest (-1) pages under its nodes, but for the control
 * and the comparison; NULL without samples. */
static const struct point *outermost(const struct run_tables *run, double sign, double *pages)
{
    const struct point *found = NULL;
    for (size_t i = 0; i < run->series.count; i++) {
        const struct point *p = &run->series.groups[i].point;
        double here = (double)p->pages * fmin(1, (double)p->spacing / (double)p->page_bytes);
        if (p->role == ROLE_COMPARISON || strcmp(p->layout->name, "packed") == 0 ||
            (found != NULL && sign * here <= sign * *pages))
            continue;
        found = p;
        *pages = here;
    }
    return found;
}

/* Entries of the first TLB level, or 0. */
static double first_level(const struct run_tables *run)
{
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct gather_row *row = &run->boundaries.at[i];
        if (strcmp(row->text[STRUCTURE], "dtlb") == 0 && strcmp(row->text[LEVEL], "1") == 0)
            return row->number[ENTRIES];
    }
    return 0;
}

static bool ends_early(const struct run_tables *run)
{
    double pages;
    char text[32];
    const struct point *p = outermost(run, 1, &pages);
    if (p == NULL || (pages >= pages_enough && pages >= 2 * first_level(run)))
        return false;
    printf("  - buffer too small: the sweep ends at %s, %.0f pages (larger --buffer, --pages)\n",
           size_text((double)p->pages * (double)p->spacing, text), pages);
    return true;
}

static bool starts_late(const struct run_tables *run)
{
    double pages;
    char text[32];
    const struct point *p = outermost(run, -1, &pages);
    if (p == NULL || pages <= pages_first || first_level(run) > 0)
        return false;
    printf("  - stride too large: the sweep starts at %s, %.0f pages (smaller --stride, --pages)\n",
           size_text((double)p->pages * (double)p->spacing, text), pages);
    return true;
}

static bool scatters(const struct run_tables *run)
{
    double *shares = allocate(run->series.count, sizeof *shares);
    for (size_t i = 0; i < run->series.count; i++) {
        const struct group *g = &run->series.groups[i];
        shares[i] = (group_quantile(g, 0.75) - group_quantile(g, 0.25)) / group_quantile(g, 0.5);
    }
    double share = stats_median(shares, run->series.count);
    free(shares);
    if (!(share > scatter_much))
        return false;
    printf("  - throttling or noise: the samples scatter by %.0f %% (repeat on an idle machine)\n",
           100 * share);
    return true;
}

static void say_causes(const struct run_tables *run)
{
    static bool (*const causes[])(const struct run_tables *) = {ends_early, starts_late, scatters};
    const char *file = run->samples_file;
    bool seen = false;
    puts("  Likely causes:");
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        seen = causes[i](run) || seen;
    if (!seen && run->series.count > 0)
        puts("  - no level stands out: the usual causes (buffer too small, stride too large,\n"
             "    throttling or noise) do not show in the samples");
    else if (!seen)
        puts("  - buffer too small, stride too large, throttling or noise: the samples, which are\n"
             "    not among the input, would tell");
    printf("  Look at the raw medians:\n"
           "    datamash -C -H -s -g layout,pages median ns <%s\n",
           file != NULL && strcmp(file, "-") != 0 ? file : "SAMPLES");
}

static void say_missing(const struct run_tables *run, const char *structure, const char *level)
{
    if (run->boundaries.count == 0 && !gather_was_run(run, "detect")) {
        puts("  Not looked for: no boundaries among the input (detect samples.tsv).");
        return;
    }
    puts("  Not detected.");
    if (strcmp(structure, "cache") == 0)
        puts("  Only method segment looks for it, from 512 KiB to 2 MiB.");
    else if (strcmp(level, "2") == 0 && first_level(run) == 0)
        puts("  It is looked for behind the first level only.");
    else
        say_causes(run);
}

/* ---- sections ---- */

static const struct section {
    const char *title, *structure, *level;
} sections[] = {
    {"Private Cache Knee Detection", "cache", ""},
    {"L1 TLB Detection", "dtlb", "1"},
    {"L2 TLB / Page Walk", "dtlb", "2"},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

static bool belongs(const struct gather_row *row, const struct section *section)
{
    return strcmp(row->text[STRUCTURE], section->structure) == 0 &&
           strcmp(row->text[LEVEL], section->level) == 0;
}

static void say_boundary(const struct gather_row *row)
{
    const double *n = row->number;
    char low[32], high[32], range[64];
    const char *of = *row->text[OF_FILE] != '\0' ? row->text[OF_FILE] : row->text[OF_HOST];
    if (*of != '\0')
        say("Of", "%s", of);
    if (n[BYTES_MIN] < n[BYTES_MAX])
        say("Boundary", "%s (%s fits)", size_text(n[BYTES_MAX], high),
            size_text(n[BYTES_MIN], low));
    else if (!isnan(n[BYTES_MAX]))
        say("Boundary", "%s", size_text(n[BYTES_MAX], high));
    if (!isnan(n[ENTRIES]))
        say(strcmp(row->text[STRUCTURE], "cache") == 0 ? "Inferred lines" : "Inferred entries",
            "%.0f (%s)", n[ENTRIES], range_text(n[ENTRIES_MIN], n[ENTRIES_MAX], range));
    if (!isnan(n[CLAIM]))
        say("Claimed", "%.0f (error %.3g %%)", n[CLAIM], n[ERROR_PERCENT]);
    say("Confidence", "%s: step %.4g ns (%.0f %%) over %.4g ns", row->text[CONFIDENCE], n[STEP_NS],
        n[STEP_PERCENT], n[PLATEAU_NS]);
    say("Method", "%s", meaning_of(row->text[METHOD]));
    say_notes(row);
}

static void say_penalty(const struct gather_row *row)
{
    const double *n = row->number;
    char label[32] = "Page-walk penalty", ends[GATHER_TEXT_ROOM];
    strcpy(ends, row->text[NOTE]); /* the first word tells them, or why there are none */
    ends[strcspn(ends, ",")] = '\0';
    if (strcmp(row->text[LEVEL], "walk") != 0)
        snprintf(label, sizeof label, "Level-%.8s miss", row->text[LEVEL]);
    if (isnan(n[PENALTY_NS])) {
        say(label, "N/A (%s): %s", row->text[METHOD], meaning_of(ends));
        return;
    }
    for (char *c = ends; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    say(label, "%.4g ns (%s, %s), quartiles %.4g to %.4g", n[PENALTY_NS], row->text[METHOD], ends,
        n[LOW_NS], n[HIGH_NS]);
    if (strcmp(row->text[METHOD], "raw") == 0)
        say("", "raw: the caches' part is in it too");
    say_notes(row);
}

static void say_walk(const struct run_tables *run)
{
    for (size_t i = 0; i < run->penalties.count; i++)
        say_penalty(&run->penalties.at[i]);
    if (run->penalties.count == 0)
        say("Page-walk penalty", "N/A: no penalties among the input (walkpenalty samples.tsv)");
}

/* What was found of a section; Apple's processors have a system-level cache behind which no second
 * level stands out by itself. */
static void say_section(const struct run_tables *run, const struct section *section)
{
    const char *cpu = table_meta(run->table, -1, "cpu");
    size_t found = 0;
    printf("\n[%s]\n", section->title);
    for (size_t i = 0; i < run->boundaries.count; i++)
        if (belongs(&run->boundaries.at[i], section)) {
            say_boundary(&run->boundaries.at[i]);
            found++;
        }
    if (found == 0)
        say_missing(run, section->structure, section->level);
    else if (strcmp(section->level, "2") == 0 && cpu != NULL && strstr(cpu, "Apple") != NULL)
        say("Note", "an inferred secondary reach: the system-level cache blurs it");
}

static void say_others(const struct run_tables *run)
{
    bool first = true;
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct gather_row *row = &run->boundaries.at[i];
        bool shown = false;
        for (int s = 0; s < SECTIONS; s++)
            shown = shown || belongs(row, &sections[s]);
        if (shown)
            continue;
        if (first)
            puts("\n[Other Boundaries]");
        first = false;
        printf("  %s %s\n", row->text[STRUCTURE], row->text[LEVEL]);
        say_boundary(row);
    }
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct run_tables run = gather_read(argv + first, argc - first);
    if (run.series.count + run.boundaries.count + run.penalties.count == 0 &&
        !gather_was_run(&run, "detect") && !gather_was_run(&run, "walkpenalty"))
        die("nothing to report: the tables have no rows (was a run interrupted at once?)");
    puts("TLB report\n");
    say_meta(&run);
    say_samples(&run);
    for (int s = 0; s < SECTIONS; s++)
        say_section(&run, &sections[s]);
    say_walk(&run);
    say_others(&run);
    int status = table_partial(run.table);
    gather_free(&run);
    return finish(status);
}
