/* backing.c: whether the memory of a command was on huge pages, and these huge on the host.
 *
 *     const char *backing = backing_of(&usage, true);
 */
#include "trace/saving/backing.h"
#include "tlb/detect/boundary.h"
#include <string.h>

const char *backing_of(const struct platform_usage *usage, bool of_all)
{
    static const uint64_t little = 4 << 20; /* of what a command has. [prior] */
    bool is_rest = of_all && usage->rss_max > 4 * little &&
                   usage->rss < usage->rss_max / 2; /* the freed memory may have been on them */
    if (usage->rss == 0)
        return "unknown";
    if (usage->rss < little && of_all)
        return is_rest ? "unknown" : "little_memory";
    if (usage->huge_bytes > usage->rss / 4 * 3)
        return "huge";
    if (usage->huge_bytes > usage->rss / 20)
        return "partly";
    return is_rest ? "unknown" : "base";
}

bool backing_is_alike(const char *backing)
{
    return strcmp(backing, "base") == 0 || strcmp(backing, "little_memory") == 0;
}

static bool is_guest(void)
{
    struct platform_cpuid registers;
    return platform_cpuid(1, 0, &registers) && registers.ecx >> 31 != 0;
}

const char *backing_splintered(const char *file)
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
