/* lines.h: a file as one line after another, each of 16 MiB at the most. */
#ifndef TLBLAB_BASE_LINES_H
#define TLBLAB_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct lines {
    FILE *file;
    const char *name;     /* "-" for stdin */
    unsigned long number; /* of the last line that was read, from 1 */
    char *buffer;
    size_t begin, end, room; /* of what is in the buffer and was not read yet */
};

/* Opens a file (`-`: stdin) and passes over the mark that some editors put before UTF-8 text. Dies
 * when it cannot be opened; reading dies for an error, for a line that is too long, and for what is
 * no text: UTF-16, NUL bytes, lines that end in CR alone. */
struct lines lines_open(const char *name);
void lines_close(struct lines *lines);

/* The next whole line without its newline, or NULL at the end; then *cut tells whether an
 * unfinished line was left, which a run that was interrupted leaves behind. The line stays where it
 * is until the next call. */
char *lines_next(struct lines *lines, size_t *length, bool *cut);

/* Puts the line back that was read last, so that it is the next one again. */
void lines_put_back(struct lines *lines, char *line, size_t length);

#endif
