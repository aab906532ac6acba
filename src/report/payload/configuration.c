/* configuration.c: the configuration in the verification payload. § refers to the whitepaper named
 * in payload.h. */
#include "access/layout.h"
#include "base/number.h"
#include "report/payload/encode.h"
#include "report/payload/payload.h"
#include "tlb/detect/segment.h"
#include <math.h>
#include <string.h>

/* A metadata value as a number, with an optional suffix k, M or G; NaN: missing or not a number. */
static double meta_number(const struct run_tables *run, const char *key)
{
    const char *value = table_meta(run->table, -1, key);
    uint64_t number;
    return value != NULL && parse_size(value, &number) ? (double)number : (double)NAN;
}

/* The guard of §5.1 (segment.h); NaN when the page size or the L1D size is unknown. */
static double guard_of(const struct run_tables *run)
{
    uint64_t page = size_or(table_meta(run->table, -1, "page_bytes"), 0);
    uint64_t l1d = size_or(table_meta(run->table, -1, "l1d_bytes"), 0);
    return page > 0 && l1d > 0 ? segment_guard(l1d, page) : (double)NAN;
}

/* The stride of all points except the control's; NaN when it varies. */
static double common_stride(const struct series *series)
{
    double stride = NAN;
    for (size_t i = 0; i < series->count; i++) {
        const struct point *p = &series->groups[i].point;
        if (p->layout->control)
            continue;
        if (!isnan(stride) && stride != (double)p->spacing)
            return NAN;
        stride = (double)p->spacing;
    }
    return stride;
}

/* Samples per point; NaN when it varies. */
static double common_samples(const struct series *series)
{
    for (size_t i = 1; i < series->count; i++)
        if (series->groups[i].count != series->groups[0].count)
            return NAN;
    return (double)series->groups[0].count;
}

static double count_refined(const struct series *series)
{
    double count = 0;
    for (size_t i = 0; i < series->count; i++)
        count += series->groups[i].point.role == ROLE_REFINE;
    return count;
}

static bool contains(struct json_object *array, const char *word)
{
    for (size_t i = 0; i < json_object_array_length(array); i++)
        if (strcmp(json_object_get_string(json_object_array_get_idx(array, i)), word) == 0)
            return true;
    return false;
}

/* The run's commands, each once, and the value of option --density of sweep or plan. */
static void add_commands(struct json_object *object, const struct run_tables *run)
{
    static const char option[] = " --density ";
    struct json_object *commands = encode_array();
    const char *key, *value, *density = NULL;
    for (size_t k = 0; table_meta_at(run->table, k, &key, &value); k++) {
        if (strcmp(key, "command") == 0 && !contains(commands, value))
            encode_append(commands, encode_text(value, strlen(value)));
        value += strcspn(value, " ");
        if (strcmp(key, "option") == 0 && strncmp(value, option, strlen(option)) == 0)
            density = value + strlen(option);
    }
    encode_add(object, "tlb_density", encode_word(density));
    encode_add(object, "commands", commands);
}

/* `locked` is "yes" or "no (reason)": a column, or metadata in older tables. */
static void add_buffer(struct json_object *object, const struct run_tables *run)
{
    double bytes = meta_number(run, "buffer_bytes");
    const char *locked = run->locked != NULL ? run->locked : table_meta(run->table, -1, "locked");
    bool yes = locked != NULL && strncmp(locked, "yes", 3) == 0;
    bool no = locked != NULL && strncmp(locked, "no", 2) == 0;
    encode_add(object, "buffer_size_bytes", encode_number(bytes));
    encode_add(object, "buffer_size_mb", encode_number(bytes / 0x1p20));
    encode_add(object, "buffer_locked", yes || no ? encode_yes(yes) : NULL);
    encode_add(object, "buffer_locked_reason", yes ? NULL : encode_word(locked));
}

struct json_object *configuration_of(const struct run_tables *run)
{
    struct json_object *object = encode_object();
    bool same_loads = run->loads_min == run->loads_max;
    encode_add(object, "mode", encode_word("analyze_tlb"));
    encode_add(object, "cpu_name", encode_word(table_meta(run->table, -1, "cpu")));
    encode_add(object, "hypervisor", encode_word(table_meta(run->table, -1, "hypervisor")));
    encode_add(object, "performance_cores", encode_number(meta_number(run, "performance_cores")));
    encode_add(object, "efficiency_cores", encode_number(meta_number(run, "efficiency_cores")));
    encode_add(object, "page_size_bytes", encode_number(meta_number(run, "page_bytes")));
    encode_add(object, "l1_cache_size_bytes", encode_number(meta_number(run, "l1d_bytes")));
    encode_add(object, "tlb_guard_bytes", encode_number(guard_of(run)));
    encode_add(object, "latency_stride_bytes", encode_number(common_stride(&run->series)));
    encode_add(object, "latency_chain_mode", encode_word(table_meta(run->table, -1, "chain")));
    encode_add(object, "latency_sample_count", encode_number(common_samples(&run->series)));
    double loads = same_loads ? run->loads_min : (double)NAN;
    encode_add(object, "accesses_per_sample", encode_number(loads)); /* §9 */
    encode_add(object, "accesses_per_loop", encode_number(loads));   /* the published results */
    encode_add(object, "fine_sweep_added_points", encode_number(count_refined(&run->series)));
    add_buffer(object, run);
    encode_add(object, "seed", encode_value(table_meta(run->table, -1, "seed"), false));
    add_commands(object, run);
    return object;
}
