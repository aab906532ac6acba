/* payload.c: the verification payload. § refers to the whitepaper named in payload.h. The keys are
 * those of §9 and of the results its authors published. */
#include "report/payload/payload.h"
#include "access/layout.h"
#include "base/args.h"
#include "base/error.h"
#include "report/payload/encode.h"
#include "tlb/cost/penalty.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct json_object *words(const struct note *note)
{
    struct json_object *array = encode_array();
    char text[NOTE_ROOM];
    note_text(note, text);
    for (char *word = strtok(text, ","); word != NULL; word = strtok(NULL, ","))
        encode_append(array, encode_text(word, strlen(word)));
    return array;
}

/* ---- raw samples ---- */

static struct json_object *latencies(const struct group *group)
{
    struct json_object *array = encode_array();
    for (size_t i = 0; i < group->count; i++)
        encode_append(array, encode_number(group->ns[i]));
    return array;
}

static struct json_object *median(const struct group *group)
{
    return encode_number(group_quantile(group, 0.5));
}

static struct json_object *window(const struct group *group)
{
    struct json_object *object = encode_object();
    const struct point *p = &group->point;
    encode_add(object, "layout", encode_word(p->layout->name));
    encode_add(object, "role", encode_word(role_names[p->role]));
    encode_add(object, "backing", encode_word(p->backing->name));
    encode_add(object, "stride_bytes", encode_number((double)p->spacing));
    encode_add(object, "pages", encode_number((double)p->pages));
    encode_add(object, "locality_bytes", encode_number(point_span(p)));
    encode_add(object, "locality_kb", encode_number(point_span(p) / 1024));
    encode_add(object, "loop_latencies_ns", latencies(group));
    encode_add(object, "p50_latency_ns", median(group));
    return object;
}

/* All points except the comparison point, which is not part of the sweep (§4.3). */
static struct json_object *sweep(const struct series *series)
{
    struct json_object *array = encode_array();
    for (size_t i = 0; i < series->count; i++)
        if (series->groups[i].point.role != ROLE_COMPARISON)
            encode_append(array, window(&series->groups[i]));
    return array;
}

/* ---- boundaries ---- */

/* The text of a level in these columns. */
static const char *level_of(const struct column *columns, int level, char text[LEVEL_ROOM])
{
    while (strcmp(columns->name, "level") != 0)
        columns++;
    return level_text(columns, level, text);
}

/* The row of a structure's level among the plain ones (boundary_is_plain()) or the others, or NULL.
 * Dies if there are two. */
static const struct boundary *row_among(const struct run_tables *run, enum structure structure,
                                        int level, bool plain)
{
    const struct boundary *found = NULL;
    char text[LEVEL_ROOM];
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *row = &run->boundaries.at[i];
        if (row->structure != structure || row->level != level || boundary_is_plain(row) != plain)
            continue;
        if (found != NULL)
            die("the boundaries have %s %s twice: a payload describes one run and one curve (use "
                "the tables of each run, without --by)",
                structure_names[structure], level_of(boundary_columns, level, text));
        found = row;
    }
    return found;
}

/* The row of a structure's level (0: the private-cache knee), or NULL. Loads from scattered small
 * pages, which the whitepaper measures, come before contiguous frames and huge pages. */
static const struct boundary *row_of(const struct run_tables *run, enum structure structure,
                                     int level)
{
    const struct boundary *found = row_among(run, structure, level, true);
    return found != NULL ? found : row_among(run, structure, level, false);
}

/* How `entries` was computed: §7.1, or detect(1). */
static const char *entries_method(const struct boundary *row)
{
    if (step_by_segment(row))
        return "range_midpoint";
    return strcmp(row->method, "control") == 0 ? "laps" : NULL;
}

/* In the whitepaper's spelling (§6): "High". */
static struct json_object *spelled(const struct boundary *row)
{
    char name[16];
    snprintf(name, sizeof name, "%s", confidence_name(row->confidence));
    name[0] = (char)toupper((unsigned char)name[0]);
    return encode_word(name);
}

