/* hash_md.c: HMAC-SHA-256 from libmd's SHA-256. */
#include "tlb/simulate/student_machine.h"
#include <sha2.h>
#include <string.h>

/* The hash of one block, the key with each byte changed by `pad`, and of what follows it. */
static void hash_behind(unsigned char hash[HASH_BYTES], const unsigned char *key, unsigned char pad,
                        const void *rest, size_t length)
{
    unsigned char block[SHA256_BLOCK_LENGTH];
    SHA2_CTX state;
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    SHA256Init(&state);
    SHA256Update(&state, block, sizeof block);
    SHA256Update(&state, rest, length);
    SHA256Final(hash, &state);
}

void hash_text(unsigned char hash[HASH_BYTES], const void *key, size_t length, const char *text)
{
    unsigned char block[SHA256_BLOCK_LENGTH] = {0};
    SHA2_CTX state;
    if (length <= sizeof block) {
        memcpy(block, key, length);
    } else {
        SHA256Init(&state);
        SHA256Update(&state, key, length);
        SHA256Final(block, &state);
    }
    hash_behind(hash, block, 0x36, text, strlen(text));
    hash_behind(hash, block, 0x5c, hash, HASH_BYTES);
}
