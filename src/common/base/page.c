/* page.c: the width of a line.
 *
 *     COLUMNS=60 detect --pretty samples.tsv    -> sentences of 60 characters
 */
#include "base/page.h"
#include "base/range.h"
#include "platform.h"
#include <stdlib.h>

enum { WIDTH = 80, WIDTH_MIN = 40, WIDTH_MAX = 1000 }; /* [bound] */

static bool fits(uint64_t width)
{
    return width >= WIDTH_MIN && width <= WIDTH_MAX;
}

size_t page_width(FILE *stream)
{
    const char *wanted = getenv("COLUMNS");
    uint64_t width;
    if (wanted != NULL && parse_size(wanted, &width) && fits(width))
        return (size_t)width;
    width = platform_terminal_width(stream);
    return fits(width) ? (size_t)width : WIDTH;
}
