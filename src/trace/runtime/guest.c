/* guest.c: the library that tlbrun puts before those of a program in qemu-user: it says which
 * memory the program takes, and with which calls. */
#define _GNU_SOURCE
#include "guest.h"
#include "calls.h"
#include "takes.h"
#include "trace/format/record.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A stack that the thread had, and where on it its return addresses are. As long as they are there,
 * a call from the same place with as much on the stack has the same callers. */
struct stack {
    void *frame;
    int count; /* 1: of a small block, where they are not on the stack as an x86 has them */
    void *calls[STACK_MAX];
    void **places[STACK_MAX];
};

/* [bound] bytes between two of these places, beyond which the second may be on a stack of its own:
 * one that is switched to, as coroutines do, and may be unmapped before the next look. */
enum { NEAR = 1 << 20 };

/* [bound] stacks that are kept of a thread, in sets of a few that have the innermost call and its
 * frame in common. Unwinding one takes long: of blocks below LARGE bytes at most one in SELDOM is
 * worth it, beyond the first SOME. Of the others only the call that takes them is known. */
enum { SETS = 64, WAYS = 4, LARGE = 16384, SOME = 4096, SELDOM = 256 };
static __thread struct stack (*stacks)[WAYS];
static __thread uint64_t taken, unwound;

/* Of this library, as the linker has it: its code lies between them. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static __thread bool inside;
static bool unwinds;       /* the unwinder has loaded what it does at its first call */
static pthread_key_t kept; /* by each thread until it ends: its stacks */

static bool is_still_there(const struct stack *stack, const void *site, const void *frame)
{
    bool there = stack->frame == frame && stack->calls[0] == site;
    for (int i = 1; i < stack->count && there; i++)
        there = stack->places[i] != NULL && *stack->places[i] == stack->calls[i];
    return there;
}

/* Forgets the places that may not be on the stack that the thread is on. */
static void stay_on_stack(struct stack *stack)
{
    uintptr_t last = (uintptr_t)stack->frame;
    for (int i = 1; i < stack->count; i++) {
        uintptr_t place = (uintptr_t)stack->places[i];
        if (place <= last || place - last > NEAR)
            stack->places[i] = NULL;
        last = place;
    }
}

static void forget_stacks(void *memory)
{
    stacks = NULL;
    syscall(SYS_munmap, memory, SETS * sizeof *stacks);
}

/* The stack of the thread for a block that the code at `site` has taken; NULL: not known. */
static const struct stack *stack_of(void *site, size_t bytes)
{
    void *frame = __builtin_frame_address(0);
    if (stacks == NULL) {
        void *memory = (void *)syscall(SYS_mmap, NULL, SETS * sizeof *stacks,
                                       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                                       (off_t)0);
        if (memory == MAP_FAILED)
            return NULL;
        stacks = memory;
        pthread_setspecific(kept, stacks);
    }
    uintptr_t key = ((uintptr_t)site ^ (uintptr_t)frame) * 0x9e3779b97f4a7c15;
    struct stack *set = stacks[key >> 32 & (SETS - 1)], *stack = &set[unwound % WAYS];
    taken++;
    for (int i = 0; i < WAYS; i++)
        if ((set[i].count > 1 || bytes < LARGE) && is_still_there(&set[i], site, frame))
            return &set[i];
    if (bytes < LARGE && unwound >= SOME && unwound > taken / SELDOM)
        return NULL;
    stack->frame = frame;
    stack->count = calls_from(site, stack->calls, stack->places, STACK_MAX);
    stay_on_stack(stack);
    unwound++;
    if (!is_still_there(stack, site, frame) && bytes < LARGE)
        stack->count = 1;
    return stack;
}

REALIGNED static void take(void *block, size_t bytes, void *site)
{
    void *alone[] = {site};
    int error = errno;
    if (block == NULL || block == MAP_FAILED || inside)
        return;
    inside = true;
    const struct stack *stack = unwinds ? stack_of(site, bytes) : NULL;
    syscall(GUEST_CALL, GUEST_TAKEN, block, bytes, stack != NULL ? stack->calls : alone,
            stack != NULL ? stack->count : 1);
    inside = false;
    errno = error;
}

__attribute__((visibility("default"))) void free(void *block)
{
    static void (*real)(void *);
    int error = errno;
    if (real == NULL)
        *(void **)(void *)&real = find_next("free", SITE);
    if (block != NULL && !inside)
        syscall(GUEST_CALL, GUEST_FREED, block);
    errno = error;
    if (!is_first_block(block) && real != NULL)
        real(block);
}

/* ---- what the program says itself (tlbcc(1)) ---- */

#define ENTRY __attribute__((visibility("default")))
ENTRY void tlb_trace_on(void);
ENTRY void tlb_trace_off(void);
ENTRY void tlb_trace_phase(unsigned phase);
ENTRY void tlb_trace_object(const void *block, size_t bytes, const char *name);

void tlb_trace_on(void)
{
    syscall(GUEST_CALL, GUEST_TRACED, 1);
}

void tlb_trace_off(void)
{
    syscall(GUEST_CALL, GUEST_TRACED, 0);
}

void tlb_trace_phase(unsigned phase)
{
    syscall(GUEST_CALL, GUEST_PHASE, phase);
}

void tlb_trace_object(const void *block, size_t bytes, const char *name)
{
    syscall(GUEST_CALL, GUEST_NAMED, block, bytes, name);
}

/* The plugin puts the library before programs that this one executes; others run without it. */
__attribute__((constructor)) static void begin(void)
{
    const char *libraries = getenv("LD_PRELOAD"), *others = NULL;
    void *calls[STACK_MAX];
    /* First: what has run before is traced. */
    syscall(GUEST_CALL, GUEST_OWN, __ehdr_start, etext - __ehdr_start);
    /* Now, since it takes memory, and an allocator that maps some may hold a lock. */
    unwinds = calls_from(SITE, calls, NULL, STACK_MAX) > 0 &&
              pthread_key_create(&kept, forget_stacks) == 0;
    if (libraries != NULL)
        others = strchr(libraries, ':');
    if (others != NULL)
        setenv("LD_PRELOAD", others + 1, 1);
    else
        unsetenv("LD_PRELOAD");
}
