/* symbols.h: names of addresses of a process, from its mappings and the files that they are of. */
#ifndef TLBLAB_ATTRIBUTION_SYMBOLS_H
#define TLBLAB_ATTRIBUTION_SYMBOLS_H

#include "trace/attribution/binary.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/* `maps`: lines as in /proc/PID/maps, or "". Files that are not there have no names. The names are
 * labels of the binaries. */
struct symbols *symbols_open(struct binaries *binaries, const char *maps);
void symbols_close(struct symbols *symbols);

/* Of code, as in binary.h; "unknown" where there is none. */
uint32_t symbols_function(struct symbols *symbols, uint64_t address);
uint32_t symbols_line(struct symbols *symbols, uint64_t address);
const struct call *symbols_calls(struct symbols *symbols, uint64_t address, size_t *count);

/* Of data: as in binary.h, "stack", "[heap]", "file FILE", "mapped" for memory without a file, or
 * "unknown". *begin … *last are the addresses that have this name. */
uint32_t symbols_object(struct symbols *symbols, uint64_t address, uint64_t *begin, uint64_t *last);

/* The addresses of a global variable of any of the files, each from where its file is mapped on;
 * NULL where there is none of that name. */
const char *symbols_variable(struct symbols *symbols, const char *name, uint64_t *offset,
                             uint64_t *bytes);

#endif
