/* claim.c: the metadata keys of a machine's claims.
 *
 *     claim_name("dtlb", 1, "entries", name);    -> "claim_dtlb1_entries"
 */
#include "machine/claim.h"
#include "base/number.h"
#include <stdio.h>
#include <string.h>

const char *const claim_cache_bytes[] = {"l1d_bytes", "l2_bytes", "l3_bytes"};
const char claim_line_bytes[] = "line_bytes";

const char *claim_name(const char *structure, int level, const char *what, char name[CLAIM_ROOM])
{
    snprintf(name, CLAIM_ROOM, "claim_%.16s%d_%.16s", structure, level, what);
    return name;
}

size_t claim_values(const char *text, uint64_t values[CLAIM_VALUES])
{
    static const char between[] = " or ";
    const char *second = text != NULL ? strstr(text, between) : NULL;
    char first[CLAIM_ROOM];
    values[0] = size_or(text, 0);
    if (second == NULL)
        return values[0] > 0;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text, " "), text);
    values[0] = size_or(first, 0);
    values[1] = size_or(second + strlen(between), 0);
    return values[0] > 0 && values[1] > 0 ? 2 : 0;
}

bool claim_is_size(const char *key)
{
    static const char *const others[] = {"l1i_bytes", "l1d_ways"};
    char ways[CLAIM_ROOM];
    bool found = strstr(key, "tlb") != NULL ||
                 strcmp(key, claim_name("cache", 1, "ways", ways)) == 0;
    for (int i = 0; i < CLAIM_CACHES; i++)
        found = found || strcmp(key, claim_cache_bytes[i]) == 0;
    for (int i = 0; i < 2; i++)
        found = found || strcmp(key, others[i]) == 0;
    return found;
}
