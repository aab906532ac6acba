/* lines.c: reads a text file line by line.
 *
 *     struct lines lines = lines_open("samples.tsv");
 *     while ((line = lines_next(&lines, &length, &cut)) != NULL)
 *         puts(line);
 */
#include "base/lines.h"
#include "base/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_ROOM = 1 << 18, LINE_BYTES_MAX = 1 << 24 };

/* Reads more of the file into the buffer; false at the end of the file. */
static bool fill(struct lines *l)
{
    if (l->begin > 0) {
        memmove(l->buffer, l->buffer + l->begin, l->end - l->begin);
        l->end -= l->begin;
        l->begin = 0;
    }
    if (l->end == l->capacity) {
        if (l->capacity >= LINE_BYTES_MAX)
            die("%s:%lu: the line is longer than %d MiB", l->name, l->number + 1,
                LINE_BYTES_MAX >> 20);
        l->capacity = l->capacity > 0 ? 2 * l->capacity : BUFFER_ROOM;
        l->buffer = reallocate(l->buffer, l->capacity, 1);
    }
    if (feof(l->file)) /* reading on would prompt a terminal again */
        return false;
    size_t got = fread(l->buffer + l->end, 1, l->capacity - l->end, l->file);
    if (got == 0 && ferror(l->file))
        die("%s: cannot read: %s", l->name, strerror(errno));
    l->zeros = l->zeros || memchr(l->buffer + l->end, '\0', got) != NULL;
    l->end += got;
    return got > 0;
}

/* Whether the file begins with these bytes. Reads on only as long as it may. */
static bool begins(struct lines *l, const char *bytes, size_t count)
{
    for (;;) {
        size_t held = l->end - l->begin;
        if (held > 0 && memcmp(l->buffer + l->begin, bytes, held < count ? held : count) != 0)
            return false;
        if (held >= count)
            return true;
        if (!fill(l))
            return false;
    }
}

static void skip_utf8_mark(struct lines *l)
{
    if (begins(l, "\xef\xbb\xbf", 3))
        l->begin = 3;
}

/* ---- input that is not UTF-8 text ---- */

_Noreturn static void refuse(const struct lines *l, unsigned long number, const char *what)
{
    die("%s:%lu: %s", l->name, number, what);
}

static const char utf16[] = "this is UTF-16, not UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)";

/* Plain text in UTF-16 has a NUL in every second byte, a binary file anywhere; text in UTF-8 has
 * none. */
static void check_text(const struct lines *l, unsigned long number, const char *line, size_t length)
{
    size_t zeros[2] = {0}; /* at even places and at odd ones */
    const char *end = line + length, *cr = number == 1 ? memchr(line, '\r', length) : NULL;
    for (const char *at = line; l->zeros && at < end; at++)
        zeros[(at - line) % 2] += *at == '\0';
    if (zeros[0] + zeros[1] > 0)
        refuse(l, number,
               (zeros[0] == 0 || zeros[1] == 0) && zeros[0] + zeros[1] > length / 3
                   ? utf16
                   : "a NUL byte: this is not a text file");
    if (cr != NULL && cr + 1 < end)
        refuse(l, number, "its lines end in CR only (tr '\\r' '\\n' converts it)");
}

/* The first bytes of compressed files, and the program that decompresses them. */
static const struct {
    const char *magic;
    size_t bytes;
    const char *program;
} compressions[] = {{"\x28\xb5\x2f\xfd", 4, "zstd"},
                    {"\x50\x2a\x4d\x18", 4, "zstd"}, /* several processors wrote it */
                    {"\x1f\x8b", 2, "gzip"},
                    {"\xfd\x37zXZ", 5, "xz"},
                    {"BZh", 3, "bzip2"},
                    {"\x04\x22\x4d\x18", 4, "lz4"}};

/* Skips a UTF-8 byte order mark; refuses one of UTF-16 in either byte order, and compressed files.
 */
static void check_mark(struct lines *l)
{
    skip_utf8_mark(l);
    if (begins(l, "\xff\xfe", 2) || begins(l, "\xfe\xff", 2))
        refuse(l, 1, utf16);
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++)
        if (begins(l, compressions[i].magic, compressions[i].bytes))
            die("%s:1: this is compressed, not text ('%s -dc FILE |' before the command "
                "decompresses it)",
                l->name, compressions[i].program);
}

/* ---- reading ---- */

struct lines lines_open(const char *name)
{
    bool standard = strcmp(name, "-") == 0;
    if (*name == '\0')
        die("a file name is empty; '-' is stdin");
    FILE *file = standard ? stdin : fopen(name, "r");
    if (file == NULL)
        die("%s: cannot open: %s", name, strerror(errno));
    return lines_of(file, name, 0);
}

struct lines lines_of(FILE *file, const char *name, unsigned long before)
{
    struct lines l = {.name = name, .file = file, .number = before};
    setvbuf(file, NULL, _IONBF, 0);
    check_mark(&l);
    return l;
}

void lines_close(struct lines *l)
{
    if (l->file != stdin)
        fclose(l->file);
    free(l->buffer);
}

char *lines_next(struct lines *l, size_t *length, bool *cut)
{
    size_t searched = 0;
    for (;;) {
        char *newline = NULL;
        if (l->end > l->begin + searched)
            newline = memchr(l->buffer + l->begin + searched, '\n', l->end - l->begin - searched);
        if (newline != NULL) {
            char *start = l->buffer + l->begin;
            *length = (size_t)(newline - start);
            l->begin += *length + 1;
            l->number++;
            if (l->zeros || l->number == 1)
                check_text(l, l->number, start, *length);
            *newline = '\0';
            return start;
        }
        searched = l->end - l->begin;
        if (!fill(l)) {
            *cut = l->end > l->begin;
            if (*cut && l->number == 0)
                check_text(l, 1, l->buffer + l->begin, l->end - l->begin);
            l->begin = l->end;
            return NULL;
        }
    }
}

void lines_put_back(struct lines *l, char *line, size_t length)
{
    line[length] = '\n';
    l->begin -= length + 1;
    l->number--;
}
