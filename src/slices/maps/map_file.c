/* map_file.c: maps in tables and in folders. */
#include "slices/maps/map_file.h"
#include "base/error.h"
#include "base/number.h"
#include "slices/hash/hash_file.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- binary maps ---- */

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

/* Reads all maps in a folder. Returns how many files with such a name cannot be read or have the
 * wrong size, after a warning for each. Dies if the folder cannot be read. */
static size_t read_folder(const char *folder, struct slice_lines *lines)
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

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

void raw_map_make_folder(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        die("%s: cannot make the folder: %s", folder, strerror(errno));
    if (!is_folder(folder))
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

/* ---- tables ---- */

/* Regions of several files, numbered from 0 in order of appearance. */
struct regions {
    struct region {
        unsigned long head;
        uint64_t number; /* in its file */
    } * at;
    size_t count, last;
};

static uint64_t region_of(struct regions *r, unsigned long head, uint64_t number)
{
    if (r->count > 0 && r->at[r->last].head == head && r->at[r->last].number == number)
        return r->last;
    for (r->last = 0; r->last < r->count; r->last++)
        if (r->at[r->last].head == head && r->at[r->last].number == number)
            return r->last;
    r->at = extend(r->at, r->count, sizeof *r->at);
    r->at[r->count] = (struct region){head, number};
    return r->count++;
}

/* How many low bits are physical in a file: all, unless its metadata say otherwise. */
static unsigned bits_of(const struct table *table, int file)
{
    uint64_t bits = size_or(table_meta(table, file, "paddr_bits"), ADDRESS_BITS_MAX);
    if (bits < LINE_BITS + 4 || bits > ADDRESS_BITS_MAX)
        die("%s: paddr_bits is %llu: expected %d to %d", table_file_name(table, file),
            (unsigned long long)bits, LINE_BITS + 4, ADDRESS_BITS_MAX);
    return (unsigned)bits;
}

/* The same for all files together, which must agree. */
static unsigned bits_of_all(const struct table *table)
{
    unsigned bits = bits_of(table, 0);
    for (int file = 1; file < table_files(table); file++)
        if (bits_of(table, file) != bits)
            die("%s: its paddr_bits differ from those of %s", table_file_name(table, file),
                table_file_name(table, 0));
    return bits;
}

/* The slice number in the current row; negative if missing. */
static int slice_read(struct table *table, int column)
{
    double slice;
    if (!table_number(table, column, &slice) || slice == SLICE_MISSING)
        return SLICE_MISSING;
    if (!(slice >= 0 && slice < SLICES_MAX) || slice != (int)slice)
        table_die(table, column, "'%g' is not a slice number from 0 to %d", slice, SLICES_MAX - 1);
    return (int)slice;
}

static void read_rows(struct table *table, unsigned bits, struct slice_lines *lines)
{
    int paddr = table_column(table, "paddr"), slice = table_column(table, "slice");
    struct regions regions = {0};
    table_require(table, paddr);
    table_require(table, slice);
    while (table_next(table)) {
        uint64_t address = paddr_read(table, paddr);
        if (bits < ADDRESS_BITS_MAX) {
            uint64_t region = region_of(&regions, table_head(table), address >> bits);
            address = region << bits | (address & (((uint64_t)1 << bits) - 1));
        }
        slice_lines_put(lines, address, slice_read(table, slice));
    }
    free(regions.at);
}

/* ---- both ---- */

struct slice_maps maps_read(char *const *operands, int count, unsigned block_bits,
                            struct table **table, bool *partial)
{
    char **names = allocate((size_t)count + 1, sizeof *names);
    int tables = 0, folders = 0;
    for (int i = 0; i < count; i++)
        if (is_folder(operands[i]))
            names[count - ++folders] = operands[i];
        else
            names[tables++] = operands[i];
    *table = tables > 0 || folders == 0 ? table_open(names, tables) : NULL;
    unsigned bits = *table != NULL ? bits_of_all(*table) : ADDRESS_BITS_MAX;
    if (folders > 0 && bits < ADDRESS_BITS_MAX)
        die("%s: binary maps have full addresses, the tables do not", names[count - 1]);
    struct slice_lines *lines = slice_lines_begin(bits);
    *partial = false;
    for (int i = count - folders; i < count; i++)
        *partial = read_folder(names[i], lines) > 0 || *partial;
    if (*table != NULL) {
        read_rows(*table, bits, lines);
        *partial = table_partial(*table) || *partial;
    }
    free(names);
    struct slice_maps maps = slice_lines_end(lines, block_bits);
    if (maps.contradicted > 0)
        warn("%zu lines are given with different slices, and left out", maps.contradicted);
    return maps;
}
