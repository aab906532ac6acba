/* by_thread.h: what is kept for each thread of each process of a trace. */
#ifndef TLBLAB_FORMAT_BY_THREAD_H
#define TLBLAB_FORMAT_BY_THREAD_H

#include <stddef.h>
#include <stdint.h>

struct thread_item {
    uint32_t process, thread;
    void *item;
};

struct by_thread {
    size_t bytes; /* of an item */
    struct thread_item *at;
    size_t count, last; /* in the order of their first records; the one that was asked for last */
};

/* Items of so many bytes. */
struct by_thread by_thread_of(size_t bytes);

/* A new item for a thread; one that it had stays where it is, and is not found any more. */
void *by_thread_begin(struct by_thread *items, uint32_t process, uint32_t thread);

/* Another thread than the last one that was asked for, or a new one. */
void *by_thread_other(struct by_thread *items, uint32_t process, uint32_t thread);

/* The item of a thread; a new one is all zero. It stays where it is. */
static inline void *by_thread(struct by_thread *items, uint32_t process, uint32_t thread)
{
    const struct thread_item *last = items->count > 0 ? &items->at[items->last] : NULL;
    if (last != NULL && last->thread == thread && last->process == process)
        return last->item;
    return by_thread_other(items, process, thread);
}

void by_thread_free(struct by_thread *items);

#endif
