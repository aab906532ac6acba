/* student_machine.h: a simulated machine for each student of a lab, drawn from the student's name
 * and the teacher's secret. The same pair gives the same machine. Without the secret neither a name
 * nor another student's machine reveals anything about a machine. */
#ifndef TLBLAB_SIMULATE_STUDENT_MACHINE_H
#define TLBLAB_SIMULATE_STUDENT_MACHINE_H

#include "tlb/simulate/model.h"
#include <stddef.h>
#include <stdint.h>

/* A shorter secret could be found by exhaustive search. */
enum { SECRET_MIN = 16 };

/* Fills the model, and the seed of its chains, page frames and noise, from HMAC-SHA-256 (RFC 2104,
 * FIPS 180-4) of the name under the secret. Pages have 4 KiB and 2 MiB, lines 64 bytes; entries,
 * ways, indexes and times are in the ranges of processors of the last ten years, as listed in
 * simulate(1). Dies in a build without libmd. */
void student_machine_draw(struct model *model, uint64_t *seed, const void *secret, size_t length,
                          const char *id);

/* The same with the secret from a file, without trailing blanks and line breaks. Dies if the file
 * cannot be read, if the secret has fewer than SECRET_MIN or more than 4096 bytes, or if the id
 * is empty, longer than 48 bytes, or contains control characters. */
void student_machine_read(struct model *model, uint64_t *seed, const char *path, const char *id);

/* HMAC-SHA-256 of a text under a key. Dies in a build without libmd. */
enum { HASH_BYTES = 32 };
void hash_text(unsigned char hash[HASH_BYTES], const void *key, size_t length, const char *text);

#endif
