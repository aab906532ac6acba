/* tojson: writes tables as JSON, or the tables of one run as the verification payload.
 *
 * usage: tojson [TABLE...]
 *        tojson --tlb SAMPLES BOUNDARIES [PENALTIES]
 * Writes any tables as {"rows": [one object per row], "metadata": {...}}, or with --tlb the payload
 * of section 9 of the whitepaper "TLB Analysis" of macOS-memory-benchmark.
 *
 * example: detect samples.tsv | tojson --tlb samples.tsv -
 */
#include "base/args.h"
#include "base/error.h"
#include "base/printable.h"
#include "report/payload/encode.h"
#include "report/payload/payload.h"
#include "report/run/run_tables.h"
#include "table/table.h"
#include <stdlib.h>
#include <string.h>

static bool tlb;

static const struct flag flags[] = {
    {"tlb", FLAG_YES, &tlb, NULL, "the verification payload of SAMPLES, BOUNDARIES and PENALTIES"},
    {0},
};

static const struct program program = {
    .name = "tojson",
    .purpose = "write tables as JSON",
    .operands = "[TABLE...]",
    .example = "detect samples.tsv | tojson --tlb samples.tsv -",
    .flags = flags,
};

/* Prints JSON. Escapes DEL and U+0080 to U+009F, which json-c does not and a terminal would
 * obey. */
static void put_json(const char *text)
{
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        length = utf8_length(text, left);
        if (*text == '\n' || printable_length(text, left) > 0)
            fwrite(text, 1, length, stdout);
        else
            printf("\\u%04x", (unsigned char)text[length - 1]);
    }
}

/* Prints a value and releases it. */
static void put(struct json_object *value, int flags_of_text)
{
    put_json(encode_print(value, flags_of_text));
    json_object_put(value);
}

/* ---- rows ---- */

/* The columns under one header. */
struct keys {
    unsigned long head;
    char **at;  /* `"name": ` */
    bool *text; /* the column always holds text */
    size_t count;
};

static void free_keys(struct keys *keys)
{
    for (size_t k = 0; k < keys->count; k++)
        free(keys->at[k]);
    free(keys->at);
    free(keys->text);
    *keys = (struct keys){0};
}

static void read_keys(struct keys *keys, const struct table *table)
{
    struct json_object *seen = encode_object();
    struct field *names;
    free_keys(keys);
    keys->head = table_head(table);
    keys->count = table_names(table, &names);
    keys->at = allocate(keys->count, sizeof *keys->at);
    keys->text = allocate(keys->count, sizeof *keys->text);
    for (size_t k = 0; k < keys->count; k++) {
        struct json_object *name = encode_text(names[k].text, names[k].length);
        const char *text = encode_print(name, JSON_C_TO_STRING_PLAIN);
        if (json_object_object_get_ex(seen, json_object_get_string(name), NULL))
            die("%s:%lu: column '%s': it appears twice in the header",
                table_file_name(table, table_file(table)), table_header_line(table),
                json_object_get_string(name));
        encode_add(seen, json_object_get_string(name), NULL);
        keys->at[k] = allocate(strlen(text) + 3, 1);
        sprintf(keys->at[k], "%s: ", text);
        keys->text[k] = run_tables_is_text(names[k]);
        json_object_put(name);
    }
    json_object_put(seen);
    free(names);
}

static void put_row(const struct keys *keys, const struct table *table)
{
    const char *before = "{";
    for (size_t k = 0; k < keys->count; k++) {
        struct field field = table_fields(table)[k];
        fputs(before, stdout);
        put_json(keys->at[k]);
        if (!keys->text[k] && encode_is_number(field))
            fwrite(field.text, 1, field.length, stdout);
        else
            put(encode_field(field, keys->text[k]), JSON_C_TO_STRING_PLAIN);
        before = ", ";
    }
    putchar('}');
}

/* ---- metadata ---- */

static struct json_object *metadata(const struct table *table)
{
    struct json_object *object = encode_object(), *list;
    const char *key, *value;
    for (size_t k = 0; table_meta_at(table, k, &key, &value); k++) {
        struct json_object *clean = encode_text(key, strlen(key));
        const char *member = json_object_get_string(clean);
        if (!table_is_history(key)) {
            bool name = strcmp(key, "cpu") == 0 || strcmp(key, "version") == 0;
            encode_add(object, member, encode_value(value, name));
        } else {
            if (!json_object_object_get_ex(object, member, &list))
                encode_add(object, member, list = encode_array());
            encode_append(list, encode_text(value, strlen(value)));
        }
        json_object_put(clean);
    }
    return object;
}

/* Writes row by row, so memory does not grow with the table. The metadata come last because
 * concatenated tables have more of it between the rows. */
static int convert(char *const *files, int count)
{
    struct table *table = table_open(files, count);
    struct keys keys = {0};
    const char *before = "\n";
    read_keys(&keys, table); /* dies for a bad header before anything is written */
    fputs("{\n\"rows\": [", stdout);
    while (table_next(table)) {
        if (table_head(table) != keys.head)
            read_keys(&keys, table);
        fputs(before, stdout);
        put_row(&keys, table);
        before = ",\n";
    }
    fputs("\n],\n\"metadata\": ", stdout);
    put(metadata(table), JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
    fputs("\n}\n", stdout);
    int status = table_partial(table);
    free_keys(&keys);
    table_close(table);
    return status;
}

static int write_payload(char *const *files, int count)
{
    struct run_tables run = run_tables_read(files, count);
    put(payload_build(&run), JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
    putchar('\n');
    int status = table_partial(run.table);
    run_tables_free(&run);
    return status;
}

int main(int argc, char **argv)
{
    int first = args_parse(&program, argc, argv);
    int status = tlb ? write_payload(argv + first, argc - first)
                     : convert(argv + first, argc - first);
    return finish(status);
}
