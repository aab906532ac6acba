/* parts.c: samples by file or host. */
#include "detect/parts.h"
#include "access/point.h"
#include "base/args.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

static const char *label_of(const struct table *table, const char *by, int file)
{
    if (by == NULL)
        return NULL;
    if (strcmp(by, "file") == 0)
        return table_file_name(table, file);
    const char *host = table_meta(table, file, "host");
    return host != NULL ? host : "-";
}

static struct part *part_of(struct parts *parts, const struct table *table, const char *by,
                            int file)
{
    const char *label = label_of(table, by, file);
    struct part *part = NULL;
    for (size_t i = 0; i < parts->count; i++)
        if (label == NULL || strcmp(parts->at[i].label, label) == 0)
            part = &parts->at[i];
    if (part == NULL) {
        parts->at = reallocate(parts->at, parts->count + 1, sizeof *parts->at);
        part = &parts->at[parts->count++];
        *part = (struct part){.label = label};
        series_init(&part->series);
    }
    part->file = label != NULL ? file : -1;
    part->metas = table_meta_count(table, file);
    return part;
}

/* One answer for two processors is an answer for neither. */
static void warn_of_mixture(struct part *part, const struct table *table, int file)
{
    static bool warned;
    const char *here = table_meta(table, file, "cpu");
    if (part->cpu == NULL)
        part->cpu = here;
    if (warned || args_quiet || here == NULL || strcmp(here, part->cpu) == 0)
        return;
    warned = true;
    warn("samples of '%s' and '%s' are judged together (--by file judges each file)", part->cpu,
         here);
}

struct parts parts_read(struct table *table, const char *by)
{
    struct parts parts = {0};
    struct sample sample;
    struct part *part = NULL;
    unsigned long head = 0;
    if (by != NULL && strcmp(by, "file") != 0 && strcmp(by, "host") != 0)
        die_usage("--by '%s': there are file and host", by);
    struct point_reader *reader = point_reader_open(table, true);
    for (int file = 0; file < table_files(table); file++)
        part = part_of(&parts, table, by, file);
    while (point_reader_next(reader, &sample)) {
        if (table_head(table) != head) { /* another file, or another table in the same one */
            part = part_of(&parts, table, by, table_file(table));
            warn_of_mixture(part, table, table_file(table));
        }
        head = table_head(table);
        series_add(&part->series, &sample);
    }
    point_reader_close(reader);
    return parts;
}

void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        series_free(&parts->at[i].series);
    free(parts->at);
    *parts = (struct parts){0};
}

void parts_begin(const struct table *table, const char *columns, const char *more, const char *by)
{
    char header[256];
    snprintf(header, sizeof header, "%s%s%s%s", columns, more, by != NULL ? "\t" : "",
             by != NULL ? by : "");
    table_begin(table);
    table_put_header(header);
}

char part_after(const struct part *part)
{
    return part->label != NULL ? '\t' : '\n';
}

void part_put_label(const struct part *part)
{
    if (part->label != NULL)
        put_field((struct field){part->label, strlen(part->label)}, '\n');
}

void part_warn(const struct part *part, const char *text)
{
    warn("%s%s%s", part->label != NULL ? part->label : "", part->label != NULL ? ": " : "", text);
}

const char *part_meta(const struct table *table, const struct part *part, const char *key)
{
    if (part->file < 0)
        return table_meta(table, -1, key);
    return table_meta_until(table, part->file, part->metas, key);
}

uint64_t part_size(const struct table *table, const struct part *part, const char *key,
                   uint64_t otherwise)
{
    return size_or(part_meta(table, part, key), otherwise);
}

bool names_hypervisor(const char *value)
{
    return value != NULL && strcmp(value, "none") != 0 && strcmp(value, "-") != 0 &&
           strcmp(value, "unknown") != 0 && *value != '\0';
}

bool part_is_guest(const struct table *table, const struct part *part)
{
    return names_hypervisor(part_meta(table, part, "hypervisor"));
}
