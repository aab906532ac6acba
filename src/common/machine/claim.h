/* claim.h: the metadata keys of a machine's claims. */
#ifndef TLBLAB_MACHINE_CLAIM_H
#define TLBLAB_MACHINE_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys of the sizes of the data caches, level 1 first, and of their line size. */
enum { CLAIM_CACHES = 3 };
extern const char *const claim_cache_bytes[CLAIM_CACHES];
extern const char claim_line_bytes[];

/* Writes claim_dtlb1_entries, claim_dtlb1_ways, claim_itlb1_entries, claim_cache1_ways, … to `name`
 * and returns it. `level` counts from 1; `what` is "entries" or "ways". */
enum { CLAIM_ROOM = 48 };
const char *claim_name(const char *structure, int level, const char *what, char name[CLAIM_ROOM]);

/* The numbers of a claim: one, or two if the machine hides which is right ("128 or 4096"), or none
 * for other text or NULL. Returns how many. */
enum { CLAIM_VALUES = 2 };
size_t claim_values(const char *text, uint64_t values[CLAIM_VALUES]);

/* Whether a key of metadata or of a machine table is the size or ways of a cache or TLB. */
bool claim_is_size(const char *key);

#endif
