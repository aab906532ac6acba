/* detect: finds the capacities of TLB levels and caches in samples.
 *
 * usage: detect [OPTION...] [FILE...]
 * Reads samples of one or more files and writes a row for every boundary; if there is none, it
 * writes the header alone and exits with status 1.
 *
 * example: sweep | detect --claims
 */
#include "access/layout.h"
#include "access/point.h"
#include "access/series.h"
#include "base/args.h"
#include "base/error.h"
#include "table/row.h"
#include "table/table.h"
#include "tlb/detect/agreement.h"
#include "tlb/detect/boundary.h"
#include "tlb/detect/datasets.h"
#include "tlb/detect/explain.h"
#include "tlb/detect/method.h"
#include "tlb/detect/segment.h"
#include <stdlib.h>
#include <string.h>

static struct choice chosen = CHOICE_OF(methods);
static bool claims, explains;

static const struct flag flags[] = {
    {"method", FLAG_WORD, &chosen, "NAME",
     "how boundaries are found (what the samples allow): --help methods"},
    DATASETS_BY,
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

/* ---- boundaries ---- */

static void by_segment(const struct dataset *data, struct boundaries *found)
{
    uint64_t l1d_bytes = dataset_size(data, "l1d_bytes", 0),
             line_bytes = dataset_size(data, "line_bytes", 0);
    const struct group *groups = data->series.groups;
    if (l1d_bytes == 0 && data->series.count > 0 && !args_quiet)
        warn("no l1d_bytes in the metadata: %d KiB assumed for the guard (--meta l1d_bytes=SIZE)",
             SEGMENT_L1D_ASSUMED / 1024);
    for (size_t i = 0; i < data->series.count; i++)
        if (group_layout(&groups[i])->windows &&
            (i == 0 || !point_same_curve(&groups[i].point, &groups[i - 1].point)))
            segment_detect(&data->series, &groups[i].point, l1d_bytes, line_bytes, found);
}

static void find_boundaries(struct dataset *data, const struct method *method,
                            struct boundaries *found)
{
    found->count = 0;
    series_sort(&data->series);
    if (method->detect != NULL)
        method->detect(&data->series, found);
    else
        by_segment(data, found);
    boundaries_judge(found, dataset_meta(data, "sibling_busy"));
}

/* ---- messages on standard error ---- */

/* Remarks on the notes of any row. */
static const struct {
    enum note_word word;
    const char *remark;
} remarks[] = {
    {NOTE_SPLINTERED,
     "huge pages are splintered (note splintered): nodes in a few of them miss in the TLB, so the "
     "hypervisor backs them with small pages"},
    {NOTE_NO_CONTROL,
     "there is no control (note no_control): whatever the confidence, a step may be the edge of a "
     "cache, not of a TLB (sweep | detect compares with packed samples)"},
    {NOTE_INTERFERENCE, sentence_held},
};

static bool has_note(const struct boundaries *found, enum note_word word)
{
    for (size_t i = 0; i < found->count; i++)
        if (note_has(&found->at[i].note, word))
            return true;
    return false;
}

static void say_remarks(const struct dataset *data, const struct boundaries *found)
{
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
        if (has_note(found, remarks[i].word))
            dataset_warn(data, "%s", remarks[i].remark);
}

/* Warns of the number of disturbed samples, and the answer without them. */
static void say_disturbed(const struct dataset *data, const struct method *method,
                          const struct boundaries *found)
{
    char text[1024] = "";
    struct dataset calm = *data;
    struct boundaries without;
    size_t disturbed, all = series_samples(&data->series, &disturbed);
    if (disturbed == 0)
        return;
    calm.series = series_undisturbed(&data->series);
    bool enough = disturbed < all && method->suits(&calm.series);
    if (enough) {
        find_boundaries(&calm, method, &without);
        agreement_diff(found, &without, text, sizeof text);
    }
    series_free(&calm.series);
    if (found->count == 0 && enough && *text == '\0')
        return; /* nothing is found either way */
    dataset_warn(data,
                 "%zu of %zu samples were disturbed (page faults, switches, migrations); %s%s",
                 disturbed, all,
                 !enough         ? "the others are too few for an answer"
                 : *text == '\0' ? "without them the answer is within its ranges"
                                 : "without them ",
                 text);
}

/* ---- rows ---- */

/* The machine's claim about a level of the row's structure; claims are about small pages. */
static const char *claim_for(const struct dataset *data, const struct boundary *b, int level)
{
    return b->backing->huge ? NULL : dataset_claim(data, b->structure, level, "entries");
}

static unsigned row_options(void)
{
    return datasets_option() | (claims ? COLUMN_CLAIMS : 0);
}

static void say_sentence(const struct boundary *b)
{
    char text[SENTENCE_ROOM];
    if (*boundary_sentence(b, text) != '\0')
        table_say("%s%s%s", b->label.file, *b->label.file != '\0' ? ": " : "", text);
}

static void write_rows(const struct dataset *data, struct boundaries *found)
{
    for (size_t i = 0; i < found->count; i++) {
        struct boundary *b = &found->at[i];
        if (claims)
            boundary_check_claim(b, claim_for(data, b, b->level), claim_for(data, b, 1));
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

static bool same_processor(const struct datasets *datasets)
{
    const char *first = dataset_meta(&datasets->at[0], "cpu");
    for (size_t i = 1; i < datasets->count; i++) {
        const char *cpu = dataset_meta(&datasets->at[i], "cpu");
        if ((cpu == NULL) != (first == NULL) || (cpu != NULL && strcmp(cpu, first) != 0))
            return false;
    }
    return true;
}

/* ---- all of them ---- */

/* The laps that decide. Returns the exit status. */
static int write_explanation(const struct dataset *data)
{
    size_t rows = explain_write(&data->series);
    if (rows == 0)
        dataset_warn(data, "the samples have no moments to explain (sweep measures them)");
    return rows > 0 ? STATUS_DONE : STATUS_PARTIAL;
}

/* Writes the rows of a dataset, which are in `found` afterwards; returns whether there are any. */
static bool write_dataset(struct dataset *data, struct boundaries *found)
{
    const struct method *method = method_for(&data->series, chosen.chosen);
    find_boundaries(data, method, found);
    if (!args_quiet) {
        say_remarks(data, found);
        say_disturbed(data, method, found);
    }
    write_rows(data, found);
    if (found->count == 0)
        dataset_warn(data, "%s", method_why_nothing(method, &data->series));
    return found->count > 0;
}

/* Writes the rows of all datasets, and whether the runs of one machine agree; returns the exit
 * status. */
static int write_boundaries(struct datasets *datasets)
{
    struct boundary *rows = NULL;
    struct boundaries found;
    size_t count = 0;
    int status = STATUS_DONE;
    for (size_t i = 0; i < datasets->count; i++) {
        if (!write_dataset(&datasets->at[i], &found))
            status = STATUS_PARTIAL;
        rows = reallocate(rows, count + BOUNDARIES_ROOM, sizeof *rows);
        memcpy(&rows[count], found.at, found.count * sizeof *rows);
        count += found.count;
    }
    if (datasets_option() == COLUMN_BY_FILE && datasets->count > 1 && !args_quiet &&
        same_processor(datasets))
        agreement_report(rows, count, datasets->count, say_agreement);
    free(rows);
    return status;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status;
    if (explains)
        chosen.chosen = &methods[METHOD_CONTROL];
    struct table *table = table_open(argv + first, argc - first);
    struct datasets datasets = datasets_read(table);
    for (size_t i = 0; i < datasets.count; i++)
        method_for(&datasets.at[i].series, chosen.chosen); /* dies before the table starts */
    table_begin(table);
    table_put_columns(explains ? explain_columns : boundary_columns, row_options());
    status = explains ? write_explanation(&datasets.at[0]) : write_boundaries(&datasets);
    datasets_free(&datasets);
    if (table_partial(table))
        status = STATUS_PARTIAL;
    table_close(table);
    return finish(status);
}
