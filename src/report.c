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

/* A file's name as a shell reads it. */
static void put_quoted(const char *name)
{
    putchar('\'');
    for (; *name != '\0'; name++)
        fputs(*name == '\'' ? "'\\''" : (const char[]){*name, '\0'}, stdout);
    putchar('\'');
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
        {"overlaps_cache_knee", "near a cache's boundary, which may have moved it"},
        {"may_interfere_with_tlb", "large enough to hide a TLB's boundary or to pass for one"},
        {"gradual", "a gradual rise, so a wide range"},
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
    char note[sizeof row->note];
    const char *label = "Note";
    strcpy(note, row->note);
    for (char *word = strtok(note, ","); word != NULL; word = strtok(NULL, ",")) {
        if (strstr(word, "->") != NULL || *meaning_of(word) == '\0')
            continue;
        say(label, "%s", meaning_of(word));
        label = "";
    }
}

/* ---- header ---- */

static void say_meta(const struct gather *run)
{
    static const char *const lines[][2] = {
        {"cpu", "CPU"},
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
        const char *value = table_meta(run->table, -1, lines[i][0]);
        char text[32];
        uint64_t bytes;
        if (value == NULL || strcmp(value, "-") == 0)
            continue;
        if (strstr(lines[i][0], "_bytes") != NULL && parse_size(value, &bytes))
            value = size_text((double)bytes, text);
        say(lines[i][1], "%s", value);
    }
}

static void say_samples(const struct gather *run)
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

/* The size in bytes of the point with the most (sign 1) or the fewest (-1) pages under its nodes,
 * but for the control and the comparison; 0 without samples. */
static double outermost(const struct gather *run, double sign, double *pages)
{
    double found = 0;
    for (size_t i = 0; i < run->series.count; i++) {
        const struct point *p = &run->series.groups[i].point;
        double here = (double)p->pages * fmin(1, (double)p->spacing / (double)p->page_bytes);
        if (p->role == ROLE_COMPARISON || strcmp(p->layout->name, "packed") == 0 ||
            (found > 0 && sign * here <= sign * *pages))
            continue;
        found = (double)p->pages * (double)p->spacing;
        *pages = here;
    }
    return found;
}

/* Entries of the first TLB level, or 0. */
static double first_level(const struct gather *run)
{
    const struct gather_row *row = run->boundaries.at;
    for (size_t i = 0; i < run->boundaries.count; i++, row++)
        if (strcmp(row->structure, "dtlb") == 0 && strcmp(row->level, "1") == 0)
            return row->entries;
    return 0;
}

static bool misses_sizes(const struct gather *run)
{
    double first = first_level(run), most, least;
    double last = outermost(run, 1, &most), start = outermost(run, -1, &least);
    bool early = last > 0 && (most < pages_enough || most < 2 * first);
    bool late = start > 0 && least > pages_first && !(first > 0);
    char text[32];
    if (early)
        printf("  - buffer too small: the sweep ends at %s, %.0f pages (larger %s)\n",
               size_text(last, text), most, "--buffer, --pages");
    if (late)
        printf("  - stride too large: the sweep starts at %s, %.0f pages (smaller %s)\n",
               size_text(start, text), least, "--stride, --pages");
    return early || late;
}

static bool scatters(const struct gather *run)
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

static void say_causes(const struct gather *run)
{
    const char *file = run->samples_file;
    puts("  Not detected.\n  Likely causes:");
    bool sizes = misses_sizes(run), seen = scatters(run) || sizes;
    if (!seen && run->series.count > 0)
        puts("  - no level stands out: the usual causes (buffer too small, stride too large,\n"
             "    throttling or noise) do not show in the samples");
    else if (!seen)
        puts("  - buffer too small, stride too large, throttling or noise: the samples, which are\n"
             "    not among the input, would tell");
    if (run->series.count > 0 && file == NULL)
        return; /* the printed lab's tables: their rows are short enough to look at */
    fputs("  Look at the raw medians:\n    datamash -C -H -s -g layout,pages median ns <", stdout);
    put_quoted(file != NULL && strcmp(file, "-") != 0 ? file : "SAMPLES");
    putchar('\n');
}

