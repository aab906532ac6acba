/* ring_write.h: how a thread puts records into its slot of the ring. */
#ifndef TLBLAB_RUNTIME_RING_WRITE_H
#define TLBLAB_RUNTIME_RING_WRITE_H

#include "runtime.h"

#pragma GCC visibility push(hidden)

/* Lets the thread write up to the end of the chunk, whose time begins now; false where tlbsim has
 * ended, and tracing with it. */
bool make_room(struct ring_slot *s);

#pragma GCC visibility pop

/* Takes a number of places by one instruction: a signal comes before or after it. Returns the
 * first of them. */
static inline uint64_t take_places(uint64_t *taken, uint64_t count)
{
#ifdef __x86_64__
    __asm__ volatile("xaddq %0, %1" : "+r"(count), "+m"(*taken) : : "cc");
    return count;
#else
    return __atomic_fetch_add(taken, count, __ATOMIC_RELAXED);
#endif
}

/* Asks for the line of a record that is written soon: tlbsim's core has it. gcc's own prefetch
 * would ask for a copy to read only, where it does not know the processor. */
static inline void prepare_write(const struct ring_record *record)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*record));
#else
    __builtin_prefetch(record, 1);
#endif
}

/* s->at < s->granted; after that a chunk is free for the accesses of signal handlers. */
static inline void put_unchecked(struct ring_slot *s, uint64_t what, uint64_t from)
{
    uint64_t place = take_places(&s->at, 1);
    struct ring_record *record = &s->records[place % RING_RECORDS];
    prepare_write(record + 8 * RING_LINE); /* of another thread's, or none, at the end */
    record->from = from;
    __atomic_store_n(&record->what, what | ring_lap(place), __ATOMIC_RELEASE);
}

static inline void put(struct ring_slot *s, uint64_t what, uint64_t from)
{
    if (LIKELY(s->at < s->granted) || make_room(s))
        put_unchecked(s, what, from);
}

static inline uint64_t from_of(uint64_t number, uintptr_t site, unsigned order)
{
    return (uint64_t)site << 16 | order << RING_ORDER_SHIFT | (number & RING_NUMBER);
}

/* The record of the access with this number, or of an event behind it; before it, where there is
 * a gap that does not fit the low bits, the number. */
static inline void put_numbered(struct ring_slot *s, uint64_t what, uint64_t number, uintptr_t site,
                                unsigned order)
{
    if (__builtin_expect(number - s->recorded > RING_GAP, 0))
        put(s, (number - 1) << 7 | ring_low(RING_SKIP), 0);
    put(s, what, from_of(number, site, order));
}

#endif
