/* agreement.c: whether several runs give the same answers. */
#include "detect/agreement.h"
#include "base/error.h"
#include "base/note.h"
#include "base/stats.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char text[400];
    size_t used;
};

/* Cuts off what does not fit, as many runs may disagree. */
__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof line->text - line->used;
    int length = vsnprintf(line->text + line->used, room, format, arguments);
    line->used += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
    va_end(arguments);
}

/* What was measured, as the note tells it: boundaries of the same level are others there. */
static const char *kind_of(const struct answer *a)
{
    static const char *const kinds[] = {"contiguous", "huge", "code"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (note_has(a->note, kinds[i]))
            return kinds[i];
    return "";
}

static bool is_same(const struct answer *a, const struct answer *b)
{
    return strcmp(a->structure, b->structure) == 0 && strcmp(a->level, b->level) == 0 &&
           strcmp(kind_of(a), kind_of(b)) == 0;
}

/* Whether answer i is its run's word about a boundary: the first one that is known. */
static bool counts(const struct answer *answers, size_t i, const struct answer *about)
{
    if (!is_same(&answers[i], about) || isnan(answers[i].entries))
        return false;
    for (size_t k = 0; k < i; k++)
        if (strcmp(answers[k].run, answers[i].run) == 0 && counts(answers, k, about))
            return false;
    return true;
}

/* The lower median of what the runs say of the boundary. */
static double median_of(const struct answer *answers, size_t count, const struct answer *about)
{
    double *entries = allocate(count, sizeof *entries);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(answers, i, about))
            entries[known++] = answers[i].entries;
    double median = stats_select(entries, known, (known - 1) / 2);
    free(entries);
    return median;
}

static bool agrees(const struct answer *a, double median)
{
    return a->min <= median && median <= a->max;
}

static void tell(const struct answer *answers, size_t count, const struct answer *about,
                 size_t runs, void (*say)(const char *line))
{
    struct line line = {.used = 0};
    double median = median_of(answers, count, about), least = median, most = median;
    size_t alike = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(answers, i, about) && agrees(&answers[i], median)) {
            least = fmin(least, answers[i].entries);
            most = fmax(most, answers[i].entries);
            alike++;
        }
    add(&line, "%s %s%s%s: ", about->structure, about->level, *kind_of(about) ? " " : "",
        kind_of(about));
    if (least < most)
        add(&line, "%.0f-%.0f (median %.0f)", least, most, median);
    else
        add(&line, "%.0f", median);
    add(&line, " in %zu of %zu runs", alike, runs);
    for (size_t i = 0; i < count; i++)
        if (counts(answers, i, about) && !agrees(&answers[i], median))
            add(&line, "; %.0f in %s", answers[i].entries, answers[i].run);
    say(line.text);
}

void agreement_tell(const struct answer *answers, size_t count, size_t runs,
                    void (*say)(const char *line))
{
    for (size_t i = 0; i < count; i++) {
        bool first = atoi(answers[i].level) > 0 && !isnan(answers[i].entries);
        for (size_t k = 0; k < i && first; k++)
            first = isnan(answers[k].entries) || !is_same(&answers[k], &answers[i]);
        if (first)
            tell(answers, count, &answers[i], runs, say);
    }
}
