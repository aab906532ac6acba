/* allocation.c: a preloaded library in which the allocation fails whose number, from 1, is
 * ALLOCATION_FAILS in the environment. Allocations by strdup(), fopen() and others of the C library
 * count too. Those of hwloc, which crashes without memory, do not fail.
 * ADVICE_FAILS is the number of the advice that madvise() refuses.
 *
 *     ALLOCATION_FAILS=7 LD_PRELOAD=bin/.obj/plain/tests/allocation.so bin/detect samples.tsv
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own names for the functions that this file wraps. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);

static atomic_long left; /* allocations up to the one that fails; below 1: none does */
static _Thread_local int within_library;

__attribute__((constructor)) static void read_number(void)
{
    const char *text = getenv("ALLOCATION_FAILS");
    left = text != NULL ? atol(text) : 0;
}

static int fails(void)
{
    if (within_library || atomic_fetch_sub(&left, 1) != 1)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

int madvise(void *memory, size_t bytes, int advice)
{
    const char *refused = getenv("ADVICE_FAILS");
    if (refused == NULL || atoi(refused) != advice)
        return (int)syscall(SYS_madvise, memory, bytes, advice);
    errno = ENOMEM;
    return -1;
}

/* The library's own function of that name; from here on nothing fails. */
static void *begin(const char *name)
{
    within_library = 1;
    return dlsym(RTLD_NEXT, name);
}

static int load_topology(const char *name, void *topology)
{
    int (*function)(void *topology);
    *(void **)&function = begin(name);
    int status = function(topology);
    within_library = 0;
    return status;
}

int hwloc_topology_init(void *topology)
{
    return load_topology("hwloc_topology_init", topology);
}

int hwloc_topology_load(void *topology)
{
    return load_topology("hwloc_topology_load", topology);
}

unsigned char *HMAC(const void *digest, const void *key, int key_length, const unsigned char *text,
                    size_t length, unsigned char *hash, unsigned int *hash_length)
{
    unsigned char *(*function)(const void *, const void *, int, const unsigned char *, size_t,
                               unsigned char *, unsigned int *);
    *(void **)&function = begin("HMAC");
    unsigned char *result = function(digest, key, key_length, text, length, hash, hash_length);
    within_library = 0;
    return result;
}
