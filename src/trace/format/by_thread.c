/* by_thread.c: what is kept for each thread of each process of a trace.
 *
 *     struct by_thread counts = by_thread_of(sizeof(uint64_t));
 *     ++*(uint64_t *)by_thread(&counts, record->process, record->thread);
 */
#include "trace/format/by_thread.h"
#include "base/error.h"
#include <stdlib.h>

struct by_thread by_thread_of(size_t bytes)
{
    return (struct by_thread){.bytes = bytes};
}

void *by_thread_begin(struct by_thread *b, uint32_t process, uint32_t thread)
{
    b->at = reallocate(b->at, b->count + 1, sizeof *b->at);
    b->at[b->count] = (struct thread_item){process, thread, allocate(1, b->bytes)};
    b->last = b->count++;
    return b->at[b->last].item;
}

void *by_thread_other(struct by_thread *b, uint32_t process, uint32_t thread)
{
    size_t i = b->count;
    while (i > 0 && (b->at[i - 1].thread != thread || b->at[i - 1].process != process))
        i--;
    if (i == 0)
        return by_thread_begin(b, process, thread);
    b->last = i - 1;
    return b->at[i - 1].item;
}

void by_thread_free(struct by_thread *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->at[i].item);
    free(b->at);
}
