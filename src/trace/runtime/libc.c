/* libc.c: functions of the C library that tlbcc intercepts (ld --wrap): those that read and write
 * the program's memory, and those that give it memory. */
#define _GNU_SOURCE
#include "runtime.h"
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

/* ---- functions of the C library (ld --wrap) ---- */

/* Weak: a static program has none of them, and one of C has no new and delete. */
#define WRAP(type, name, ...)                                                                      \
    __attribute__((weak)) type __real_##name(__VA_ARGS__);                                         \
    ENTRY(type, __wrap_##name, __VA_ARGS__)

WRAP(void *, memcpy, void *to, const void *from, size_t bytes)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real_memcpy(to, from, bytes);
}

WRAP(void *, memmove, void *to, const void *from, size_t bytes)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real_memmove(to, from, bytes);
}

WRAP(void *, memset, void *to, int value, size_t bytes)
{
    record_range((uintptr_t)to, bytes, TRACE_WRITE, SITE);
    return __real_memset(to, value, bytes);
}

/* The same with _FORTIFY_SOURCE; `room` is checked by the C library. */
WRAP(void *, __memcpy_chk, void *to, const void *from, size_t bytes, size_t room)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real___memcpy_chk(to, from, bytes, room);
}

WRAP(void *, __memmove_chk, void *to, const void *from, size_t bytes, size_t room)
{
    record_copy((uintptr_t)to, (uintptr_t)from, bytes, SITE);
    return __real___memmove_chk(to, from, bytes, room);
}

WRAP(void *, __memset_chk, void *to, int value, size_t bytes, size_t room)
{
    record_range((uintptr_t)to, bytes, TRACE_WRITE, SITE);
    return __real___memset_chk(to, value, bytes, room);
}

/* Ends without the destructors: with a status that shows whether the trace is whole. */
#define WRAP_EXIT(name)                                                                            \
    WRAP(void, name, int status)                                                                   \
    {                                                                                              \
        __real_##name(finish_trace() ? status : STATUS_LOST);                                      \
    }
WRAP_EXIT(_exit)
WRAP_EXIT(_Exit)

/* Two texts are read in step up to where they differ; so are two blocks. */
WRAP(int, memcmp, const void *a, const void *b, size_t bytes)
{
    const char *x = a, *y = b;
    size_t read = 0;
    while (read < bytes && x[read] == y[read])
        read++;
    read += read < bytes;
    record_range((uintptr_t)a, read, TRACE_READ, SITE);
    record_range((uintptr_t)b, read, TRACE_READ, SITE);
    return __real_memcmp(a, b, bytes);
}

WRAP(void *, memchr, const void *at, int value, size_t bytes)
{
    char *found = __real_memchr(at, value, bytes);
    record_range((uintptr_t)at, found != NULL ? (size_t)(found - (const char *)at) + 1 : bytes,
                 TRACE_READ, SITE);
    return found;
}

WRAP(size_t, strlen, const char *text)
{
    size_t length = __real_strlen(text);
    record_range((uintptr_t)text, length + 1, TRACE_READ, SITE);
    return length;
}

static void record_compare(const char *a, const char *b, size_t most, uintptr_t site)
{
    size_t read = 0;
    while (read < most && a[read] == b[read] && a[read] != '\0')
        read++;
    read += read < most;
    record_range((uintptr_t)a, read, TRACE_READ, site);
    record_range((uintptr_t)b, read, TRACE_READ, site);
}

WRAP(int, strcmp, const char *a, const char *b)
{
    record_compare(a, b, SIZE_MAX, SITE);
    return __real_strcmp(a, b);
}

WRAP(int, strncmp, const char *a, const char *b, size_t most)
{
    record_compare(a, b, most, SITE);
    return __real_strncmp(a, b, most);
}

WRAP(char *, strcpy, char *to, const char *from)
{
    record_copy((uintptr_t)to, (uintptr_t)from, strnlen(from, SIZE_MAX) + 1, SITE);
    return __real_strcpy(to, from);
}

