/* table: a table of samples: metadata, heads, rows, numbers. */
#include "table/table.h"
#include "access/point.h"
#include "target.h"
#include <stdlib.h>

/* Every field, by place and by name. */
static void read_rows(void)
{
    struct table *table = table_open(NULL, 0);
    int pages = table_column(table, "pages"), ns = table_column(table, "ns");
    struct field *names;
    double number;
    uint64_t count;
    while (table_next(table)) {
        size_t fields = table_names(table, &names);
        for (size_t k = 0; k < fields; k++)
            target_check(table_fields(table)[k].text != NULL || table_fields(table)[k].length == 0);
        free(names);
        table_count(table, pages, &count);
        table_number(table, ns, &number);
    }
    const char *key, *value;
    for (size_t k = 0; table_meta_at(table, k, &key, &value); k++)
        target_check(table_meta(table, 0, key) != NULL);
    table_close(table);
}

static void read_samples(void)
{
    struct table *table = table_open(NULL, 0);
    struct point_reader *reader = point_reader_open(table, true);
    struct sample sample;
    while (point_reader_next(reader, &sample))
        target_check(sample.ns >= 0);
    point_reader_close(reader);
    table_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_read(read_rows, data, size);
    return target_read(read_samples, data, size);
}
