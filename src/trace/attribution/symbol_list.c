/* symbol_list.c: the symbols of a binary by address. Of several at one place the global one is
 * found, then the one with the shortest name.
 *
 *     struct symbol_list functions = {0};
 *     symbol_list_read(&functions, module, true);
 *     puts(symbol_list_find(&functions, address, &begin, &last)->name);
 */
#include "trace/attribution/symbol_list.h"
#include "base/error.h"
#include "trace/format/search.h"
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

/* A symbol without a size, as assembler leaves them, ends with its section, or where another
 * begins. */
static uint64_t section_end(Elf *elf, GElf_Word section, GElf_Addr bias)
{
    GElf_Shdr header;
    Elf_Scn *found = elf != NULL ? elf_getscn(elf, section) : NULL;
    return found != NULL && gelf_getshdr(found, &header) != NULL
               ? header.sh_addr + header.sh_size + bias
               : 0;
}

static bool is_wanted(const GElf_Sym *symbol, const char *name, bool functions)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || name == NULL ||
        *name == '\0' || *name == '$') /* $x: no name, but a mark of 64-bit Arm */
        return false;
    return functions ? type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE
                     : type == STT_OBJECT;
}

static int compare(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    size_t m = strlen(x->name), n = strlen(y->name);
    return m != n ? (m < n ? -1 : 1) : strcmp(x->name, y->name);
}

static void close_gaps(struct symbol_list *list)
{
    uint64_t next = UINT64_MAX, reach = 0;
    for (size_t i = list->count; i-- > 0;) {
        struct symbol *s = &list->at[i];
        if (i + 1 < list->count && s[1].begin > s->begin)
            next = s[1].begin;
        if (s->rank % 2 != 0 && s->end > next)
            s->end = next;
    }
    for (size_t i = 0; i < list->count; i++)
        list->at[i].reach = reach = list->at[i].end > reach ? list->at[i].end : reach;
}

void symbol_list_read(struct symbol_list *list, Dwfl_Module *module, bool functions)
{
    int count = dwfl_module_getsymtab(module);
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address, bias;
        GElf_Word section = 0;
        Elf *elf = NULL;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf,
                                                   &bias);
        if (!is_wanted(&symbol, name, functions) || (symbol.st_size == 0 && !functions))
            continue;
        if (list->count == list->room)
            list->at = reallocate(list->at, list->room = 2 * list->room + 64, sizeof *list->at);
        bool global = GELF_ST_BIND(symbol.st_info) == STB_GLOBAL, sized = symbol.st_size > 0;
        list->at[list->count++] = (struct symbol){.begin = address,
                                                  .end = sized ? address + symbol.st_size
                                                               : section_end(elf, section, bias),
                                                  .name = name,
                                                  .rank = (global ? 0 : 2) + !sized};
    }
    if (list->count > 0)
        qsort(list->at, list->count, sizeof *list->at, compare);
    close_gaps(list);
}

const struct symbol *symbol_list_find(const struct symbol_list *list, uint64_t address,
                                      uint64_t *begin, uint64_t *last)
{
    size_t from = search_begins(list->at, list->count, sizeof *list->at, address);
    *last = from < list->count ? list->at[from].begin - 1 : UINT64_MAX;
    *begin = from > 0 ? list->at[from - 1].reach : 0;
    const struct symbol *found = NULL;
    for (size_t i = from; i-- > 0 && list->at[i].reach > address;) {
        const struct symbol *s = &list->at[i];
        if (found != NULL && s->begin != found->begin)
            break;
        if (s->end > address)
            found = s; /* of those that begin together, the first */
    }
    return found;
}

void symbol_list_free(struct symbol_list *list)
{
    free(list->at);
}
