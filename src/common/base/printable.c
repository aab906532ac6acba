/* printable.c: text for people.
 *
 *     put_printable("\x1b[2Jé", 6, stdout);    -> ?[2Jé
 *     COLUMNS=60 detect --pretty samples.tsv    -> sentences of 60 characters
 */
#include "base/printable.h"
#include "base/error.h"
#include "base/number.h"
#include "platform.h"
#include <stdlib.h>
#include <string.h>

/* Forms of The Unicode Standard 15, table 3-7: no overlong forms, no surrogates, nothing above
 * U+10FFFF. */
size_t utf8_length(const char *text, size_t left)
{
    static const struct {
        unsigned char first, last, low, high; /* range of the first byte, of the second */
        size_t length;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *at = (const unsigned char *)text;
    if (*at < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        if (left < forms[i].length || at[1] < forms[i].low || at[1] > forms[i].high)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((at[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

size_t printable_length(const char *text, size_t left)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t length = utf8_length(text, left);
    bool control = *at < 0x20 || *at == 0x7f || (length == 2 && *at == 0xc2 && at[1] < 0xa0);
    return control ? 0 : length;
}

void put_printable(const char *text, size_t length, FILE *file)
{
    for (size_t done = 0, plain; done < length; done += plain) {
        size_t whole;
        for (plain = 0; done + plain < length; plain += whole)
            if ((whole = printable_length(text + done + plain, length - done - plain)) == 0)
                break;
        fwrite(text + done, 1, plain, file);
        if (done + plain < length) {
            char c = text[done + plain++];
            putc(c == '\t' || c == '\n' || c == '\r' ? ' ' : '?', file);
        }
    }
}

void vput_printable(FILE *file, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = allocate((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    put_printable(text, (size_t)length, file);
    free(text);
}

void append(char *text, size_t room, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, room - used, format, arguments);
    va_end(arguments);
}

/* ---- lines ---- */

size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += (text[i] & 0xc0) != 0x80;
    return count;
}

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

/* The bytes of a word, or what of it fits: up to a semicolon if it has one, as a call stack does.
 */
static size_t word_length(const char *text, size_t room)
{
    size_t length = strcspn(text, " "), cut = room;
    if (length <= room)
        return length;
    while (cut > 0 && text[cut - 1] != ';')
        cut--;
    if (cut > 0)
        return cut;
    while (room > 1 && (text[room] & 0xc0) == 0x80) /* such as a path */
        room--;
    return room;
}

void put_words(FILE *stream, const char *text, size_t at, size_t indent, bool cut)
{
    size_t width = page_width(stream), length;
    for (bool first = true; *text != '\0'; text += length + (text[length] == ' '), first = false) {
        length = cut ? word_length(text, width - indent) : strcspn(text, " ");
        size_t word = characters(text, length);
        if (at > indent && at + !first + word > width) {
            fprintf(stream, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent && !first) {
            putc(' ', stream);
            at++;
        }
        put_printable(text, length, stream);
        at += word;
    }
}
