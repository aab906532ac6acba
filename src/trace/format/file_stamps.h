/* file_stamps.h: whether the files that a program had mapped are still the same, by their sizes and
 * times. */
#ifndef TLBLAB_FORMAT_FILE_STAMPS_H
#define TLBLAB_FORMAT_FILE_STAMPS_H

#include <stdbool.h>
#include <stddef.h>

/* Adds to lines as in /proc/PID/maps a line "file BYTES NANOSECONDS PATH" for each file; takes
 * them, and returns what the caller frees. */
char *file_stamps_add(char *maps);

/* Whether this is such a line, and the file has changed since; *path is then in the line, up to its
 * end. */
bool file_stamp_changed(const char *line, size_t length, const char **path);

#endif
