/* detect: finds the capacities of TLB levels and caches in samples.
 *
 * usage: detect [OPTION...] [FILE...]
 * Reads samples of one or more files and writes a row for every boundary; if there is none, it
 * writes the header alone and exits with status 1.
 *
 * example: sweep | detect --claims
 */
#include "access/kernel.h"
#include "access/layout.h"
#include "access/point.h"
#include "access/series.h"
#include "base/args.h"
#include "base/choice.h"
#include "base/error.h"
#include "table/row.h"
#include "table/table.h"
#include "tlb/curve/curve.h"
#include "tlb/detect/agreement.h"
#include "tlb/detect/boundary.h"
#include "tlb/detect/cache_line.h"
#include "tlb/detect/datasets.h"
#include "tlb/detect/explain.h"
#include "tlb/detect/method.h"
#include "tlb/detect/prefetch.h"
#include "tlb/detect/segment.h"
#include "tlb/detect/sentence.h"
#include "tlb/detect/tlb_levels.h"
#include <stdlib.h>
#include <string.h>

static struct choice by = CHOICE_OF(dataset_groups);
static const char *by_name;
static struct choice chosen = CHOICE_OF(methods);
static bool claims, explains;

static const struct flag flags[] = {
    {"method", FLAG_WORD, &chosen, "NAME",
     "how boundaries are found (what the samples allow): --help methods"},
    {"by", FLAG_WORD, &by, "file|host", "answer for each file or host, and add that column"},
    {"claims", FLAG_YES, &claims, NULL, "add the machine's claims, and the error"},
    {"explain", FLAG_YES, &explains, NULL,
     "instead of boundaries, the laps that decide: their misses, and how many were clean",
     .excludes = "by claims method"},
    {0},
};

static const struct topic topics[] = {
    {"methods", "Methods", CHOICE_OF(methods), NULL, "how boundaries are found"},
    {0},
};

static const struct program program = {
    .name = "detect",
    .purpose = "find TLB and cache boundaries in samples",
    .operands = "[FILE...]",
    .example = "sweep | detect --claims",
    .flags = flags,
    .writes_table = true,
    .topics = topics,
};

/* ---- messages on standard error ---- */

static void warn_of_findings(const struct table *table, const struct dataset *data,
                             const struct tlb_findings *findings)
{
    unsigned long long splinter = findings->splinter_bytes;
    if (args_quiet)
        return;
    if (splinter > 0)
        dataset_warn(
            data,
            "huge pages are splintered: nodes %llu bytes apart in a few of them miss in the "
            "TLB, so the hypervisor backs them with small pages, and an entry translates "
            "%llu bytes",
            splinter, splinter);
    if (findings->compared && !findings->coalesced && dataset_is_guest(table, data))
        dataset_warn(data, "1 page per entry here; the host may hide coalescing");
    if (findings->interference)
        dataset_warn(data, "something else may have held entries during the run (note "
                           "interference): the answer is a range; repeat when idle, and compare 3 "
                           "to 5 runs (--by file)");
}

static void warn_of_no_prefetcher(const struct dataset *data)
{
    struct boundaries none = {0};
    if (prefetch_detect(&data->series, &none))
        dataset_warn(data, "no prefetcher was found: these touches speed up no load on their page");
    else
        dataset_warn(data,
                     "cannot identify the prefetchers: the control or the hit of single touches "
                     "is missing, or both take the same time (sweep --preset prefetch measures "
                     "them)");
}

static void say_why_nothing(const struct dataset *data, const struct method *method)
{
    if (data->series.count == 0)
        dataset_warn(data, "the input has no measured rows");
    else if (method == &methods[METHOD_PREFETCH])
        warn_of_no_prefetcher(data);
    else if (method == &methods[METHOD_LINE])
        dataset_warn(data, "cannot determine the line size: %s", cache_line_of(&data->series).why);
    else if (data->series.groups[0].point.backing->device)
        dataset_warn(
            data,
            "nothing detected. Likely causes: the card's TLB reaches further than the sweep "
            "(larger --pages; gpu chase goes up to the card's memory); a level whose miss costs "
            "less than the parts of a cache differ (several --spacing show it: see gpu(1)); a "
            "changing clock");
    else
        dataset_warn(
            data,
            "nothing detected. Likely causes: the sweep ends before the TLB does (larger "
            "--pages or --buffer); it starts beyond it (smaller --spacing); noise from throttling "
            "or other load (compare the raw medians: datamash -C -H -s -g layout,pages median "
            "ns); the buffer is on huge pages");
}

