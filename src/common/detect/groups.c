/* groups.c: the samples of one analysis. */
#include "detect/groups.h"
#include "access/point.h"
#include "base/args.h"
#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
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

static struct sample_group *group_of(struct sample_groups *groups, const struct table *table,
                                     const char *by, int file)
{
    const char *label = label_of(table, by, file);
    struct sample_group *group = NULL;
    for (size_t i = 0; i < groups->count; i++)
        if (label == NULL || strcmp(groups->at[i].label, label) == 0)
            group = &groups->at[i];
    if (group == NULL) {
        groups->at = reallocate(groups->at, groups->count + 1, sizeof *groups->at);
        group = &groups->at[groups->count++];
        *group = (struct sample_group){.label = label};
        series_init(&group->series);
    }
    group->file = label != NULL ? file : -1;
    group->metas = table_meta_count(table, file);
    return group;
}

/* Samples of two processors give a wrong answer for both. */
static void warn_of_mixture(struct sample_group *group, const struct table *table, int file)
{
    static bool warned;
    const char *here = table_meta(table, file, "cpu");
    if (group->cpu == NULL)
        group->cpu = here;
    if (warned || args_quiet || here == NULL || strcmp(here, group->cpu) == 0)
        return;
    warned = true;
    warn("samples of '%s' and '%s' are judged together (--by file judges each file)", group->cpu,
         here);
}

struct sample_groups groups_read(struct table *table, const char *by)
{
    struct sample_groups groups = {0};
    struct sample sample;
    struct sample_group *group = NULL;
    unsigned long head = 0;
    if (by != NULL && strcmp(by, "file") != 0 && strcmp(by, "host") != 0)
        die_usage("--by '%s': there are file and host", by);
    struct point_reader *reader = point_reader_open(table, true);
    for (int file = 0; file < table_files(table); file++)
        group = group_of(&groups, table, by, file);
    while (point_reader_next(reader, &sample)) {
        if (table_head(table) != head) { /* another file, or another table in the same one */
            group = group_of(&groups, table, by, table_file(table));
            warn_of_mixture(group, table, table_file(table));
        }
        head = table_head(table);
        series_add(&group->series, &sample);
    }
    point_reader_close(reader);
    return groups;
}

void groups_free(struct sample_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        series_free(&groups->at[i].series);
    free(groups->at);
    *groups = (struct sample_groups){0};
}

unsigned groups_option(const char *by)
{
    return by == NULL ? 0 : strcmp(by, "file") == 0 ? COLUMN_BY_FILE : COLUMN_BY_HOST;
}

void group_warn(const struct sample_group *group, const char *format, ...)
{
    char text[1280];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    warn("%s%s%s", group->label != NULL ? group->label : "", group->label != NULL ? ": " : "",
         text);
}

const char *group_meta(const struct table *table, const struct sample_group *group, const char *key)
{
    if (group->file < 0)
        return table_meta(table, -1, key);
    return table_meta_until(table, group->file, group->metas, key);
}

uint64_t group_size(const struct table *table, const struct sample_group *group, const char *key,
                    uint64_t otherwise)
{
    return size_or(group_meta(table, group, key), otherwise);
}

bool names_hypervisor(const char *value)
{
    return value != NULL && strcmp(value, "none") != 0 && strcmp(value, "-") != 0 &&
           strcmp(value, "unknown") != 0 && *value != '\0';
}

bool group_is_guest(const struct table *table, const struct sample_group *group)
{
    return names_hypervisor(group_meta(table, group, "hypervisor"));
}
