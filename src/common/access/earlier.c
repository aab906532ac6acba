/* earlier.c: the rows of an earlier run, and its options. */
#include "access/earlier.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "access/probe.h"
#include "base/args.h"
#include "base/error.h"
#include "base/random.h"
#include "platform.h"
#include <stdlib.h>
#include <string.h>

/* The seed in the metadata, or 0 if there is none. A seed that cannot be read is an error: with
 * other chains the table would silently become two runs in one. */
static uint64_t stored_seed(const struct table *table)
{
    const char *text = table_meta(table, -1, "seed");
    uint64_t seed = 0;
    if (text != NULL && !parse_size(text, &seed))
        die("%s: '# seed: %s' is not a number", table_file_name(table, 0), text);
    return seed;
}

uint64_t earlier_seed(const struct table *source)
{
    uint64_t seed = source != NULL ? stored_seed(source) : 0;
    return seed > 0 ? seed : random_fresh_seed();
}

struct earlier earlier_read(char *const *files, int count)
{
    struct earlier earlier = {0};
    struct sample row;
    if (count == 0)
        return earlier;
    earlier.table = table_open(files, count);
    struct point_reader *reader = point_reader_open(earlier.table, true);
    while (point_reader_next(reader, &row)) {
        earlier.rows = extend(earlier.rows, earlier.count, sizeof *earlier.rows);
        earlier.rows[earlier.count++] = row;
    }
    point_reader_close(reader);
    return earlier;
}

void earlier_free(struct earlier *earlier)
{
    if (earlier->table != NULL)
        table_close(earlier->table);
    free(earlier->rows);
    free(earlier->index);
    *earlier = (struct earlier){0};
}

/* ---- rows ---- */

struct earlier_row {
    uint64_t key; /* hash of the point */
    size_t number;
    bool taken;
};

/* A hash of the point. Its page size matters for huge pages only: base pages are the machine's. */
static uint64_t key_of(const struct point *p)
{
    uint64_t page = p->backing->huge ? p->page_bytes : 0;
    uint64_t place = random_mix(random_mix(p->pages, p->spacing), (uint64_t)(p->layout - layouts));
    uint64_t how = random_mix((uint64_t)(p->kernel - kernels), (uint64_t)(p->backing - backings));
    uint64_t which = random_mix(p->sample, (uint64_t)p->role);
    uint64_t probe = p->touches > 0 ? random_mix(p->touches, random_mix(p->decoys, probe_number(p)))
                                    : 0;
    uint64_t set = random_mix(random_mix(p->targets, p->others), p->chains);
    return random_mix(random_mix(place, how),
                      random_mix(random_mix(which, probe), random_mix(set, page)));
}

static int compare_rows(const void *a, const void *b)
{
    const struct earlier_row *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->number > y->number) - (x->number < y->number);
}

static void index_rows(struct earlier *earlier)
{
    earlier->index = allocate(earlier->count, sizeof *earlier->index);
    for (size_t i = 0; i < earlier->count; i++)
        earlier->index[i] = (struct earlier_row){key_of(&earlier->rows[i].point), i, false};
    qsort(earlier->index, earlier->count, sizeof *earlier->index, compare_rows);
}

