/* exec.h: a program in qemu-user executes another one. */
#ifndef TLBLAB_RUNTIME_EXEC_H
#define TLBLAB_RUNTIME_EXEC_H

#include <stdint.h>

/* The processor of the programs that this QEMU runs, as ELF has it; 0: not known. */
extern uint16_t program_machine;

/* Executes the program in QEMU, in the same trace. Returns where it is none for this QEMU, or where
 * it has more rights than its caller, which it would lose: the system may execute it as it is. */
void exec_traced(const char *path, char *const argv[], char *const envp[]);

#endif
