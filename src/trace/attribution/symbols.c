/* symbols.c: names of addresses of a process.
 *
 *     struct symbols *symbols = symbols_open(trace_maps(trace));
 *     puts(symbols_line(symbols, site));
 */
#define _GNU_SOURCE /* fmemopen() before POSIX 2008 */
#include "trace/attribution/symbols.h"
#include "base/error.h"
#include "trace/attribution/demangle.h"
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mapping {
    uint64_t begin, end;
    bool executable;
    char *path; /* "": memory without a file */
};

struct symbols {
    Dwfl *dwfl; /* NULL: no names */
    struct mapping *mappings;
    size_t count;
    char name[SYMBOL_ROOM];
};

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo};

/* ---- mappings ---- */

/* "begin-end perms offset device inode path"; lines of another form are skipped. */
static void read_mapping(struct symbols *s, const char *line, size_t length)
{
    char text[4352], perms[8];
    struct mapping m = {0, 0, false, NULL};
    int used = 0;
    if (length >= sizeof text)
        return;
    memcpy(text, line, length);
    text[length] = '\0';
    if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %n", &m.begin, &m.end, perms, &used) <
            3 ||
        m.end <= m.begin || used == 0)
        return;
    m.executable = strchr(perms, 'x') != NULL;
    m.path = allocate(strlen(text + used) + 1, 1);
    strcpy(m.path, text + used);
    s->mappings = reallocate(s->mappings, s->count + 1, sizeof *s->mappings);
    s->mappings[s->count++] = m;
}

static void read_mappings(struct symbols *s, const char *maps)
{
    for (const char *line = maps; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        read_mapping(s, line, length);
        line += length + (line[length] == '\n');
    }
}

static void begin_dwfl(struct symbols *s, const char *maps)
{
    size_t length = strlen(maps);
    FILE *file = length > 0 ? fmemopen((void *)(uintptr_t)maps, length, "r") : NULL;
    if (file == NULL)
        return;
    s->dwfl = dwfl_begin(&callbacks);
    if (s->dwfl != NULL && (dwfl_linux_proc_maps_report(s->dwfl, file) != 0 ||
                            dwfl_report_end(s->dwfl, NULL, NULL) != 0)) {
        dwfl_end(s->dwfl);
        s->dwfl = NULL;
    }
    fclose(file);
}

struct symbols *symbols_open(const char *maps)
{
    struct symbols *s = allocate(1, sizeof *s);
    read_mappings(s, maps);
    begin_dwfl(s, maps);
    return s;
}

void symbols_close(struct symbols *s)
{
    if (s->dwfl != NULL)
        dwfl_end(s->dwfl);
    for (size_t i = 0; i < s->count; i++)
        free(s->mappings[i].path);
    free(s->mappings);
    free(s);
}

static const struct mapping *mapping_of(const struct symbols *s, uint64_t address)
{
    for (size_t i = 0; i < s->count; i++)
        if (address >= s->mappings[i].begin && address < s->mappings[i].end)
            return &s->mappings[i];
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* ---- code ---- */

/* The file that holds the address, or whose variables of zeros, which have no file, do: their
 * mapping begins where one of the file ends. */
static Dwfl_Module *module_of(const struct symbols *s, uint64_t address)
{
    const struct mapping *m = mapping_of(s, address);
    if (m != NULL && *m->path == '\0')
        address = m->begin - 1;
    return s->dwfl != NULL ? dwfl_addrmodule(s->dwfl, address) : NULL;
}

const char *symbols_function(struct symbols *s, uint64_t address)
{
    Dwfl_Module *module = module_of(s, address);
    const char *name = module != NULL ? dwfl_module_addrname(module, address) : NULL;
    const struct mapping *m = mapping_of(s, address);
    if (name != NULL) {
        demangle(name, s->name, sizeof s->name);
        s->name[strcspn(s->name, "@")] = '\0'; /* of a version: __libc_start_main@@GLIBC_2.34 */
    } else if (m != NULL)
        snprintf(s->name, sizeof s->name, "%.200s+0x%" PRIx64, base_name(m->path),
                 address - m->begin);
    else
        snprintf(s->name, sizeof s->name, "unknown");
    return s->name;
}

const char *symbols_line(struct symbols *s, uint64_t address)
{
    Dwfl_Module *module = module_of(s, address);
    Dwfl_Line *line = module != NULL ? dwfl_module_getsrc(module, address) : NULL;
    int number = 0;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file == NULL)
        return symbols_function(s, address);
    snprintf(s->name, sizeof s->name, "%.200s:%d", base_name(file), number);
    return s->name;
}

