/* symbol_list.h: the symbols of a binary by address, to find the one that an address belongs to
 * (dwfl_module_addrinfo() reads them all each time). */
#ifndef TLBLAB_ATTRIBUTION_SYMBOL_LIST_H
#define TLBLAB_ATTRIBUTION_SYMBOL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
    uint64_t begin, end;
    uint64_t reach;   /* the last end of all symbols up to this one */
    const char *name; /* libdw's */
    int rank;         /* of symbols that begin together, the first is found */
};

/* Initialised by {0}. */
struct symbol_list {
    struct symbol *at;
    size_t count, room;
};

struct Dwfl_Module; /* of libdw */

/* The functions, or the variables, of a module. */
void symbol_list_read(struct symbol_list *list, struct Dwfl_Module *module, bool functions);

/* The symbol that has the address, or NULL; then *begin … *last are the addresses around it that no
 * symbol has. */
const struct symbol *symbol_list_find(const struct symbol_list *list, uint64_t address,
                                      uint64_t *begin, uint64_t *last);
void symbol_list_free(struct symbol_list *list);

#endif
