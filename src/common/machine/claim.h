/* claim.h: the names of what a machine claims, as they stand in the metadata of samples. */
#ifndef TLBLAB_MACHINE_CLAIM_H
#define TLBLAB_MACHINE_CLAIM_H

#include <stdbool.h>

/* Sizes of the data caches, of level 1 at 0; the length of their lines. */
enum { CLAIM_CACHES = 3 };
extern const char *const claim_cache_bytes[CLAIM_CACHES];
extern const char claim_line_bytes[];

/* claim_dtlb1_entries, claim_dtlb1_ways, claim_itlb1_entries, claim_cache1_ways, …: of a structure
 * and its level from 1 on, "entries" or "ways". Returns `name`. */
enum { CLAIM_ROOM = 48 };
const char *claim_name(const char *structure, int level, const char *what, char name[CLAIM_ROOM]);

/* Whether a key, of the metadata or of the machine table, is about the size or the ways of a cache
 * or a TLB. */
bool claim_is_size(const char *key);

#endif