/* ---- boundaries ---- */

static void by_control(const struct table *table, const struct dataset *data,
                       struct boundaries *found, bool remarks)
{
    struct tlb_findings findings = tlb_levels_find(&data->series, found);
    if (remarks)
        warn_of_findings(table, data, &findings);
}

static void by_segment(const struct table *table, struct dataset *data, struct boundaries *found,
                       bool remarks)
{
    struct segment_options options = {.l1d_bytes = dataset_size(table, data, "l1d_bytes", 0),
                                      .line_bytes = dataset_size(table, data, "line_bytes", 0)};
    if (remarks && !args_quiet && options.l1d_bytes == 0 && data->series.count > 0)
        warn("no l1d_bytes in the metadata: %d KiB assumed for the guard (--meta l1d_bytes=SIZE)",
             SEGMENT_L1D_ASSUMED / 1024);
    const struct group *groups = data->series.groups;
    for (size_t i = 0; i < data->series.count; i++)
        if (group_layout(&groups[i])->windows &&
            (i == 0 || !point_same_curve(&groups[i].point, &groups[i - 1].point)))
            segment_detect(&data->series, &groups[i].point, &options, found);
    if (remarks && found->count > 0 && !args_quiet)
        dataset_warn(data, "method segment has no control (note no_control): whatever the "
                           "confidence, a step may be the edge of a cache, not of a TLB (sweep | "
                           "detect compares with packed samples)");
}

/* Whether all samples are of kernels that draw their places. */
static bool all_drawn(const struct series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (!series->groups[i].point.kernel->draws)
            return false;
    return true;
}

/* The method of --method, or the first that suits the samples; dies if the samples do not suit it.
 */
static const struct method *method_for(const struct series *series)
{
    const struct method *method = chosen.chosen;
    if (method == NULL)
        for (method = methods; method < &methods[METHOD_SEGMENT] && !method->suits(series);)
            method++;
    bool suits = series->count == 0 || method->suits(series);
    if (!suits && all_drawn(series))
        die("method %s needs samples of a kernel that follows a chain, such as read: these are all "
            "of kernel random, whose loads hit by chance",
            method->name);
    if (!suits)
        die("method %s needs samples of layout %s", method->name, method->needs);
    return method;
}

static void note_busy_sibling(const struct table *table, const struct dataset *data,
                              struct boundaries *found, bool remarks)
{
    bool busy = boundaries_note_busy(found, dataset_meta(table, data, "sibling_busy"));
    if (busy && remarks && found->count > 0 && !args_quiet)
        dataset_warn(data, "the other hardware thread of the core was busy and took entries (note "
                           "interference): the answer is a range; repeat when idle");
}

/* `remarks`: whether to write remarks on standard error. */
static void find_boundaries(const struct table *table, struct dataset *data,
                            struct boundaries *found, bool remarks)
{
    found->count = 0;
    series_sort(&data->series);
    const struct method *method = method_for(&data->series);
    const struct point *line = curve_line(&data->series);
    if (method == &methods[METHOD_CONTROL])
        by_control(table, data, found, remarks);
    else if (method == &methods[METHOD_SEGMENT])
        by_segment(table, data, found, remarks);
    else if (method == &methods[METHOD_LINE])
        cache_line_detect(&data->series, found);
    else if (method == &methods[METHOD_PREFETCH])
        prefetch_detect(&data->series, found);
    else if (line != NULL)
        method->detect_on_curve(&data->series, line, found);
    note_busy_sibling(table, data, found, remarks);
    boundaries_judge(found);
}

/* ---- disturbances ---- */

/* Warns of the number of disturbed samples, and the answer without them. */
static void warn_of_disturbed(const struct table *table, const struct dataset *data,
                              const struct boundaries *found)
{
    char text[1024] = "";
    size_t disturbed, all = series_samples(&data->series, &disturbed);
    if (disturbed == 0 || args_quiet)
        return;
    struct dataset calm = *data;
    struct boundaries others = {0};
    calm.series = series_undisturbed(&data->series);
    if (disturbed < all) {
        find_boundaries(table, &calm, &others, false);
        agreement_diff(found, &others, text, sizeof text);
    }
    series_free(&calm.series);
    dataset_warn(data,
                 "%zu of %zu samples were disturbed (page faults, switches, migrations); %s%s",
                 disturbed, all,
                 disturbed == all ? "there are no others"
                 : *text == '\0'  ? "without them the answer is within its ranges"
                                  : "without them ",
                 text);
}

