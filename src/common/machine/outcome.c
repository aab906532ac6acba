/* outcome.c: the outcome of a request to the platform.
 *
 *     outcome_text(platform_lock(memory, bytes), text);    -> "no (mlock: Operation not permitted)"
 */
#include "machine/outcome.h"
#include "table/table.h"
#include <stdio.h>
#include <string.h>

const char *outcome_text(struct platform_outcome result, char text[OUTCOME_ROOM])
{
    static const char *const words[] = {
        [PLATFORM_NO] = "no", [PLATFORM_YES] = "yes", [PLATFORM_HINT] = "hint"};
    snprintf(text, OUTCOME_ROOM, *result.why ? "%s (%s)" : "%s", words[result.verdict], result.why);
    return text;
}

const char *outcome_keep(struct platform_outcome result)
{
    char text[OUTCOME_ROOM];
    outcome_text(result, text);
    return field_keep((struct field){text, strlen(text)});
}

void outcome_keep_worse(struct platform_outcome *worst, const struct platform_outcome *other)
{
    static const int badness[] = {[PLATFORM_YES] = 0, [PLATFORM_HINT] = 1, [PLATFORM_NO] = 2};
    if (badness[other->verdict] > badness[worst->verdict])
        *worst = *other;
}
