/* miss_row.c: the rows of the tables that misses(1) writes. */
#include "report/run/miss_row.h"
#include <stdio.h>

#define MEMBER(name)   offsetof(struct miss_row, name)
#define GROUPING(name) COLUMN(TEXT, #name, MEMBER(name))
const struct column miss_columns[] = {
    GROUPING(object),
    GROUPING(function),
    GROUPING(line),
    GROUPING(page),
    GROUPING(thread),
    GROUPING(phase),
    GROUPING(group),
    GROUPING(permission),
    COLUMN(NUMBER, "misses", MEMBER(misses)),
    COLUMN(NUMBER, "seconds", MEMBER(seconds)),
    COLUMN(NUMBER, "before", MEMBER(before)),
    COLUMN(NUMBER, "after", MEMBER(after)),
    {0},
};

const char *miss_row_group(const struct miss_row *row, char text[MISS_TEXT_ROOM])
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