/* ---- rows ---- */

/* The machine's claim about a level of the row's structure; claims are about small pages, and data
 * caches. */
static const char *claim_for(const struct table *table, const struct dataset *data,
                             const struct boundary *b, int level)
{
    if (b->backing->huge || (b->code && b->structure == STRUCTURE_CACHE))
        return NULL;
    return dataset_claim(table, data, b->structure, level, "entries");
}

static unsigned row_options(void)
{
    return datasets_option(by_name) | (claims ? COLUMN_CLAIMS : 0);
}

static void say_sentence(const struct boundary *b)
{
    char text[SENTENCE_ROOM];
    const char *name = by_name != NULL ? b->label.file : "";
    if (*boundary_sentence(b, text) != '\0')
        table_say("%s%s%s", name, *name != '\0' ? ": " : "", text);
}

static void write_rows(const struct table *table, const struct dataset *data,
                       struct boundaries *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct boundary *b = &found->at[i];
        if (claims)
            boundary_check_claim(b, claim_for(table, data, b, b->level),
                                 claim_for(table, data, b, 1));
        b->label = (struct row_label){data->label, data->label};
        boundary_write(b, row_options());
        say_sentence(b);
    }
}

/* ---- several runs ---- */

static void say_agreement(const char *line)
{
    warn("%s", line);
}

static bool same_processor(const struct table *table, const struct datasets *datasets)
{
    const char *first = dataset_meta(table, &datasets->at[0], "cpu");
    for (size_t i = 1; i < datasets->count; i++) {
        const char *cpu = dataset_meta(table, &datasets->at[i], "cpu");
        if ((cpu == NULL) != (first == NULL) || (cpu != NULL && strcmp(cpu, first) != 0))
            return false;
    }
    return true;
}

/* Reports whether the runs of one machine agree. */
static void compare_runs(const struct datasets *datasets, const struct boundaries *found)
{
    struct boundary *rows = allocate(datasets->count, BOUNDARIES_ROOM * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < datasets->count; i++)
        for (size_t k = 0; k < found[i].count; k++)
            rows[count++] = found[i].at[k];
    agreement_report(rows, count, datasets->count, say_agreement);
    free(rows);
}

/* ---- the laps that decide ---- */

/* Returns the exit status. */
static int write_explanation(const struct dataset *data)
{
    size_t rows = explain_write(&data->series);
    if (rows == 0)
        dataset_warn(data, "the samples have no moments to explain (sweep measures them)");
    return rows > 0 ? STATUS_DONE : STATUS_PARTIAL;
}

/* Writes the rows of all datasets; returns the exit status. */
static int write_boundaries(const struct table *table, struct datasets *datasets)
{
    struct boundaries *found = allocate(datasets->count, sizeof *found);
    int status = STATUS_DONE;
    for (size_t i = 0; i < datasets->count; i++) {
        find_boundaries(table, &datasets->at[i], &found[i], true);
        warn_of_disturbed(table, &datasets->at[i], &found[i]);
        write_rows(table, &datasets->at[i], &found[i]);
        if (found[i].count == 0) {
            say_why_nothing(&datasets->at[i], method_for(&datasets->at[i].series));
            status = STATUS_PARTIAL;
        }
    }
    if (by_name != NULL && strcmp(by_name, "file") == 0 && datasets->count > 1 && !args_quiet &&
        same_processor(table, datasets))
        compare_runs(datasets, found);
    free(found);
    return status;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status;
    by_name = choice_chosen(&by);
    if (explains)
        chosen.chosen = &methods[METHOD_CONTROL];
    struct table *table = table_open(argv + first, argc - first);
    struct datasets datasets = datasets_read(table, by_name);
    for (size_t i = 0; i < datasets.count; i++)
        method_for(&datasets.at[i].series); /* dies before the table starts */
    table_begin(table);
    table_put_columns(explains ? explain_columns : boundary_columns, row_options());
    status = explains ? write_explanation(&datasets.at[0]) : write_boundaries(table, &datasets);
    datasets_free(&datasets);
    if (table_partial(table))
        status = STATUS_PARTIAL;
    table_close(table);
    return finish(status);
}
