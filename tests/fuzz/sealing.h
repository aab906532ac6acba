/* sealing.h: makes a broken binary trace readable, so that a reader goes on to what is broken in
 * it. */
#ifndef TLBLAB_FUZZ_SEALING_H
#define TLBLAB_FUZZ_SEALING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes it with the content of its blocks plain, and with the right lengths and checksum in their
 * heads. A block ends where the next mark is. */
void seal(const uint8_t *trace, size_t count, FILE *out);

#endif
