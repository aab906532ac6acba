/* takes.h: the functions that take memory, for a library that is put before a program's: each takes
 * it as before, and passes it to take(), which the library has. */
#ifndef TLBLAB_RUNTIME_TAKES_H
#define TLBLAB_RUNTIME_TAKES_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

/* With musl it is a macro, of mmap. */
#undef mmap64

/* A block that the code at `site` has taken; NULL or MAP_FAILED: it has not. */
static void take(void *block, size_t bytes, void *site);

#define SITE __builtin_return_address(0)

/* For functions that signal handlers come to: QEMU 7 begins those with a stack that is 8 bytes off,
 * which vector instructions fault on. */
#ifdef __x86_64__
#define REALIGNED __attribute__((noinline, force_align_arg_pointer))
#else
#define REALIGNED __attribute__((noinline))
#endif

/* The function that the code at `site` would have called. One of C++ need not be among the
 * program's libraries: a program of C may load one of C++ with dlopen(), which then has it for
 * itself, and whose new of arrays may go on to that of things. */
REALIGNED static void *find_next(const char *name, const void *site)
{
    static void *library; /* never unloaded from now on */
    Dl_info info;
    void *next = dlsym(RTLD_NEXT, name);
    if (next == NULL && library != NULL)
        next = dlsym(library, name);
    if (next == NULL && dladdr(site, &info) != 0) {
        library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        next = library != NULL ? dlsym(library, name) : NULL;
    }
    return next;
}

/* A type cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define TAKES(type, name, parameters, arguments, block, bytes)                                     \
    __attribute__((visibility("default"))) type name parameters                                    \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (real == NULL)                                                                          \
            *(void **)(void *)&real = find_next(#name, SITE);                                      \
        type result = real arguments;                                                              \
        take(block, bytes, SITE);                                                                  \
        return result;                                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
TAKES(void *, malloc, (size_t bytes), (bytes), result, bytes)
TAKES(void *, realloc, (void *old, size_t bytes), (old, bytes), result, bytes)
TAKES(void *, aligned_alloc, (size_t align, size_t bytes), (align, bytes), result, bytes)
TAKES(void *, memalign, (size_t align, size_t bytes), (align, bytes), result, bytes)
TAKES(int, posix_memalign, (void **block, size_t align, size_t bytes), (block, align, bytes),
      result == 0 ? *block : NULL, bytes)
TAKES(void *, mmap, (void *wanted, size_t bytes, int protection, int flags, int file, off_t offset),
      (wanted, bytes, protection, flags, file, offset), flags &MAP_ANONYMOUS ? result : NULL, bytes)
TAKES(void *, mmap64,
      (void *wanted, size_t bytes, int protection, int flags, int file, int64_t offset),
      (wanted, bytes, protection, flags, file, offset), flags &MAP_ANONYMOUS ? result : NULL, bytes)
/* new of C++, of things and of arrays, over-aligned, and with std::nothrow */
TAKES(void *, _Znwm, (size_t bytes), (bytes), result, bytes)
TAKES(void *, _Znam, (size_t bytes), (bytes), result, bytes)
TAKES(void *, _ZnwmSt11align_val_t, (size_t bytes, size_t align), (bytes, align), result, bytes)
TAKES(void *, _ZnamSt11align_val_t, (size_t bytes, size_t align), (bytes, align), result, bytes)
TAKES(void *, _ZnwmRKSt9nothrow_t, (size_t bytes, void *nothrow), (bytes, nothrow), result, bytes)
TAKES(void *, _ZnamRKSt9nothrow_t, (size_t bytes, void *nothrow), (bytes, nothrow), result, bytes)

/* Memory for dlsym(). */
static _Alignas(16) char first_memory[4096];

static inline bool is_first_block(const void *block)
{
    return (uintptr_t)block - (uintptr_t)first_memory < sizeof first_memory;
}

static inline void *first_block(size_t count, size_t bytes)
{
    static size_t used;
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all) || all > sizeof first_memory)
        return NULL;
    size_t begin = __atomic_fetch_add(&used, (all + 15) & ~(size_t)15, __ATOMIC_RELAXED);
    return begin + all <= sizeof first_memory ? first_memory + begin : NULL;
}

/* dlsym() itself may call it. */
__attribute__((visibility("default"))) void *calloc(size_t count, size_t bytes)
{
    static void *(*real)(size_t, size_t);
    static __thread bool looking;
    if (looking)
        return first_block(count, bytes);
    if (real == NULL) {
        looking = true;
        *(void **)(void *)&real = find_next("calloc", SITE);
        looking = false;
    }
    void *block = real(count, bytes);
    take(block, count * bytes, SITE);
    return block;
}

#endif
