/* target.c: stdin, stdout and the end of a read, for targets.
 *
 * die() and warn() come here by the linker's --wrap. */
#include "target.h"
#include "base/error.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Static variables keep small blocks, as field_keep() does: only larger ones must be freed. */
enum { LARGE = 8192, LARGE_MAX = 256 };

static jmp_buf ended;
static bool reading;
static const volatile void *large[LARGE_MAX];
static size_t large_count;

_Noreturn void target_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

_Noreturn void __wrap_die(const char *format, ...);
_Noreturn void __wrap_die(const char *format, ...)
{
    (void)format;
    longjmp(ended, 1);
}

void __wrap_warn(const char *format, ...);
void __wrap_warn(const char *format, ...)
{
    (void)format;
}

/* ---- memory, where a sanitizer watches it ---- */

__attribute__((weak)) int
__sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void *, size_t),
                                          void (*freed)(const volatile void *));

static void note_taken(const volatile void *block, size_t size)
{
    if (reading && size >= LARGE && large_count < LARGE_MAX)
        large[large_count++] = block;
}

static void note_freed(const volatile void *block)
{
    for (size_t i = 0; i < large_count; i++)
        if (large[i] == block)
            large[i] = large[--large_count];
}

static void free_large(void)
{
    while (large_count > 0)
        free((void *)(uintptr_t)large[--large_count]);
}

/* ---- input and output ---- */

static void redirect(int descriptor)
{
    FILE *file = tmpfile();
    if (file == NULL || dup2(fileno(file), descriptor) < 0)
        abort();
}

static void begin(void)
{
    static bool begun;
    if (begun)
        return;
    begun = true;
    redirect(STDIN_FILENO);
    redirect(STDOUT_FILENO);
    if (__sanitizer_install_malloc_and_free_hooks != NULL)
        __sanitizer_install_malloc_and_free_hooks(note_taken, note_freed);
}

void target_give(const uint8_t *data, size_t size)
{
    if (ftruncate(STDIN_FILENO, 0) != 0 || pwrite(STDIN_FILENO, data, size, 0) != (ssize_t)size)
        abort();
    rewind(stdin);
}

uint8_t *target_written(size_t *size)
{
    fflush(stdout);
    *size = (size_t)lseek(STDOUT_FILENO, 0, SEEK_END);
    uint8_t *written = allocate(*size, 1);
    if (pread(STDOUT_FILENO, written, *size, 0) != (ssize_t)*size ||
        ftruncate(STDOUT_FILENO, 0) != 0)
        abort();
    rewind(stdout);
    return written;
}

int target_read(void (*read)(void), const uint8_t *data, size_t size)
{
    begin();
    target_give(data, size);
    reading = true;
    bool whole = setjmp(ended) == 0;
    if (whole)
        read();
    reading = false;
    target_check(!whole || large_count == 0);
    free_large();
    return 0;
}