static void say_missing(const struct gather *run, const char *structure, const char *level)
{
    if (run->boundaries.count == 0 && !gather_was_run(run, "detect"))
        puts("  Not looked for: no boundaries among the input (detect samples.tsv).");
    else if (strcmp(structure, "cache") == 0)
        puts("  Not detected.\n  Only method segment looks for it, from 512 KiB to 2 MiB.");
    else if (strcmp(level, "2") == 0 && first_level(run) == 0)
        puts("  Not detected.\n  It is looked for behind the first level only.");
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
    return strcmp(row->structure, section->structure) == 0 &&
           strcmp(row->level, section->level) == 0;
}

/* The file or host that a row is about, where --by told them apart. */
static void say_of(const struct gather_row *row)
{
    if (*row->file != '\0' || *row->host != '\0')
        say("Of", "%s", *row->file != '\0' ? row->file : row->host);
}

/* The bytes of method segment are windows, before and at the step; others bound the capacity. */
static void say_size(const struct gather_row *row)
{
    char low[32], size[32], high[32];
    bool windows = strcmp(row->method, "segment") == 0;
    double share = windows ? 1 : row->entries / row->entries_max;
    size_text(row->bytes_min, low);
    size_text(row->bytes_max * (isfinite(share) ? share : 1), size);
    if (!(row->bytes_min < row->bytes_max))
        say(windows ? "Boundary" : "Capacity", "%s", size);
    else if (windows)
        say("Boundary", "%s (%s fits)", size, low);
    else
        say("Capacity", "%s (%s to %s)", size, low, size_text(row->bytes_max, high));
}

static void say_boundary(const struct gather_row *row)
{
    char range[64];
    say_of(row);
    if (!isnan(row->bytes_max))
        say_size(row);
    if (!isnan(row->entries))
        say(strcmp(row->structure, "cache") == 0 ? "Inferred lines" : "Inferred entries",
            "%.0f (%s)", row->entries, range_text(row->entries_min, row->entries_max, range));
    if (!isnan(row->claim))
        say("Claimed", "%.0f (error %.3g %%)", row->claim, row->error_percent);
    say("Confidence", "%s: step %.4g ns (%.0f %%) over %.4g ns", row->confidence, row->step_ns,
        row->step_percent, row->plateau_ns);
    say("Method", "%s", meaning_of(row->method));
    say_notes(row);
}

static void say_penalty(const struct gather_row *row)
{
    char label[32] = "Page-walk penalty", ends[GATHER_TEXT_ROOM];
    strcpy(ends, row->note); /* the first word tells them, or why there are none */
    ends[strcspn(ends, ",")] = '\0';
    if (strcmp(row->level, "walk") != 0)
        snprintf(label, sizeof label, "Level-%.8s miss", row->level);
    say_of(row);
    if (isnan(row->penalty_ns)) {
        say(label, "N/A (%s): %s", row->method, meaning_of(ends));
        return;
    }
    for (char *c = ends; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    say(label, "%.4g ns (%s, %s), quartiles %.4g to %.4g", row->penalty_ns, row->method, ends,
        row->low_ns, row->high_ns);
    if (strcmp(row->method, "raw") == 0)
        say("", "raw: the caches' part is in it too");
    say_notes(row);
}

static void say_walk(const struct gather *run)
{
    for (size_t i = 0; i < run->penalties.count; i++)
        say_penalty(&run->penalties.at[i]);
    if (run->penalties.count == 0)
        say("Page-walk penalty", "N/A: no penalties among the input (walkpenalty samples.tsv)");
}

/* What was found of a section; Apple's processors have a system-level cache behind which no second
 * level stands out by itself. */
static void say_section(const struct gather *run, const struct section *section)
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

static void say_others(const struct gather *run)
{
    const char *title = "\n[Other Boundaries]\n";
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct gather_row *row = &run->boundaries.at[i];
        int s = 0;
        while (s < SECTIONS && !belongs(row, &sections[s]))
            s++;
        if (s < SECTIONS)
            continue;
        printf("%s  %s %s\n", title, row->structure, row->level);
        title = "";
        say_boundary(row);
    }
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    struct gather run = gather_read(argv + first, argc - first);
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
