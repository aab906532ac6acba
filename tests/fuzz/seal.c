/* seal: makes the content of a binary trace's blocks plain, and puts the right lengths and checksum
 * in their heads, so that a reader goes on to what was changed in them. A block ends where the next
 * mark is.
 *
 * usage: seal <TRACE
 */
#include "trace/format/trace.h"
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ROOM = 1 << 20 };
static uint8_t trace[ROOM], plain[ROOM];
static const char mark[] = {'T', 'B', 'L', 'K'};

/* The length of what is before the next mark. */
static size_t before_mark(const uint8_t *at, size_t length)
{
    size_t i = 0;
    while (i < length && (length - i < sizeof mark || memcmp(at + i, mark, sizeof mark) != 0))
        i++;
    return i;
}

static void put_block(const uint8_t *bytes, size_t length)
{
    uint8_t sealed[BLOCK_HEAD];
    struct block_head head;
    const uint8_t *content = bytes + BLOCK_HEAD;
    block_head_get(&head, bytes);
    head.stored = (uint32_t)(length - BLOCK_HEAD);
    if (head.coding == CODING_ZSTD) {
        size_t got = ZSTD_decompress(plain, sizeof plain, content, head.stored);
        if (!ZSTD_isError(got)) {
            head.coding = CODING_PLAIN;
            head.stored = (uint32_t)got;
            content = plain;
        }
    }
    head.bytes = head.stored;
    block_head_seal(&head, content, sealed);
    fwrite(sealed, 1, sizeof sealed, stdout);
    fwrite(content, 1, head.stored, stdout);
}

int main(void)
{
    size_t count = fread(trace, 1, sizeof trace, stdin), at = before_mark(trace, count);
    fwrite(trace, 1, at, stdout);
    while (at < count) {
        size_t length = sizeof mark +
                        before_mark(trace + at + sizeof mark, count - at - sizeof mark);
        if (length >= BLOCK_HEAD)
            put_block(trace + at, length);
        else
            fwrite(trace + at, 1, length, stdout);
        at += length;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
