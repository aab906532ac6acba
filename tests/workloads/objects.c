/* objects.c: a program whose misses are known: three objects, read and written in a known order by
 * known functions, page by page, so that with fewer entries than pages each access misses.
 *
 * usage: tlbcc -g -O1 objects.c -o objects
 */
#include <stdlib.h>

enum { PAGE = 4096, TABLE_PAGES = 6000, HEAP_PAGES = 8000, ROUNDS = 5 };

static volatile char table[TABLE_PAGES * PAGE];

#pragma weak tlb_trace_phase
void tlb_trace_phase(unsigned phase);

static __attribute__((noinline)) char *make_heap(void)
{
    return malloc((size_t)HEAP_PAGES * PAGE);
}

static __attribute__((noinline)) void read_table(void)
{
    for (int i = 0; i < TABLE_PAGES; i++)
        table[i * PAGE];
}

static __attribute__((noinline)) void write_heap(volatile char *heap)
{
    for (int i = 0; i < HEAP_PAGES; i++)
        heap[i * PAGE] = 1;
}

/* One page of eight. */
static __attribute__((noinline)) void read_some(volatile char *heap)
{
    for (int i = 0; i < HEAP_PAGES; i += 8)
        heap[i * PAGE];
}

int main(void)
{
    volatile char *heap = make_heap();
    for (int round = 0; round < ROUNDS; round++) {
        if (tlb_trace_phase)
            tlb_trace_phase((unsigned)round);
        read_table();
        write_heap(heap);
    }
    read_some(heap);
    free((void *)heap);
    return 0;
}
