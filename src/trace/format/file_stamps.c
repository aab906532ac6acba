/* file_stamps.c: whether files are still the same.
 *
 *     char *maps = file_stamps_add(text);
 *     if (file_stamp_changed(line, length, &path))
 *         warn("%s has changed", path);
 */
#define _GNU_SOURCE /* st_mtim */
#include "trace/format/file_stamps.h"
#include "base/error.h"
#include "platform.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STAMP_ROOM = PLATFORM_PATH_ROOM + 64 }; /* [bound] */

/* "file BYTES NANOSECONDS PATH", or "" where there is no such file. */
static void put_stamp(char stamp[STAMP_ROOM], const char *path, size_t length)
{
    char file[PLATFORM_PATH_ROOM];
    struct stat is;
    stamp[0] = '\0';
    if (length >= sizeof file)
        return;
    memcpy(file, path, length);
    file[length] = '\0';
    if (stat(file, &is) == 0)
        snprintf(stamp, STAMP_ROOM, "file %" PRIdMAX " %" PRIdMAX " %s\n", (intmax_t)is.st_size,
                 (intmax_t)is.st_mtim.tv_sec * 1000000000 + is.st_mtim.tv_nsec, file);
}

char *file_stamps_add(char *maps)
{
    char stamp[STAMP_ROOM], last[STAMP_ROOM] = "";
    size_t end = strlen(maps), room = end;
    for (size_t at = 0, length; at < end; at += length + 1) {
        length = strcspn(maps + at, "\n");
        const char *path = memchr(maps + at, '/', length);
        if (path == NULL || strncmp(maps + at, "file ", 5) == 0)
            continue;
        put_stamp(stamp, path, (size_t)(maps + at + length - path));
        if (strcmp(stamp, last) == 0)
            continue;
        strcpy(last, stamp);
        size_t used = strlen(maps), more = strlen(stamp);
        if (used + more >= room)
            maps = reallocate(maps, room = 2 * (used + more) + 1, 1);
        memcpy(maps + used, stamp, more + 1);
    }
    return maps;
}

bool file_stamp_changed(const char *line, size_t length, const char **path)
{
    char stamp[STAMP_ROOM];
    *path = strncmp(line, "file ", 5) == 0 ? memchr(line, '/', length) : NULL;
    if (*path == NULL)
        return false;
    put_stamp(stamp, *path, (size_t)(line + length - *path));
    return strncmp(stamp, line, length) != 0 || stamp[length] != '\n';
}
