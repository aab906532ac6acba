/* agreement.c: whether several runs, or two sets of samples, give the same answers. */
#include "tlb/detect/agreement.h"
#include "base/error.h"
#include "base/printable.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The known answers about the level of row i, one of each run, if that row is the first of them;
 * returns their number. */
static size_t answers_about(const struct boundary *rows, size_t count, size_t i,
                            const struct boundary **answers)
{
    size_t known = 0;
    for (size_t k = 0; k < count && rows[i].level > 0; k++) {
        if (isnan(rows[k].entries) || !boundary_is_same(&rows[k], &rows[i]))
            continue;
        if (known == 0 && k != i)
            return 0;
        if (known == 0 || strcmp(answers[known - 1]->label.file, rows[k].label.file) != 0)
            answers[known++] = &rows[k];
    }
    return known;
}

static int compare_entries(const void *a, const void *b)
{
    double x = (*(const struct boundary *const *)a)->entries,
           y = (*(const struct boundary *const *)b)->entries;
    return (x > y) - (x < y);
}

static bool agrees(const struct boundary *b, double median)
{
    return b->entries_min <= median && median <= b->entries_max;
}

/* Sorts the answers, of which there is at least one. */
static void report(const struct boundary **answers, size_t count, size_t runs,
                   void (*say)(const char *line))
{
    char line[400] = "";
    qsort(answers, count, sizeof(const struct boundary *), compare_entries);
    const struct boundary *about = answers[(count - 1) / 2];
    double median = about->entries, least = median, most = median;
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        if (agrees(answers[i], median)) {
            least = fmin(least, answers[i]->entries);
            most = fmax(most, answers[i]->entries);
            alike++;
        }
    append(line, sizeof line, "%s %d%s%s: ", structure_names[about->structure], about->level,
           about->backing->scattered ? "" : " ",
           about->backing->scattered ? "" : about->backing->name);
    append(line, sizeof line, least < most ? "%.0f-%.0f (median %.0f)" : "%.0f", least, most,
           median);
    append(line, sizeof line, " in %zu of %zu runs", alike, runs);
    for (size_t i = 0; i < count; i++)
        if (!agrees(answers[i], median))
            append(line, sizeof line, "; %.0f in %s", answers[i]->entries, answers[i]->label.file);
    say(line);
}

void agreement_report(const struct boundary *rows, size_t count, size_t runs,
                      void (*say)(const char *line))
{
    const struct boundary **answers = allocate(count, sizeof(const struct boundary *));
    for (size_t i = 0; i < count; i++) {
        size_t known = answers_about(rows, count, i, answers);
        if (known > 0)
            report(answers, known, runs, say);
    }
    free(answers);
}

/* ---- two sets of samples ---- */

/* Adds how a level changes, if it does; NULL: it is not there. */
static void add_change(char *text, size_t size, const struct boundary *first,
                       const struct boundary *other)
{
    static const struct extent none = {NAN, NAN, NAN};
    const struct boundary *level = first != NULL ? first : other;
    struct extent then = first != NULL ? boundary_extent(first) : none,
                  now = other != NULL ? boundary_extent(other) : none;
    if (first != NULL && other != NULL && isnan(now.size) == isnan(then.size) &&
        !(now.size < then.least || now.size > then.most))
        return;
    append(text, size, level->level > 0 ? "%s%s %d: " : "%s%s: ", *text != '\0' ? "; " : "",
           structure_names[level->structure], level->level);
    append(text, size, other == NULL ? "none" : isnan(now.size) ? "unknown" : "%.0f", now.size);
    append(text, size,
           first == NULL      ? ", not none"
           : isnan(then.size) ? ", not unknown"
                              : ", not %.0f",
           then.size);
}

void agreement_diff(const struct boundaries *first, const struct boundaries *other, char *text,
                    size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < first->count; i++)
        add_change(text, size, &first->at[i], boundaries_find(other, &first->at[i]));
    for (size_t i = 0; i < other->count; i++)
        if (boundaries_find(first, &other->at[i]) == NULL)
            add_change(text, size, NULL, &other->at[i]);
}
