/* symbols.c: names of addresses of a process.
 *
 *     struct symbols *symbols = symbols_open(&binaries, trace_maps(trace));
 *     puts(labels.at[symbols_line(symbols, site)]);
 */
#include "trace/attribution/symbols.h"
#include "base/error.h"
#include "trace/format/file_stamps.h"
#include "trace/format/search.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mapping {
    uint64_t begin, end, offset;
    char *path;            /* "": memory without a file */
    size_t first;          /* the first mapping of the file, whose variables of zeros have none */
    struct binary *binary; /* its names, once `is_known` */
    bool is_known, has_changed;
    uint32_t label; /* 1 + that of memory without variables; 0: not yet */
};

struct symbols {
    struct binaries *binaries;
    struct mapping *mappings;
    size_t count, last_file; /* the first mapping of the file that was mapped last */
    struct call call;        /* of code without a file */
};

/* ---- mappings ---- */

/* "begin-end perms offset device inode path"; lines of another form are skipped. */
static void read_mapping(struct symbols *s, const char *line, size_t length)
{
    char text[4352];
    struct mapping m = {.first = s->count};
    int used = 0;
    if (length >= sizeof text)
        return;
    memcpy(text, line, length);
    text[length] = '\0';
    if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &m.begin, &m.end,
               &m.offset, &used) < 3 ||
        m.end <= m.begin || used == 0)
        return;
    const struct mapping *before = s->count > 0 ? &s->mappings[s->count - 1] : NULL;
    if (before != NULL && text[used] == '\0' && m.begin == before->end)
        m.first = before->first;
    else if (before != NULL && strcmp(text + used, s->mappings[s->last_file].path) == 0)
        m.first = s->last_file;
    if (text[used] == '/')
        s->last_file = m.first;
    m.path = allocate(strlen(text + used) + 1, 1);
    strcpy(m.path, text + used);
    char *deleted = strstr(m.path, " (deleted)");
    if (deleted != NULL) { /* a file of this name is another one */
        *deleted = '\0';
        m.is_known = true;
    }
    s->mappings = reallocate(s->mappings, s->count + 1, sizeof *s->mappings);
    s->mappings[s->count++] = m;
}

/* Notes that a file has changed since it was traced. */
static void check_file(const struct symbols *s, const char *line, size_t length)
{
    const char *path;
    if (!file_stamp_changed(line, length, &path))
        return;
    length -= (size_t)(path - line);
    for (size_t i = 0; i < s->count; i++)
        if (strncmp(s->mappings[i].path, path, length) == 0 && s->mappings[i].path[length] == '\0')
            s->mappings[i].has_changed = true;
}

struct symbols *symbols_open(struct binaries *binaries, const char *maps)
{
    struct symbols *s = allocate(1, sizeof *s);
    s->binaries = binaries;
    for (const char *line = maps; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        read_mapping(s, line, length);
        check_file(s, line, length);
        line += length + (line[length] == '\n');
    }
    return s;
}

void symbols_close(struct symbols *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->mappings[i].path);
    free(s->mappings);
    free(s);
}

static struct mapping *mapping_of(const struct symbols *s, uint64_t address)
{
    size_t before = search_begins(s->mappings, s->count, sizeof *s->mappings, address);
    bool found = before > 0 && address < s->mappings[before - 1].end;
    return found ? &s->mappings[before - 1] : NULL;
}

/* Warns once of a file whose names may be those of another one. */
static void say_changed(const struct symbols *s, const char *path)
{
    char text[4400];
    size_t known = s->binaries->labels->count;
    snprintf(text, sizeof text,
             access(path, F_OK) == 0 ? "%s has changed since it was traced: its names may be wrong"
                                     : "%s is no longer there: what is in it has no names",
             path);
    if (labels_number(s->binaries->labels, text) == known)
        warn("%s", text);
}

