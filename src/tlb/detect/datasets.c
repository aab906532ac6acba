/* datasets.c: the samples of one analysis. */
#include "tlb/detect/datasets.h"
#include "access/impossible.h"
#include "access/point.h"
#include "base/args.h"
#include "base/error.h"
#include "base/number.h"
#include "machine/claim.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const groups[] = {"file", "host", NULL};
struct choice datasets_choice = CHOICE_OF(groups);

unsigned datasets_option(void)
{
    const char *by = choice_chosen(&datasets_choice);
    return by == NULL ? 0 : strcmp(by, "file") == 0 ? COLUMN_BY_FILE : COLUMN_BY_HOST;
}

static const char *label_of(const struct table *table, int file)
{
    const char *host = table_meta(table, file, "host");
    if (datasets_option() == COLUMN_BY_HOST)
        return host != NULL ? host : "-";
    return datasets_option() == COLUMN_BY_FILE ? table_file_name(table, file) : "";
}

/* The rows of a fleet name their host; elsewhere metadata do. */
static const char *label_in_row(struct table *table, int host)
{
    struct field field = table_field(table, host);
    if (datasets_option() == COLUMN_BY_HOST && field.text != NULL)
        return field_keep(field);
    return label_of(table, table_file(table));
}

static struct dataset *dataset_of(struct datasets *datasets, const struct table *table,
                                  const char *label, int file)
{
    struct dataset *data = NULL;
    for (size_t i = 0; i < datasets->count; i++)
        if (strcmp(datasets->at[i].label, label) == 0)
            data = &datasets->at[i];
    if (data == NULL) {
        datasets->at = reallocate(datasets->at, datasets->count + 1, sizeof *datasets->at);
        data = &datasets->at[datasets->count++];
        *data = (struct dataset){.label = label, .table = table};
        series_init(&data->series);
    }
    data->file = *label != '\0' ? file : -1;
    data->metas = table_meta_count(table, file);
    return data;
}

/* Samples of two machines give a wrong answer for both: dies, or with --by, which has answers for
 * others, warns. */
static void refuse_mixture(struct dataset *data, const struct table *table)
{
    static bool warned;
    char how[TABLE_DIFFERENCE];
    bool by = datasets_option() != 0;
    if (!table_other_machine(table, &data->machine, how) || (by && (warned || args_quiet)))
        return;
    warned = true;
    (by ? warn
        : die)("%s:%lu: samples of another machine: %s (--by file or --by host answers for each)",
               table_file_name(table, table_file(table)), table_header_line(table), how);
}

struct datasets datasets_read(struct table *table)
{
    struct datasets datasets = {0};
    struct sample sample;
    struct dataset *data = NULL;
    unsigned long head = 0;
    struct point_reader *reader = point_reader_open(table, true);
    int host = table_column(table, "host");
    bool column = datasets_option() == COLUMN_BY_HOST && table_has(table, host);
    for (int file = 0; file < table_files(table) && !column; file++)
        data = dataset_of(&datasets, table, label_of(table, file), file);
    while (point_reader_next(reader, &sample)) {
        /* another file, another table in the same file, or perhaps another host in it */
        if (table_head(table) != head || column) {
            data = dataset_of(&datasets, table, label_in_row(table, host), table_file(table));
            refuse_mixture(data, table);
        }
        head = table_head(table);
        series_add(&data->series, &sample);
    }
    for (size_t i = 0; i < datasets.count; i++) {
        impossible_remove(&datasets.at[i].series, table);
        series_warn_of_cut(&datasets.at[i].series, table);
    }
    if (datasets.count == 0)
        dataset_of(&datasets, table, label_of(table, 0), 0);
    point_reader_close(reader);
    return datasets;
}

void datasets_free(struct datasets *datasets)
{
    for (size_t i = 0; i < datasets->count; i++)
        series_free(&datasets->at[i].series);
    free(datasets->at);
    *datasets = (struct datasets){0};
}

int datasets_answer(char *const *files, int count, const struct column *columns, unsigned options,
                    bool (*answer)(struct dataset *data))
{
    struct table *table = table_open(files, count);
    struct datasets datasets = datasets_read(table);
    int status = STATUS_DONE;
    table_begin(table);
    table_put_columns(columns, options);
    for (size_t i = 0; i < datasets.count; i++)
        if (!answer(&datasets.at[i]))
            status = STATUS_PARTIAL;
    if (table_partial(table))
        status = STATUS_PARTIAL;
    datasets_free(&datasets);
    table_close(table);
    return status;
}

void dataset_warn(const struct dataset *data, const char *format, ...)
{
    char text[1280];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    warn("%s%s%s", data->label, *data->label != '\0' ? ": " : "", text);
}

const char *dataset_meta(const struct dataset *data, const char *key)
{
    if (data->file < 0)
        return table_meta(data->table, -1, key);
    return table_meta_until(data->table, data->file, data->metas, key);
}

uint64_t dataset_size(const struct dataset *data, const char *key, uint64_t otherwise)
{
    return size_or(dataset_meta(data, key), otherwise);
}

const char *dataset_claim(const struct dataset *data, enum structure structure, int level,
                          const char *what)
{
    char text[CLAIM_ROOM];
    if (structure == STRUCTURE_LINE)
        return dataset_meta(data, claim_line_bytes);
    if (structure != STRUCTURE_CACHE || strcmp(what, "entries") != 0)
        return dataset_meta(data, claim_name(structure_names[structure], level, what, text));
    if (level < 1 || level > CLAIM_CACHES)
        return NULL;
    double bytes = (double)dataset_size(data, claim_cache_bytes[level - 1], 0);
    double line = (double)dataset_size(data, claim_line_bytes, 64);
    number_text(bytes > 0 ? bytes / line : (double)NAN, text);
    return field_keep((struct field){text, strlen(text)});
}

bool names_hypervisor(const char *value)
{
    return value != NULL && strcmp(value, "none") != 0 && strcmp(value, "-") != 0 &&
           strcmp(value, "unknown") != 0 && *value != '\0';
}

bool dataset_is_guest(const struct dataset *data)
{
    return names_hypervisor(dataset_meta(data, "hypervisor"));
}
