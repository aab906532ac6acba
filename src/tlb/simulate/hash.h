/* hash.h: HMAC-SHA-256 (RFC 2104, FIPS 180-4). */
#ifndef TLBLAB_SIMULATE_HASH_H
#define TLBLAB_SIMULATE_HASH_H

#include <stddef.h>

enum { HASH_BYTES = 32 };

/* The hash of a text under a key. Dies in a build without libmd. */
void hash_text(unsigned char hash[HASH_BYTES], const void *key, size_t length, const char *text);

#endif