/* The first mapping of the file that the address belongs to, whose names are known; NULL: none. */
static const struct mapping *file_of(const struct symbols *s, uint64_t address)
{
    const struct mapping *m = mapping_of(s, address);
    if (m == NULL || *s->mappings[m->first].path != '/')
        return NULL;
    struct mapping *file = &s->mappings[m->first];
    if (file->has_changed)
        say_changed(s, file->path);
    file->has_changed = false;
    if (!file->is_known)
        file->binary = binaries_find(s->binaries, file->path);
    file->is_known = true;
    return file->binary != NULL ? file : NULL;
}

/* The binary of an address, and where in it that is. */
static struct binary *binary_of(const struct symbols *s, uint64_t address, uint64_t *within)
{
    const struct mapping *file = file_of(s, address);
    if (file == NULL)
        return NULL;
    *within = binary_address(file->binary, address - file->begin + file->offset);
    return binary_has(file->binary, *within) ? file->binary : NULL;
}

/* ---- code ---- */

static uint32_t name_without_file(struct symbols *s, uint64_t address)
{
    const struct mapping *m = mapping_of(s, address);
    char name[320] = "unknown";
    if (m != NULL)
        snprintf(name, sizeof name, "%.200s+0x%" PRIx64, base_name(m->path), address - m->begin);
    return labels_number(s->binaries->labels, name);
}

uint32_t symbols_function(struct symbols *s, uint64_t address)
{
    uint64_t within;
    struct binary *b = binary_of(s, address, &within);
    return b != NULL ? binary_function(b, within) : name_without_file(s, address);
}

uint32_t symbols_line(struct symbols *s, uint64_t address)
{
    uint64_t within;
    struct binary *b = binary_of(s, address, &within);
    return b != NULL ? binary_line(b, within) : name_without_file(s, address);
}

const struct call *symbols_calls(struct symbols *s, uint64_t address, size_t *count)
{
    uint64_t within;
    struct binary *b = binary_of(s, address, &within);
    if (b != NULL)
        return binary_calls(b, within, count);
    s->call = (struct call){name_without_file(s, address), labels_number(s->binaries->labels, "")};
    *count = 1;
    return &s->call;
}

/* ---- data ---- */

static uint32_t mapping_label(struct symbols *s, struct mapping *m)
{
    char name[320] = "mapped";
    if (m != NULL && m->label > 0)
        return m->label - 1;
    if (m == NULL)
        snprintf(name, sizeof name, "unknown");
    else if (strcmp(m->path, "[stack]") == 0)
        snprintf(name, sizeof name, "stack");
    else if (*m->path == '[')
        snprintf(name, sizeof name, "%.200s", m->path);
    else if (*m->path != '\0')
        snprintf(name, sizeof name, "file %.200s", base_name(m->path));
    uint32_t label = labels_number(s->binaries->labels, name);
    if (m != NULL)
        m->label = label + 1;
    return label;
}

uint32_t symbols_object(struct symbols *s, uint64_t address, uint64_t *begin, uint64_t *last)
{
    struct mapping *m = mapping_of(s, address);
    uint64_t within;
    struct binary *b = binary_of(s, address, &within);
    if (b != NULL) {
        uint32_t label = binary_object(b, within, begin, last);
        *begin += address - within;
        *last += address - within;
        return label;
    }
    bool is_whole = m != NULL && file_of(s, address) == NULL; /* no variables lie around it */
    *begin = is_whole ? m->begin : address;
    *last = is_whole ? m->end - 1 : address;
    return mapping_label(s, m);
}

const char *symbols_variable(struct symbols *s, const char *name, uint64_t *offset, uint64_t *bytes)
{
    uint64_t begin, end;
    for (size_t i = 0; i < s->count; i++) {
        const struct mapping *file = file_of(s, s->mappings[i].begin);
        if (file != &s->mappings[i] || !binary_variable(file->binary, name, &begin, &end))
            continue;
        *offset = begin - binary_address(file->binary, file->offset);
        *bytes = end - begin;
        return file->path;
    }
    return NULL;
}
