/* answer.c: what came of a request to the platform.
 *
 *     answer_text(platform_lock(memory, bytes), text);    -> "no (mlock: Operation not permitted)"
 */
#include "answer.h"
#include <stdio.h>

const char *answer_text(struct platform_result result, char text[ANSWER_ROOM])
{
    static const char *const words[] = {
        [PLATFORM_NO] = "no", [PLATFORM_YES] = "yes", [PLATFORM_HINT] = "hint"};
    snprintf(text, ANSWER_ROOM, *result.why ? "%s (%s)" : "%s", words[result.answer], result.why);
    return text;
}
