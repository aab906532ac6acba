/* binary.c: the names in a program or library.
 *
 *     struct binary *binary = binaries_find(&binaries, "/usr/bin/sort");
 *     puts(labels.at[binary_line(binary, address)]);
 */
#include "trace/attribution/binary.h"
#include "base/error.h"
#include "trace/attribution/frames.h"
#include "trace/attribution/names.h"
#include "trace/attribution/symbol_list.h"
#include "trace/tlbs/number_map.h"
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The function of an address after those that were expanded there. */
struct calls {
    uint32_t count;
    struct call at[];
};

struct binary {
    char *path;
    Dwfl *dwfl;
    Dwfl_Module *module; /* NULL: there is no such file, or it has no names */
    GElf_Addr bias;      /* of libdw's addresses */
    GElf_Phdr *segments; /* those that are mapped */
    size_t segment_count;
    struct labels *labels;
    struct symbol_list functions, variables;  /* at libdw's addresses, once `has_symbols` */
    bool has_symbols, lacks_some;             /* a function that was asked for has no symbol */
    struct number_map function_labels, lines; /* label + 1 */
    struct number_map calls;                  /* a pointer */
    struct binary *next;
};

/* ---- the file ---- */

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo};

static void read_segments(struct binary *b)
{
    size_t count = 0;
    Elf *elf = dwfl_module_getelf(b->module, &b->bias);
    if (elf == NULL || elf_getphdrnum(elf, &count) != 0)
        return;
    b->segments = allocate(count + 1, sizeof *b->segments);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr *segment = &b->segments[b->segment_count];
        b->segment_count += gelf_getphdr(elf, (int)i, segment) != NULL &&
                            segment->p_type == PT_LOAD;
    }
}

static struct binary *open_binary(struct labels *labels, const char *path)
{
    struct binary *b = allocate(1, sizeof *b);
    b->labels = labels;
    b->path = allocate(strlen(path) + 1, 1);
    strcpy(b->path, path);
    b->dwfl = dwfl_begin(&callbacks);
    if (b->dwfl != NULL)
        b->module = dwfl_report_elf(b->dwfl, path, path, -1, 0, true);
    if (b->module != NULL && dwfl_report_end(b->dwfl, NULL, NULL) == 0)
        read_segments(b);
    return b;
}

struct binary *binaries_find(struct binaries *all, const char *path)
{
    struct binary *b = all->first;
    while (b != NULL && strcmp(b->path, path) != 0)
        b = b->next;
    if (b == NULL) {
        b = open_binary(all->labels, path);
        b->next = all->first;
        all->first = b;
    }
    return b->segment_count > 0 ? b : NULL;
}

/* Whether the file has only the names that others link to. */
static bool is_stripped(const struct binary *b)
{
    const char *debug = NULL;
    GElf_Addr bias;
    GElf_Shdr header;
    Elf *elf = dwfl_module_getelf(b->module, &bias);
    dwfl_module_info(b->module, NULL, NULL, NULL, NULL, NULL, NULL, &debug);
    for (Elf_Scn *s = elf_nextscn(elf, NULL); s != NULL && debug == NULL; s = elf_nextscn(elf, s))
        if (gelf_getshdr(s, &header) != NULL && header.sh_type == SHT_SYMTAB)
            return false;
    return debug == NULL;
}

void binaries_say_stripped(const struct binaries *all)
{
    char names[512] = "";
    for (const struct binary *b = all->first; b != NULL; b = b->next)
        if (b->lacks_some && is_stripped(b)) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%.100s", used > 0 ? ", " : "",
                     base_name(b->path));
        }
    if (*names != '\0')
        warn("no symbols in %s: FILE+0xN is a place in a file; compile with -g, install debug "
             "symbols "
             "(Debian: packages that end in -dbgsym or -dbg) or set DEBUGINFOD_URLS",
             names);
}

static void free_binary(struct binary *b)
{
    for (size_t i = 0; i < b->calls.room; i++)
        free((void *)(uintptr_t)b->calls.slots[i].value);
    number_map_free(&b->calls);
    number_map_free(&b->function_labels);
    number_map_free(&b->lines);
    symbol_list_free(&b->functions);
    symbol_list_free(&b->variables);
    if (b->dwfl != NULL)
        dwfl_end(b->dwfl);
    free(b->segments);
    free(b->path);
    free(b);
}

void binaries_free(struct binaries *all)
{
    for (struct binary *b = all->first, *next; b != NULL; b = next) {
        next = b->next;
        free_binary(b);
    }
}

uint64_t binary_address(const struct binary *b, uint64_t offset)
{
    return offset + b->segments[0].p_vaddr - b->segments[0].p_offset;
}

static const GElf_Phdr *segment_of(const struct binary *b, uint64_t address)
{
    for (size_t i = 0; i < b->segment_count; i++)
        if (address - b->segments[i].p_vaddr < b->segments[i].p_memsz)
            return &b->segments[i];
    return NULL;
}