/* The members common to all sections; `reason` says why there is no row. */
static struct json_object *section(const struct run_tables *run, const struct boundary *found,
                                   struct json_object *detected, const char *reason)
{
    struct json_object *object = encode_object();
    const struct boundary *row = found != NULL ? found : &boundary_missing;
    struct note note = boundary_note(row);
    encode_add(object, "detected", detected);
    encode_add(object, "reason", found != NULL ? NULL : encode_word(reason));
    encode_add(object, "method", encode_word(row->method));
    encode_add(object, "boundary_locality_bytes", encode_number(row->bytes_max));
    encode_add(object, "boundary_locality_kb", encode_number(row->bytes_max / 1024));
    encode_add(object, "previous_locality_kb", encode_number(row->bytes_min / 1024));
    encode_add(object, "baseline_ns", encode_number(row->plateau_ns));
    encode_add(object, "step_ns", encode_number(row->step_ns));
    encode_add(object, "step_percent", encode_number(row->step_ns / row->plateau_ns));
    step_add(object, run, row);
    encode_add(object, "confidence", spelled(row));
    encode_add(object, "notes", words(&note));
    encode_add(object, "warning", step_warning(row));
    return object;
}

static void add_entries(struct json_object *object, const struct boundary *found)
{
    const struct boundary *row = found != NULL ? found : &boundary_missing;
    encode_add(object, "inferred_entries", encode_number(row->entries));
    encode_add(object, "inferred_entries_method", encode_word(entries_method(row)));
    encode_add(object, "inferred_entries_min", encode_number(row->entries_min));
    encode_add(object, "inferred_entries_max", encode_number(row->entries_max));
}

/* Only method segment looks for a private-cache knee. If there are no rows, it was the method if
 * the samples suit no other. */
static bool knee_wanted(const struct run_tables *run)
{
    if (run->boundaries.count > 0)
        return step_by_segment(&run->boundaries.at[0]);
    for (size_t i = 0; i < run->series.count; i++)
        if (!run->series.groups[i].point.layout->windows)
            return false;
    return true;
}

static struct json_object *cache_knee(const struct run_tables *run)
{
    const struct boundary *row = row_of(run, STRUCTURE_CACHE, 0);
    bool wanted = row != NULL || knee_wanted(run);
    struct json_object *object = section(run, row, wanted ? encode_yes(row != NULL) : NULL,
                                         wanted ? "not_detected" : "not_looked_for");
    encode_add(object, "may_interfere_with_tlb",
               row != NULL ? encode_yes(note_has(&row->note, NOTE_MAY_INTERFERE_WITH_TLB)) : NULL);
    return object;
}

/* Only method segment, which looks for the knee, says whether the level overlaps it. */
static struct json_object *tlb_level(const struct run_tables *run, int level)
{
    const struct boundary *row = row_of(run, STRUCTURE_DTLB, level);
    bool wanted = level == 1 || row_of(run, STRUCTURE_DTLB, 1) != NULL;
    struct json_object *object = section(run, row, encode_yes(row != NULL),
                                         wanted ? "not_detected" : "no_first_level");
    add_entries(object, row);
    encode_add(object, note_name(NOTE_OVERLAPS_PRIVATE_CACHE_KNEE),
               row != NULL && step_by_segment(row)
                   ? encode_yes(note_has(&row->note, NOTE_OVERLAPS_PRIVATE_CACHE_KNEE))
                   : NULL);
    return object;
}

/* Rows without their own section: the caches of method control, further levels. */
static struct json_object *others(const struct run_tables *run)
{
    struct json_object *array = encode_array();
    const struct boundary *knee = row_of(run, STRUCTURE_CACHE, 0),
                          *first = row_of(run, STRUCTURE_DTLB, 1);
    const struct boundary *second = row_of(run, STRUCTURE_DTLB, 2);
    char level[LEVEL_ROOM];
    for (size_t i = 0; i < run->boundaries.count; i++) {
        const struct boundary *row = &run->boundaries.at[i];
        if (row == knee || row == first || row == second)
            continue;
        struct json_object *object = section(run, row, encode_yes(true), NULL);
        encode_add(object, "structure", encode_word(structure_names[row->structure]));
        encode_add(object, "level",
                   encode_value(level_of(boundary_columns, row->level, level), false));
        add_entries(object, row);
        encode_append(array, object);
    }
    return array;
}

/* ---- penalty ---- */

/* The two points compared. The samples of the 512 MiB point go here, since it is not part of the
 * sweep (§4.3). The baseline of a smaller buffer is known, too (§7.2). */
