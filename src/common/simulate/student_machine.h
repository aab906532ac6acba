/* student_machine.h: a simulated machine for each student of a lab. His name and the teacher's
 * secret make it: the same pair the same machine, and without the secret no name tells anything of
 * its machine, nor one machine of another. */
#ifndef TLBLAB_SIMULATE_STUDENT_MACHINE_H
#define TLBLAB_SIMULATE_STUDENT_MACHINE_H

#include "simulate/model.h"
#include <stddef.h>
#include <stdint.h>

/* Fewer bytes of a secret could be tried out one by one. */
enum { SECRET_LEAST = 16 };

/* Fills the model, and the seed of its chains, page frames and noise, from HMAC-SHA-256 (RFC 2104,
 * FIPS 180-4) of the name under the secret. Pages of 4 KiB and 2 MiB, lines of 64 bytes; entries,
 * ways, indexes and times lie where those of processors of the last ten years do (simulate(1) names
 * the ranges). Dies where the library refuses. */
void student_machine_machine(struct model *model, uint64_t *seed, const void *secret, size_t length,
                             const char *id);

/* The same with the secret from a file, without the blanks and line breaks at its end. Dies for a
 * file that cannot be read, a secret of less than SECRET_LEAST or more than 4096 bytes, an id that
 * is empty, longer than 48 bytes, or holds control characters. */
void student_machine_read(struct model *model, uint64_t *seed, const char *path, const char *id);

#endif
