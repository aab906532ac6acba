/* raw_map.c: binary maps, one file per page. */
#include "slices/maps/raw_map.h"
#include "base/error.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "PADDR_0x", suffix[] = ".map";

/* The address in a file's name, with any number of digits; false for other names. */
static bool address_in(const char *name, uint64_t *paddr)
{
    size_t length = strlen(name), digits;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    digits = strspn(name + sizeof prefix - 1, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 16 || sizeof prefix - 1 + digits + sizeof suffix - 1 != length ||
        strcmp(name + length - (sizeof suffix - 1), suffix) != 0)
        return false;
    *paddr = strtoull(name + sizeof prefix - 1, NULL, 16);
    return true;
}

/* Joins folder and name into a path, which the caller frees. */
static char *path_of(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = allocate(size, 1);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static char *path_of_page(const char *folder, uint64_t paddr)
{
    char name[64];
    snprintf(name, sizeof name, "%s%.12" PRIx64 "%s", prefix, paddr, suffix);
    return path_of(folder, name);
}

/* Reads exactly this many bytes; sets *why on failure. */
static bool read_whole(const char *path, signed char slices[RAW_MAP_LINES], const char **why)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        *why = strerror(errno);
        return false;
    }
    size_t got = fread(slices, 1, RAW_MAP_LINES, file);
    bool whole = got == RAW_MAP_LINES && fgetc(file) == EOF && !ferror(file);
    *why = ferror(file) ? strerror(errno) : "it is not the 32768 bytes of a page of 2 MiB";
    fclose(file);
    return whole;
}

bool raw_map_read(const char *folder, uint64_t paddr, signed char slices[RAW_MAP_LINES])
{
    char *path = path_of_page(folder, paddr);
    const char *why;
    bool whole = read_whole(path, slices, &why);
    free(path);
    return whole;
}

/* ---- a folder ---- */

static int is_map(const struct dirent *entry)
{
    uint64_t paddr;
    return address_in(entry->d_name, &paddr);
}

static bool read_named(const char *folder, const char *name, struct slice_lines *lines)
{
    static signed char slices[RAW_MAP_LINES];
    char *path = path_of(folder, name);
    const char *why = NULL;
    uint64_t paddr = 0;
    address_in(name, &paddr);
    if (paddr % RAW_MAP_BYTES != 0 || paddr >> ADDRESS_BITS_MAX != 0)
        why = "the address in its name is not that of a page of 2 MiB";
    else if (read_whole(path, slices, &why))
        why = NULL;
    if (why != NULL)
        warn("%s: left out: %s", path, why);
    for (size_t i = 0; i < RAW_MAP_LINES && why == NULL; i++)
        slice_lines_put(lines, paddr + (i << LINE_BITS), slices[i]);
    free(path);
    return why == NULL;
}

size_t raw_maps_read(const char *folder, struct slice_lines *lines)
{
    struct dirent **maps;
    size_t bad = 0;
    int count = scandir(folder, &maps, is_map, alphasort);
    if (count < 0)
        die("%s: cannot read the folder: %s", folder, strerror(errno));
    if (count == 0)
        die("%s: no maps (files PADDR_0x….map) in this folder", folder);
    for (int i = 0; i < count; i++) {
        bad += !read_named(folder, maps[i]->d_name, lines);
        free(maps[i]);
    }
    free(maps);
    return bad;
}

/* ---- writing ---- */

void raw_map_folder(const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        die("%s: cannot make the folder: %s", folder, strerror(errno));
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        die("%s: not a folder", folder);
}

void raw_map_write(const char *folder, uint64_t paddr, const signed char slices[RAW_MAP_LINES])
{
    char name[64], *path = path_of_page(folder, paddr);
    snprintf(name, sizeof name, ".unfinished-%ld", (long)getpid()); /* runs may share a folder */
    char *temporary = path_of(folder, name);
    FILE *file = fopen(temporary, "wb");
    if (file == NULL)
        die("%s: cannot write: %s", temporary, strerror(errno));
    bool written = fwrite(slices, 1, RAW_MAP_LINES, file) == RAW_MAP_LINES;
    if (fclose(file) != 0 || !written)
        die("%s: cannot write: %s", temporary, strerror(errno));
    if (rename(temporary, path) != 0)
        die("%s: cannot rename it to %s: %s", temporary, path, strerror(errno));
    free(temporary);
    free(path);
}
