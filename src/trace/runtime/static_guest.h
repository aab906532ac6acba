/* static_guest.h: the blocks of memory that a static program takes in qemu-user. */
#ifndef TLBLAB_RUNTIME_STATIC_GUEST_H
#define TLBLAB_RUNTIME_STATIC_GUEST_H

#include "qemu_plugin.h"
#include <stdint.h>

/* Reads which functions take memory, from the symbols of the file that has the code at an address.
 * Other processors than x86-64 have none. */
void static_guest_begin(uintptr_t address);

/* guest.c reports the blocks instead. */
void static_guest_end(void);

/* An instruction that is about to be translated, the first of its block or not: follows calls of
 * these functions, and writes a record of each block. */
void static_guest_note(struct qemu_plugin_insn *instruction, bool first);

/* The end of the calling thread's stack, beyond which no callers are looked for; 0: not known. */
extern __thread uintptr_t stack_end;

#endif