WRAP(char *, strncpy, char *to, const char *from, size_t most)
{
    size_t length = strnlen(from, most);
    record_copy((uintptr_t)to, (uintptr_t)from, length + (length < most), SITE);
    record_range((uintptr_t)to + length, most - length, TRACE_WRITE, SITE);
    return __real_strncpy(to, from, most);
}

WRAP(char *, strcat, char *to, const char *from)
{
    size_t length = strnlen(to, SIZE_MAX);
    record_range((uintptr_t)to, length + 1, TRACE_READ, SITE);
    record_copy((uintptr_t)to + length, (uintptr_t)from, strnlen(from, SIZE_MAX) + 1, SITE);
    return __real_strcat(to, from);
}

WRAP(char *, strchr, const char *text, int value)
{
    char *found = __real_strchr(text, value);
    size_t read = found != NULL ? (size_t)(found - text) : strnlen(text, SIZE_MAX);
    record_range((uintptr_t)text, read + 1, TRACE_READ, SITE);
    return found;
}

WRAP(char *, strrchr, const char *text, int value)
{
    record_range((uintptr_t)text, strnlen(text, SIZE_MAX) + 1, TRACE_READ, SITE);
    return __real_strrchr(text, value);
}

/* ---- memory that the program takes ---- */

/* A free is recorded before it happens: afterwards another thread may have taken it again. Where
 * that fails it is recorded as taken anew, from the call that failed. */
static void record_again(void *block, size_t bytes, uintptr_t site, const void *frame)
{
    int error = errno;
    record_taken(block, bytes, site, frame);
    errno = error;
}

/* Untraced, what gives memory is reached by a jump, so that it returns to the program's own call:
 * by that call 'tlbcost --huge' knows a block. */
#define UNTRACED(given)                                                                            \
    if (head_now() == NULL)                                                                        \
    return given

WRAP(void *, malloc, size_t bytes)
{
    UNTRACED(__real_malloc(bytes));
    void *block = __real_malloc(bytes);
    if (block != NULL)
        record_taken(block, bytes, SITE, FRAME);
    return block;
}

WRAP(void *, calloc, size_t count, size_t bytes)
{
    UNTRACED(__real_calloc(count, bytes));
    void *block = __real_calloc(count, bytes);
    if (block != NULL)
        record_taken(block, count * bytes, SITE, FRAME);
    return block;
}

WRAP(void, free, void *block)
{
    if (block != NULL)
        record_event(TRACE_FREE, (uintptr_t)block, 0, SITE);
    __real_free(block);
}

/* On failure the old block stays; no bytes free it, though there is no new one. */
WRAP(void *, realloc, void *old, size_t bytes)
{
    UNTRACED(__real_realloc(old, bytes));
    if (old != NULL)
        record_event(TRACE_FREE, (uintptr_t)old, 0, SITE);
    void *block = __real_realloc(old, bytes);
    if (block != NULL)
        record_taken(block, bytes, SITE, FRAME);
    else if (old != NULL && bytes > 0)
        record_again(old, malloc_usable_size(old), SITE, FRAME);
    return block;
}

WRAP(void *, aligned_alloc, size_t align, size_t bytes)
{
    UNTRACED(__real_aligned_alloc(align, bytes));
    void *block = __real_aligned_alloc(align, bytes);
    if (block != NULL)
        record_taken(block, bytes, SITE, FRAME);
    return block;
}

WRAP(int, posix_memalign, void **block, size_t align, size_t bytes)
{
    UNTRACED(__real_posix_memalign(block, align, bytes));
    int failed = __real_posix_memalign(block, align, bytes);
    if (failed == 0)
        record_taken(*block, bytes, SITE, FRAME);
    return failed;
}

