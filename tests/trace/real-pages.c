/* real-pages.c: writes 64 MiB page by page, for which it asks for huge pages or for none, ten
 * times.
 *
 * usage: real-pages huge|base|both
 * With `both` they are huge for the first five rounds.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, HUGE = 2 << 20, PAGES = 16384, ROUNDS = 10 };

#pragma weak tlb_trace_on
void tlb_trace_on(void);
#pragma weak tlb_trace_phase
void tlb_trace_phase(unsigned phase);

int main(int argc, char **argv)
{
    size_t bytes = (size_t)PAGES * PAGE;
    char *mapped = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                        0);
    if (argc != 2 || mapped == MAP_FAILED)
        return 2;
    volatile char *memory = mapped + (HUGE - (uintptr_t)mapped % HUGE) % HUGE;
    madvise((void *)memory, bytes, strcmp(argv[1], "base") == 0 ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    for (int i = 0; i < PAGES; i++)
        memory[(size_t)i * PAGE] = 1;
    if (tlb_trace_on)
        tlb_trace_on();
    for (int round = 0; round < ROUNDS; round++) {
        if (round == ROUNDS / 2 && strcmp(argv[1], "both") == 0) {
            madvise((void *)memory, bytes, MADV_DONTNEED);
            madvise((void *)memory, bytes, MADV_NOHUGEPAGE);
            for (int i = 0; i < PAGES; i++)
                memory[(size_t)i * PAGE] = 1;
        }
        if (tlb_trace_phase)
            tlb_trace_phase((unsigned)round);
        for (int i = 0; i < PAGES; i++)
            memory[(size_t)i * PAGE] = 1;
    }
    return 0;
}
