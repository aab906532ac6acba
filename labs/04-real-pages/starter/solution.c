/* Exercise 04: pages of the machine's own size, twice as many each time.
 *
 * Usage: ./program > tlb4K.dat
 * A row for each number of pages: the seconds that about REFS references take, their sum, and the
 * number of real pages that they touch. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifndef PAGESIZE
#define PAGESIZE (4 * 1024)
#endif
#ifndef PAGES
#define PAGES 4096
#endif
#ifndef REFS
#define REFS (10L * 1024 * 1024)
#endif

char *prepare(int pages)
{
    /* HOLE: copy yours from exercise 03, or write it as the README says. */
    (void)pages;
    return NULL;
}

long read_pages(const char *memory, int pages, long refs)
{
    /* HOLE: copy yours from exercise 03, or write it as the README says. */
    (void)memory;
    (void)pages;
    (void)refs;
    return 0;
}

/* The number of real pages, of `real` bytes, that contain the first bytes of these pages of
 * PAGESIZE bytes. Two addresses are on the same real page when they are equal after division by its
 * size. PAGESIZE may be smaller than `real`, equal, or larger; memory may begin inside a real page.
 */
long real_pages(const char *memory, int pages, long real)
{
    /* HOLE: (uintptr_t)(memory + ...) is an address as a number. */
    (void)memory;
    (void)pages;
    (void)real;
    return 0;
}

/* The number of pages to try after this one. */
int next_size(int pages)
{
    /* HOLE: twice as many each time. */
    return pages + PAGES;
}

int main(void)
{
    char *memory = prepare(PAGES);
    long real = sysconf(_SC_PAGESIZE);

    printf("# program: pages\n");
    printf("# page size: %d bytes\n", PAGESIZE);
    printf("# page_bytes: %ld\n", real);
    printf("# max pages: %d\n", PAGES);
    printf("# total number of references: %ld\n", (long)REFS);
    printf("pages\tproc\tsum\treal\n");
    for (int pages = 4; pages <= PAGES; pages = next_size(pages)) {
        clock_t start = clock();
        long sum = read_pages(memory, pages, REFS);
        clock_t stop = clock();

        printf("%d\t%.6f\t%ld\t%ld\n", pages, (double)(stop - start) / CLOCKS_PER_SEC, sum,
               real_pages(memory, pages, real));
    }
    free(memory);
    return 0;
}
