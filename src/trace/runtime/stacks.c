/* stacks.c: with which calls a block of memory was taken. The number of a stack is a hash of its
 * addresses; these are written only when the thread has not had the stack before. */
#include "ring_write.h"
#include "runtime.h"

/* [bound] stacks that are known, of each thread; those beyond are written again each time */
enum { KNOWN = 1 << 16, LOOKS = 32 };
static uint64_t known[KNOWN];

static __thread uint64_t last_stack;

void forget_stack(void)
{
    last_stack = 0;
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
    uint64_t number = ring_accesses(s);
    for (size_t i = 0; i < count; i++) {
        unsigned size = i == 0 ? 0 : RING_SIZES; /* 0: a byte, that is 1 */
        if (i > 0)
            put(s, (i + 1) << 7 | ring_low(RING_LENGTH), 0);
        put_numbered(s, stack << 7 | ring_low(size << 4 | TRACE_CALL), number, sites[i], 0);
    }
}

static void put_stack(const uintptr_t sites[], size_t count)
{
    uint64_t stack = 0;
    for (size_t i = 0; i < count; i++)
        stack = stack * 0x9e3779b97f4a7c15 + sites[i];
    stack = mix(stack, count) >> 8; /* an address of a record has 56 bits */
    if (stack == last_stack)
        return;
    last_stack = stack;
    put_calls(tlb_trace_slot, stack, sites, is_known(stack) ? 1 : count);
}

void record_block(const void *block, uint64_t bytes, const uintptr_t sites[], size_t count)
{
    if (tlb_trace_slot == &no_slot && !join_thread())
        return;
    put_stack(sites, count);
    put_event(TRACE_ALLOC, (uintptr_t)block, bytes, sites[0]);
}
