/* callers.c: the callers of what takes memory, in a program that tlbcc has compiled.
 *
 * A stack is followed along its frame pointers, which tlbcc has the compiler keep: some
 * nanoseconds a frame. Where there are none, as in code of others, the unwinder of the compiler
 * does it, a thousand times slower. */
#define _GNU_SOURCE
#include "calls.h"
#include "runtime.h"

const bool has_fetches = false;

static __thread uintptr_t stack_begin, stack_end;

bool find_stack(uintptr_t *begin, size_t *bytes)
{
    pthread_attr_t attributes;
    void *at = NULL;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    bool found = pthread_attr_getstack(&attributes, &at, bytes) == 0;
    pthread_attr_destroy(&attributes);
    *begin = (uintptr_t)at;
    stack_begin = found ? *begin : 0;
    stack_end = found ? *begin + *bytes : 0;
    return found;
}

/* A frame pointer points to the caller's, behind which the return address lies. */
static size_t follow_frames(const void *frame, uintptr_t sites[STACK_MAX])
{
    uintptr_t at = (uintptr_t)frame;
    size_t count = 1;
    while (count < STACK_MAX && at >= stack_begin && at % sizeof at == 0) {
        uintptr_t next = *(const uintptr_t *)at;
        if (next <= at || next > stack_end - 2 * sizeof at || next % sizeof at != 0)
            break;
        sites[count] = ((const uintptr_t *)next)[1];
        if (sites[count++] == 0)
            return count - 1;
        at = next;
    }
    return count;
}

static size_t unwind(uintptr_t sites[STACK_MAX])
{
    void *found[STACK_MAX];
    int count = calls_from((void *)sites[0], found, NULL, STACK_MAX);
    for (int i = 0; i < count; i++)
        sites[i] = (uintptr_t)found[i];
    return (size_t)count;
}

void record_taken(const void *block, uint64_t bytes, uintptr_t site, const void *frame)
{
    uintptr_t sites[STACK_MAX] = {site};
    if (head_now() == NULL || inside)
        return;
    inside = true;
    if (tlb_trace_slot != &no_slot || join_thread()) { /* then its stack is known */
        size_t count = follow_frames(frame, sites);
        record_block(block, bytes, sites, count > 1 ? count : unwind(sites));
    }
    inside = false;
}
