/* printable.h: text from outside (file names, cells, metadata) without the control characters that
 * would command a terminal. */
#ifndef TLBLAB_BASE_PRINTABLE_H
#define TLBLAB_BASE_PRINTABLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Length of the well-formed UTF-8 sequence at `at`, of `left` bytes at least 1; 0: none. */
size_t utf8_length(const char *at, size_t left);

/* The same; 0 for a control character too: C0, DEL, or C1 (U+0080 to U+009F). */
size_t printable_length(const char *at, size_t left);

/* Writes text: a tab or a line break becomes a blank, any other byte that is not part of a
 * printable character becomes '?'. */
void put_printable(const char *text, size_t length, FILE *file);

/* The same for a text of any length that vprintf() would write. */
void vput_printable(FILE *file, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
