/* lines.h: reads a text file line by line; a line has at most 16 MiB. */
#ifndef TLBLAB_BASE_LINES_H
#define TLBLAB_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct lines {
    FILE *file;
    const char *name;     /* "-" for stdin */
    unsigned long number; /* of the last line read, from 1 */
    char *buffer;
    size_t begin, end, capacity; /* unread bytes are at begin … end − 1, of `capacity` allocated */
    bool zeros;                  /* whether a NUL was read */
};

/* Opens a file (`-`: stdin) and skips a UTF-8 byte order mark. Dies if the file cannot be opened.
 * Reading dies on an error, on a line that is too long, and on bytes that are not text: a
 * compressed file, UTF-16, NUL, lines that end in CR only. */
struct lines lines_open(const char *name);

/* The same of a file that is part of `name`, with `before` lines of it before its first one. */
struct lines lines_of(FILE *file, const char *name, unsigned long before);
void lines_close(struct lines *lines);

/* The next line without its newline, valid until the next call; NULL at the end of the
 * file. *cut is then set if the last line has no newline, as after an interrupted run.
 */
char *lines_next(struct lines *lines, size_t *length, bool *cut);

/* Puts the last line back; the next lines_next() returns it again. */
void lines_put_back(struct lines *lines, char *line, size_t length);

#endif
