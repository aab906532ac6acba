/* plugin.h: what plugin.c calls of exec.c and of static_guest.c. */
#ifndef TLBLAB_RUNTIME_PLUGIN_H
#define TLBLAB_RUNTIME_PLUGIN_H

#include "qemu_plugin.h"
#include <stdint.h>

/* ---- exec.c ---- */

/* The processor of the programs that this QEMU runs, as ELF has it; 0: not known. */
extern uint16_t program_machine;

/* Executes the program in QEMU, in the same trace. Returns where it is none for this QEMU, or where
 * it has more rights than its caller, which it would lose: the system may execute it as it is. */
void exec_traced(const char *path, char *const argv[], char *const envp[]);

/* ---- static_guest.c ---- */

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
