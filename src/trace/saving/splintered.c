/* splintered.c: whether the host backs huge pages with small ones.
 *
 *     table_put_meta("splintered", "%s", splintered("boundaries.tsv"));
 */
#include "trace/saving/splintered.h"
#include "platform.h"
#include "tlb/detect/boundary.h"
#include <stdbool.h>
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
    struct row_reader reader = row_reader_open(t, boundary_columns);
    struct boundary row;
    table_require(t, table_column(t, "note"));
    while (table_next(t)) {
        boundary_read(&reader, &row);
        if (note_has(&row.note, NOTE_SPLINTERED))
            found = "yes";
        else if (row.backing->huge && strcmp(found, "yes") != 0)
            found = "no";
    }
    table_close(t);
    return found;
}
