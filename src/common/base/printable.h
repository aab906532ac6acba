/* printable.h: text for people: what comes from outside (file names, cells, metadata) without
 * control characters that a terminal would obey, and lines that are no longer than a page is wide.
 */
#ifndef TLBLAB_BASE_PRINTABLE_H
#define TLBLAB_BASE_PRINTABLE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Length of the well-formed UTF-8 sequence at `at`, with `left` ≥ 1 bytes; 0: not well-formed. */
size_t utf8_length(const char *at, size_t left);

/* The same, but also 0 for a control character: C0, DEL, or C1 (U+0080 to U+009F). */
size_t printable_length(const char *at, size_t left);

/* Writes text: a tab or a line break becomes a blank, any other byte that is not part of a
 * printable character becomes '?'. */
void put_printable(const char *text, size_t length, FILE *file);

/* The same for text of any length, formatted as by vprintf(). */
void vput_printable(FILE *file, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Appends to the text of an array of so many bytes, as printf() does; what does not fit is cut. */
void append(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The number of characters of UTF-8. */
size_t characters(const char *text, size_t length);

/* The characters of a line: COLUMNS if it is from 40 to 1000, else those of the terminal that
 * `stream` is, else 80. */
size_t page_width(FILE *stream);

/* Writes the words of a text, as put_printable() does, from column `at` on, on lines of that width;
 * all but the first begin at column `indent`. A word longer than a line has it alone or, with
 * `cut`, is cut, after a semicolon if it has one, as a call stack does. */
void put_words(FILE *stream, const char *text, size_t at, size_t indent, bool cut);

#endif
