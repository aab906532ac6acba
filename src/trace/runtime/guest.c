/* guest.c: the library that tlbrun puts before those of a program in qemu-user: it says which
 * memory the program takes, and with which calls. */
#define _GNU_SOURCE
#include "guest.h"
#include "calls.h"
#include "takes.h"
#include "trace/format/record.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* [bound] smaller blocks are known by the call that takes them alone: to unwind a stack takes long
 */
enum { LARGE = 16384 };

static __thread bool inside;
static bool unwinds; /* the unwinder has what it loads when it is called first */

static void take(void *block, size_t bytes, void *site)
{
    void *calls[STACK_MOST] = {site};
    int error = errno, count = 1;
    if (block == NULL || block == MAP_FAILED || inside)
        return;
    inside = true;
    if (bytes >= LARGE && unwinds)
        count = calls_from(site, calls, STACK_MOST);
    syscall(GUEST_CALL, GUEST_TAKEN, block, bytes, calls, count);
    inside = false;
    errno = error;
}

__attribute__((visibility("default"))) void free(void *block)
{
    static void (*real)(void *);
    int error = errno;
    if (real == NULL)
        *(void **)(void *)&real = dlsym(RTLD_NEXT, "free");
    if (block != NULL && !inside)
        syscall(GUEST_CALL, GUEST_FREED, block);
    errno = error;
    if (!is_first_block(block))
        real(block);
}

/* The plugin puts the library before programs that this one executes; others run without it. */
__attribute__((constructor)) static void begin(void)
{
    const char *libraries = getenv("LD_PRELOAD"), *others = NULL;
    void *calls[STACK_MOST];
    /* Now, since it takes memory, and an allocator that maps some may hold a lock. */
    unwinds = calls_from(SITE, calls, STACK_MOST) > 0;
    if (libraries != NULL)
        others = strchr(libraries, ':');
    if (others != NULL)
        setenv("LD_PRELOAD", others + 1, 1);
    else
        unsetenv("LD_PRELOAD");
}
