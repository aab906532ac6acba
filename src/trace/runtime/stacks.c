/* stacks.c: with which calls a block of memory was taken.
 *
 * A stack is followed along its frame pointers, which tlbcc has the compiler keep: some
 * nanoseconds a frame. Where there are none, as in code of others, the unwinder of the C library
 * does it, a thousand times slower. The number of a stack is a hash of its addresses; these are
 * written only when the thread has not had the stack before. */
#define _GNU_SOURCE
#include "ring_write.h"
#include "runtime.h"
#include <execinfo.h>

/* [bound] stacks that are known, of each thread; those beyond are written again each time */
enum { KNOWN = 1 << 16, LOOKS = 32 };
static uint64_t known[KNOWN];

static __thread uintptr_t stack_begin, stack_end;
static __thread uint64_t last_stack;

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
    last_stack = 0;
    return found;
}

void forget_stack(void)
{
    last_stack = 0;
}

/* A frame pointer points to the caller's, behind which the return address lies. */
static size_t follow_frames(const void *frame, uintptr_t sites[STACK_MOST])
{
    uintptr_t at = (uintptr_t)frame;
    size_t count = 1;
    while (count < STACK_MOST && at >= stack_begin && at % sizeof at == 0) {
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

static size_t unwind(uintptr_t sites[STACK_MOST])
{
    uintptr_t site = sites[0];
    void *found[STACK_MOST];
    int count = backtrace(found, STACK_MOST), first = 0;
    while (first < count && (uintptr_t)found[first] != site)
        first++;
    for (int i = first; i < count; i++)
        sites[i - first] = (uintptr_t)found[i];
    return first < count ? (size_t)(count - first) : 1;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

/* Whether the thread has had the stack; from now on it has. */
static bool is_known(uint64_t stack)
{
    uint64_t key = mix(stack, tlb_trace_slot->thread) | 1;
    for (uint64_t i = 0; i < LOOKS; i++) {
        uint64_t *place = &known[(key + i) % KNOWN], empty = 0;
        if (__atomic_compare_exchange_n(place, &empty, key, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return false;
        if (empty == key)
            return true;
    }
    return false;
}

/* Its first address suffices where the thread has had the stack before. */
static void put_calls(struct ring_slot *s, uint64_t stack, const uintptr_t sites[], size_t count)
{
    uint64_t number = s->off ? s->kept : s->accesses;
    for (size_t i = 0; i < count; i++) {
        unsigned size = i == 0 ? 0 : RING_SIZES; /* 0: a byte, that is 1 */
        if (i > 0)
            put(s, (i + 1) << 7 | ring_low(RING_BYTES), 0);
        put_numbered(s, stack << 7 | ring_low(size << 4 | TRACE_CALL), number, sites[i], 0);
    }
}

static void put_stack(uintptr_t site, const void *frame)
{
    uintptr_t sites[STACK_MOST] = {site};
    uint64_t stack = 0;
    size_t count = follow_frames(frame, sites);
    if (count == 1)
        count = unwind(sites);
    for (size_t i = 0; i < count; i++)
        stack = stack * 0x9e3779b97f4a7c15 + sites[i];
    stack = mix(stack, count) >> 8; /* an address of a record has 56 bits */
    if (stack == last_stack)
        return;
    last_stack = stack;
    put_calls(tlb_trace_slot, stack, sites, is_known(stack) ? 1 : count);
}

void tell_block(const void *block, uint64_t bytes, uintptr_t site, const void *frame)
{
    if (head_now() == NULL || inside)
        return;
    inside = true;
    if (tlb_trace_slot != &no_slot || join_thread()) {
        put_stack(site, frame);
        put_event(TRACE_ALLOC, (uintptr_t)block, bytes, site);
    }
    inside = false;
}