size_t symbols_frames(struct symbols *s, uint64_t address, struct frame frames[FRAMES_MOST])
{
    Dwfl_Module *module = module_of(s, address);
    char line[LINE_ROOM] = "";
    size_t count = module != NULL ? frames_inlined(module, address, frames, line) : 0;
    struct frame *outer = &frames[count];
    outer->inlined = false;
    memcpy(outer->line, line, sizeof line);
    snprintf(outer->function, sizeof outer->function, "%.255s", symbols_function(s, address));
    if (strstr(outer->function, "+0x") == NULL) /* the compiler's copies: f.constprop.0 */
        outer->function[strcspn(outer->function, ".")] = '\0';
    return count + 1;
}

/* ---- data ---- */

/* A variable of the file that holds the address. */
static bool variable(struct symbols *s, uint64_t address, uint64_t *begin, uint64_t *last)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    Dwfl_Module *module = module_of(s, address);
    const char *name = module != NULL ? dwfl_module_addrinfo(module, address, &offset, &symbol,
                                                             NULL, NULL, NULL)
                                      : NULL;
    if (name == NULL || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size)
        return false;
    *begin = address - offset;
    *last = *begin + symbol.st_size - 1;
    snprintf(s->name, sizeof s->name, "%s", name);
    return true;
}

/* Whether the file says that the address holds code: qemu-user, which does not execute it, maps it
 * without that right. */
static bool holds_code(Dwfl_Module *module, uint64_t address)
{
    GElf_Addr bias = 0;
    GElf_Phdr segment;
    size_t count = 0;
    Elf *file = module != NULL ? dwfl_module_getelf(module, &bias) : NULL;
    if (file == NULL || elf_getphdrnum(file, &count) != 0)
        return false;
    for (int i = 0; i < (int)count; i++)
        if (gelf_getphdr(file, i, &segment) != NULL && segment.p_type == PT_LOAD &&
            (segment.p_flags & PF_X) != 0 && address - bias - segment.p_vaddr < segment.p_memsz)
            return true;
    return false;
}

static void name_mapping(struct symbols *s, const struct mapping *m, Dwfl_Module *module,
                         uint64_t address)
{
    bool is_code = m->executable || holds_code(module, address);
    const char *kind = is_code ? "code" : module != NULL ? "data" : "file";
    if (*m->path == '\0')
        snprintf(s->name, sizeof s->name, "mapped");
    else if (*m->path == '[')
        snprintf(s->name, sizeof s->name, "%.200s", m->path);
    else
        snprintf(s->name, sizeof s->name, "%s %.200s", kind, base_name(m->path));
}

const char *symbols_object(struct symbols *s, uint64_t address, uint64_t *begin, uint64_t *last)
{
    const struct mapping *m = mapping_of(s, address);
    if (variable(s, address, begin, last))
        return s->name;
    Dwfl_Module *module = module_of(s, address); /* then variables lie around the address */
    *begin = m != NULL && module == NULL ? m->begin : address;
    *last = m != NULL && module == NULL ? m->end - 1 : address;
    if (m == NULL)
        snprintf(s->name, sizeof s->name, "unknown");
    else
        name_mapping(s, m, module, address);
    return s->name;
}

struct wanted {
    const char *name;
    uint64_t begin, end;
};

static int find_in_module(Dwfl_Module *module, void **user, const char *path, Dwarf_Addr start,
                          void *context)
{
    struct wanted *w = context;
    int count = dwfl_module_getsymtab(module);
    (void)user;
    (void)path;
    (void)start;
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        if (name == NULL || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
            strcmp(name, w->name) != 0)
            continue;
        w->begin = address;
        w->end = address + symbol.st_size;
        return DWARF_CB_ABORT;
    }
    return DWARF_CB_OK;
}

bool symbols_variable(struct symbols *s, const char *name, uint64_t *begin, uint64_t *end)
{
    struct wanted wanted = {name, 0, 0};
    if (s->dwfl != NULL)
        dwfl_getmodules(s->dwfl, find_in_module, &wanted, 0);
    *begin = wanted.begin;
    *end = wanted.end;
    return wanted.end > wanted.begin;
}

const char *symbols_file(const struct symbols *s, uint64_t address, uint64_t *offset)
{
    const struct mapping *m = mapping_of(s, address);
    if (m == NULL || *m->path != '/') { /* zeroed variables lie after the last part of the file */
        m = NULL;
        for (size_t i = 0; i < s->count && s->mappings[i].begin <= address; i++)
            if (*s->mappings[i].path == '/')
                m = &s->mappings[i];
    }
    for (size_t i = 0; i < s->count && m != NULL; i++)
        if (strcmp(s->mappings[i].path, m->path) == 0) {
            *offset = address - s->mappings[i].begin;
            return m->path;
        }
    return NULL;
}
