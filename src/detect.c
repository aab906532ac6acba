/* detect: tells TLB and cache boundaries from samples.
 *
 * usage: detect [OPTION...] [FILE...]
 * Reads samples of one or more files, writes one row for every boundary found; the header alone and
 * exit status 1 when there is none.
 *
 * example: sweep | detect --claims
 */
#include "args.h"
#include "boundary.h"
#include "control.h"
#include "error.h"
#include "layout.h"
#include "point.h"
#include "segment.h"
#include "series.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *method_name, *by_name;
static bool claims;

static const struct flag flags[] = {
    {"method", FLAG_TEXT, &method_name, "NAME", "control or segment (what the samples allow)",
     false},
    {"by", FLAG_TEXT, &by_name, "WHAT", "file or host: answer for each, and add that column",
     false},
    {"claims", FLAG_YES, &claims, NULL, "add what the machine claims, and the error", false},
    {0},
};

static const struct program program = {
    .name = "detect",
    .purpose = "tell TLB and cache boundaries from samples",
    .operands = "[FILE...]",
    .example = "sweep | detect --claims",
    .flags = flags,
    .writes_table = true,
};

/* The samples that are judged together: all, or those of one file or host. */
struct part {
    const char *label; /* NULL when there is only one part */
    int file;          /* whose metadata tell page and cache sizes; -1: of all files */
    struct series series;
};

struct parts {
    struct part *at;
    size_t count;
};

/* ---- samples in ---- */

static const char *label_of(const struct table *table)
{
    int file = table_file(table);
    if (by_name == NULL)
        return NULL;
    if (strcmp(by_name, "file") == 0)
        return table_file_name(table, file);
    const char *host = table_meta(table, file, "host");
    return host != NULL ? host : "-";
}

static struct part *part_of(struct parts *parts, const struct table *table)
{
    const char *label = label_of(table);
    for (size_t i = 0; i < parts->count; i++)
        if (label == NULL || strcmp(parts->at[i].label, label) == 0)
            return &parts->at[i];
    parts->at = reallocate(parts->at, parts->count + 1, sizeof *parts->at);
    struct part *part = &parts->at[parts->count++];
    *part = (struct part){.label = label, .file = label != NULL ? table_file(table) : -1};
    series_init(&part->series);
    return part;
}

static struct parts read_samples(struct table *table)
{
    struct parts parts = {0};
    struct sample sample;
    struct part *part = NULL;
    int file = -1;
    struct point_reader *reader = point_reader_open(table, true);
    while (point_reader_next(reader, &sample)) {
        if (table_file(table) != file || part == NULL)
            part = part_of(&parts, table);
        file = table_file(table);
        series_add(&part->series, &sample);
    }
    point_reader_close(reader);
    return parts;
}

/* ---- boundaries out ---- */

static bool has_layout(const struct series *series, const char *name)
{
    for (size_t i = 0; i < series->count; i++)
        if (strcmp(series->groups[i].point.layout->name, name) == 0)
            return true;
    return false;
}

/* A size from the metadata, or `otherwise`. */
static uint64_t size_of(const struct table *table, const struct part *part, const char *key,
                        uint64_t otherwise)
{
    const char *text = table_meta(table, part->file, key);
    uint64_t value;
    return text != NULL && parse_size(text, &value) && value > 0 ? value : otherwise;
}

static void by_control(const struct table *table, struct part *part, struct boundaries *found)
{
    uint64_t page = 4096, line = size_of(table, part, "line_bytes", 64);
    for (size_t i = 0; i < part->series.count; i++) {
        const struct point *p = &part->series.groups[i].point;
        if (strcmp(p->layout->name, "page") == 0)
            page = p->page_bytes;
        if (strcmp(p->layout->name, "packed") == 0)
            line = p->spacing;
    }
    struct control control = control_analyse(&part->series);
    control_boundaries(&control, page, line, found);
    control_free(&control);
}

static bool has_windows(const struct point *point)
{
    return strcmp(point->layout->name, "box") == 0 || strcmp(point->layout->name, "line") == 0;
}

