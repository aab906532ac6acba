/* target.h: what the fuzzer's targets share. A target reads an input as the programs read their
 * stdin:
 *
 *     int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *     {
 *         return target_read(read_map, data, size);
 *     }
 *
 * clang's libFuzzer calls it with inputs of its own (tests/fuzz/learn), replay.c with those in
 * tests/fuzz/corpus. */
#ifndef TLBLAB_FUZZ_TARGET_H
#define TLBLAB_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Calls `read` with the input on stdin. A die() in it is an answer as good as any. Memory that a
 * read without die() leaves behind, of some size, is a finding. Returns 0. */
int target_read(void (*read)(void), const uint8_t *data, size_t size);

/* Puts other data on stdin, to be read from their start. */
void target_give(const uint8_t *data, size_t size);

/* The text written to stdout since the last call; the caller frees it. */
uint8_t *target_written(size_t *size);

/* Ends the process if the condition is false. */
#define target_check(condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            target_fail(__FILE__, __LINE__, #condition);                                           \
    } while (0)
_Noreturn void target_fail(const char *file, int line, const char *condition);

#endif