/* The first row of the point that was not taken; NULL: none. */
static struct earlier_row *find_row(struct earlier *earlier, const struct point *point)
{
    uint64_t key = key_of(point);
    size_t low = 0, high = earlier->count;
    if (earlier->index == NULL && earlier->count > 0)
        index_rows(earlier);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (earlier->index[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < earlier->count && earlier->index[low].key == key && earlier->index[low].taken)
        low++;
    return low < earlier->count && earlier->index[low].key == key ? &earlier->index[low] : NULL;
}

bool earlier_has(struct earlier *earlier, const struct point *point)
{
    return find_row(earlier, point) != NULL;
}

const struct sample *earlier_take(struct earlier *earlier, const struct point *point)
{
    struct earlier_row *row = find_row(earlier, point);
    if (row == NULL)
        return NULL;
    row->taken = true;
    return &earlier->rows[row->number];
}

/* ---- options ---- */

static bool has_options;

static void put_option(const char *name, const char *value)
{
    has_options = true;
    table_put_meta("option", "%s --%s%s%s", program_name, name, *value != '\0' ? " " : "", value);
}

void earlier_put_options(void)
{
    args_each_option(put_option);
    if (!has_options) /* a run without options, not one that did not record them */
        table_put_meta("option", "%s", program_name);
}

/* A run in the history of a table: its program, and the number of the metadata line after it. */
struct past_run {
    const char *program; /* NULL: there is none */
    size_t line;
};

/* The last run of a program whose options this one inherits. */
static struct past_run last_run(const struct table *table)
{
    const char *key, *value;
    struct past_run run = {0};
    for (size_t k = 0; table_meta_at(table, k, &key, &value); k++)
        if (strcmp(key, "program") == 0 && args_inherits_from(value))
            run = (struct past_run){value, k + 1};
    return run;
}

/* The text after the program's name in its `option` line; NULL for another metadata line. */
static const char *option_in(const char *program, const char *key, const char *value)
{
    size_t length = strlen(program);
    if (strcmp(key, "option") != 0 || strncmp(value, program, length) != 0)
        return NULL;
    return value[length] == ' ' ? value + length + 1 : value[length] == '\0' ? "" : NULL;
}

/* Inherits the options of that run; false when it did not record them. */
static bool inherit_options(const struct table *table, const struct past_run *run)
{
    const char *key, *value, **options = NULL;
    size_t count = 0;
    bool recorded = false;
    for (size_t k = run->line; table_meta_at(table, k, &key, &value); k++) {
        const char *option = option_in(run->program, key, value);
        recorded = recorded || option != NULL;
        if (option == NULL || *option == '\0')
            continue;
        options = extend(options, count, sizeof *options);
        options[count++] = option;
    }
    if (recorded)
        args_inherit(options, count, table_file_name(table, 0));
    free(options);
    return recorded;
}

static void inherit_seed(const struct table *table, uint64_t *seed)
{
    uint64_t number = stored_seed(table);
    if (number == 0)
        return;
    if (*seed != 0 && *seed != number)
        die_usage("--seed %llu contradicts the run to be resumed, whose seed is %llu",
                  (unsigned long long)*seed, (unsigned long long)number);
    *seed = number;
}

void earlier_inherit(const struct earlier *earlier, uint64_t *seed)
{
    struct past_run run = last_run(earlier->table);
    if (run.program != NULL && !inherit_options(earlier->table, &run))
        warn("%s: the options of %s are not recorded (an older version wrote it): only the options "
             "given now count",
             table_file_name(earlier->table, 0), run.program);
    inherit_seed(earlier->table, seed);
}

/* The leavings of a run that was killed before it wrote its header. */
static bool is_empty(const char *file)
{
    FILE *stream = fopen(file, "r");
    bool empty = stream != NULL && fseek(stream, 0, SEEK_END) == 0 && ftell(stream) == 0;
    if (stream != NULL)
        fclose(stream);
    return empty;
}

struct earlier earlier_resume(const char *file, uint64_t *seed)
{
    char *files[] = {(char *)file};
    if (platform_is_stdout(file))
        die("--resume '%s': that is this program's output; write to a new file", file);
    if (strcmp(file, "-") == 0)
        die_usage("--resume needs a file, not stdin");
    if (is_empty(file)) {
        warn("%s: it is empty: that run has measured nothing, so all is measured, with the options "
             "given now",
             file);
        return (struct earlier){0};
    }
    struct earlier earlier = earlier_read(files, 1);
    struct past_run run = last_run(earlier.table);
    if (run.program == NULL)
        die("%s: %s did not write this table, so there is nothing to resume", file, program_name);
    if (!inherit_options(earlier.table, &run))
        die("%s: its options are not recorded (an older version wrote it), so it "
            "cannot be resumed",
            file);
    inherit_seed(earlier.table, seed);
    return earlier;
}
