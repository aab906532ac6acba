/* range: sizes, ranges and numbers of the command line. */
#include "base/number.h"
#include "target.h"
#include <stdlib.h>
#include <string.h>

/* A number that was written reads back as the same. */
static void check_number(const char *text)
{
    double value, again;
    char spelled[NUMBER_ROOM];
    if (!parse_number(text, strlen(text), &value))
        return;
    number_text(value, spelled);
    target_check(parse_number(spelled, strlen(spelled), &again));
    target_check(memcmp(&value, &again, sizeof value) == 0 || value == again);
}

static void check_range(const char *text)
{
    struct range range;
    if (!parse_range(text, &range))
        return;
    target_check(range.count > 0);
    for (size_t i = 1; i < range.count && strchr(text, ':') != NULL; i++)
        target_check(range.values[i - 1] < range.values[i]);
    free(range.values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256];
    uint64_t bytes;
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (parse_size(text, &bytes))
        target_check(size_or(text, 1) == (bytes > 0 ? bytes : 1));
    check_range(text);
    check_number(text);
    return 0;
}
