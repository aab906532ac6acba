/* agreement.c: whether several runs, or two sets of samples, give the same answers. */
#include "tlb/detect/agreement.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/stats.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether row i is its run's first known answer for a boundary. */
static bool counts(const struct boundary *rows, size_t i, const struct boundary *about)
{
    if (!boundary_is_same(&rows[i], about) || isnan(rows[i].entries))
        return false;
    for (size_t k = 0; k < i; k++)
        if (strcmp(rows[k].label.file, rows[i].label.file) == 0 && counts(rows, k, about))
            return false;
    return true;
}

/* The lower median of the runs' entries. */
static double median_of(const struct boundary *rows, size_t count, const struct boundary *about)
{
    double *entries = allocate(count, sizeof *entries);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(rows, i, about))
            entries[known++] = rows[i].entries;
    double median = stats_select(entries, known, (known - 1) / 2);
    free(entries);
    return median;
}

static bool agrees(const struct boundary *a, double median)
{
    return a->entries_min <= median && median <= a->entries_max;
}

static void report(const struct boundary *rows, size_t count, const struct boundary *about,
                   size_t runs, void (*say)(const char *line))
{
    char line[400] = "";
    double median = median_of(rows, count, about), least = median, most = median;
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(rows, i, about) && agrees(&rows[i], median)) {
            least = fmin(least, rows[i].entries);
            most = fmax(most, rows[i].entries);
            alike++;
        }
    append(line, sizeof line, "%s %d%s%s: ", structure_names[about->structure], about->level,
           about->backing->scattered ? "" : " ",
           about->backing->scattered ? "" : about->backing->name);
    if (least < most)
        append(line, sizeof line, "%.0f-%.0f (median %.0f)", least, most, median);
    else
        append(line, sizeof line, "%.0f", median);
    append(line, sizeof line, " in %zu of %zu runs", alike, runs);
    for (size_t i = 0; i < count; i++)
        if (counts(rows, i, about) && !agrees(&rows[i], median))
            append(line, sizeof line, "; %.0f in %s", rows[i].entries, rows[i].label.file);
    say(line);
}

void agreement_report(const struct boundary *rows, size_t count, size_t runs,
                      void (*say)(const char *line))
{
    for (size_t i = 0; i < count; i++) {
        bool first = rows[i].level > 0 && !isnan(rows[i].entries);
        for (size_t k = 0; k < i && first; k++)
            first = isnan(rows[k].entries) || !boundary_is_same(&rows[k], &rows[i]);
        if (first)
            report(rows, count, &rows[i], runs, say);
    }
}

/* ---- two sets of samples ---- */

static const struct boundary *find_level(const struct boundaries *list, const struct boundary *like)
{
    for (size_t i = 0; i < list->count; i++)
        if (boundary_is_same(&list->at[i], like))
            return &list->at[i];
    return NULL;
}

/* Whether its size is given in bytes only. */
static bool is_line(const struct boundary *b)
{
    return b->structure == STRUCTURE_LINE || b->structure == STRUCTURE_PREFETCH;
}

static bool is_within(const struct boundary *a, const struct boundary *range)
{
    if (is_line(a))
        return !(a->bytes_max < range->bytes_min || a->bytes_max > range->bytes_max);
    return isnan(a->entries) == isnan(range->entries) &&
           !(a->entries < range->entries_min || a->entries > range->entries_max);
}

static const char *capacity_text(const struct boundary *b, char text[32])
{
    if (is_line(b))
        snprintf(text, 32, "%.0f bytes", b->bytes_max);
    else
        snprintf(text, 32, isnan(b->entries) ? "unknown" : "%.0f", b->entries);
    return text;
}

/* Either may be NULL. */
static void add_change(char *text, size_t size, const struct boundary *first,
                       const struct boundary *other)
{
    const struct boundary *level = first != NULL ? first : other;
    char now[32], then[32];
    if (first != NULL && other != NULL && is_within(other, first))
        return;
    append(text, size, level->level > 0 ? "%s%s %d: " : "%s%s: ", *text != '\0' ? "; " : "",
           structure_names[level->structure], level->level);
    if (other == NULL)
        append(text, size, "not found");
    else if (first == NULL)
        append(text, size, "%s instead of none", capacity_text(other, now));
    else
        append(text, size, "%s, not %s", capacity_text(other, now), capacity_text(first, then));
}

void agreement_diff(const struct boundaries *first, const struct boundaries *other, char *text,
                    size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < first->count; i++)
        add_change(text, size, &first->at[i], find_level(other, &first->at[i]));
    for (size_t i = 0; i < other->count; i++)
        if (find_level(first, &other->at[i]) == NULL)
            add_change(text, size, NULL, &other->at[i]);
}
