/* frames.h: the functions that an address in code belongs to: one, and those that the compiler has
 * expanded there. */
#ifndef TLBLAB_ATTRIBUTION_FRAMES_H
#define TLBLAB_ATTRIBUTION_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* [bound] functions expanded in one another; bytes of their names and of "FILE:LINE" */
enum { FRAMES_MAX = 32, FUNCTION_ROOM = 256, LINE_ROOM = 256 };

struct frame {
    char function[FUNCTION_ROOM];
    char line[LINE_ROOM]; /* "": not known */
};

/* Writes the functions that were expanded at the address, the innermost first; their number. The
 * function that they are in comes next: its name is the caller's to write, and its line is written
 * to *outer. */
struct Dwfl_Module; /* of libdw */
size_t frames_inlined(struct Dwfl_Module *module, uint64_t address, struct frame frames[FRAMES_MAX],
                      char outer[LINE_ROOM]);

#endif