/* With _FILE_OFFSET_BITS=64 a program calls mmap64, which musl makes a macro. */
#undef mmap64
#define WRAP_MMAP(name, offset_type)                                                               \
    WRAP(void *, name, void *wanted, size_t bytes, int protection, int flags, int file,            \
         offset_type offset)                                                                       \
    {                                                                                              \
        UNTRACED(__real_##name(wanted, bytes, protection, flags, file, offset));                   \
        void *block = __real_##name(wanted, bytes, protection, flags, file, offset);               \
        if (block != MAP_FAILED && (flags & MAP_ANONYMOUS))                                        \
            record_taken(block, bytes, SITE, FRAME);                                               \
        else if (block != MAP_FAILED)                                                              \
            record_maps(false, SITE);                                                              \
        return block;                                                                              \
    }
WRAP_MMAP(mmap, off_t)
WRAP_MMAP(mmap64, int64_t)

/* The system refuses no bytes, and an address within a page. */
WRAP(int, munmap, void *block, size_t bytes)
{
    bool possible = bytes > 0 && (uintptr_t)block % ((uintptr_t)1 << RING_PAGE_SHIFT) == 0;
    if (possible)
        record_event(TRACE_FREE, (uintptr_t)block, bytes, SITE);
    int failed = __real_munmap(block, bytes);
    if (possible && failed != 0)
        record_again(block, bytes, SITE, FRAME);
    return failed;
}

/* Pages that are huge from now on. */
WRAP(int, madvise, void *begin, size_t bytes, int advice)
{
    int failed = __real_madvise(begin, bytes, advice);
    if (failed == 0 && (advice == MADV_HUGEPAGE || advice == MADV_NOHUGEPAGE))
        record_maps(false, SITE);
    return failed;
}

WRAP(void *, dlopen, const char *file, int flags)
{
    void *library = __real_dlopen(file, flags);
    record_maps(true, SITE);
    return library;
}

/* The names of C++, of 64-bit sizes: new and delete of things and of arrays, over-aligned, and with
 * std::nothrow, which is passed as a pointer. */
#define UNPACKED(...) __VA_ARGS__
#define WRAP_NEW(name, parameters, arguments)                                                      \
    WRAP(void *, name, UNPACKED parameters)                                                        \
    {                                                                                              \
        UNTRACED(__real_##name arguments);                                                         \
        void *block = __real_##name arguments;                                                     \
        if (block != NULL)                                                                         \
            record_taken(block, bytes, SITE, FRAME);                                               \
        return block;                                                                              \
    }
#define WRAP_DELETE(name, parameters, arguments)                                                   \
    WRAP(void, name, UNPACKED parameters)                                                          \
    {                                                                                              \
        if (block != NULL)                                                                         \
            record_event(TRACE_FREE, (uintptr_t)block, 0, SITE);                                   \
        __real_##name arguments;                                                                   \
    }
#define NEW(more, parameters, arguments)                                                           \
    WRAP_NEW(_Znwm##more, parameters, arguments)                                                   \
    WRAP_NEW(_Znam##more, parameters, arguments)
#define DELETE(more, parameters, arguments)                                                        \
    WRAP_DELETE(_ZdlPv##more, parameters, arguments)                                               \
    WRAP_DELETE(_ZdaPv##more, parameters, arguments)
NEW(, (size_t bytes), (bytes))
NEW(RKSt9nothrow_t, (size_t bytes, void *nothrow), (bytes, nothrow))
NEW(St11align_val_t, (size_t bytes, size_t align), (bytes, align))
NEW(St11align_val_tRKSt9nothrow_t, (size_t bytes, size_t align, void *nothrow),
    (bytes, align, nothrow))
DELETE(, (void *block), (block))
DELETE(m, (void *block, size_t bytes), (block, bytes))
DELETE(RKSt9nothrow_t, (void *block, void *nothrow), (block, nothrow))
DELETE(St11align_val_t, (void *block, size_t align), (block, align))
DELETE(mSt11align_val_t, (void *block, size_t bytes, size_t align), (block, bytes, align))
DELETE(St11align_val_tRKSt9nothrow_t, (void *block, size_t align, void *nothrow),
       (block, align, nothrow))
