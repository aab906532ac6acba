/* symbols.h: names of addresses of a process, from its mappings and the files behind them
 * (elfutils' libdw). */
#ifndef TLBLAB_ATTRIBUTION_SYMBOLS_H
#define TLBLAB_ATTRIBUTION_SYMBOLS_H

#include "trace/attribution/frames.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/* `maps`: lines as in /proc/PID/maps, or "". Files that are not there have no names. */
struct symbols *symbols_open(const char *maps);
void symbols_close(struct symbols *symbols);

/* The names below are valid until the next call; SYMBOL_ROOM bounds them. [bound] */
enum { SYMBOL_ROOM = 600 };

/* Of code: its function, or where it has no symbol FILE+0xOFFSET, or "unknown". */
const char *symbols_function(struct symbols *symbols, uint64_t address);

/* Of code: "FILE:LINE"; the function where the file has no lines. */
const char *symbols_line(struct symbols *symbols, uint64_t address);

/* Of code: its function with its line, behind those that were expanded there, the innermost first;
 * their number, at least one. */
size_t symbols_frames(struct symbols *symbols, uint64_t address, struct frame frames[FRAMES_MOST]);

/* Of data: a global variable, "[stack]", "[heap]", "code FILE", "data FILE", "file FILE", "mapped"
 * for memory without a file, or "unknown". *begin … *last are the addresses that have this name. */
const char *symbols_object(struct symbols *symbols, uint64_t address, uint64_t *begin,
                           uint64_t *last);

/* The addresses of a global variable; false where there is none of that name. */
bool symbols_variable(struct symbols *symbols, const char *name, uint64_t *begin, uint64_t *end);

/* The file that is mapped at the address, and how far behind the file's first mapping it lies; NULL
 * where there is no file. */
const char *symbols_file(const struct symbols *symbols, uint64_t address, uint64_t *offset);

#endif
