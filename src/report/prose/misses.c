/* misses.c: the report's sections on the TLB misses of a program. */
#include "report/prose/prose.h"
#include "report/prose/sections.h"
#include <math.h>
#include <stdio.h>

/* The first rows of a table, which have the most misses, or have changed most. [bound] */
enum { MISSES_SHOWN = 5 };

enum { MISS_TEXT_ROOM = 512 }; /* [bound] */

/* The grouping of a row's misses: "object". With object and function the text has both,
 * "object: function"; the name is that of the first one. */
static const char *group_of(const struct miss_row *row, char text[MISS_TEXT_ROOM])
{
    const char *group = "";
    int length = 0;
    *text = '\0';
    for (const struct column *c = miss_columns; c->kind == COLUMN_TEXT; c++) {
        const char *name = *(const char *const *)(const void *)((const char *)row + c->offset);
        if (*name == '\0' || length < 0 || length >= MISS_TEXT_ROOM)
            continue;
        length += snprintf(text + length, MISS_TEXT_ROOM - (size_t)length, "%s%s",
                           length > 0 ? ": " : "", name);
        group = *group == '\0' ? c->name : group;
    }
    return group;
}

/* The sum of one number of the rows; NaN where one lacks it. */
static double sum_of(const struct miss_row *rows, size_t count, size_t offset)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += *(const double *)(const void *)((const char *)&rows[i] + offset);
    return sum;
}

static void say_misses(const struct miss_row *rows, size_t count)
{
    char text[MISS_TEXT_ROOM], label[PROSE_ROOM];
    double all = sum_of(rows, count, offsetof(struct miss_row, misses));
    double seconds = sum_of(rows, count, offsetof(struct miss_row, seconds));
    prose_say("Misses", "%.0f, by %s", all, group_of(&rows[0], text));
    if (!isnan(seconds))
        prose_say("Their cost", "at most %.3g s", seconds);
    for (size_t i = 0; i < count && i < MISSES_SHOWN; i++) {
        snprintf(label, sizeof label, "%5.1f %%", 100 * rows[i].misses / all);
        group_of(&rows[i], text);
        prose_say(label, "%s", text);
    }
}

static void say_changes(const struct miss_row *rows, size_t count)
{
    char text[MISS_TEXT_ROOM], label[PROSE_ROOM], percent[PROSE_ROOM] = "";
    double before = sum_of(rows, count, offsetof(struct miss_row, before));
    double after = sum_of(rows, count, offsetof(struct miss_row, after));
    if (before > 0)
        snprintf(percent, sizeof percent, " (%+.1f %%)", 100 * (after - before) / before);
    prose_say("Misses", "%.0f before, %.0f after%s, by %s", before, after, percent,
              group_of(&rows[0], text));
    for (size_t i = 0; i < count && i < MISSES_SHOWN; i++) {
        snprintf(label, sizeof label, "%+.0f", rows[i].after - rows[i].before);
        group_of(&rows[i], text);
        prose_say(label, "%.0f to %.0f: %s", rows[i].before, rows[i].after, text);
    }
}

void report_misses(const struct run_tables *run)
{
    for (size_t i = 0, count; i < run->misses.count; i += count) {
        const struct miss_row *rows = &run->misses.at[i];
        bool changes = isnan(rows->misses);
        for (count = 1; i + count < run->misses.count && rows[count].table == rows->table;)
            count++;
        puts(changes ? "\n[Changed TLB Misses]" : "\n[TLB Misses]");
        (changes ? say_changes : say_misses)(rows, count);
    }
}