static void add_ends(struct json_object *object, const struct series *series)
{
    const struct group *high = penalty_comparison(series);
    const struct point *some = high != NULL ? &high->point
                                            : series_with(series, offsetof(struct layout, windows));
    const struct group *low = some != NULL ? penalty_first(series, some) : NULL;
    double low_bytes = low != NULL ? point_span(&low->point) : (double)NAN;
    double high_bytes = high != NULL ? point_span(&high->point) : (double)NAN;
    encode_add(object, "baseline_locality_kb", encode_number(low_bytes / 1024));
    encode_add(object, "baseline_p50_ns", low != NULL ? median(low) : NULL);
    encode_add(object, "comparison_locality_mb", encode_number(high_bytes / 0x1p20));
    encode_add(object, "comparison_p50_ns", high != NULL ? median(high) : NULL);
    encode_add(object, "comparison_loop_latencies_ns", high != NULL ? latencies(high) : NULL);
}

static void add_penalty(struct json_object *object, const struct penalty *row)
{
    encode_add(object, "penalty_ns", encode_number(row->ns));
    encode_add(object, "low_ns", encode_number(row->low));
    encode_add(object, "high_ns", encode_number(row->high));
    encode_add(object, "notes", words(&row->note));
}

/* The penalties of method control; §9 does not have them. */
static struct json_object *controlled(const struct run_tables *run)
{
    struct json_object *array = encode_array();
    char level[LEVEL_ROOM];
    for (size_t i = 0; i < run->penalties.count; i++) {
        const struct penalty *row = &run->penalties.at[i];
        if (strcmp(row->method, "raw") == 0)
            continue;
        struct json_object *object = encode_object();
        encode_add(object, "method", encode_word(row->method));
        encode_add(object, "level",
                   encode_value(level_of(penalty_columns, row->level, level), false));
        add_penalty(object, row);
        encode_append(array, object);
    }
    return array;
}

/* The penalty of §7.2 is method raw's. */
static const struct penalty *raw_penalty(const struct run_tables *run)
{
    const struct penalty *found = NULL;
    for (size_t i = 0; i < run->penalties.count; i++) {
        if (strcmp(run->penalties.at[i].method, "raw") != 0)
            continue;
        if (found != NULL)
            die("the penalties have method raw twice: a payload describes one run (leave out "
                "--by)");
        found = &run->penalties.at[i];
    }
    return found;
}

static struct json_object *page_walk(const struct run_tables *run)
{
    struct json_object *object = encode_object();
    const struct penalty *raw = raw_penalty(run);
    bool available = raw != NULL && isfinite(raw->ns);
    char note[NOTE_ROOM];
    const char *reason = raw != NULL ? note_text(&raw->note, note) : "no_penalties";
    encode_add(object, "available", encode_yes(available));
    encode_add(object, "reason", available ? NULL : encode_word(reason));
    add_penalty(object, raw != NULL ? raw : &(struct penalty){.ns = NAN, .low = NAN, .high = NAN});
    add_ends(object, &run->series);
    encode_add(object, "controlled", controlled(run));
    return object;
}

/* ---- the payload ---- */

static void check(const struct run_tables *run)
{
    if (run->series.count == 0)
        die("no samples in the input: --tlb needs SAMPLES and BOUNDARIES (detect SAMPLES)");
    if (run->boundaries.count == 0 && !run_tables_was_run(run, "detect"))
        die("no boundaries in the input: --tlb needs those of detect SAMPLES");
}

/* The time in UTC (ISO 8601). */
static struct json_object *now(void)
{
    char stamp[32];
    time_t seconds = time(NULL);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) == NULL ||
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return NULL;
    return encode_word(stamp);
}

struct json_object *payload_build(const struct run_tables *run)
{
    check(run);
    struct json_object *payload = encode_object(), *analysis = encode_object();
    encode_add(analysis, "sweep", sweep(&run->series));
    encode_add(analysis, "private_cache_knee", cache_knee(run));
    encode_add(analysis, "l1_tlb_detection", tlb_level(run, 1));
    encode_add(analysis, "l2_tlb_detection", tlb_level(run, 2));
    encode_add(analysis, "other_boundaries", others(run));
    encode_add(analysis, "page_walk_penalty", page_walk(run));
    encode_add(payload, "configuration", configuration_of(run));
    encode_add(payload, "execution_time_sec", encode_number(run->run_s));
    encode_add(payload, "tlb_analysis", analysis);
    encode_add(payload, "timestamp", now());
    encode_add(payload, "version", encode_word(TLBLAB_VERSION));
    return payload;
}