static void by_segment(const struct table *table, struct part *part, struct boundaries *found)
{
    struct segment_options options = {.l1d_bytes = size_of(table, part, "l1d_bytes", 0),
                                      .line_bytes = size_of(table, part, "line_bytes", 0)};
    if (options.l1d_bytes == 0)
        warn("no l1d_bytes in the metadata: %d KiB assumed for the guard (--meta l1d_bytes=SIZE)",
             SEGMENT_L1D_ASSUMED / 1024);
    const struct group *groups = part->series.groups;
    for (size_t i = 0; i < part->series.count; i++)
        if (has_windows(&groups[i].point) &&
            (i == 0 || !point_same_curve(&groups[i].point, &groups[i - 1].point)))
            segment_detect(&part->series, &groups[i].point, &options, found);
}

/* The method that was named, or the one that the samples allow. */
static void find_boundaries(const struct table *table, struct part *part, struct boundaries *found)
{
    bool windows = has_layout(&part->series, "box") || has_layout(&part->series, "line");
    bool pages = has_layout(&part->series, "page");
    const char *method = method_name != NULL ? method_name : pages ? "control" : "segment";
    if (strcmp(method, "control") == 0 && !pages)
        die("method control needs samples of layout page (and packed)");
    if (strcmp(method, "segment") == 0 && !windows)
        die("method segment needs samples of layout box or line");
    found->count = 0;
    series_sort(&part->series);
    if (strcmp(method, "control") == 0)
        by_control(table, part, found);
    else
        by_segment(table, part, found);
}

/* What the machine said of a structure, as the samples' metadata hold it. */
static double claim_for(const struct table *table, const struct part *part,
                        const struct boundary *b)
{
    static const char *const caches[] = {"l1d_bytes", "l2_bytes", "l3_bytes"};
    char key[64];
    snprintf(key, sizeof key, "claim_%s%d_entries", b->structure, b->level);
    if (strcmp(b->structure, "cache") != 0) {
        uint64_t claim = size_of(table, part, key, 0);
        return claim > 0 ? (double)claim : (double)NAN;
    }
    if (b->level < 1 || b->level > 3)
        return NAN;
    uint64_t bytes = size_of(table, part, caches[b->level - 1], 0);
    double line = (double)size_of(table, part, "line_bytes", 64);
    return bytes > 0 ? (double)bytes / line : (double)NAN;
}

static void write_rows(const struct table *table, const struct part *part,
                       const struct boundaries *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct boundary *b = &found->at[i];
        boundary_write(b, claims || by_name != NULL ? '\t' : '\n');
        if (claims) {
            double claim = claim_for(table, part, b);
            put_number(claim, '\t');
            put_number(round(1000 * (b->entries - claim) / claim) / 10,
                       by_name != NULL ? '\t' : '\n');
        }
        if (by_name != NULL)
            put_text(part->label, '\n');
    }
}

static void explain_nothing(const struct part *part)
{
    warn("%s%snothing detected. Likely causes: the sweep ends before the TLB does (larger --pages "
         "or "
         "--buffer); it starts beyond it (smaller --stride); throttling or other load made noise "
         "(compare the raw medians: datamash -C -H -g pages median ns); huge pages behind the "
         "buffer",
         part->label != NULL ? part->label : "", part->label != NULL ? ": " : "");
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv), status = STATUS_DONE;
    if (method_name != NULL && strcmp(method_name, "control") != 0 &&
        strcmp(method_name, "segment") != 0)
        die_usage("--method '%s': there are control and segment", method_name);
    if (by_name != NULL && strcmp(by_name, "file") != 0 && strcmp(by_name, "host") != 0)
        die_usage("--by '%s': there are file and host", by_name);
    struct table *table = table_open(argv + first, argc - first);
    struct parts parts = read_samples(table);
    char header[256];
    snprintf(header, sizeof header, "%s%s%s%s", boundary_columns,
             claims ? "\tclaim\terror_percent" : "", by_name != NULL ? "\t" : "",
             by_name != NULL ? by_name : "");
    table_begin(table);
    table_put_header(header);
    if (parts.count == 0) {
        warn("the input has no measured rows");
        status = STATUS_PARTIAL;
    }
    for (size_t i = 0; i < parts.count; i++) {
        struct boundaries found;
        find_boundaries(table, &parts.at[i], &found);
        write_rows(table, &parts.at[i], &found);
        if (found.count == 0) {
            explain_nothing(&parts.at[i]);
            status = STATUS_PARTIAL;
        }
        series_free(&parts.at[i].series);
    }
    free(parts.at);
    if (table_partial(table))
        status = STATUS_PARTIAL;
    table_close(table);
    return finish(status);
}
