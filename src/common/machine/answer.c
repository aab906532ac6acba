/* answer.c: what came of a request to the platform.
 *
 *     answer_text(platform_lock(memory, bytes), text);    -> "no (mlock: Operation not permitted)"
 */
#include "machine/answer.h"
#include "base/error.h"
#include <stdio.h>
#include <string.h>

const char *answer_text(struct platform_result result, char text[ANSWER_ROOM])
{
    static const char *const words[] = {
        [PLATFORM_NO] = "no", [PLATFORM_YES] = "yes", [PLATFORM_HINT] = "hint"};
    snprintf(text, ANSWER_ROOM, *result.why ? "%s (%s)" : "%s", words[result.answer], result.why);
    return text;
}

const char *answer_keep(struct platform_result result)
{
    char text[ANSWER_ROOM];
    answer_text(result, text);
    return answer_kept(text, strlen(text));
}

const char *answer_kept(const char *text, size_t length)
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
