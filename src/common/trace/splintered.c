/* splintered.c: whether the host backs huge pages with small ones.
 *
 *     table_put_meta("splintered", "%s", splintered("boundaries.tsv"));
 */
#include "trace/splintered.h"
#include "platform.h"
#include "table/table.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_guest(void)
{
    struct platform_cpuid registers;
    return platform_cpuid(1, 0, &registers) && registers.ecx >> 31 != 0;
}

const char *splintered(const char *file)
{
    const char *found = is_guest() ? "unknown" : "no";
    struct table *t = file != NULL ? table_open((char *[]){(char *)file}, 1) : NULL;
    if (t == NULL)
        return found;
    int note = table_column(t, "note");
    table_require(t, note);
    while (table_next(t)) {
        char text[256];
        struct field field = table_field(t, note);
        snprintf(text, sizeof text, "%.*s", (int)field.length,
                 field.text != NULL ? field.text : "");
        if (strstr(text, "splintered") != NULL)
            found = "yes";
        else if (strncmp(text, "huge", 4) == 0 && strcmp(found, "yes") != 0)
            found = "no";
    }
    table_close(t);
    return found;
}
