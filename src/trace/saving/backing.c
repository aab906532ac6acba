/* backing.c: whether the memory of a command was on huge pages.
 *
 *     const char *backing = backing_of(&usage, true);
 */
#include "trace/saving/backing.h"
#include <string.h>

const char *backing_of(const struct platform_usage *usage, bool of_all)
{
    static const uint64_t little = 4 << 20; /* of what a command has. [prior] */
    bool is_rest = of_all && usage->rss_most > 4 * little &&
                   usage->rss < usage->rss_most / 2; /* the freed memory may have been on them */
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
