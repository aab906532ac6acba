/* binary.h: the names in a program or library (elfutils' libdw), which is opened once, whatever
 * processes map it and wherever; of each of its addresses the names are looked up once. The
 * addresses are the file's own, those that nm(1) shows. */
#ifndef TLBLAB_ATTRIBUTION_BINARY_H
#define TLBLAB_ATTRIBUTION_BINARY_H

#include "trace/attribution/labels.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct binary;

/* The name of a file without its folder. */
static inline const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* All that were asked for. Initialised by {labels}; its names are labels there. */
struct binaries {
    struct labels *labels;
    struct binary *first;
};

/* NULL where there is no such file, or it is neither program nor library. */
struct binary *binaries_find(struct binaries *binaries, const char *path);
void binaries_free(struct binaries *binaries);

/* Warns of those that lack the name of a function that was asked for, since they were stripped. */
void binaries_say_stripped(const struct binaries *binaries);

/* The address of what lies at this offset in the file, as far as its first segment goes. */
uint64_t binary_address(const struct binary *binary, uint64_t offset);
bool binary_has(const struct binary *binary, uint64_t address);

/* Of code: its function, or where it has no symbol FILE+0xADDRESS; "FILE:LINE", or the function
 * where the file has no lines. */
uint32_t binary_function(struct binary *binary, uint64_t address);
uint32_t binary_line(struct binary *binary, uint64_t address);

/* A function with the line in it; "" where that is not known. */
struct call {
    uint32_t function, line;
};

/* Of code: its function after those that were expanded there, the innermost first. The array is
 * valid until binaries_free(). */
const struct call *binary_calls(struct binary *binary, uint64_t address, size_t *count);

/* Of data: a global variable, "code FILE" or "data FILE". The binary has
 * the address. *begin … *last are those around it that have this name. */
uint32_t binary_object(struct binary *binary, uint64_t address, uint64_t *begin, uint64_t *last);

/* The addresses of a global variable; false where there is none of that name. */
bool binary_variable(struct binary *binary, const char *name, uint64_t *begin, uint64_t *end);

#endif
