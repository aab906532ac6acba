/* outcome.c: what came of a request to the platform.
 *
 *     outcome_text(platform_lock(memory, bytes), text);    -> "no (mlock: Operation not permitted)"
 */
#include "machine/outcome.h"
#include "base/error.h"
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
    return outcome_kept(text, strlen(text));
}

const char *outcome_kept(const char *text, size_t length)
{
    static struct kept {
        struct kept *next;
        char text[];
    } * first;
    struct kept *kept = first;
    while (kept != NULL && (strlen(kept->text) != length || memcmp(kept->text, text, length) != 0))
        kept = kept->next;
    if (kept == NULL) {
        kept = allocate(1, sizeof *kept + length + 1);
        memcpy(kept->text, text, length);
        kept->next = first;
        first = kept;
    }
    return kept->text;
}
