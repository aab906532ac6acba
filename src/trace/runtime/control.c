/* control.c: what a program calls to say which part of it is traced, and what its memory is. */
#include "runtime.h"
#include <string.h>
#include <unistd.h>

void tlb_trace_on(void)
{
    has_traced = true;
    __atomic_store_n(&tracing, true, __ATOMIC_SEQ_CST);
    if (tlb_trace_slot != &no_slot && tlb_trace_slot->off) {
        tlb_trace_slot->off = 0;
        tlb_trace_slot->accesses = tlb_trace_slot->kept;
    }
    struct ring_head *shared = head_now();
    for (int i = 0; shared != NULL && i < RING_SLOTS; i++)
        if (shared->slots[i].process == (uint32_t)getpid())
            watch(&shared->slots[i]);
}

/* Sends every thread into make_ready() at its next access. */
void tlb_trace_off(void)
{
    __atomic_store_n(&tracing, false, __ATOMIC_SEQ_CST);
    if (tlb_trace_slot != &no_slot)
        end_visits(tlb_trace_slot);
    struct ring_head *shared = head_now();
    for (int i = 0; shared != NULL && i < RING_SLOTS; i++)
        if (shared->slots[i].process == (uint32_t)getpid()) {
            shut(&shared->slots[i]);
            __atomic_store_n(&shared->slots[i].mask, 0, __ATOMIC_SEQ_CST);
        }
    if (tlb_trace_slot != &no_slot && !tlb_trace_slot->off) {
        tlb_trace_slot->off = 1;
        tlb_trace_slot->kept = tlb_trace_slot->accesses;
        look_away(tlb_trace_slot);
    }
}

void tlb_trace_phase(unsigned phase)
{
    record_event(TRACE_PHASE, phase, 0, SITE);
}

/* The name goes in pieces of what an address has room for. */
void tlb_trace_object(const void *block, size_t bytes, const char *name)
{
    enum { PIECE = 7 };
    size_t length = strlen(name);
    if (head_now() == NULL || inside)
        return;
    inside = true;
    if (tlb_trace_slot != &no_slot || join_thread()) {
        for (size_t at = 0; at < length; at += PIECE) {
            uint64_t piece = 0;
            for (size_t i = 0; i < PIECE && at + i < length; i++)
                piece |= (uint64_t)(unsigned char)name[at + i] << 8 * i;
            put_event(TRACE_NAME, piece, at / PIECE + 1, 0);
        }
        put_event(TRACE_ALLOC, (uintptr_t)block, bytes, 0);
    }
    inside = false;
}
