/* sequential.c: reads the first byte of page after page, in rounds, in one thread or several. Each
 * thread has its own pages. All is known at compile time, so that the threads access nothing else
 * and their trace can be predicted access for access: thread t reads BASE + (t * PAGES + i) *
 * PAGE_BYTES for i = 0 … PAGES - 1, ROUNDS times.
 *
 * usage: tlbcc -O2 -DPAGES=1000 -DPAGE_BYTES=4096 -DTHREADS=4 sequential.c -o sequential -pthread
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#ifndef PAGES
#define PAGES 1000
#endif
#ifndef PAGE_BYTES
#define PAGE_BYTES 4096
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef THREADS
#define THREADS 1
#endif

static const uintptr_t base = 0x100000000000;

/* Of the runtime of tlbcc, where it is linked in. */
#pragma weak tlb_trace_on
#pragma weak tlb_trace_off
void tlb_trace_on(void);
void tlb_trace_off(void);

static void *read_pages(void *thread)
{
    uintptr_t first = base + (uintptr_t)thread * PAGES * PAGE_BYTES;
    for (int round = 0; round < ROUNDS; round++)
        for (uintptr_t i = 0; i < PAGES; i++)
            *(const volatile char *)(first + i * PAGE_BYTES);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    size_t bytes = (size_t)THREADS * PAGES * PAGE_BYTES;
    if (mmap((void *)base, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
             0) != (void *)base) {
        perror("sequential: mmap");
        return 2;
    }
    if (tlb_trace_on)
        tlb_trace_on();
    if (THREADS == 1)
        read_pages(NULL);
    for (uintptr_t t = 0; t < THREADS && THREADS > 1; t++)
        if (pthread_create(&threads[t], NULL, read_pages, (void *)t) != 0)
            return 2;
    for (int t = 0; t < THREADS && THREADS > 1; t++)
        pthread_join(threads[t], NULL);
    if (tlb_trace_off)
        tlb_trace_off();
    return 0;
}