bool binary_has(const struct binary *b, uint64_t address)
{
    return segment_of(b, address) != NULL;
}

static void read_symbols(struct binary *b)
{
    if (!b->has_symbols) {
        symbol_list_read(&b->functions, b->module, true);
        symbol_list_read(&b->variables, b->module, false);
    }
    b->has_symbols = true;
}

/* ---- code ---- */

/* A name without the version, as in __libc_start_main@@GLIBC_2.34, and without what the compiler
 * adds to its copies of a function. */
static const char *const copies[] = {".constprop.", ".isra.",     ".part.",
                                     ".cold",       ".lto_priv.", NULL};

static void put_function(struct binary *b, uint64_t address, char name[FUNCTION_ROOM])
{
    uint64_t begin, last;
    read_symbols(b);
    const struct symbol *symbol = symbol_list_find(&b->functions, address + b->bias, &begin, &last);
    if (symbol == NULL) {
        b->lacks_some = true;
        snprintf(name, FUNCTION_ROOM, "%.200s+0x%" PRIx64, base_name(b->path), address);
        return;
    }
    demangle(symbol->name, name, FUNCTION_ROOM);
    name[strcspn(name, "@")] = '\0';
    for (int i = 0; copies[i] != NULL; i++) {
        char *at = strstr(name, copies[i]);
        if (at != NULL)
            *at = '\0';
    }
}

uint32_t binary_function(struct binary *b, uint64_t address)
{
    uint64_t *label = number_map_at(&b->function_labels, address);
    char name[FUNCTION_ROOM];
    if (*label == 0) {
        put_function(b, address, name);
        *label = labels_number(b->labels, name) + (uint64_t)1;
    }
    return (uint32_t)(*label - 1);
}

static uint32_t find_line(struct binary *b, uint64_t address)
{
    Dwfl_Line *line = dwfl_module_getsrc(b->module, address + b->bias);
    int number = 0;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    char name[LINE_ROOM];
    if (file == NULL)
        return binary_function(b, address);
    snprintf(name, sizeof name, "%.200s:%d", base_name(file), number);
    return labels_number(b->labels, name);
}

uint32_t binary_line(struct binary *b, uint64_t address)
{
    uint64_t *label = number_map_at(&b->lines, address);
    if (*label == 0)
        *label = find_line(b, address) + (uint64_t)1;
    return (uint32_t)(*label - 1);
}

static struct calls *find_calls(struct binary *b, uint64_t address)
{
    struct frame frames[FRAMES_MAX];
    char outer[LINE_ROOM];
    size_t count = frames_inlined(b->module, address + b->bias, frames, outer);
    struct calls *calls = allocate(1, sizeof *calls + (count + 1) * sizeof *calls->at);
    for (size_t i = 0; i < count; i++)
        calls->at[i] = (struct call){labels_number(b->labels, frames[i].function),
                                     labels_number(b->labels, frames[i].line)};
    calls->at[count] = (struct call){binary_function(b, address), labels_number(b->labels, outer)};
    calls->count = (uint32_t)count + 1;
    return calls;
}

const struct call *binary_calls(struct binary *b, uint64_t address, size_t *count)
{
    uint64_t *known = number_map_at(&b->calls, address);
    if (*known == 0)
        *known = (uintptr_t)find_calls(b, address);
    const struct calls *calls = (const struct calls *)(uintptr_t)*known;
    *count = calls->count;
    return calls->at;
}

/* ---- data ---- */

uint32_t binary_object(struct binary *b, uint64_t address, uint64_t *begin, uint64_t *last)
{
    char text[LINE_ROOM];
    read_symbols(b);
    const struct symbol *s = symbol_list_find(&b->variables, address + b->bias, begin, last);
    if (s != NULL) {
        *begin = s->begin - b->bias;
        *last = s->end - 1 - b->bias;
        return labels_number(b->labels, s->name);
    }
    const GElf_Phdr *segment = segment_of(b, address);
    uint64_t first = segment->p_vaddr, end = first + segment->p_memsz;
    *begin = *begin > first + b->bias ? *begin - b->bias : first;
    *last = *last - b->bias < end - 1 ? *last - b->bias : end - 1;
    snprintf(text, sizeof text, "%s %.200s", (segment->p_flags & PF_X) != 0 ? "code" : "data",
             base_name(b->path));
    return labels_number(b->labels, text);
}

bool binary_variable(struct binary *b, const char *wanted, uint64_t *begin, uint64_t *end)
{
    read_symbols(b);
    for (size_t i = 0; i < b->variables.count; i++)
        if (strcmp(b->variables.at[i].name, wanted) == 0) {
            *begin = b->variables.at[i].begin - b->bias;
            *end = b->variables.at[i].end - b->bias;
            return true;
        }
    return false;
}
